// Whatever is switched while a world runs: bodies, contacts and events stay, and results do not depend on it.
#include "collision/geometry/primitives.hpp"
#include "tests/module/support.hpp"

#include <limits>

namespace claybox::collision {
namespace {

using namespace test;

/// Runs 120 frames; change(settings, frame) may edit the settings before each. Checks contacts against brute
/// force in every frame and returns the hash of the end.
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

TEST(Settings, APP_alg_panel_switching_the_pair_algorithm_in_mid_run_loses_no_contact) {
    const std::uint64_t hash = run_with_changes([](WorldSettings& settings, std::uint64_t n) {
        settings.pair_algorithm = n / 7 % 2 ? &balls() : &other_balls();
        settings.exactness = n / 11 % 2 ? Exactness::exact : Exactness::fast;
        return n % 7 == 0;
    });
    EXPECT_EQ(hash, reference_hash());
}

TEST(Settings, APP_broad_panel_switching_the_broad_phase_in_mid_run_loses_no_contact) {
    const std::uint64_t hash = run_with_changes([](WorldSettings& settings, std::uint64_t n) {
        settings.broad_phase = broad_phases()[n / 5 % broad_phases().size()];
        settings.broad_parameters = default_values(settings.broad_phase->parameters);
        return n % 5 == 0;
    });
    EXPECT_EQ(hash, reference_hash());
}

TEST(Settings, the_hash_depends_neither_on_workers_nor_on_the_parallel_mode_nor_on_the_broad_phase) {
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

TEST(Settings, workers_and_concurrency_switched_in_mid_run_change_nothing_when_each_frame_is_waited_for) {
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

TEST(Settings, APP_alg_panel_pairs_outside_the_domain_go_to_the_fallback_or_are_counted) {
    static PairAlgorithm convex_only = make_ball_algorithm("convex_only");
    convex_only.needs = Needs::convex;
    WorldSettings settings = ball_settings();
    settings.pair_algorithm = &convex_only;
    World world(settings);
    add(world, at(0));
    add(world, at(1), 0, true);  // deformable: no hull to rely on
    EXPECT_EQ(frame(world, 1).events.size(), 1u);
    EXPECT_EQ(world.stats().not_applicable, 0u);
    settings.fallback_algorithm = &convex_only;
    world.set_settings(settings);
    const EventBatch batch = frame(world, 2);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::end);  // nobody can say that it collides
    EXPECT_EQ(world.stats().not_applicable, 1u);
    EXPECT_EQ(world.stats().tests, 0u);
}

TEST(Settings, a_deformed_body_that_convex_parts_do_not_take_is_decided_by_the_fallback) {
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

TEST(Settings, a_pair_that_a_one_sided_algorithm_leaves_undecided_is_decided_by_the_fallback) {
    WorldSettings settings = default_settings();
    settings.pair_algorithm = find_pair_algorithm("separating_plane");
    settings.pair_parameters = default_values(settings.pair_algorithm->parameters);
    World world(settings);
    for (const float radius : {1.0f, 0.1f}) {  // one inside the other: surfaces would not meet
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

TEST(Settings, with_solid_a_mesh_inside_another_collides_and_without_it_not) {
    WorldSettings settings = default_settings();
    settings.pair_algorithm = find_pair_algorithm("edge_polygon");
    settings.pair_parameters = default_values(settings.pair_algorithm->parameters);
    World world(settings);
    for (const float radius : {1.0f, 0.1f}) {
        auto torus = make_primitive_shape(Primitive::torus, 200, radius, 1);
        ASSERT_TRUE(torus.ok());
        const double x = radius < 0.5f ? 0.7 : 0;  // within the tube
        ASSERT_TRUE(world.add_body({torus.value(), at(x)}).ok());
    }
    EXPECT_TRUE(frame(world, 1).events.empty());
    settings.solid = true;
    world.set_settings(settings);
    const EventBatch batch = frame(world, 2);  // nothing moved: the question did
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::begin);
    settings.solid = false;
    world.set_settings(settings);
    ASSERT_EQ(frame(world, 3).events.size(), 1u);
}

TEST(Settings, assert_mode_finds_a_broad_phase_that_errs) {
    // Hides the first pair and invents one.
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

TEST(Stats, APP_stats_stages_sum_to_the_pass_and_counts_are_those_of_the_run) {
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

TEST(View, shows_the_broad_phases_cells_only_when_asked_and_at_most_the_limit) {
    World world(ball_settings());
    RandomDrive drive(world, 50, 8, 3);
    frame(world, 1);
    EXPECT_TRUE(world.view().boxes().empty());
    world.want_view({7});
    frame(world, 2);
    EXPECT_GE(world.view().boxes().size(), 4u);
    EXPECT_LE(world.view().boxes().size(), 7u);
    EXPECT_GT(world.view().total(), 20u);
    world.want_view({100000});
    frame(world, 3);
    EXPECT_EQ(world.view().boxes().size(), world.view().total());
    world.want_view({});
    frame(world, 4);
    EXPECT_TRUE(world.view().boxes().empty());
}

TEST(Settings, what_is_ordered_after_a_publish_waits_for_the_next_frame) {
    World world(ball_settings());
    int heard = 0;
    const BodyId a = add(world, at(0)), b = add(world, at(1));
    world.publish(1);
    // Between a publish and its pass, as when a concurrent pass comes late.
    WorldSettings blind = ball_settings();
    blind.queue_events = false;
    world.set_settings(blind);
    world.set_interest(0, 0, {false, kWantVerdict, 0});
    world.set_callback([&](const Event&, std::span<const Hit>, CallbackContext&) { ++heard; });
    world.check();
    EXPECT_EQ(world.stats().colliding, 1u);
    EXPECT_EQ(events_of(world).events.size(), 1u);
    EXPECT_EQ(heard, 0);

    EXPECT_TRUE(world.move(a, at(0.5)).ok() && world.move(b, at(1.5)).ok());
    world.publish(2);
    world.check();
    EXPECT_EQ(world.stats().colliding, 0u);
    EXPECT_TRUE(events_of(world).events.empty());
    EXPECT_EQ(heard, 1);  // the end of the contact
}

}  // namespace
}  // namespace claybox::collision
