// Settings switched while a world runs: bodies, contacts and events are kept, results do not change.
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/module/support.hpp"

#include <limits>

namespace claybox::collision {
namespace {

using namespace test;

/// Runs 120 frames; change(settings, frame) may edit the settings before each and returns whether it did.
/// Checks contacts against brute force in every frame and returns the final state hash.
template <class Change>
std::uint64_t run_with_changes(Change&& change) {
    WorldSettings settings = ball_settings();
    settings.assert_pairs = true;
    World world(settings);
    RandomDrive drive(world, 120, 6, 11);
    Contacts contacts;
    for (std::uint64_t n = 1; n <= 120; ++n) {
        if (change(settings, n)) world.set_settings(settings);
        drive.move_some(0.6);
        if (n % 10 == 0) drive.replace_one();
        contacts.follow(frame(world, n));
        EXPECT_EQ(contacts.now, drive.expected()) << "frame " << n;
        EXPECT_EQ(world.stats().colliding, contacts.now.size());
        EXPECT_EQ(world.stats().pair_disagreements, 0u);
        EXPECT_EQ(world.body_count(), 120u);
        if (testing::Test::HasFailure()) break;
    }
    EXPECT_EQ(contacts.faults, 0);
    EXPECT_GT(contacts.begins, 500u);
    return world.stats().state_hash;
}

std::uint64_t reference_hash() {
    static const std::uint64_t hash = run_with_changes([](WorldSettings&, std::uint64_t) { return false; });
    return hash;
}

TEST(Settings, APP_alg_panel_switching_the_pair_algorithm_while_running_loses_no_contact) {
    const std::uint64_t hash = run_with_changes([](WorldSettings& settings, std::uint64_t n) {
        settings.pair_algorithm = n / 7 % 2 ? &balls() : &other_balls();
        settings.exactness = n / 11 % 2 ? Exactness::exact : Exactness::fast;
        return n % 7 == 0;
    });
    EXPECT_EQ(hash, reference_hash());
}

TEST(Settings, APP_broad_panel_switching_the_broad_phase_while_running_loses_no_contact) {
    const std::uint64_t hash = run_with_changes([](WorldSettings& settings, std::uint64_t n) {
        settings.broad_phase = broad_phases()[n / 5 % broad_phases().size()];
        settings.broad_parameters = default_values(settings.broad_phase->parameters);
        return n % 5 == 0;
    });
    EXPECT_EQ(hash, reference_hash());
}

TEST(Settings, hash_does_not_depend_on_workers_parallel_mode_or_broad_phase) {
    for (const BroadPhaseDescriptor* broad : broad_phases())
        for (const unsigned workers : {1u, 2u, 4u})
            for (const ParallelMode mode : {ParallelMode::serial, ParallelMode::pairs}) {
                const std::uint64_t hash = run_with_changes([&](WorldSettings& settings, std::uint64_t n) {
                    settings.broad_phase = broad;
                    settings.broad_parameters = default_values(broad->parameters);
                    settings.workers = workers;
                    settings.parallel = mode;
                    return n == 1;
                });
                EXPECT_EQ(hash, reference_hash()) << broad->id << " " << workers << " " << to_string(mode);
            }
}

TEST(Settings, switching_workers_and_concurrency_changes_nothing_when_every_frame_is_processed) {
    const std::uint64_t hash = run_with_changes([](WorldSettings& settings, std::uint64_t n) {
        settings.concurrent = n / 9 % 2 == 1;
        settings.parallel = n / 6 % 2 ? ParallelMode::pairs : ParallelMode::serial;
        settings.workers = 1 + static_cast<unsigned>(n / 6 % 4);
        return n % 3 == 0;
    });
    EXPECT_EQ(hash, reference_hash());
}

TEST(Settings, different_runs_have_different_hashes) {
    WorldSettings settings = ball_settings();
    World one(settings), two(settings);
    const BodyId a = add(one, at(0)), b = add(two, at(0));
    frame(one, 1);
    frame(two, 1);
    EXPECT_EQ(one.stats().state_hash, two.stats().state_hash);
    ASSERT_TRUE(one.move(a, at(1e-6)).ok());
    ASSERT_TRUE(two.move(b, at(2e-6)).ok());
    frame(one, 2);
    frame(two, 2);
    EXPECT_NE(one.stats().state_hash, two.stats().state_hash);
}

TEST(Settings, APP_alg_panel_pairs_outside_the_domain_use_the_fallback_or_are_counted) {
    static PairAlgorithm convex_only = make_ball_algorithm("convex_only");
    convex_only.needs = Needs::convex;
    WorldSettings settings = ball_settings();
    settings.pair_algorithm = &convex_only;
    World world(settings);
    add(world, at(0));
    add(world, at(1), 0, true);  // deformable: no valid hull
    EXPECT_EQ(frame(world, 1).events.size(), 1u);
    EXPECT_EQ(world.stats().not_applicable, 0u);
    settings.fallback_algorithm = &convex_only;
    world.set_settings(settings);
    const EventBatch batch = frame(world, 2);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::end);  // no algorithm can decide the pair
    EXPECT_EQ(world.stats().not_applicable, 1u);
    EXPECT_EQ(world.stats().tests, 0u);
}

/// The tube of the torus is a circle of radius 0.7 around the y axis.
TEST(Settings, points_and_segments_collide_with_a_torus_whatever_the_algorithm) {
    const ShapePtr torus = make_primitive_shape(Primitive::torus, 200, 1, 1).value();
    const Vec3f vertex = torus->geometry().positions[0];
    struct Case {
        std::vector<Vec3f> points;
        bool touches, inside;
    };
    const std::vector<Case> cases{{{vertex}, true, true},
                                  {{vertex, {0, 0, 0}}, true, true},
                                  {{{0, 0, 0}, {2, 0, 0}}, true, true},
                                  {{{0.7f, 0, 0}}, false, true},
                                  {{{0.65f, 0, 0}, {0.75f, 0, 0}}, false, true},
                                  {{{0, 0, 0}}, false, false},
                                  {{{0, -1, 0}, {0, 1, 0}}, false, false}};
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        for (const bool solid : {false, true}) {
            WorldSettings settings = default_settings();
            settings.pair_algorithm = algorithm;
            settings.pair_parameters = default_values(algorithm->parameters);
            settings.solid = solid;
            for (const Case& c : cases) {
                if (!solid && c.inside && !c.touches) continue;  // algorithms differ in what they mean
                World world(settings);
                ASSERT_TRUE(world.add_body({torus, {}}).ok());
                ASSERT_TRUE(world.add_body({Shape::from_hull(c.points).value(), {}}).ok());
                const bool collide = !frame(world, 1).events.empty();
                EXPECT_EQ(collide, c.inside) << algorithm->id << " " << solid;
                EXPECT_EQ(world.stats().undecided + world.stats().not_applicable, 0u) << algorithm->id;
            }
        }
    }
}

