// The governor with scripted durations, and the effect of its steps on passes.
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/module/support.hpp"

namespace claybox::collision {
namespace {

using namespace test;

/// Records `passes` passes of `seconds` each.
Accuracy record_passes(Governor& governor, std::uint32_t passes, double seconds) {
    for (std::uint32_t i = 0; i < passes; ++i) governor.after_pass(seconds);
    return governor.accuracy();
}

TEST(Governor, Z_1_2_adapt_steps_down_over_budget_and_up_again_well_below_it) {
    Governor governor;
    EXPECT_EQ(record_passes(governor, 1000, 1e9), Accuracy::full);  // off
    governor.set_budget(0.010);
    EXPECT_EQ(record_passes(governor, 1000, 0.0099), Accuracy::full);
    EXPECT_EQ(record_passes(governor, Governor::kPassesBeforeStepDown - 1, 0.02), Accuracy::full);
    EXPECT_EQ(record_passes(governor, 1, 0.001), Accuracy::full);  // a single slow pass changes nothing
    for (const Accuracy step : {Accuracy::fast, Accuracy::verdicts, Accuracy::boxes, Accuracy::boxes})
        EXPECT_EQ(record_passes(governor, Governor::kPassesBeforeStepDown, 0.02), step);
    EXPECT_EQ(record_passes(governor, 1000, 0.008),
              Accuracy::boxes);  // within the budget, but not below the share
    // Below the share: one step up after another. No step up has failed yet, so every wait has its initial
    // length.
    for (const Accuracy step : {Accuracy::verdicts, Accuracy::fast, Accuracy::full, Accuracy::full}) {
        EXPECT_NE(record_passes(governor, Governor::kPassesBeforeStepUp - 1, 0.001),
                  step == Accuracy::full ? Accuracy::boxes : step);
        EXPECT_EQ(record_passes(governor, 1, 0.001), step);
    }
    governor.set_budget(0);
    EXPECT_EQ(record_passes(governor, 5, 1), Accuracy::full);
}

/// A load between two steps: over budget at `full`, below the share one step lower.
TEST(Governor, Z_1_2_adapt_oscillation_under_a_load_between_two_steps_is_damped) {
    Governor governor;
    governor.set_budget(0.010);
    std::vector<std::uint32_t> ups;
    for (std::uint32_t pass = 0; pass < 20000; ++pass) {
        const Accuracy before = governor.accuracy();
        governor.after_pass(before == Accuracy::full ? 0.015 : 0.004);
        if (governor.accuracy() < before) ups.push_back(pass);
    }
    ASSERT_GE(ups.size(), 5u);
    EXPECT_LE(ups.size(), 18u);
    for (std::size_t i = 2; i < ups.size(); ++i)
        EXPECT_GE(ups[i] - ups[i - 1] + 2, std::min(2 * (ups[i - 1] - ups[i - 2]), Governor::kMaxWait));
    // A step up that lasts resets the wait.
    record_passes(governor, 3 * Governor::kMaxWait, 0.004);
    ASSERT_EQ(governor.accuracy(), Accuracy::full);
    record_passes(governor, Governor::kPassesBeforeStepDown, 0.015);
    ASSERT_EQ(governor.accuracy(), Accuracy::fast);
    EXPECT_EQ(record_passes(governor, Governor::kPassesBeforeStepUp, 0.004), Accuracy::full);
}

/// Runs a pass with the given accuracy, as in a replay.
PassStats pass(World& world, std::uint64_t n, Accuracy accuracy) {
    world.replay_frame({&accuracy, 1}, n);
    world.publish(n);
    world.check();
    return world.stats();
}

TEST(Governor, Z_1_2_adapt_each_step_reduces_results_and_full_accuracy_restores_them) {
    WorldSettings settings = ball_settings();
    World world(settings);
    Interest hits;
    hits.wants = kWantAllHits;
    world.set_interest(0, 0, hits);
    const BodyId a = add(world, at(0)), b = add(world, at(1.6, 1.6, 1.6));  // boxes overlap, balls do not
    const BodyId c = add(world, at(-1.5));
    const auto all_move = [&] {
        for (const auto& [body, x] : {std::pair{a, 0.0}, std::pair{b, 1.6}, std::pair{c, -1.5}})
            ASSERT_TRUE(world.move(body, body == b ? at(x, x, x) : at(x)).ok());
    };
    PassStats stats = pass(world, 1, Accuracy::full);
    EXPECT_EQ(stats.accuracy, Accuracy::full);
    EXPECT_EQ(stats.colliding, 1u);
    EventBatch batch = events_of(world);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].hit_count, kBallHits);

