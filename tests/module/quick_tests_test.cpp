// Tests that workers run while they look through the candidates: results are those of one worker.
#include "tests/module/support.hpp"

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

/// Everything that makes a pair wait for an ordinary test.
void disturb(World& world, const SwingingBalls& balls, std::uint64_t n) {
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

struct Outcome {
    std::vector<std::tuple<EventKind, BodyId, BodyId, std::uint64_t, std::uint32_t>> events;
    std::vector<std::uint64_t> hashes;
    std::vector<std::uint64_t> tests, quick;
    std::vector<std::array<std::uint64_t, 5>> counts;
    std::vector<Hit> hits;
    std::vector<std::uint64_t> hardest;
};

Outcome run(unsigned workers) {
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
    }
    return out;
}

TEST(QuickTests, change_no_result_and_no_count) {
    wrong_prepared = 0;
    const Outcome one = run(1);
    EXPECT_GT(one.events.size(), 1000u);
    EXPECT_EQ(one.quick, std::vector<std::uint64_t>(12, 0)) << "one worker has no use for them";
    for (const unsigned workers : {2u, 3u, 5u}) {
        const Outcome several = run(workers);
        EXPECT_EQ(one.events, several.events) << workers;
        EXPECT_EQ(one.hashes, several.hashes) << workers;
        EXPECT_EQ(one.tests, several.tests) << workers;
        EXPECT_EQ(one.counts, several.counts) << workers;
        EXPECT_EQ(one.hits, several.hits) << workers;
        EXPECT_EQ(one.hardest, several.hardest) << workers;
        EXPECT_EQ(several.quick[0], 0u) << "no pair is known";
        EXPECT_EQ(several.quick[6], 0u) << "no pair is known to the new algorithm";
        for (const std::size_t n : {1u, 2u, 3u, 10u, 11u})
            EXPECT_GT(3 * several.quick[n], 2 * several.tests[n]) << "frame " << n + 1;
    }
    EXPECT_EQ(wrong_prepared, 0);
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