TEST(Settings, deformable_body_rejected_by_convex_parts_uses_the_fallback) {
    WorldSettings settings = default_settings();
    settings.pair_algorithm = find_pair_algorithm("convex_parts");
    settings.pair_parameters = default_values(settings.pair_algorithm->parameters);
    World world(settings);
    const auto torus = make_primitive_shape(Primitive::torus, 60, 1.0f, 1);
    ASSERT_TRUE(torus.ok());
    for (const bool deformable : {false, true}) {
        BodyDef body{torus.value(), {}};
        body.deformable = deformable;
        ASSERT_TRUE(world.add_body(body).ok());
    }
    const EventBatch batch = frame(world, 1);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::begin);
    EXPECT_EQ(world.stats().undecided, 0u);
}

TEST(Settings, pair_left_undecided_by_a_one_sided_algorithm_is_decided_by_the_fallback) {
    WorldSettings settings = default_settings();
    settings.pair_algorithm = find_pair_algorithm("separating_plane");
    settings.pair_parameters = default_values(settings.pair_algorithm->parameters);
    World world(settings);
    for (const float radius : {1.0f, 0.1f}) {  // one inside the other: their surfaces do not intersect
        auto ball = make_primitive_shape(Primitive::ellipsoid_hull, 40, radius, 1);
        ASSERT_TRUE(ball.ok());
        ASSERT_TRUE(world.add_body({ball.value(), {}}).ok());
    }
    const EventBatch batch = frame(world, 1);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::begin);
    EXPECT_EQ(world.stats().fell_back, 1u);
    EXPECT_EQ(world.stats().undecided, 0u);
}

TEST(Settings, mesh_inside_another_collides_only_with_the_solid_setting) {
    WorldSettings settings = default_settings();
    settings.pair_algorithm = find_pair_algorithm("edge_polygon");
    settings.pair_parameters = default_values(settings.pair_algorithm->parameters);
    World world(settings);
    for (const float radius : {1.0f, 0.1f}) {
        auto torus = make_primitive_shape(Primitive::torus, 200, radius, 1);
        ASSERT_TRUE(torus.ok());
        const double x = radius < 0.5f ? 0.7 : 0;  // inside the tube
        ASSERT_TRUE(world.add_body({torus.value(), at(x)}).ok());
    }
    EXPECT_TRUE(frame(world, 1).events.empty());
    settings.solid = true;
    world.set_settings(settings);
    const EventBatch batch = frame(world, 2);  // nothing moved, only the setting changed
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::begin);
    settings.solid = false;
    world.set_settings(settings);
    ASSERT_EQ(frame(world, 3).events.size(), 1u);
}

