// Continuous pairs of a world: bodies are tested along their motions from pass to pass.
#include "collision/module/state/body_sweeps.hpp"
#include "tests/module/continuous_support.hpp"
#include "tests/module/counted_heap.hpp"

#include <tuple>

namespace claybox::collision {
namespace {

using namespace test;

BodyId add_box(World& world, const Pose& pose, bool continuous, unsigned group = 0, std::uint64_t data = 0,
               const ShapePtr& shape = cube()) {
    BodyDef def{.shape = shape, .pose = pose, .group = group, .data = data, .continuous = continuous};
    return world.add_body(def).value();
}

/// A plate at x = 0, 0.02 thick, and a cube of edge 2 that starts at x = -10.
struct Range {
    explicit Range(const WorldSettings& settings = slab_settings(), bool continuous = true)
        : world(settings) {
        plate = add_box(world, at(0), false, 1, 0, box(0.02, 20, 20));
        bullet = add_box(world, at(-10), continuous);
        EXPECT_TRUE(frame(world, ++now).events.empty());
    }
    EventBatch shoot(double x, Arrival arrival = Arrival::moved) {
        EXPECT_TRUE(world.move(bullet, at(x), arrival).ok());
        return frame(world, ++now);
    }
    EventBatch rest() { return frame(world, ++now); }

