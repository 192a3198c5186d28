// The search for a separating plane of any two bodies: its results are certain, and it finds them quickly.
#include "collision/pairwise/separating_vector/gap_search.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"

#include <gtest/gtest.h>

namespace claybox::collision {
namespace {

ShapePtr shape(Primitive primitive, std::uint32_t target_count) {
    return make_primitive_shape(primitive, target_count, 1, 3).value();
}

GapResult search(const ShapePtr& a, const Matrix34f& world_from_a, const ShapePtr& b,
                 const Matrix34f& world_from_b, GapMemory& memory, StopToken stop = {}) {
    return search_gap({&a->geometry(), &world_from_a}, {&b->geometry(), &world_from_b}, stop, memory);
}

Verdict exact_verdict(const ShapePtr& a, const Matrix34f& world_from_a, const ShapePtr& b,
                      const Matrix34f& world_from_b) {
    Scratch scratch;
    PairCache cache;
    const PairQuery query = make_pair_query(*a, world_from_a, *b, world_from_b, scratch);
    return run_query(*find_pair_algorithm(a->hull() && b->hull() ? "lp_exact" : "edge_polygon"), query, cache)
        .verdict;
}

TEST(GapSearch, Z_6_5_dual_finds_no_gap_between_colliding_bodies_and_most_gaps_between_hulls) {
    const ShapePtr shapes[] = {shape(Primitive::box, 6), shape(Primitive::ellipsoid_hull, 60),
                               shape(Primitive::torus, 200), shape(Primitive::tetra_flake, 100)};
    Random random(8);
    int found = 0, apart_hulls = 0, missed = 0, colliding = 0;
    for (int round = 0; round < 3000; ++round) {
        const ShapePtr &a = shapes[random.below(4)], &b = shapes[random.below(4)];
        const auto pose = [&](double distance) {
            return to_matrix(Pose{random_rotation(random, 0, 3), distance * random.unit_vector()});
        };
        const Matrix34f world_from_a = pose(100), near_a = pose(random.uniform(0.5, 2.2));
        Matrix34f world_from_b = near_a;
        for (const int k : {3, 7, 11}) world_from_b.m[k] += world_from_a.m[k];
        GapMemory memory;
        const GapResult gap = search(a, world_from_a, b, world_from_b, memory);
        EXPECT_LE(gap.rounds, kMaxGapRounds);
        found += gap.found;
        const bool hulls = a->hull() && b->hull();
        const bool collide = exact_verdict(a, world_from_a, b, world_from_b) == Verdict::colliding;
        colliding += collide;
        ASSERT_FALSE(gap.found && collide) << round;
        apart_hulls += hulls && !collide;
        missed += hulls && !collide && !gap.found;
    }
    EXPECT_GT(found, 500);
    EXPECT_GT(apart_hulls, 100);
    EXPECT_GT(colliding, 300);
    EXPECT_LT(20 * missed, apart_hulls);
}

TEST(GapSearch, touching_bodies_have_no_gap) {
    const ShapePtr cube = shape(Primitive::box, 6);
    const float side = 2 * cube->geometry().box.max.x;
    Matrix34f beside;
    beside.m[3] = side;
    GapMemory memory;
    EXPECT_FALSE(search(cube, {}, cube, beside, memory).found);
    beside.m[3] = std::nextafter(side, 9.0f);
    const GapResult gap = search(cube, {}, cube, beside, memory);
    EXPECT_EQ(gap.found, exact_verdict(cube, {}, cube, beside) == Verdict::separated);
    EXPECT_TRUE(gap.found);
}

TEST(GapSearch, Z_6_5_dual_starts_with_the_plane_of_the_last_search) {
    const ShapePtr ball = shape(Primitive::uv_sphere, 300), ring = shape(Primitive::torus, 300);
    GapMemory memory;
    std::uint32_t rounds = 0;
    for (int i = 0; i < 50; ++i) {
        const Pose pose{axis_angle({1, 2, 0}, 0.01 * i), {1.9, 1.1 + 0.002 * i, 0.3}};
        const GapResult gap = search(ball, {}, ring, to_matrix(pose), memory);
        ASSERT_TRUE(gap.found);
        if (i > 0) rounds += gap.rounds;
    }
    EXPECT_LE(rounds, 49u + 5);
}

TEST(GapSearch, ends_immediately_when_stopped) {
    const ShapePtr ball = shape(Primitive::uv_sphere, 300);
    Matrix34f far;
    far.m[3] = 9;
    StopSource stop;
    stop.request_stop();
    GapMemory memory;
    const GapResult gap = search(ball, {}, ball, far, memory, StopToken(stop));
    EXPECT_FALSE(gap.found);
    EXPECT_EQ(gap.rounds, 0u);
    EXPECT_TRUE(search(ball, {}, ball, far, memory).found);
}

TEST(StopToken, stops_when_either_source_requests_it) {
    StopSource part, whole;
    const StopToken token(part, whole);
    EXPECT_FALSE(token.stop_requested());
    whole.request_stop();
    EXPECT_TRUE(token.stop_requested());
    whole.reset();
    part.request_stop();
    EXPECT_TRUE(token.stop_requested());
    EXPECT_FALSE(StopToken().stop_requested());
}

}  // namespace
}  // namespace claybox::collision