TEST(Settings, assert_pairs_detects_a_wrong_broad_phase) {
    // Replaces the first pair by a wrong one.
    class Wrong final : public BroadPhase {
      public:
        Wrong() : right_(find_broad_phase("all_pairs")->create({})) {}
        void insert(std::uint32_t slot) override { right_->insert(slot); }
        void remove(std::uint32_t slot) override { right_->remove(slot); }
        void update(std::span<const std::uint32_t> m, const WorldBounds& b, Executor& e) override {
            right_->update(m, b, e);
        }
        void find_pairs(std::span<const std::uint32_t> m, const WorldBounds& b, Executor& e,
                        std::vector<PairKey>& out) override {
            right_->find_pairs(m, b, e, out);
            if (!out.empty()) out.front() = make_pair_key(0, 3);
        }
        BroadPhaseCounts counts() const override { return {}; }
        std::size_t memory_bytes() const override { return 0; }
        void view(StructureView&) const override {}

      private:
        std::unique_ptr<BroadPhase> right_;
    };
    static const BroadPhaseDescriptor wrong{"wrong",
                                            "",
                                            "",
                                            "",
                                            {},
                                            [](const ParameterValues&) -> std::unique_ptr<BroadPhase> {
            return std::make_unique<Wrong>(); }};
    WorldSettings settings = ball_settings();
    settings.broad_phase = &wrong;
    settings.assert_pairs = true;
    World world(settings);
    add(world, at(0));
    add(world, at(1));
    add(world, at(50));
    add(world, at(100));
    frame(world, 1);
    EXPECT_EQ(world.stats().pair_disagreements, 2u);
}

TEST(Stats, APP_stats_stage_times_sum_to_the_pass_and_counts_match_the_run) {
    World world(ball_settings());
    RandomDrive drive(world, 200, 8, 3);
    Contacts contacts;
    for (std::uint64_t n = 1; n <= 50; ++n) {
        drive.move_some(1);
        const EventBatch batch = frame(world, n);
        contacts.follow(batch);
        const PassStats stats = world.stats();
        EXPECT_EQ(stats.pass, n);
        EXPECT_EQ(stats.frame, n);
        EXPECT_EQ(stats.bodies, 200u);
        EXPECT_EQ(stats.moved, 200u);
        EXPECT_GE(stats.raw_candidates, stats.candidates);
        EXPECT_EQ(stats.candidates, stats.tests + stats.ignored);
        EXPECT_EQ(stats.colliding, contacts.now.size());
        EXPECT_EQ(stats.iterations, stats.tests);
        EXPECT_EQ(stats.algorithm_counters[0], stats.tests);
        EXPECT_EQ(stats.rung[0] + stats.rung[1] + stats.rung[2], stats.tests);
        const double sum = stats.seconds_take + stats.seconds_bounds + stats.seconds_broad +
                           stats.seconds_narrow + stats.seconds_events;
        EXPECT_GT(stats.seconds_total, 0);
        EXPECT_NEAR(sum, stats.seconds_total, 0.05 * stats.seconds_total);
    }
    EXPECT_GT(world.memory_bytes(), 200 * sizeof(Aabb));
}

TEST(View, contains_cells_only_on_request_and_at_most_the_limit) {
    World world(ball_settings());
    RandomDrive drive(world, 50, 8, 3);
    frame(world, 1);
    EXPECT_TRUE(world.view().boxes().empty());
    world.request_view({7});
    frame(world, 2);
    EXPECT_GE(world.view().boxes().size(), 4u);
    EXPECT_LE(world.view().boxes().size(), 7u);
    EXPECT_GT(world.view().total(), 20u);
    world.request_view({100000});
    frame(world, 3);
    EXPECT_EQ(world.view().boxes().size(), world.view().total());
    world.request_view({});
    frame(world, 4);
    EXPECT_TRUE(world.view().boxes().empty());
}

TEST(Settings, commands_after_a_publish_wait_for_the_next_frame) {
    World world(ball_settings());
    int calls = 0;
    const BodyId a = add(world, at(0)), b = add(world, at(1));
    world.publish(1);
    // Between a publish and its pass, as with a late concurrent pass.
    WorldSettings without_queue = ball_settings();
    without_queue.queue_events = false;
    world.set_settings(without_queue);
    world.set_interest(0, 0, {false, kWantVerdict, 0});
    world.set_callback([&](const Event&, std::span<const Hit>, CallbackContext&) { ++calls; });
    world.check();
    EXPECT_EQ(world.stats().colliding, 1u);
    EXPECT_EQ(events_of(world).events.size(), 1u);
    EXPECT_EQ(calls, 0);

    EXPECT_TRUE(world.move(a, at(0.5)).ok() && world.move(b, at(1.5)).ok());
    world.publish(2);
    world.check();
    EXPECT_EQ(world.stats().colliding, 0u);
    EXPECT_TRUE(events_of(world).events.empty());
    EXPECT_EQ(calls, 1);  // the end event
}

}  // namespace
}  // namespace claybox::collision
