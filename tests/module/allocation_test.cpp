// Counts allocations on the global heap: passes must not allocate in steady state.
#include "collision/core/trig.hpp"
#include "collision/jobs/pair_collector.hpp"
#include "tests/module/counted_heap.hpp"
#include "tests/module/support.hpp"

namespace claybox::collision {
namespace {

using namespace test;

/// Pose of body i in frame n.
using Path = Pose (*)(std::uint64_t n, std::size_t i);

Pose circling(std::uint64_t n, std::size_t i) {
    const double turn = static_cast<double>((n + 7 * i) % 60) * (kPi / 30);
    const double x = static_cast<double>(i % 12), z = static_cast<double>(i / 12);
    return {axis_angle({0, 1, 0}, turn), {2 * x + std::cos(turn), 0, 2 * z + std::sin(turn)}};
}

/// Bodies 2k and 2k + 1 touch and separate face to face: their cubes collide when their balls do. They are
/// rotated by 45 degrees, which keeps their boxes overlapping all the time.
Pose swinging(std::uint64_t n, std::size_t i) {
    const double phase = (static_cast<double>((n + 7 * (i / 2)) % 60) + 0.5) * (kPi / 30);
    const double along = i % 2 == 0 ? 0 : (2 + 0.4 * std::cos(phase)) * std::sqrt(0.5);
    const double shake = 0.01 * static_cast<double>(n % 2);
    return {axis_angle({0, 1, 0}, kPi / 4), {10 * static_cast<double>(i / 2) + along, shake, along}};
}

/// Bodies move on closed paths: after one round every state has occurred before.
void follow_paths(World& world, const std::vector<BodyId>& ids, std::uint64_t first, std::uint64_t last,
                  EventBatch& batch, Path path = circling) {
    for (std::uint64_t n = first; n < last; ++n) {
        for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_TRUE(world.move(ids[i], path(n, i)).ok());
        world.publish(n);
        world.check();
        world.poll_events(batch);
    }
}

// One worker: with several, the share of each varies, and one may reach its maximum late.
TEST(Allocation, passes_do_not_allocate_in_steady_state) {
    for (const BroadPhaseDescriptor* broad : broad_phases()) {
        WorldSettings settings = ball_settings();
        settings.broad_phase = broad;
        settings.broad_parameters = default_values(broad->parameters);
        World world(settings);
        Interest all_hits;
        all_hits.wants = kWantAllHits;
        world.set_interest(0, 1, all_hits);
        std::vector<BodyId> ids;
        for (unsigned i = 0; i < 144; ++i) ids.push_back(add(world, at(0), i % 3));
        EventBatch batch;
        follow_paths(world, ids, 1, 301, batch);
        (void)world.take_pass_boundaries();
        start_counting_allocations();
        follow_paths(world, ids, 301, 421, batch);
        const std::size_t allocations = stop_counting_allocations();
        EXPECT_EQ(allocations, 0u) << broad->id;
        EXPECT_GT(world.stats().tests, 100u);
        EXPECT_GT(batch.events.size(), 50u);
    }
}

// Each frame adds one group and removes one.
TEST(Allocation, moving_groups_does_not_allocate) {
    for (const char* broad : {"hierarchy", "best"}) {
        WorldSettings settings = ball_settings();
        settings.broad_phase = find_broad_phase(broad);
        settings.broad_parameters = default_values(settings.broad_phase->parameters);
        World world(settings);
        std::vector<GroupId> groups;
        for (unsigned i = 0; i < 60; ++i) {
            const GroupId parent = i < 4 ? GroupId{} : groups[i / 2];
            groups.push_back(world.add_group({at(1, 0, i % 3), parent}).value());
            (void)world.add_body({.shape = cube(), .pose = at(0.1 * i), .parent = groups.back()});
        }
        EventBatch batch;
        const auto play = [&](std::uint64_t first, std::uint64_t last) {
            for (std::uint64_t n = first; n < last; ++n) {
                const double turn = static_cast<double>(n % 60) * (6.283185307179586 / 60);
                for (const GroupId group : groups)
                    ASSERT_TRUE(world.move_group(group, {axis_angle({0, 1, 0}, turn), {1, 0, 0.5}}).ok());
                ASSERT_TRUE(world.remove_group(groups[59]).ok());
                groups[59] = world.add_group({at(2), groups[7]}).value();
                world.publish(n);
                world.check();
                world.poll_events(batch);
            }
        };
        play(1, 301);
        (void)world.take_pass_boundaries();
        start_counting_allocations();
        play(301, 421);
        EXPECT_EQ(stop_counting_allocations(), 0u) << broad;
        EXPECT_EQ(world.stats().moved, 60u);
    }
}

/// Splittable, many steps, no memory: it does not matter which worker runs which part.
void query_long(const PairQuery& query, PairCache& cache, PairResult& result, Trace* trace) {
    query_balls(query, cache, result, trace);
    result.iterations = 5000;
}

// The share of one worker may be the share of another in the next pass.
TEST(Allocation, every_worker_has_capacity_for_all_pairs_of_the_last_pass) {
    PairCollector collector;
    std::vector<PairKey> pairs;
    const auto gather = [&](unsigned worker) {
        collector.begin(3);
        for (std::uint32_t i = 0; i < 100; ++i)
            collector.worker(worker).pairs.push_back(make_pair_key(i, i + 1));
        collector.finish(101, pairs);
    };
    gather(0);
    gather(0);
    start_counting_allocations();
    gather(2);
    EXPECT_EQ(stop_counting_allocations(), 0u) << "the first pairs of worker 2";
    EXPECT_EQ(pairs.size(), 100u);
}

// Deterministic: the caller merges the parts, and the result does not depend on who wins a race.
TEST(Allocation, shared_tests_do_not_allocate_in_steady_state) {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a = make_ball_algorithm("long");
        a.gives = kWantVerdict;
        a.splittable = true;
        a.query = query_long;
        return a;
    }();
    WorldSettings settings = ball_settings();
    settings.pair_algorithm = settings.fallback_algorithm = &algorithm;
    settings.parallel = ParallelMode::fine | ParallelMode::three;
    settings.workers = 3;
    settings.share_from = 1000;
    World world(settings);
    std::vector<BodyId> ids;
    for (unsigned i = 0; i < 24; ++i) ids.push_back(add(world, at(0)));
    EventBatch batch;
    follow_paths(world, ids, 1, 121, batch, swinging);
    (void)world.take_pass_boundaries();
    start_counting_allocations();
    follow_paths(world, ids, 121, 181, batch, swinging);
    EXPECT_EQ(stop_counting_allocations(), 0u);
    EXPECT_GT(world.stats().shared_pairs, 5u);
    EXPECT_GT(world.stats().shared_parts, 5u * 5);
}

}  // namespace
}  // namespace claybox::collision
