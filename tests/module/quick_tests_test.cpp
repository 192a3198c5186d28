// Tests that workers run while they look through the candidates: results are those of one worker.
#include "tests/module/support.hpp"

#include <functional>

namespace claybox::collision {
namespace {

using namespace test;

constexpr int kSide = 7;  // 343 balls, some hundred pairs

WorldSettings settings_with(unsigned workers) {
    WorldSettings settings = ball_settings();
    settings.parallel = ParallelMode::pairs;
    settings.workers = workers;
    return settings;
}

/// Balls that swing about the points of a grid, so that pairs begin and end in every frame.
class SwingingBalls {
  public:
    explicit SwingingBalls(World& world) : world_(world) {
        for (int i = 0; i < kSide * kSide * kSide; ++i)
            ids_.push_back(add(world, place(i, 0), static_cast<unsigned>(i % 3), i % 5 == 0));
    }
    void step(std::uint64_t n) {
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            if (!world_.alive(ids_[i])) continue;
            ASSERT_TRUE(world_.move(ids_[i], place(static_cast<int>(i), n)).ok());
        }
    }
    BodyId id(std::size_t i) const { return ids_[i]; }

  private:
    static Pose place(int i, std::uint64_t n) {
        const double x = 1.9 * (i % kSide), y = 1.9 * (i / kSide % kSide), z = 1.9 * (i / kSide / kSide);
        return at(x + 0.3 * std::sin(static_cast<double>(n) + i), y, z);
    }
    World& world_;
    std::vector<BodyId> ids_;
};

/// What happens to the world before frame `n`.
using Disturb = std::function<void(World& world, const SwingingBalls& balls, std::uint64_t n)>;

/// Everything that makes a single pair wait for an ordinary test.
void disturb_pairs(World& world, const SwingingBalls& balls, std::uint64_t n) {
    if (n == 3) {
        Interest own;
        own.data = 7;
        own.wants = kWantAllHits;
        world.set_interest(0, 1, own);
    }
    if (n == 4) world.set_interest_exception(balls.id(0), balls.id(1), {.test = false});
    if (n == 5) {
        ASSERT_TRUE(world.remove_body(balls.id(100)).ok());
    }
    if (n == 6) add(world, at(5.2, 5.2, 5.2));
    if (n == 7) {
        WorldSettings settings = world.settings();
        settings.pair_algorithm = &other_balls();
        world.set_settings(settings);
    }
    if (n == 8) {
        const VertexChange changes[] = {{3, {1.5f, 1, 1}}};
        ASSERT_TRUE(world.deform(balls.id(50), changes).ok());
    }
}

/// A body that is tested continuously comes before frame 4; continuous tests are switched off before frame 8.
void disturb_with_sweeps(World& world, const SwingingBalls&, std::uint64_t n) {
    if (n == 4) {
        ASSERT_TRUE(world.add_body({.shape = cube(), .pose = at(5.2, 5.2, 5.2), .continuous = true}).ok());
    }
    if (n == 8) {
        WorldSettings settings = world.settings();
        settings.continuous = false;
        world.set_settings(settings);
    }
}

/// A budget that every pass exceeds: the governor lowers the accuracy after frames 4, 6 and 8. Without a
/// budget, frame 10 has full accuracy again.
void disturb_with_budget(World& world, const SwingingBalls&, std::uint64_t n) {
    if (n != 3 && n != 10) return;
    WorldSettings settings = world.settings();
    settings.budget_ms = n == 3 ? 1e-9 : 0;
    world.set_settings(settings);
}

struct Outcome {
    std::vector<std::tuple<EventKind, BodyId, BodyId, std::uint64_t, std::uint32_t>> events;
    std::vector<std::uint64_t> hashes;
    std::vector<std::uint64_t> tests, quick;
    std::vector<std::array<std::uint64_t, 5>> counts;
    std::vector<Hit> hits;
    std::vector<std::uint64_t> hardest;
    std::vector<Accuracy> accuracy;
};

Outcome run(unsigned workers, const Disturb& disturb) {
    World world(settings_with(workers));
    SwingingBalls balls(world);
    Outcome out;
    for (std::uint64_t n = 1; n <= 12; ++n) {
        balls.step(n);
        disturb(world, balls, n);
        const EventBatch batch = frame(world, n);
        out.hits.insert(out.hits.end(), batch.hits.begin(), batch.hits.end());
        for (const Event& e : batch.events) out.events.emplace_back(e.kind, e.a, e.b, e.data, e.hit_count);
        out.hashes.push_back(world.stats().state_hash);
        out.tests.push_back(world.stats().tests);
        out.quick.push_back(world.stats().quick_tests);
        const PassStats stats = world.stats();
        out.counts.push_back({stats.iterations, stats.ignored, stats.colliding, stats.tests_by_algorithm[0],
                              stats.algorithm_counters[0]});
        out.hardest.push_back(world.hardest_pair().iterations);
        out.accuracy.push_back(stats.accuracy);
    }
    return out;
}

void expect_equal(const Outcome& one, const Outcome& several, unsigned workers) {
    EXPECT_EQ(one.events, several.events) << workers;
    EXPECT_EQ(one.hashes, several.hashes) << workers;
    EXPECT_EQ(one.tests, several.tests) << workers;
    EXPECT_EQ(one.counts, several.counts) << workers;
    EXPECT_EQ(one.hits, several.hits) << workers;
    EXPECT_EQ(one.hardest, several.hardest) << workers;
    EXPECT_EQ(one.accuracy, several.accuracy) << workers;
}

/// Most tests of frame `n` (from 1) are quick ones.
void expect_quick(const Outcome& outcome, std::size_t n) {
    EXPECT_GT(3 * outcome.quick[n - 1], 2 * outcome.tests[n - 1]) << "frame " << n;
}

TEST(QuickTests, change_no_result_and_no_count) {
    wrong_prepared = 0;
    const Outcome one = run(1, disturb_pairs);
    EXPECT_GT(one.events.size(), 1000u);
    EXPECT_EQ(one.quick, std::vector<std::uint64_t>(12, 0)) << "one worker has no use for them";
    for (const unsigned workers : {2u, 3u, 5u}) {
        const Outcome several = run(workers, disturb_pairs);
        expect_equal(one, several, workers);
        EXPECT_EQ(several.quick[0], 0u) << "no pair is known";
        EXPECT_EQ(several.quick[6], 0u) << "no pair is known to the new algorithm";
        for (const std::size_t n : {2u, 3u, 4u, 11u, 12u}) expect_quick(several, n);
    }
    EXPECT_EQ(wrong_prepared, 0);
}

TEST(QuickTests, pause_while_bodies_sweep) {
    const Outcome one = run(1, disturb_with_sweeps);
    for (const unsigned workers : {2u, 3u}) {
        const Outcome several = run(workers, disturb_with_sweeps);
        expect_equal(one, several, workers);
        for (const std::size_t n : {4u, 5u, 6u, 7u}) EXPECT_EQ(several.quick[n - 1], 0u) << "frame " << n;
        for (const std::size_t n : {2u, 3u, 8u, 9u, 12u}) expect_quick(several, n);
    }
}

TEST(QuickTests, follow_the_governor) {
    const Outcome one = run(1, disturb_with_budget);
    EXPECT_EQ(one.accuracy[4], Accuracy::fast);
    EXPECT_EQ(one.accuracy[6], Accuracy::verdicts);
    EXPECT_EQ(one.accuracy[8], Accuracy::boxes);
    EXPECT_EQ(one.accuracy[9], Accuracy::full);
    for (const unsigned workers : {2u, 3u}) {
        const Outcome several = run(workers, disturb_with_budget);
        expect_equal(one, several, workers);
        EXPECT_EQ(several.quick[8], 0u) << "boxes are compared, no pair is tested";
        for (const std::size_t n : {4u, 5u, 6u, 7u, 8u, 12u}) expect_quick(several, n);
    }
}

TEST(QuickTests, a_pair_with_a_long_test_waits) {
    WorldSettings settings = settings_with(2);
    settings.share_from = 2;  // a test of balls counts three steps
    World world(settings);
    SwingingBalls balls(world);
    for (std::uint64_t n = 1; n <= 3; ++n) {
        balls.step(n);
        frame(world, n);
        EXPECT_EQ(world.stats().quick_tests, 0u);
    }
}

}  // namespace
}  // namespace claybox::collision
