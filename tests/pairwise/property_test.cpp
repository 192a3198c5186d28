// Properties that hold for any two bodies, whatever the answer. Tested for every algorithm of the registry,
// on pairs near contact from fixed seeds.

#include "tests/pairwise/pairs.hpp"
#include "tests/support/oracle.hpp"

#include <cmath>

namespace claybox::test {
namespace {

class PairProperty : public testing::TestWithParam<const PairAlgorithm*> {
  protected:
    const PairAlgorithm& algorithm() const { return *GetParam(); }
    bool solid() const { return algorithm().meaning == Meaning::solid; }

    /// Whether the algorithm may give this answer if `right` is the truth. An exact algorithm must be right,
    /// a one-sided one may be undecided, and an approximate one promises nothing.
    bool allowed(Verdict said, Verdict right) const {
        if (said == right) return true;
        if (algorithm().exact) return false;
        return algorithm().bias == Bias::none || said == Verdict::undecided;
    }
};

INSTANTIATE_TEST_SUITE_P(all, PairProperty,
                         testing::ValuesIn(pair_algorithms().begin(), pair_algorithms().end()),
                         [](const auto& row) { return std::string(row.param->id); });

/// Convex bodies whose bounding balls are moved until a vertex of one almost touches the other.
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
    return query_pair(*find_pair_algorithm("gjk"), p).verdict;
}

TEST_P(PairProperty, answers_near_contact_are_symmetric_and_certified) {
    Scratch scratch;
    std::uint32_t proven = 0, colliding = 0;
    for (const Pair& p : near_pairs(algorithm(), 150, 61)) {
        const Verdict verdict = query_pair(algorithm(), p).verdict;
        if (!algorithm().exact) continue;
        EXPECT_EQ(query_pair(algorithm(), swapped(p)).verdict, verdict);
        colliding += verdict == Verdict::colliding ? 1 : 0;
        PreparedPair prepared = prepare(algorithm(), p);
        PairCache cache;
        cache.set_pool(prepared.pool);
        const PairQuery q = query_of(algorithm(), p, prepared, scratch);
        const ProofCheck check = check_proof(q, run_query(algorithm(), q, cache));
        EXPECT_NE(check, ProofCheck::refuted);
        proven += check == ProofCheck::proven ? 1 : 0;
    }
    if (!algorithm().exact) return;
    EXPECT_GT(colliding, 20u);
    EXPECT_GE(proven, solid() ? 150u : colliding);
}

/// The pose of the body scaled by 2^-steps about its own origin. It is then exactly inside itself, since
/// every shape of these tests is convex and contains its origin.
Matrix34f shrunk(const Matrix34f& m, int steps) {
    Matrix34f out = m;
    for (std::size_t i = 0; i < 12; ++i)
        if (i % 4 != 3) out.m[i] = std::ldexp(m.m[i], -steps);
    return out;
}

bool contains_its_origin(const Shape& s) {
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

TEST_P(PairProperty, a_body_inside_the_other_collides_as_a_solid_but_not_as_a_surface) {
    std::uint32_t queried = 0;
    for (const Pair& near : near_pairs(algorithm(), 120, 62)) {
        if (!contains_its_origin(*near.a)) continue;
        // A copy of A, eight times smaller, inside A.
        const Pair p{near.a, near.a, near.world_from_a, shrunk(near.world_from_a, 3)};
        const Verdict right = solid() ? Verdict::colliding : Verdict::separated;
        for (const Pair& way : {p, swapped(p)}) {
            EXPECT_TRUE(allowed(query_pair(algorithm(), way).verdict, right)) << queried;
            ++queried;
        }
    }
    EXPECT_GT(queried, 100u);
}

TEST_P(PairProperty, a_common_motion_keeps_the_answer) {
    for (const Pair& p : near_pairs(algorithm(), 100, 63)) {
        const Verdict verdict = query_pair(algorithm(), p).verdict;
        // Permutes the axes to y z x with two signs changed, a rotation without rounding; then doubles the
        // size.
        const auto moved = [](const Matrix34f& m) {
            Matrix34f out;
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 4; ++c)
                    out.m[r * 4 + c] = (r == 0 ? 2.0f : -2.0f) * m.m[(r + 1) % 3 * 4 + c];
            return out;
        };
        const Pair q{p.a, p.b, moved(p.world_from_a), moved(p.world_from_b)};
        if (algorithm().exact) {
            EXPECT_EQ(query_pair(algorithm(), q).verdict, verdict);
        } else if (solid()) {
            EXPECT_TRUE(allowed(query_pair(algorithm(), q).verdict, right_about_solids(p)));
        }
    }
}

TEST_P(PairProperty, separated_bodies_stay_separated_when_they_shrink) {
    std::uint32_t separated = 0;
    for (const Pair& p : near_pairs(algorithm(), 150, 64)) {
        if (!contains_its_origin(*p.a) || !contains_its_origin(*p.b)) continue;
        if (right_about_solids(p) != Verdict::separated) continue;
        ++separated;
        EXPECT_TRUE(allowed(query_pair(algorithm(), p).verdict, Verdict::separated));
        for (const int steps : {1, 5}) {
            const Pair smaller{p.a, p.b, shrunk(p.world_from_a, steps), shrunk(p.world_from_b, steps)};
            const Pair one{p.a, p.b, p.world_from_a, shrunk(p.world_from_b, steps)};
            EXPECT_TRUE(allowed(query_pair(algorithm(), smaller).verdict, Verdict::separated)) << steps;
            EXPECT_TRUE(allowed(query_pair(algorithm(), one).verdict, Verdict::separated)) << steps;
        }
    }
    EXPECT_GT(separated, 30u);
}

/// B moved by a step along the axis; every component is rounded so that it never moves back.
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

TEST_P(PairProperty, a_separating_axis_stays_valid_when_the_bodies_move_apart_along_it) {
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
        r.certificate.pair_count = 0;  // keeps only the axis
        if (!certify(q, r)) continue;
        for (const double step : {1e-6, 0.01, 3.0}) {
            Pair apart = p;
            apart.world_from_b = moved_along(p.world_from_b, r.certificate.axis_w, step);
            const PairQuery further = query_of(algorithm(), apart, prepared, scratch);
            EXPECT_TRUE(certify(further, r)) << step;
            EXPECT_TRUE(allowed(query_pair(algorithm(), apart).verdict, Verdict::separated)) << step;
            ++axes;
        }
    }
    if (solid() && algorithm().exact) {
        EXPECT_GT(axes, 100u);
    }
}