    World world;
    BodyId plate, bullet;
    std::uint64_t now = 0;
};

TEST(Continuous, Z_1_2_toc_a_fast_body_hits_a_plate_that_it_passes_between_two_frames) {
    Range range;
    const EventBatch hit = range.shoot(10);
    ASSERT_EQ(hit.events.size(), 1u);
    const Event& event = hit.events[0];
    EXPECT_EQ(event.kind, EventKind::begin);
    EXPECT_EQ(event.a, range.plate);
    EXPECT_EQ(event.witness.kind, CertificateKind::none);
    const Impact* const impact = hit.impact_of(event);
    ASSERT_NE(impact, nullptr);
    const double time = (10 - 1 - 0.01) / 20;
    EXPECT_NEAR(impact->time_low, time, 1e-7);
    EXPECT_NEAR(impact->time_high, time, 1e-7);
    EXPECT_FALSE(impact->at_start);
    EXPECT_EQ(impact->normal_w, (Vec3d{-1, 0, 0})) << "from the plate, A, to the bullet";
    EXPECT_NEAR(impact->pose_b.translation.x, -1.01, 1e-6);
    EXPECT_EQ(impact->pose_a, at(0));
    EXPECT_EQ(impact->feature_a.kind, FeatureKind::face);
    EXPECT_EQ(impact->feature_b.kind, FeatureKind::vertex);
    EXPECT_EQ(event.point_w, cast<float>(impact->point_w));
    EXPECT_EQ(range.world.stats().continuous_tests, 1u);
    EXPECT_EQ(range.world.stats().swept, 1u);

    const EventBatch after = range.rest();
    ASSERT_EQ(after.events.size(), 1u) << "at rest the pair is tested at its poses";
    EXPECT_EQ(after.events[0].kind, EventKind::end);
    EXPECT_EQ(after.impact_of(after.events[0]), nullptr);
    EXPECT_TRUE(range.rest().events.empty());
    EXPECT_EQ(range.world.stats().moved, 0u);
}

TEST(Continuous, a_body_that_moves_in_its_first_frame_starts_where_it_was_added) {
    for (const bool first_pass : {true, false}) {
        World world(slab_settings());
        (void)add_box(world, at(0), false, 1, 0, box(0.02, 20, 20));
        if (!first_pass) {
            (void)add_box(world, at(0, 100), true);
            (void)frame(world, 1);
        }
        const BodyId bullet = add_box(world, at(-10), true);
        ASSERT_TRUE(world.move(bullet, at(10)).ok());
        const EventBatch hit = frame(world, 2);
        ASSERT_EQ(hit.impacts.size(), 1u);
        EXPECT_NEAR(hit.impacts[0].time_high, (10 - 1.01) / 20, 1e-7);
    }
}

TEST(Continuous, without_the_switch_the_body_passes) {
    WorldSettings off = slab_settings();
    off.continuous = false;
    for (const bool world_switch : {false, true}) {
        Range range(world_switch ? off : slab_settings(), world_switch);
        EXPECT_TRUE(range.shoot(10).events.empty());
        EXPECT_EQ(range.world.stats().swept, 0u);
    }
}

TEST(Continuous, a_body_that_stays_in_contact_gives_stay_events_with_impacts) {
    Range range;
    (void)range.shoot(-0.5);
    const EventBatch inside = range.shoot(0);
    ASSERT_EQ(inside.events.size(), 1u);
    EXPECT_EQ(inside.events[0].kind, EventKind::stay);
    ASSERT_NE(inside.impact_of(inside.events[0]), nullptr);
    EXPECT_TRUE(inside.impacts[0].at_start);
    EXPECT_EQ(inside.impacts[0].time_high, 0.0);
    const EventBatch resting = range.rest();
    ASSERT_EQ(resting.events.size(), 1u);
    EXPECT_EQ(resting.events[0].kind, EventKind::stay);
    EXPECT_EQ(resting.impact_of(resting.events[0]), nullptr);
    EXPECT_NE(resting.events[0].witness.kind, CertificateKind::none);
    EXPECT_TRUE(range.rest().events.empty()) << "nothing moves any more";
}

TEST(Continuous, a_body_placed_anew_sweeps_from_there_only) {
    Range range;
    EXPECT_TRUE(range.shoot(10, Arrival::placed).events.empty()) << "a teleport makes no sweep";
    ASSERT_TRUE(range.world.move(range.bullet, at(-20), Arrival::placed).ok());
    EXPECT_TRUE(range.shoot(-10).events.empty()) << "from -20, not from 10";
    ASSERT_TRUE(range.world.move(range.bullet, at(20), Arrival::placed).ok());
    const EventBatch hit = range.shoot(-20);
    ASSERT_EQ(hit.events.size(), 1u);
    EXPECT_NEAR(hit.impacts.at(0).time_high, (20 - 1.01) / 40, 1e-7);
}

TEST(Continuous, merged_frames_keep_the_newest_place_and_sweep_from_it) {
    Range range;
    World& world = range.world;
    ASSERT_TRUE(world.move(range.bullet, at(-30)).ok());
    world.publish(++range.now);
    ASSERT_TRUE(world.move(range.bullet, at(30), Arrival::placed).ok());
    world.publish(++range.now);
    ASSERT_TRUE(world.move(range.bullet, at(20)).ok());
    world.publish(++range.now);
    world.check();
    EXPECT_TRUE(events_of(world).events.empty()) << "from 30 to 20";
    ASSERT_TRUE(world.move(range.bullet, at(5)).ok());
    world.publish(++range.now);
    ASSERT_TRUE(world.move(range.bullet, at(-5)).ok());
    world.publish(++range.now);
    world.check();
    const EventBatch hit = events_of(world);
    ASSERT_EQ(hit.events.size(), 1u);
    EXPECT_NEAR(hit.impacts.at(0).time_high, (20 - 1.01) / 25, 1e-7) << "from the pose of the last pass";
}

TEST(Continuous, interests_switch_pairs_on_and_off) {
    Range range(slab_settings(), false);
    World& world = range.world;
    world.set_interest(0, 1, {.continuity = Continuity::on});
    (void)range.rest();
    EXPECT_EQ(range.shoot(10).events.size(), 1u) << "on, without a switch of a body";
    (void)range.rest();
    world.set_interest(0, 1, {.continuity = Continuity::off});
    world.set_continuous(range.bullet, true);
    (void)range.rest();
    EXPECT_TRUE(range.shoot(-10).events.empty()) << "off, with the switch of a body";
    world.set_interest_exception(range.bullet, range.plate, {.continuity = Continuity::on});
    (void)range.rest();
    EXPECT_EQ(range.shoot(10).events.size(), 1u) << "an exception of the pair wins";
    (void)range.rest();
    world.set_interest_exception(range.bullet, range.plate, {.test = false});
    (void)range.rest();
    EXPECT_TRUE(range.shoot(-10).events.empty());
    world.clear_interest_exception(range.bullet, range.plate);
    world.set_interest(0, 1, {});
    (void)range.rest();
    EXPECT_EQ(range.shoot(10).events.size(), 1u) << "of bodies: the bullet has the switch";
    (void)range.rest();
    world.set_continuous(range.bullet, false);
    (void)range.rest();
    EXPECT_TRUE(range.shoot(-10).events.empty());
}

TEST(Continuous, a_resting_body_with_the_switch_is_hit_by_a_fast_one_without) {
    World world(slab_settings());
    (void)add_box(world, at(0), true, 1, 0, box(0.02, 20, 20));
    const BodyId fast = add_box(world, at(-10), false);
    (void)frame(world, 1);
    ASSERT_TRUE(world.move(fast, at(10)).ok());
    EXPECT_EQ(frame(world, 2).events.size(), 1u);
}

TEST(Continuous, bodies_that_swap_places_collide_between) {
    World world(slab_settings());
    const BodyId a = add_box(world, at(-10), true), b = add_box(world, at(10), false);
    (void)frame(world, 1);
    ASSERT_TRUE(world.move(a, at(10)).ok());
    ASSERT_TRUE(world.move(b, at(-10)).ok());
    const EventBatch hit = frame(world, 2);
    ASSERT_EQ(hit.events.size(), 1u);
    EXPECT_NEAR(hit.impacts.at(0).time_high, 0.45, 1e-7);
    EXPECT_NEAR(hit.impacts[0].pose_a.translation.x, -1, 1e-6);
    EXPECT_NEAR(hit.impacts[0].pose_b.translation.x, 1, 1e-6);
}

TEST(Continuous, all_contacts_are_reported_on_request) {
    Range range;
    Interest all;
    all.wants = kWantAllHits;
    range.world.set_interest(0, 1, all);
    const EventBatch hit = range.shoot(10);
    ASSERT_EQ(hit.impacts.size(), 1u);
    EXPECT_EQ(hit.impacts[0].hit_count, 100u) << "more than fit into the initial buffer";
    const auto hits = hit.hits_of(hit.impacts[0]);
    EXPECT_EQ(hits[3].properness, 1 - 0.01 * 3);
    EXPECT_EQ(hits[3].normal_w, hit.impacts[0].normal_w);
    EXPECT_EQ(hits[3].a, hit.impacts[0].feature_a);
    EXPECT_EQ(hit.events[0].hit_count, 0u);
}

TEST(Continuous, callbacks_see_the_impact_and_place_bodies_anew) {
    Range range;
    std::size_t calls = 0;
    range.world.set_callback([&](const Event& event, std::span<const Hit>, CallbackContext& context) {
        const Impact* const impact = context.impact(event);
        if (impact == nullptr) return;
        ++calls;
        EXPECT_TRUE(context.motion_hits(*impact).empty());
        context.move(event.b, at(impact->pose_b.translation.x - 0.001), Arrival::placed);
    });
    EXPECT_EQ(range.shoot(10).events.size(), 1u);
    EXPECT_EQ(calls, 1u);
    const EventBatch back = range.rest();
    ASSERT_EQ(back.events.size(), 1u);
    EXPECT_EQ(back.events[0].kind, EventKind::end) << "placed just before the plate, without a way";
}

TEST(Continuous, scene_groups_carry_their_bodies_along_or_place_them) {
    World world(slab_settings());
    (void)add_box(world, at(0), false, 1, 0, box(0.02, 20, 20));
    const GroupId outer = world.add_group({at(-10), {}}).value(),
                  inner = world.add_group({at(0), outer}).value();
    (void)world.add_body({.shape = cube(), .pose = at(0), .parent = inner, .continuous = true});
    (void)frame(world, 1);
    ASSERT_TRUE(world.move_group(outer, at(10)).ok());
    const EventBatch hit = frame(world, 2);
    ASSERT_EQ(hit.events.size(), 1u);
    EXPECT_NEAR(hit.impacts.at(0).pose_b.translation.x, -1.01, 1e-6);
    (void)frame(world, 3);
    ASSERT_TRUE(world.move_group(outer, at(-10), Arrival::placed).ok());
    EXPECT_TRUE(frame(world, 4).events.empty());
    ASSERT_TRUE(world.move_group(outer, at(10)).ok());
    EXPECT_EQ(frame(world, 5).events.size(), 1u);
    (void)frame(world, 6);
    ASSERT_TRUE(world.remove_group(outer).ok());  // the body jumps by 10
    EXPECT_TRUE(frame(world, 7).impacts.empty());
}

TEST(Continuous, a_removed_body_ends_its_contact) {
    Range range;
    ASSERT_EQ(range.shoot(10).events.size(), 1u);
    ASSERT_TRUE(range.world.remove_body(range.bullet).ok());
    const EventBatch end = range.rest();
    ASSERT_EQ(end.events.size(), 1u);
    EXPECT_EQ(end.events[0].kind, EventKind::end);
    range.bullet = add_box(range.world, at(-10), true);  // the slot has another body
    EXPECT_TRUE(range.rest().events.empty());
    EXPECT_EQ(range.shoot(10).events.size(), 1u);
}

TEST(Continuous, queries_see_bodies_at_their_poses) {
    Range range;
    ASSERT_EQ(range.shoot(10).events.size(), 1u);
    std::vector<QueryHit> out;
    ASSERT_TRUE(range.world.query_now({BoxQuery{{{-6, -1, -1}, {-4, 1, 1}}}, {}}, out).ok());
    EXPECT_TRUE(out.empty()) << "on the way of the bullet";
    ASSERT_TRUE(range.world.query_now({ClosestQuery{nullptr, at(14), 100}, {}}, out).ok());
    ASSERT_EQ(out.size(), 1u);
    EXPECT_NEAR(out[0].distance, 3, 1e-6);
}

TEST(Continuous, switching_while_running_takes_effect_in_the_next_frame) {
    Range range;
    World& world = range.world;
    WorldSettings settings = world.settings();
    for (int round = 0; round < 3; ++round) {
        settings.continuous = false;
        world.set_settings(settings);
        EXPECT_TRUE(range.shoot(10).events.empty());
        EXPECT_TRUE(range.shoot(-10).events.empty());
        settings.continuous = true;
        world.set_settings(settings);
        if (round == 1) (void)range.rest();
        EXPECT_EQ(range.shoot(10).events.size(), 1u) << "from the pose before the switch";
        settings.continuous = false;
        world.set_settings(settings);
        EXPECT_EQ(range.rest().events.size(), 1u) << "the swept body settles: end";
        EXPECT_TRUE(range.shoot(-10).events.empty());
    }
}

/// Boxes without rotation fly through each other; some rest, some are placed anew, some have the switch.
class Flight {
  public:
    Flight(World& world, std::uint64_t seed, bool rotates = false)
        : world_(world), random_(seed), rotates_(rotates) {
        const ShapePtr thin = box(0.1, 3, 2);
        for (std::size_t i = 0; i < 60; ++i) {
            poses_.push_back(random_pose());
            ids_.push_back(add_box(world, poses_[i], i % 3 == 0, static_cast<unsigned>(i % 4), i,
                                   i % 2 == 0 ? cube() : thin));
        }
        world.set_interest(1, 2, {.continuity = Continuity::on});
        world.set_interest(0, 3, {.continuity = Continuity::off});
    }
    void step(std::uint64_t n) {
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            const double lot = random_.uniform();
            const Vec3d way = random_.unit_vector() * random_.uniform(0, 12);
            const Quat turn = random_rotation(random_, 0, 1.5);
            if (lot < 0.3) continue;
            poses_[i] = lot < 0.4 ? random_pose() : Pose{poses_[i].rotation, poses_[i].translation + way};
            if (rotates_) poses_[i].rotation = normalized(turn * poses_[i].rotation);
            for (std::size_t k = 0; k < 3; ++k)
                poses_[i].translation[k] = std::clamp(poses_[i].translation[k], -12.0, 12.0);
            EXPECT_TRUE(world_.move(ids_[i], poses_[i], lot < 0.4 ? Arrival::placed : Arrival::moved).ok());
        }
        if (n % 5 == 0) world_.set_continuous(ids_[n % ids_.size()], n % 2 == 0);
        world_.publish(n);
    }
    const std::vector<BodyId>& ids() const { return ids_; }

