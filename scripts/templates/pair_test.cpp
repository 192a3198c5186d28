// Properties of @id@ in addition to the contract that tests/pairwise/contract_test.cpp checks for every algorithm.

#include "tests/pairwise/pairs.hpp"

#include "collision/geometry/primitives/primitives.hpp"

namespace claybox::test {
namespace {

PairResult query_at(double x) {
    const auto ball = make_primitive_shape(Primitive::ellipsoid_hull, 40, 1.0f, 1);
    EXPECT_TRUE(ball.ok());
    Scratch scratch;
    PairCache cache;
    const PairQuery query =
        make_pair_query(*ball.value(), {}, *ball.value(), to_matrix({{}, {x, 0, 0}}), scratch);
    return run_query(*find_pair_algorithm("@id@"), query, cache);
}

TEST(@class@, distant_bodies_are_separated_without_exact_arithmetic) {
    const PairResult result = query_at(5);
    EXPECT_EQ(result.verdict, Verdict::separated);
    EXPECT_EQ(result.rung, 2);
}

TEST(@class@, overlapping_bodies_collide) {
    EXPECT_EQ(query_at(0.5).verdict, Verdict::colliding);
}

}  // namespace
}  // namespace claybox::test