/// An oracle that never rejects a claim would prove nothing.
TEST(Oracle, rejects_false_claims) {
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
    EXPECT_EQ(check_proof(far, separated), ProofCheck::proven);
    EXPECT_EQ(check_proof(close, colliding), ProofCheck::proven);
    EXPECT_EQ(check_proof(close, separated), ProofCheck::refuted);
    EXPECT_EQ(check_proof(far, colliding), ProofCheck::refuted);
    const PairQuery mesh = query_of(edges, across, {}, scratch), gone = query_of(edges, apart, {}, scratch);
    const PairResult hit = run_query(edges, mesh, cache);
    EXPECT_EQ(check_proof(mesh, hit), ProofCheck::proven);
    EXPECT_EQ(check_proof(gone, hit), ProofCheck::refuted);
    EXPECT_TRUE(surfaces_intersect(mesh.a, mesh.b));
    EXPECT_FALSE(surfaces_intersect(gone.a, gone.b));
    PairResult wrong = separated;
    wrong.certificate.axis_w = -wrong.certificate.axis_w;
    wrong.certificate.pair_count = 0;
    EXPECT_EQ(check_proof(far, wrong), ProofCheck::refuted);
    const std::vector<Vec3f> outside{{5, 0, 0}};
    EXPECT_TRUE(hull_contains(*box->hull(), box->geometry().positions));
    EXPECT_FALSE(hull_contains(*box->hull(), outside));
}

}  // namespace
}  // namespace claybox::test
