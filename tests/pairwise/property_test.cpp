// What must hold for any two bodies, whatever the answer is: asked of every row of the registry, on pairs
// near contact from fixed seeds.

#include "tests/pairwise/pairs.hpp"
#include "tests/support/referee.hpp"

#include <cmath>

namespace claybox::test {
namespace {

class PairProperty : public testing::TestWithParam<const PairAlgorithm*> {
  protected:
    const PairAlgorithm& algorithm() const { return *GetParam(); }
    bool solid() const { return algorithm().meaning == Meaning::solid; }

    /// Whether the answer is one that this row may give where `right` is the truth: an exact row must be
    /// right, a one-sided row may be undecided, and an approximate row promises nothing.
    bool allowed(Verdict said, Verdict right) const {
        if (said == right) return true;
        if (algorithm().exact) return false;
        return algorithm().bias == Bias::none || said == Verdict::undecided;
    }
};

INSTANTIATE_TEST_SUITE_P(all, PairProperty,
                         testing::ValuesIn(pair_algorithms().begin(), pair_algorithms().end()),
                         [](const auto& row) { return std::string(row.param->id); });

/// Convex bodies whose bounding balls are moved until a vertex of one is about to meet the other.
std::vector<Pair> near_pairs(const PairAlgorithm& algorithm, std::size_t count, std::uint64_t seed) {
    std::vector<Pair> out;
    Random random(seed);
    Scratch scratch;
    for (Pair p : random_pairs(4 * count, seed)) {
        if (out.size() == count || !applies(algorithm, p)) continue;
        PairQuery q = query_of(*find_pair_algorithm("gjk"), p, {}, scratch);
        q.wants = kWantDistance;
        PairCache cache;
        const PairResult r = run_query(*find_pair_algorithm("gjk"), q, cache);
        const double left = std::pow(10.0, random.uniform(-7.0, -1.0)) * (random.below(2) == 0 ? 1 : -1);
        const Vec3d step = r.verdict == Verdict::separated
                               ? (r.closest_a_w - r.closest_b_w) * (1 - left / r.distance)
                               : Vec3d{};
        for (std::size_t k = 0; k < 3; ++k) p.world_from_b.m[k * 4 + 3] += static_cast<float>(step[k]);
        out.push_back(p);
    }
    return out;
}

Verdict right_about_solids(const Pair& p) {
    return ask(*find_pair_algorithm("gjk"), p).verdict;
}

TEST_P(PairProperty, answers_near_contact_are_symmetric_and_proven_by_a_referee) {
    Scratch scratch;
    std::uint32_t proven = 0, colliding = 0;
    for (const Pair& p : near_pairs(algorithm(), 150, 61)) {
        const Verdict verdict = ask(algorithm(), p).verdict;
        if (!algorithm().exact) continue;
        EXPECT_EQ(ask(algorithm(), swapped(p)).verdict, verdict);
        colliding += verdict == Verdict::colliding ? 1 : 0;
        PreparedPair prepared = prepare(algorithm(), p);
        PairCache cache;
        cache.set_pool(prepared.pool);
        const PairQuery q = query_of(algorithm(), p, prepared, scratch);
        const Ruling ruling = judge(q, run_query(algorithm(), q, cache));
        EXPECT_NE(ruling, Ruling::refuted);
        proven += ruling == Ruling::proven ? 1 : 0;
    }
    if (!algorithm().exact) return;
    EXPECT_GT(colliding, 20u);
    EXPECT_GE(proven, solid() ? 150u : colliding);
}

/// The body in the middle of its own frame, smaller by 2^-steps: exactly within itself, since every shape of
/// these tests is convex and holds the origin of its frame.
Matrix34f shrunk(const Matrix34f& m, int steps) {
    Matrix34f out = m;
    for (std::size_t i = 0; i < 12; ++i)
        if (i % 4 != 3) out.m[i] = std::ldexp(m.m[i], -steps);
    return out;
}

bool holds_its_origin(const Shape& s) {
    const PolygonList& faces = s.hull()->faces;
    for (std::size_t f = 0; f < faces.polygon_count(); ++f) {
        const auto loop = faces.polygon(f);
        const Vec3d a = cast<double>(s.hull()->vertex(loop[0]));
        const Vec3d n =
            cross(cast<double>(s.hull()->vertex(loop[1])) - a, cast<double>(s.hull()->vertex(loop[2])) - a);
        if (!(dot(n, a) > 0)) return false;
    }
    return s.hull()->dimension == 3;
}

TEST_P(PairProperty, a_body_within_the_other_collides_as_a_solid_and_not_as_a_surface) {
    std::uint32_t asked = 0;
    for (const Pair& near : near_pairs(algorithm(), 120, 62)) {
        if (!holds_its_origin(*near.a)) continue;
        // A copy of A, eight times smaller, within A.
        const Pair p{near.a, near.a, near.world_from_a, shrunk(near.world_from_a, 3)};
        const Verdict right = solid() ? Verdict::colliding : Verdict::separated;
        for (const Pair& way : {p, swapped(p)}) {
            EXPECT_TRUE(allowed(ask(algorithm(), way).verdict, right)) << asked;
            ++asked;
        }
    }
    EXPECT_GT(asked, 100u);
}

TEST_P(PairProperty, a_common_motion_changes_nothing) {
    for (const Pair& p : near_pairs(algorithm(), 100, 63)) {
        const Verdict verdict = ask(algorithm(), p).verdict;
        // y z x with two signs changed: a rotation without rounding; then everything twice as large.
        const auto moved = [](const Matrix34f& m) {
            Matrix34f out;
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 4; ++c)
                    out.m[r * 4 + c] = (r == 0 ? 2.0f : -2.0f) * m.m[(r + 1) % 3 * 4 + c];
            return out;
        };
        const Pair q{p.a, p.b, moved(p.world_from_a), moved(p.world_from_b)};
        if (algorithm().exact) {
            EXPECT_EQ(ask(algorithm(), q).verdict, verdict);
        } else if (solid()) {
            EXPECT_TRUE(allowed(ask(algorithm(), q).verdict, right_about_solids(p)));
        }
    }
}

TEST_P(PairProperty, separated_bodies_stay_separated_when_they_shrink_within_themselves) {
    std::uint32_t separated = 0;
    for (const Pair& p : near_pairs(algorithm(), 150, 64)) {
        if (!holds_its_origin(*p.a) || !holds_its_origin(*p.b)) continue;
        if (right_about_solids(p) != Verdict::separated) continue;
        ++separated;
        EXPECT_TRUE(allowed(ask(algorithm(), p).verdict, Verdict::separated));
        for (const int steps : {1, 5}) {
            const Pair smaller{p.a, p.b, shrunk(p.world_from_a, steps), shrunk(p.world_from_b, steps)};
            const Pair one{p.a, p.b, p.world_from_a, shrunk(p.world_from_b, steps)};
            EXPECT_TRUE(allowed(ask(algorithm(), smaller).verdict, Verdict::separated)) << steps;
            EXPECT_TRUE(allowed(ask(algorithm(), one).verdict, Verdict::separated)) << steps;
        }
    }
    EXPECT_GT(separated, 30u);
}

/// B moved by a step along the axis whose every component is rounded so that it never goes back.
Matrix34f moved_along(const Matrix34f& m, const Vec3d& axis, double step) {
    Matrix34f out = m;
    const double unit = step / length(axis);
    for (std::size_t r = 0; r < 3; ++r) {
        float& t = out.m[r * 4 + 3];
        const float there = static_cast<float>(static_cast<double>(t) + unit * axis[r]);
        if (axis[r] * (static_cast<double>(there) - static_cast<double>(t)) > 0) t = there;
    }
    return out;
}

TEST_P(PairProperty, a_separating_axis_stays_one_when_the_bodies_move_apart_along_it) {
    Scratch scratch;
    std::uint32_t axes = 0;
    for (const Pair& p : near_pairs(algorithm(), 250, 65)) {
        PreparedPair prepared = prepare(algorithm(), p);
        PairCache cache;
        cache.set_pool(prepared.pool);
        PairQuery q = query_of(algorithm(), p, prepared, scratch);
        q.wants = kWantAxis & algorithm().gives;
        PairResult r = run_query(algorithm(), q, cache);
        if (r.verdict != Verdict::separated || r.certificate.kind != CertificateKind::separating_axis)
            continue;
        r.certificate.pair_count = 0;  // the axis alone, as it is
        if (!certify(q, r)) continue;
        for (const double step : {1e-6, 0.01, 3.0}) {
            Pair apart = p;
            apart.world_from_b = moved_along(p.world_from_b, r.certificate.axis_w, step);
            const PairQuery further = query_of(algorithm(), apart, prepared, scratch);
            EXPECT_TRUE(certify(further, r)) << step;
            EXPECT_TRUE(allowed(ask(algorithm(), apart).verdict, Verdict::separated)) << step;
            ++axes;
        }
    }
    if (solid() && algorithm().exact) {
        EXPECT_GT(axes, 100u);
    }
}

/// A referee that is never against anything would prove nothing.
TEST(Referee, refutes_what_is_not_so) {
    const PairAlgorithm& gjk = *find_pair_algorithm("gjk");
    const PairAlgorithm& edges = *find_pair_algorithm("edge_polygon");
    const ShapePtr box = make_primitive_shape(Primitive::box, 6, 1.0f, 0).value();
    Scratch scratch;
    Pair apart{box, box, {}, {}}, across = apart;
    apart.world_from_b.m[3] = 3;
    across.world_from_b.m[3] = 0.5f;
    PairCache cache;
    const PairQuery far = query_of(gjk, apart, {}, scratch), close = query_of(gjk, across, {}, scratch);
    const PairResult separated = run_query(gjk, far, cache), colliding = run_query(gjk, close, cache);
    EXPECT_EQ(judge(far, separated), Ruling::proven);
    EXPECT_EQ(judge(close, colliding), Ruling::proven);
    EXPECT_EQ(judge(close, separated), Ruling::refuted);
    EXPECT_EQ(judge(far, colliding), Ruling::refuted);
    const PairQuery mesh = query_of(edges, across, {}, scratch), gone = query_of(edges, apart, {}, scratch);
    const PairResult hit = run_query(edges, mesh, cache);
    EXPECT_EQ(judge(mesh, hit), Ruling::proven);
    EXPECT_EQ(judge(gone, hit), Ruling::refuted);
    EXPECT_TRUE(surfaces_meet(mesh.a, mesh.b));
    EXPECT_FALSE(surfaces_meet(gone.a, gone.b));
    PairResult wrong = separated;
    wrong.certificate.axis_w = -wrong.certificate.axis_w;
    wrong.certificate.pair_count = 0;
    EXPECT_EQ(judge(far, wrong), Ruling::refuted);
    const std::vector<Vec3f> outside{{5, 0, 0}};
    EXPECT_TRUE(hull_holds(*box->hull(), box->geometry().positions));
    EXPECT_FALSE(hull_holds(*box->hull(), outside));
}

}  // namespace
}  // namespace claybox::test
