// Properties of the two reference algorithms in addition to the contract of all: sufficient axes for bodies
// of every dimension, a size limit, and the choice of arithmetic.

#include "tests/pairwise/pairs.hpp"

#include <cmath>

namespace claybox::test {
namespace {

const PairAlgorithm& sat() {
    return *find_pair_algorithm("sat_brute");
}
const PairAlgorithm& lp() {
    return *find_pair_algorithm("lp_exact");
}

/// The hull of points of a small grid: a solid, a polygon, a segment or a point.
ShapePtr lattice_hull(Random& random, std::uint64_t dimension) {
    std::vector<Vec3f> points(1 + random.below(12));
    const std::uint64_t spare = random.below(3);  // the axis without extent if the hull is flat
    for (Vec3f& p : points)
        for (std::size_t k = 0; k < dimension; ++k) p[(k + spare) % 3] = static_cast<float>(random.below(4));
    return Shape::from_hull(points).value();
}

Pair lattice_pair(Random& random) {
    const auto dimension = [&] { return std::min<std::uint64_t>(3, random.below(6)); };
    Pair p{lattice_hull(random, dimension()), lattice_hull(random, dimension()), {}, {}};
    for (std::size_t i : {3u, 7u, 11u}) p.world_from_b.m[i] = static_cast<float>(random.below(4)) - 1.0f;
    if (random.below(4) == 0) {  // sheared, mirrored or flattened
        const std::size_t at[] = {0, 1, 2, 4, 5, 6, 8, 9, 10};
        for (const std::size_t i : at) p.world_from_a.m[i] = static_cast<float>(random.below(3)) - 1.0f;
    }
    return p;
}

TEST(SatBrute, axes_alone_separate_every_separable_pair_of_any_dimension) {
    // In fast mode there is neither a proof nor exact arithmetic to correct the axes.
    Random random(51);
    std::uint32_t separated = 0, flat = 0;
    for (int i = 0; i < 8000; ++i) {
        const Pair p = lattice_pair(random);
        if (query_pair(lp(), p).verdict == Verdict::colliding) continue;
        Scratch scratch;
        PairCache cache;
        PairQuery q = query_of(sat(), p, {}, scratch);
        q.exactness = Exactness::fast;
        EXPECT_EQ(run_query(sat(), q, cache).verdict, Verdict::separated)
            << i << ": dimensions " << p.a->hull()->dimension << " and " << p.b->hull()->dimension;
        ++separated;
        flat += p.a->hull()->dimension < 3 && p.b->hull()->dimension < 3 ? 1 : 0;
    }
    EXPECT_GT(separated, 2000u);
    EXPECT_GT(flat, 600u);
}

TEST(SatBrute, all_axes_are_tested_without_early_exit) {
    const ShapePtr box = make_primitive_shape(Primitive::box, 6, 1, 1).value();
    Pair p{box, box, {}, to_matrix({axis_angle({0, 0.6, 0.8}, 0.7), {5, 0, 0}})};
    Scratch scratch;
    PairCache cache;
    PairQuery q = query_of(sat(), p, {}, scratch);
    const PairResult first = run_query(sat(), q, cache);
    q.parameters[find_parameter(sat().parameters, "early_exit")] = 0;
    const PairResult all = run_query(sat(), q, cache);
    EXPECT_EQ(all.counters[0], 12u);
    EXPECT_EQ(all.counters[1] + all.counters[3], 144u);
    EXPECT_LT(first.iterations, all.iterations);
    EXPECT_EQ(all.verdict, Verdict::separated);
    EXPECT_EQ(all.rung, 2);
}

TEST(SatBrute, does_not_apply_beyond_its_limit) {
    const ShapePtr small = make_primitive_shape(Primitive::ellipsoid_hull, 50, 1, 1).value();
    const ShapePtr large = make_primitive_shape(Primitive::ellipsoid_hull, 400, 1, 1).value();
    EXPECT_TRUE(applies(sat(), {small, small, {}, {}}));
    EXPECT_FALSE(applies(sat(), {large, large, {}, {}}));
    EXPECT_EQ(query_pair(sat(), {large, large, {}, {}}).status, QueryStatus::not_applicable);
    EXPECT_TRUE(applies(lp(), {large, large, {}, {}}));
}

TEST(LpExact, rational_arithmetic_decides_every_sign_and_agrees) {
    const std::size_t arithmetic = find_parameter(lp().parameters, "arithmetic");
    std::uint32_t filtered_signs = 0;
    for (const Pair& p : random_pairs(300, 52)) {
        Scratch scratch;
        PairCache cache;
        PairQuery q = query_of(lp(), p, {}, scratch);
        const PairResult filtered = run_query(lp(), q, cache);
        q.parameters[arithmetic] = 1;
        const PairResult rational = run_query(lp(), q, cache);
        EXPECT_EQ(filtered.verdict, rational.verdict);
        EXPECT_EQ(rational.rung, 3);
        EXPECT_GT(rational.counters[3], 0u);
        EXPECT_TRUE(certify(q, rational));
        filtered_signs += filtered.counters[3];
    }
    EXPECT_LT(filtered_signs, 3000u);
}

TEST(References, agree_with_each_other_and_with_gjk_on_touching_bodies) {
    Random random(53);
    std::uint32_t colliding = 0;
    for (int i = 0; i < 4000; ++i) {
        const Pair p = lattice_pair(random);
        const Verdict want = query_pair(*find_pair_algorithm("gjk"), p).verdict;
        EXPECT_EQ(query_pair(lp(), p).verdict, want) << i;
        EXPECT_EQ(query_pair(sat(), p).verdict, want) << i;
        colliding += want == Verdict::colliding ? 1 : 0;
    }
    EXPECT_GT(colliding, 500u);
    EXPECT_LT(colliding, 3200u);
}

}  // namespace
}  // namespace claybox::test