  private:
    Pose random_pose() {
        const double z = random_.uniform(-12, 12), y = random_.uniform(-12, 12);
        return at(random_.uniform(-12, 12), y, z);
    }

    World& world_;
    Random random_;
    bool rotates_;
    std::vector<BodyId> ids_;
    std::vector<Pose> poses_;
};

/// Everything that a run reports.
struct Report {
    std::vector<std::tuple<EventKind, std::uint32_t, std::uint32_t, double, double>> events;
    std::uint64_t hash = 0, impacts = 0, tests = 0;

    void add(const EventBatch& batch) {
        for (const Event& event : batch.events) {
            const Impact* const impact = batch.impact_of(event);
            impacts += impact != nullptr;
            events.emplace_back(event.kind, event.a.slot, event.b.slot, impact ? impact->time_high : -1,
                                impact ? impact->point_w.x : 0);
        }
    }
    friend bool operator==(const Report& x, const Report& y) {
        return x.hash == y.hash && x.events == y.events;
    }
};

Report fly(const WorldSettings& settings, std::uint64_t frames, bool rotates = false) {
    World world(settings);
    Flight flight(world, 11, rotates);
    Report out;
    Contacts contacts;
    for (std::uint64_t n = 1; n <= frames; ++n) {
        flight.step(n);
        world.check();
        world.wait_idle();
        const EventBatch batch = events_of(world);
        contacts.follow(batch);
        out.add(batch);
        out.tests += world.stats().continuous_tests;
        EXPECT_EQ(world.stats().pair_disagreements, 0u);
    }
    EXPECT_EQ(contacts.faults, 0);
    out.hash = world.stats().state_hash;
    return out;
}

/// With the library's default, bodies turn too; with the slabs of this test they do not.
void expect_independent(const WorldSettings& settings, bool rotates) {
    const std::uint64_t frames = rotates ? 12 : 40;
    const Report usual = fly(settings, frames, rotates);
    EXPECT_GT(usual.impacts, 60u);
    EXPECT_GT(usual.tests, 200u);
    for (const BroadPhaseDescriptor* broad : broad_phases()) {
        WorldSettings other = settings;
        other.broad_phase = broad;
        other.broad_parameters = default_values(broad->parameters);
        other.assert_pairs = true;
        EXPECT_EQ(fly(other, frames, rotates), usual) << broad->id;
    }
    for (double box = 0; box < 3; ++box)
        for (double filter = 0; filter < 4; ++filter) {
            WorldSettings other = settings;
            other.bound_parameters = default_values(bound_parameters());
            other.bound_parameters[0] = box;
            other.bound_parameters[1] = filter;
            EXPECT_EQ(fly(other, frames, rotates), usual) << "world box " << box << ", filter " << filter;
        }
    for (unsigned mode = 1; mode < 1u << kParallelModes; mode += 5)
        for (const unsigned workers : {2u, 3u}) {
            WorldSettings other = settings;
            other.parallel = ParallelMode(mode);
            other.workers = workers;
            other.share_from = 1;
            EXPECT_EQ(fly(other, frames, rotates), usual) << to_string(ParallelMode(mode));
        }
}

TEST(Continuous, BU_10_hier_results_do_not_depend_on_broad_phase_over_swept_boxes_workers_or_mode) {
    expect_independent(slab_settings(), false);
}

TEST(Continuous, results_of_the_default_algorithm_do_not_depend_on_them_either) {
    ASSERT_NE(default_continuous_algorithm(), nullptr);
    expect_independent(default_settings(), true);
}

// Sweeps enlarge what the broad phase sees; pairs that are not continuous must not notice.
TEST(Continuous, other_pairs_report_what_they_report_in_a_world_without_sweeps) {
    const auto discrete_events = [](bool continuous) {
        WorldSettings settings = slab_settings();
        settings.continuous = continuous;
        World world(settings);
        Flight flight(world, 5);
        std::vector<std::tuple<EventKind, std::uint32_t, std::uint32_t>> out;
        for (std::uint64_t n = 1; n <= 40; ++n) {
            flight.step(n);
            world.check();
            for (const Event& e : events_of(world).events)
                if (e.a.slot % 4 == 0 && e.b.slot % 4 == 3) out.emplace_back(e.kind, e.a.slot, e.b.slot);
        }
        return out;
    };
    const auto with = discrete_events(true), without = discrete_events(false);
    EXPECT_EQ(with, without);
    EXPECT_GT(with.size(), 5u);
}

TEST(Continuous, a_run_on_its_own_thread_equals_its_serial_replay) {
    WorldSettings threaded = slab_settings();
    threaded.concurrent = true;
    World world(threaded);
    Flight flight(world, 3);
    std::vector<PassBoundary> boundaries;
    for (std::uint64_t n = 1; n <= 200; ++n) flight.step(n);
    world.wait_idle();
    boundaries = world.take_pass_boundaries();
    World twin(slab_settings());
    Flight again(twin, 3);
    std::size_t pass = 0;
    for (std::uint64_t n = 1; n <= 200; ++n) {
        again.step(n);
        for (; pass < boundaries.size() && boundaries[pass].frame == n; ++pass) twin.check();
    }
    EXPECT_EQ(world.stats().state_hash, twin.stats().state_hash);
}

TEST(Continuous, the_state_hash_covers_time_and_place) {
    const auto hash_with_plate_at = [](double x) {
        Range range;
        EXPECT_TRUE(range.world.move(range.plate, at(x), Arrival::placed).ok());
        const EventBatch hit = range.shoot(10);
        EXPECT_EQ(hit.events.size(), 1u);
        // The pair and the poses are the same again.
        EXPECT_TRUE(range.world.move(range.plate, at(0), Arrival::placed).ok());
        (void)range.rest();
        return range.world.stats().state_hash;
    };
    EXPECT_EQ(hash_with_plate_at(1), hash_with_plate_at(1));
    EXPECT_NE(hash_with_plate_at(1), hash_with_plate_at(2));
}

TEST(Continuous, passes_do_not_allocate_in_steady_state) {
    for (const BroadPhaseDescriptor* broad : broad_phases()) {
        WorldSettings settings = slab_settings();
        settings.broad_phase = broad;
        settings.broad_parameters = default_values(broad->parameters);
        World world(settings);
        std::vector<BodyId> ids;
        for (unsigned i = 0; i < 40; ++i) ids.push_back(add_box(world, at(0), i % 2 == 0, i % 3));
        EventBatch batch;
        std::uint64_t impacts = 0;
        const auto play = [&](std::uint64_t first, std::uint64_t last) {
            for (std::uint64_t n = first; n < last; ++n) {
                for (std::size_t i = 0; i < ids.size(); ++i) {
                    const auto step = static_cast<double>((n * (1 + i % 3) + 3 * i) % 12);
                    ASSERT_TRUE(world
                                    .move(ids[i], at(6 * step, 1.5 * static_cast<double>(i % 7)),
                                          step == 0 ? Arrival::placed : Arrival::moved)
                                    .ok());
                }
                world.publish(n);
                world.check();
                world.poll_events(batch);
                impacts += batch.impacts.size();
            }
        };
        play(1, 121);
        (void)world.take_pass_boundaries();
        impacts = 0;
        start_counting_allocations();
        play(121, 181);
        EXPECT_EQ(stop_counting_allocations(), 0u) << broad->id;
        EXPECT_GT(impacts, 100u);
    }
}

TEST(Continuous, deforming_bodies_sweep_with_their_new_vertices) {
    World world(slab_settings());
    (void)add_box(world, at(0), false, 1, 0, box(0.02, 20, 20));
    BodyDef def{.shape = cube(), .pose = at(-10), .deformable = true, .continuous = true};
    const BodyId soft = world.add_body(def).value();
    (void)frame(world, 1);
    // A deformed body is not convex: outside the domain of the slabs, as of most algorithms.
    const bool has_other = default_continuous_algorithm() != nullptr;
    std::vector<VertexChange> changes;
    for (std::uint32_t i = 0; i < 8; ++i) changes.push_back({i, 0.5f * cube()->geometry().positions[i]});
    ASSERT_TRUE(world.deform(soft, changes).ok());
    ASSERT_TRUE(world.move(soft, at(10)).ok());
    const EventBatch hit = frame(world, 2);
    if (!has_other) return;
    ASSERT_EQ(hit.impacts.size(), 1u);
    EXPECT_NEAR(hit.impacts[0].time_high, (10 - 0.5 - 0.01) / 20, 1e-4);
}

// A flies into B. Meanwhile C comes up behind A. The response puts A back to its last good position and lets
// it fly back from there, all in one frame: the test finds C. From the place behind B, A would meet B again.
TEST(Continuous, BU_10_good_a_body_tested_from_its_last_good_position_meets_the_third_one) {
    for (const bool from_good : {true, false}) {
        World world(slab_settings());
        const BodyId b = add_box(world, at(6), false), c = add_box(world, at(-20), true),
                     a = add_box(world, at(0), true);
        (void)frame(world, 1);
        ASSERT_TRUE(world.move(a, at(12)).ok());
        ASSERT_TRUE(world.move(c, at(-5)).ok());
        const EventBatch first = frame(world, 2);
        ASSERT_EQ(first.events.size(), 1u);
        EXPECT_EQ(first.events[0].a, b);
        EXPECT_EQ(first.events[0].b, a);
        const Pose good = first.impacts.at(0).pose_b;
        EXPECT_NEAR(good.translation.x, 4, 1e-6);
        // Slightly before, so that A does not touch B at the start.
        const Pose start = at(good.translation.x - 1e-3);
        if (from_good) {
            ASSERT_TRUE(world.move(a, start, Arrival::placed).ok());
        }
        ASSERT_TRUE(world.move(a, at(-8)).ok());
        bool meets_b = false, meets_c = false;
        double time = 0;
        const EventBatch second = frame(world, 3);
        for (const Event& event : second.events) {
            const Impact* const impact = second.impact_of(event);
            if (impact == nullptr) continue;
            meets_b |= event.a == b;
            meets_c |= event.a == c;
            if (event.a == c) time = impact->time_high;
        }
        EXPECT_EQ(meets_b, !from_good);
        EXPECT_TRUE(meets_c);
        if (from_good) {
            EXPECT_NEAR(time, (start.translation.x + 3) / (start.translation.x + 8), 1e-6);
        }
    }
}

// The rule: equal rotations give a straight motion, all others the screw motion between the poses.
TEST(BodySweeps, motions_start_at_the_last_pose_and_end_at_the_new_one) {
    Random random(4);
    BodySweeps sweeps;
    sweeps.set_groups(1);
    sweeps.resize(1);
    Pose pose = at(1, 2, 3);
    sweeps.rest(0, pose);
    for (int i = 0; i < 200; ++i) {
        const double distance = random.uniform(0, 5);
        const Vec3d way = random.unit_vector() * distance;
        const Quat turn = i % 3 == 0 ? Quat{} : random_rotation(random, 0, 3);
        const Pose to{i % 3 == 0 ? pose.rotation : normalized(turn * pose.rotation), pose.translation + way};
        const Matrix34f from_matrix = to_matrix(pose), to_matrix_of = to_matrix(to);
        ASSERT_TRUE(sweeps.begin(0, 0, {nullptr, from_matrix, to, to_matrix_of}));
        EXPECT_EQ(sweeps.motion(0).kind, i % 3 == 0 ? Motion::Kind::linear : Motion::Kind::screw);
        EXPECT_EQ(sweeps.start_pose(0), pose);
        EXPECT_EQ(sweeps.start_matrix(0), to_matrix(pose));
        const Pose end = pose_at(pose, sweeps.motion(0), 1);
        const Matrix34d placement = placement_at(to_matrix(pose), sweeps.motion(0), 0.3);
        const Pose between = pose_at(pose, sweeps.motion(0), 0.3);
        // The motion runs between matrices of floats, whose translations are rounded.
        const double tolerance = 1e-6 + 0x1p-24 * (length(pose.translation) + length(to.translation));
        for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 2, -1}}) {
            EXPECT_LT(length(transform_point(end, p) - transform_point(to, p)), tolerance);
            EXPECT_LT(length(transform_point(between, p) - transform_point(placement, p)), tolerance);
        }
        pose = to;
    }
    const Pose away = at(9), back = at(8);
    const Matrix34f here = to_matrix(pose), there = to_matrix(away), behind = to_matrix(back);
    EXPECT_FALSE(sweeps.begin(0, 0, {nullptr, here, pose, here})) << "at rest";
    EXPECT_FALSE(sweeps.begin(0, 1, {nullptr, here, away, there})) << "of a group that does not sweep";
    ASSERT_TRUE(sweeps.begin(0, 0, {&pose, there, back, behind}));
    EXPECT_EQ(sweeps.start_pose(0), pose) << "a restart";
    EXPECT_EQ(sweeps.start_matrix(0), here);
}

}  // namespace
}  // namespace claybox::collision
