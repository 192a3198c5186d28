// The pair with the most iterations: it is reproducible and does not depend on workers.

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/module/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace claybox::collision {
namespace {

constexpr std::uint32_t kBodies = 30;

std::vector<ShapePtr> shapes() {
    std::vector<ShapePtr> out;
    for (std::uint32_t i = 0; i < 5; ++i)
        out.push_back(make_primitive_shape(Primitive::ellipsoid_hull, 40, 1, i).value());
    return out;
}

/// Pose of body `i` in a frame: a dense swarm.
Pose pose_of(std::uint32_t i, std::uint64_t frame) {
    Random random(mix64(1000 * frame + i));
    Vec3d at;
    for (std::size_t k = 0; k < 3; ++k) at[k] = random.uniform(0, 4);
    return {random_rotation(random, 0, 3), at};
}

struct Swarm {
    World world;
    std::vector<BodyId> bodies;

    explicit Swarm(const WorldSettings& settings) : world(settings) {
        const std::vector<ShapePtr> all = shapes();
        for (std::uint32_t i = 0; i < kBodies; ++i)
            bodies.push_back(world.add_body({all[i % 5], pose_of(i, 0), 0, false, 100 + i}).value());
    }
    void frame(std::uint64_t number) {
        for (std::uint32_t i = 0; i < kBodies; ++i)
            EXPECT_TRUE(world.move(bodies[i], pose_of(i, number)).ok());
        world.publish(number);
        world.check();
    }
};

/// Iterations of the pair's query with an empty cache.
std::uint32_t cold_iterations(const HardestPair& pair) {
    Scratch scratch;
    PairQuery q = make_pair_query(*pair.a, pair.world_from_a, *pair.b, pair.world_from_b, scratch);
    q.parameters = pair.parameters;
    const auto prepare = [&](const ShapePtr& shape) {
        return pair.algorithm->prepare != nullptr ? pair.algorithm->prepare(*shape, shape->geometry())
                                                  : nullptr;
    };
    const auto a = prepare(pair.a), b = prepare(pair.b);
    q.a.prepared = a.get();
    q.b.prepared = b.get();
    PairCache cache;
    return run_query(*pair.algorithm, q, cache).iterations;
}

TEST(HardestPair, CW_7_hard_is_the_pair_with_the_most_iterations_and_its_poses) {
    Swarm swarm(default_settings());
    EXPECT_EQ(swarm.world.hardest_pair().iterations, 0u) << "no query yet";
    swarm.frame(1);
    const HardestPair first = swarm.world.hardest_pair();
    // In the first pass every cache is empty: every query can be repeated exactly.
    const std::vector<ShapePtr> all = shapes();
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < kBodies; ++i)
        for (std::uint32_t j = i + 1; j < kBodies; ++j) {
            const Matrix34f a = to_matrix(pose_of(i, 1)), b = to_matrix(pose_of(j, 1));
            if (!overlap(transform_aabb(a, all[i % 5]->geometry().box),
                         transform_aabb(b, all[j % 5]->geometry().box)))
                continue;
            const HardestPair pair{0, 0, first.algorithm, first.parameters, all[i % 5], all[j % 5], a, b};
            most = std::max(most, cold_iterations(pair));
        }
    EXPECT_GT(most, 2u);
    EXPECT_EQ(first.iterations, most);
    EXPECT_EQ(cold_iterations(first), most);
    EXPECT_EQ(first.frame, 1u);
    EXPECT_EQ(first.algorithm, default_settings().pair_algorithm);
    const auto a = static_cast<std::uint32_t>(first.data_a - 100),
               b = static_cast<std::uint32_t>(first.data_b - 100);
    ASSERT_LT(a, kBodies);
    ASSERT_LT(b, kBodies);
    EXPECT_EQ(first.world_from_a, to_matrix(pose_of(a, 1)));
    EXPECT_EQ(first.world_from_b, to_matrix(pose_of(b, 1)));
    // Later passes replace it only by a harder pair.
    std::uint32_t so_far = most;
    for (std::uint64_t frame = 2; frame < 40; ++frame) {
        swarm.frame(frame);
        const HardestPair now = swarm.world.hardest_pair();
        EXPECT_GE(now.iterations, so_far);
        EXPECT_EQ(now.frame == frame, now.iterations > so_far);
        so_far = now.iterations;
    }
    EXPECT_GT(so_far, most);
}

TEST(HardestPair, does_not_depend_on_workers_and_resets_when_a_setting_changes) {
    WorldSettings shared = default_settings();
    shared.parallel = ParallelMode::pairs;
    shared.workers = 3;
    Swarm alone(default_settings()), together(shared);
    for (std::uint64_t frame = 1; frame < 15; ++frame) {
        alone.frame(frame);
        together.frame(frame);
        const HardestPair x = alone.world.hardest_pair(), y = together.world.hardest_pair();
        EXPECT_EQ(x.iterations, y.iterations);
        EXPECT_EQ(x.frame, y.frame);
        EXPECT_EQ(x.data_a, y.data_a);
        EXPECT_EQ(x.data_b, y.data_b);
    }
    WorldSettings other = default_settings();
    other.pair_algorithm = find_pair_algorithm("lp_exact");
    other.pair_parameters = default_values(other.pair_algorithm->parameters);
    alone.world.set_settings(other);
    alone.frame(20);
    const HardestPair fresh = alone.world.hardest_pair();
    EXPECT_EQ(fresh.algorithm, other.pair_algorithm);
    EXPECT_EQ(fresh.frame, 20u);
}

TEST(HardestPair, ignores_bodies_that_are_not_convex) {
    WorldSettings settings = default_settings();
    settings.pair_algorithm = find_pair_algorithm("edge_polygon");
    settings.pair_parameters = default_values(settings.pair_algorithm->parameters);
    World world(settings);
    const ShapePtr ring = make_primitive_shape(Primitive::torus, 100, 1, 1).value();
    const ShapePtr ball = make_primitive_shape(Primitive::uv_sphere, 100, 1, 1).value();
    ASSERT_TRUE(world.add_body({ring, {}, 0, false, 0}).ok());
    ASSERT_TRUE(world.add_body({ball, {{}, {0.5, 0, 0}}, 0, false, 1}).ok());
    world.publish(1);
    world.check();
    EXPECT_EQ(world.stats().tests, 1u);
    EXPECT_EQ(world.hardest_pair().iterations, 0u);
}

}  // namespace
}  // namespace claybox::collision
