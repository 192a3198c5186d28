// Every algorithm that decides solids, on every convex pair of the ground truth.

#include "tests/pairwise/truth_pairs.hpp"

#include <cstdio>
#include <map>

namespace claybox::test {
namespace {

struct Tally {
    std::uint32_t queried = 0, wrong = 0, rung[4] = {}, max_iterations = 0;
    double worst_distance = 0, worst_depth = 0;
};

std::vector<const PairAlgorithm*> deciders_of_solids() {
    std::vector<const PairAlgorithm*> out;
    for (const PairAlgorithm* a : pair_algorithms())
        if (a->exact && a->meaning == Meaning::solid) out.push_back(a);
    return out;
}

class ConvexTruth : public testing::TestWithParam<const PairAlgorithm*> {};

INSTANTIATE_TEST_SUITE_P(all, ConvexTruth, testing::ValuesIn(deciders_of_solids()),
                         [](const auto& row) { return std::string(row.param->id); });

/// Distances are compared if the gap is at least this fraction of the size, to allow for the truth's own
/// error.
constexpr double kComparableGap = 1e-5;
constexpr double kDistanceTolerance = 1e-6;

/// Depths below this fraction of the size count as touching; the truth has none between that and a thousandth
/// of kComparableGap.
constexpr double kTouching = 1e-12;

void check_depth(const TruthPair& t, const PairResult& r, Tally& tally) {
    EXPECT_TRUE(std::isfinite(r.depth) && r.depth >= 0) << t.id;
    EXPECT_NEAR(length(r.depth_direction_w), 1, 1e-12) << t.id;
    if (t.depth < 0) return;
    if (t.depth < kTouching * t.size) {
        EXPECT_LT(r.depth, 1e-15 * t.coordinates) << t.id << " " << t.kind;
        return;
    }
    const double error = std::abs(r.depth - t.depth) / t.depth;
    tally.worst_depth = std::max(tally.worst_depth, error);
    EXPECT_LT(error, kDistanceTolerance) << t.id << " " << t.kind << ": " << r.depth << " not " << t.depth;
}

void check(const PairAlgorithm& algorithm, const TruthPair& t, const PairQuery& q, const PairResult& r,
           Tally& tally) {
    ++tally.queried;
    ++tally.rung[r.rung];
    tally.max_iterations = std::max(tally.max_iterations, r.iterations);
    const bool right = r.verdict == (*t.solid ? Verdict::colliding : Verdict::separated);
    tally.wrong += right ? 0 : 1;
    EXPECT_TRUE(right) << t.id << " " << t.kind << ": " << to_string(r.verdict);
    EXPECT_TRUE(certify(q, r)) << t.id << " " << t.kind;
    if (right && *t.solid && (algorithm.gives & kWantDepth) != 0) check_depth(t, r, tally);
    if (!right || *t.solid || (algorithm.gives & kWantDistance) == 0) return;
    const double gap = length(r.closest_b_w - r.closest_a_w);
    EXPECT_NEAR(gap, r.distance, 1e-12 * t.coordinates + 1e-9 * r.distance) << t.id;
    if (t.distance < kComparableGap * t.size) {
        EXPECT_NEAR(r.distance, t.distance, 1e-13 * t.coordinates) << t.id << " " << t.kind;
        return;
    }
    const double error = std::abs(r.distance - t.distance) / t.distance;
    tally.worst_distance = std::max(tally.worst_distance, error);
    EXPECT_LT(error, kDistanceTolerance)
        << t.id << " " << t.kind << ": " << r.distance << " not " << t.distance;
}

/// Queries both orders, with a cold cache and with the cache of the previous frame.
void query_all_ways(const PairAlgorithm& algorithm, const TruthPair& t, Random& random, Tally& tally) {
    Scratch scratch;
    const Pair before = frame_before(t, t.pair, random.unit_vector());
    for (const bool swap : {false, true}) {
        const Pair p = swap ? swapped(t.pair) : t.pair;
        PreparedPair prepared = prepare(algorithm, p);
        for (const bool warm : {false, true}) {
            PairCache cache;
            std::fill(prepared.pool.begin(), prepared.pool.end(), std::byte{});
            cache.set_pool(prepared.pool);
            if (warm) {
                const Pair old = swap ? swapped(before) : before;
                run_query(algorithm, query_of(algorithm, old, prepared, scratch), cache);
            }
            PairQuery q = query_of(algorithm, p, prepared, scratch);
            q.wants = algorithm.gives & ~kWantAllHits;
            check(algorithm, t, q, run_query(algorithm, q, cache), tally);
        }
    }
}

void print(const PairAlgorithm& algorithm, const std::map<std::string, Tally>& tallies) {
    std::printf("%s\n%-20s %6s %6s %7s %7s %10s  %s\n", algorithm.id, "class", "queried", "wrong", "rung 2",
                "rung 3", "iterations", "worst relative error of distance and depth");
    for (const auto& [kind, t] : tallies)
        std::printf("%-20s %6u %6u %6.1f%% %6.1f%% %10u  %.1e  %.1e\n", kind.c_str(), t.queried, t.wrong,
                    100.0 * t.rung[2] / t.queried, 100.0 * t.rung[3] / t.queried, t.max_iterations,
                    t.worst_distance, t.worst_depth);
}

TEST_P(ConvexTruth, every_verdict_is_right_and_every_distance_and_depth_within_tolerance) {
    const PairAlgorithm& algorithm = *GetParam();
    ASSERT_FALSE(convex_truth().empty());
    Random random(77);
    std::map<std::string, Tally> tallies;
    for (const TruthPair& t : convex_truth()) {
        if (!applies(algorithm, t.pair)) continue;
        query_all_ways(algorithm, t, random, tallies[t.kind]);
    }
    print(algorithm, tallies);
    EXPECT_GE(tallies.size(), 30u) << "classes of the ground truth";
}

TEST_P(ConvexTruth, fast_answers_are_right_where_float_is_accurate_enough) {
    const PairAlgorithm& algorithm = *GetParam();
    Scratch scratch;
    std::uint32_t queried = 0, undecided = 0;
    for (const TruthPair& t : convex_truth()) {
        if (!applies(algorithm, t.pair) || (t.kind != "random_far" && t.kind != "random_mid")) continue;
        PreparedPair prepared = prepare(algorithm, t.pair);
        PairCache cache;
        cache.set_pool(prepared.pool);
        PairQuery q = query_of(algorithm, t.pair, prepared, scratch);
        q.exactness = Exactness::fast;
        const PairResult r = run_query(algorithm, q, cache);
        EXPECT_EQ(r.rung, 1);
        ++queried;
        undecided += r.verdict == Verdict::undecided ? 1 : 0;
        if (r.verdict != Verdict::undecided) {
            EXPECT_EQ(r.verdict == Verdict::colliding, *t.solid) << t.id;
        }
    }
    EXPECT_GT(queried, 0u);
    EXPECT_LE(undecided * 50, queried);
}

TEST_P(ConvexTruth, margin_shifts_the_boundary_by_its_size) {
    const PairAlgorithm& algorithm = *GetParam();
    if ((algorithm.gives & kWantDistance) == 0) GTEST_SKIP() << "offers no distance";
    Scratch scratch;
    int queried = 0;
    for (const TruthPair& t : convex_truth()) {
        if (*t.solid || t.distance < kComparableGap * t.size || !applies(algorithm, t.pair)) continue;
        PreparedPair prepared = prepare(algorithm, t.pair);
        PairQuery q = query_of(algorithm, t.pair, prepared, scratch);
        for (const double factor : {0.5, 0.999, 1.001, 2.0}) {
            PairCache cache;
            cache.set_pool(prepared.pool);
            q.margin = static_cast<float>(factor * t.distance);
            const PairResult r = run_query(algorithm, q, cache);
            EXPECT_EQ(r.verdict, factor > 1 ? Verdict::colliding : Verdict::separated)
                << t.id << " " << factor;
            ++queried;
        }
    }
    EXPECT_GT(queried, 100);
}

/// Whether a vertex of `inner` is inside `outer`, both undeformed and convex, by the outer faces in double.
bool holds_a_vertex(const Shape& outer, const Matrix34f& world_from_outer, const Shape& inner,
                    const Matrix34f& world_from_inner) {
    const Matrix34d mo = to_double(world_from_outer), mi = to_double(world_from_inner);
    const Vec3d p = transform_point(mi, inner.hull()->vertex(0));
    const PolygonList& faces = outer.hull()->faces;
    const Vec3d inside = transform_point(mo, outer.hull()->interior);
    for (std::size_t f = 0; f < faces.polygon_count(); ++f) {
        const auto loop = faces.polygon(f);
        const Vec3d a = transform_point(mo, outer.hull()->vertex(loop[0]));
        const Vec3d b = transform_point(mo, outer.hull()->vertex(loop[1]));
        const Vec3d c = transform_point(mo, outer.hull()->vertex(loop[2]));
        const Vec3d n = cross(b - a, c - a);
        if (dot(n, p - a) * dot(n, inside - a) < 0) return false;
    }
    return true;
}

TEST(PairAgreement, solids_agree_and_surfaces_differ_only_by_containment) {
    int contained = 0, colliding = 0;
    for (const Pair& p : random_pairs(600, 12)) {
        std::map<Meaning, Verdict> first;
        for (const PairAlgorithm* algorithm : pair_algorithms()) {
            if (!algorithm->exact || !applies(*algorithm, p)) continue;
            const Verdict verdict = query_pair(*algorithm, p).verdict;
            const auto [at, is_new] = first.try_emplace(algorithm->meaning, verdict);
            if (!is_new) {
                EXPECT_EQ(verdict, at->second) << algorithm->id;
            }
        }
        if (first.size() < 2) continue;
        const bool solid = first[Meaning::solid] == Verdict::colliding;
        const bool surface = first[Meaning::surface] == Verdict::colliding;
        const bool inside = holds_a_vertex(*p.a, p.world_from_a, *p.b, p.world_from_b) ||
                            holds_a_vertex(*p.b, p.world_from_b, *p.a, p.world_from_a);
        if (surface) {
            EXPECT_TRUE(solid);
        }
        if (solid && !surface) {
            EXPECT_TRUE(inside);
        }
        colliding += surface ? 1 : 0;
        contained += solid && !surface ? 1 : 0;
    }
    EXPECT_GT(colliding, 50);
    EXPECT_GT(contained, 10);
}

TEST(PairAgreement, one_sided_algorithms_are_right_about_their_certain_side) {
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        if (algorithm->bias == Bias::none) continue;
        EXPECT_FALSE(algorithm->exact) << algorithm->id;
        const char* const exact = algorithm->meaning == Meaning::solid ? "gjk" : "edge_polygon";
        const Verdict certain = algorithm->bias == Bias::colliding ? Verdict::separated : Verdict::colliding;
        int found = 0;
        for (const Pair& p : random_pairs(600, 13)) {
            if (!applies(*algorithm, p)) continue;
            const PairResult r = query_pair(*algorithm, p);
            if (r.verdict == Verdict::undecided) continue;
            EXPECT_EQ(query_pair(*find_pair_algorithm(exact), p).verdict, r.verdict) << algorithm->id;
            // The other side is checked only where the proof is free: boxes that do not overlap.
            EXPECT_TRUE(r.verdict == certain || r.iterations == 0) << algorithm->id;
            found += r.verdict == certain ? 1 : 0;
        }
        EXPECT_GT(found, 30) << algorithm->id;
    }
}

}  // namespace
}  // namespace claybox::test