    all_move();
    stats = pass(world, 2, Accuracy::verdicts);
    EXPECT_EQ(stats.accuracy, Accuracy::verdicts);
    EXPECT_EQ(stats.tests, 2u);
    EXPECT_EQ(stats.colliding, 1u);
    batch = events_of(world);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].hit_count, 0u);

    all_move();
    stats = pass(world, 3, Accuracy::boxes);
    EXPECT_EQ(stats.tests, 0u);
    EXPECT_EQ(stats.colliding, 2u);

    stats = pass(world, 4, Accuracy::full);  // nothing has moved
    EXPECT_EQ(stats.tests, 2u);
    EXPECT_EQ(stats.colliding, 1u);
    EXPECT_EQ(stats.ends, 1u);
}

/// Counts queries by exactness.
std::atomic<int> exact_queries{0}, fast_queries{0};
const PairAlgorithm& counting_balls() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm out = make_ball_algorithm("counting_balls");
        out.query = [](const PairQuery& query, PairCache& cache, PairResult& result, Trace* trace) {
            (query.exactness == Exactness::exact ? exact_queries : fast_queries).fetch_add(1);
            query_balls(query, cache, result, trace);
        };
        return out;
    }();
    return algorithm;
}

TEST(Governor, Z_1_2_adapt_below_full_queries_are_fast) {
    WorldSettings settings = ball_settings();
    settings.pair_algorithm = &counting_balls();
    World world(settings);
    const BodyId a = add(world, at(0));
    add(world, at(1));
    exact_queries = fast_queries = 0;
    pass(world, 1, Accuracy::full);
    EXPECT_EQ(exact_queries, 1);
    ASSERT_TRUE(world.move(a, at(0.1)).ok());
    pass(world, 2, Accuracy::fast);
    EXPECT_EQ(exact_queries, 1);
    EXPECT_EQ(fast_queries, 1);
    pass(world, 3, Accuracy::full);  // tested again: the inexact answer is not kept
    EXPECT_EQ(exact_queries, 2);
}

// Extreme budgets make the result independent of the clock.
TEST(Governor, Z_1_2_adapt_world_follows_its_budget_and_a_recorded_run_replays_to_the_same_hash) {
    WorldSettings settings = ball_settings();
    settings.budget_ms = 1e-9;
    World live(settings);
    RandomDrive live_drive(live, 60, 3, 4);
    for (std::uint64_t n = 1; n <= 60; ++n) {
        if (n == 30) {
            settings.budget_ms = 1e9;
            live.set_settings(settings);
        }
        live_drive.move_some(0.5);
        frame(live, n);
        if (n == 29) {
            EXPECT_EQ(live.stats().accuracy, Accuracy::boxes);
        }
    }
    const std::vector<PassBoundary> passes = live.take_pass_boundaries();
    ASSERT_EQ(passes.size(), 60u);
    EXPECT_EQ(passes[0].accuracy, Accuracy::full);
    EXPECT_EQ(passes[Governor::kPassesBeforeStepDown].accuracy, Accuracy::fast);
    EXPECT_EQ(passes[59].accuracy, Accuracy::full);  // a new budget resets the governor

    World replay(ball_settings());
    RandomDrive replay_drive(replay, 60, 3, 4);
    for (std::uint64_t n = 1; n <= 60; ++n) {
        replay_drive.move_some(0.5);
        pass(replay, n, passes[n - 1].accuracy);
    }
    EXPECT_EQ(replay.stats().state_hash, live.stats().state_hash);
}

TEST(Settings, Z_7_2_cfg_meth_without_a_narrow_phase_overlapping_boxes_collide) {
    WorldSettings settings = ball_settings();
    settings.narrow = false;
    World world(settings);
    add(world, at(0));
    add(world, at(1.6, 1.6, 1.6));
    EXPECT_EQ(frame(world, 1).events.size(), 1u);
    EXPECT_EQ(world.stats().tests, 0u);
    settings.narrow = true;
    world.set_settings(settings);
    const EventBatch batch = frame(world, 2);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::end);
    EXPECT_EQ(world.stats().tests, 1u);
}

}  // namespace
}  // namespace claybox::collision
