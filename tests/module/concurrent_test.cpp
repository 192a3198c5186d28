#include "collision/module/exchange/response_list.hpp"
#include "tests/module/support.hpp"
#include "tests/support/sanitizers.hpp"

#include <chrono>
#include <fstream>
#include <map>
#include <thread>

#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace claybox::collision {
namespace {

using namespace test;

/// Frame n of a scripted application: its calls do not depend on the world.
void scripted_frame(World& world, RandomDrive& drive, std::uint64_t n) {
    drive.move_some(0.5);
    if (n % 8 == 0) drive.replace_one();
    world.publish(n);
}

/// Separates contacts: callbacks change the state.
EventCallback separate_bodies() {
    return [](const Event& event, std::span<const Hit>, CallbackContext& context) {
        if (event.kind != EventKind::begin) return;
        const BodyId body = context.data(event.a) > context.data(event.b) ? event.a : event.b;
        Pose pose = context.pose(body);
        pose.translation.y += 0.25;
        context.move(body, pose);
    };
}

TEST(Concurrent, serial_replay_at_recorded_boundaries_has_the_same_hash) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        constexpr std::uint64_t kFrames = 300;
        WorldSettings settings = ball_settings();
        settings.concurrent = true;
        World live(settings);
        live.set_callback(separate_bodies());
        RandomDrive live_drive(live, 60, 5, seed);
        for (std::uint64_t n = 1; n <= kFrames; ++n) {
            scripted_frame(live, live_drive, n);
            if (n % 3 == seed % 3) std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
        live.wait_idle();
        const std::vector<PassBoundary> boundaries = live.take_pass_boundaries();
        ASSERT_FALSE(boundaries.empty());
        EXPECT_EQ(boundaries.back().frame, kFrames);
        EXPECT_EQ(boundaries.size(), live.stats().pass);

        World replay(ball_settings());
        replay.set_callback(separate_bodies());
        RandomDrive replay_drive(replay, 60, 5, seed);
        auto boundary = boundaries.begin();
        for (std::uint64_t n = 1; n <= kFrames; ++n) {
            scripted_frame(replay, replay_drive, n);
            for (; boundary != boundaries.end() && boundary->frame == n; ++boundary) replay.check();
        }
        EXPECT_EQ(live.stats().state_hash, replay.stats().state_hash) << boundaries.size() << " passes";
        EXPECT_EQ(live.stats().colliding, replay.stats().colliding);
    }
}

TEST(Concurrent, check_does_nothing_and_polling_returns_every_event_once) {
    WorldSettings settings = ball_settings();
    settings.concurrent = true;
    World world(settings);
    RandomDrive drive(world, 80, 5, 4);
    Contacts contacts;
    for (std::uint64_t n = 1; n <= 400; ++n) {
        scripted_frame(world, drive, n);
        world.check();
        contacts.follow(events_of(world));
    }
    world.wait_idle();
    contacts.follow(events_of(world));
    EXPECT_EQ(contacts.faults, 0);
    EXPECT_EQ(contacts.now, drive.expected());
    EXPECT_GT(contacts.begins, 0u);
}

TEST(Concurrent, switching_concurrent_mode_while_running_loses_no_event) {
    WorldSettings settings = ball_settings();
    World world(settings);
    RandomDrive drive(world, 80, 5, 9);
    Contacts contacts;
    for (std::uint64_t n = 1; n <= 400; ++n) {
        if (n % 13 == 0) {
            settings.concurrent = !settings.concurrent;
            world.set_settings(settings);
        }
        scripted_frame(world, drive, n);
        world.check();
        contacts.follow(events_of(world));
    }
    settings.concurrent = false;
    world.set_settings(settings);
    world.check();
    contacts.follow(events_of(world));
    EXPECT_EQ(contacts.faults, 0);
    EXPECT_EQ(contacts.now, drive.expected());
}

TEST(Concurrent, after_a_replay_the_world_goes_on_and_returns_every_event_once) {
    for (const bool concurrent : {false, true}) {
        WorldSettings settings = ball_settings();
        settings.concurrent = concurrent;
        World world(settings);
        RandomDrive drive(world, 80, 5, 11);
        Contacts contacts;
        const Accuracy full[] = {Accuracy::full, Accuracy::full};
        for (std::uint64_t n = 1; n <= 100; ++n) {
            // Two passes per frame, whose events come ten passes later.
            world.replay_frame(full, n < 5 ? 0 : 2 * n - 10);
            scripted_frame(world, drive, n);
            world.check();
            contacts.follow(events_of(world));
        }
        EXPECT_EQ(world.stats().pass, 200u);
        world.end_replay();
        for (std::uint64_t n = 101; n <= 200; ++n) {
            scripted_frame(world, drive, n);
            world.check();
            contacts.follow(events_of(world));
        }
        world.wait_idle();
        contacts.follow(events_of(world));
        EXPECT_EQ(world.stats().frame, 200u);
        EXPECT_EQ(contacts.faults, 0);
        EXPECT_EQ(contacts.now, drive.expected());
    }
}

TEST(Concurrent, world_can_be_destroyed_while_its_thread_runs) {
    for (int round = 0; round < 30; ++round) {
        WorldSettings settings = ball_settings();
        settings.concurrent = true;
        settings.parallel = round % 2 ? ParallelMode::pairs : ParallelMode::serial;
        settings.workers = 3;
        World world(settings);
        RandomDrive drive(world, 100, 4, static_cast<std::uint64_t>(round));
        for (std::uint64_t n = 1; n <= 5; ++n) scripted_frame(world, drive, n);
    }
}

#if defined(__linux__) && !defined(CLAYBOX_SANITIZED)

/// In a process of its own: limits the memory so that the stack of a thread does not fit.
[[noreturn]] void run_without_threads() {
    alarm(20);
    unsigned long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t used = pages * static_cast<unsigned long>(sysconf(_SC_PAGESIZE));
    const rlimit limit{used + (6u << 20), used + (6u << 20)};
    setrlimit(RLIMIT_AS, &limit);
    WorldSettings settings;
    settings.concurrent = true;
    World world(settings);
    world.publish(1);
    world.check();
    world.wait_idle();  // if a thread did start
    _exit(world.stats().pass == 1 ? 0 : 1);
}

TEST(Concurrent, passes_run_in_check_when_the_system_has_no_more_threads) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(run_without_threads(), ::testing::ExitedWithCode(0), "");
}

#endif

TEST(Concurrent, Z_7_2_resp_and_Z_7_2_arena_callbacks_record_events_and_the_application_responds_later) {
    struct Record {
        BodyId a, b;
        EventKind kind;
        auto operator<=>(const Record&) const = default;
    };
    WorldSettings settings = ball_settings();
    settings.concurrent = true;
    ResponseList<Record> list;
    World world(settings);
    world.set_callback([&](const Event& event, std::span<const Hit>, CallbackContext&) {
        list.add({event.a, event.b, event.kind});
    });
    RandomDrive drive(world, 80, 5, 4);
    std::vector<Record> recorded, polled, out;
    const auto gather = [&] {
        for (const Event& event : events_of(world).events) polled.push_back({event.a, event.b, event.kind});
        list.swap_out(out);
        recorded.insert(recorded.end(), out.begin(), out.end());
    };
    for (std::uint64_t n = 1; n <= 300; ++n) {
        scripted_frame(world, drive, n);
        if (n % 2 == 0) world.wait_idle();
        gather();
    }
    world.wait_idle();
    gather();
    EXPECT_GT(recorded.size(), 300u);
    EXPECT_EQ(recorded, polled);  // every event once, in order
}

TEST(Concurrent, Z_7_2_seqcb_callbacks_run_one_after_the_other_with_any_number_of_workers) {
    for (const bool concurrent : {false, true}) {
        WorldSettings settings = ball_settings();
        settings.concurrent = concurrent;
        settings.parallel = ParallelMode::pairs;
        settings.workers = 4;
        World world(settings);
        std::atomic<int> inside{0}, overlaps{0}, calls{0};
        world.set_callback([&](const Event&, std::span<const Hit>, CallbackContext&) {
            if (inside.fetch_add(1) != 0) ++overlaps;
            std::this_thread::yield();
            ++calls;
            inside.fetch_sub(1);
        });
        RandomDrive drive(world, 100, 5, 12);
        for (std::uint64_t n = 1; n <= 100; ++n) {
            scripted_frame(world, drive, n);
            world.check();
            world.wait_idle();
        }
        EXPECT_EQ(overlaps, 0);
        EXPECT_GT(calls, 100);
    }
}

TEST(Concurrent, Z_7_2_check_runs_a_pass_in_serial_mode_and_does_nothing_in_concurrent_mode) {
    WorldSettings settings = ball_settings();
    World world(settings);
    add(world, at(0));
    add(world, at(1));
    world.publish(1);
    EXPECT_EQ(world.stats().pass, 0u);  // check() has not been called
    world.check();
    EXPECT_EQ(world.stats().pass, 1u);
    settings.concurrent = true;
    world.set_settings(settings);
    for (int i = 0; i < 5; ++i) world.check();
    EXPECT_EQ(world.stats().pass, 1u);
    world.publish(2);
    world.wait_idle();
    EXPECT_EQ(world.stats().pass, 2u);
}

TEST(Concurrent, Z_6_4_snap_a_late_pass_uses_the_poses_of_the_frame_in_its_events) {
    World world(ball_settings());
    const BodyId a = add(world, at(0)), b = add(world, at(1));
    world.publish(7);
    // Bodies move on before the pass runs; the callback sees their poses of the published frame.
    ASSERT_TRUE(world.move(a, at(100)).ok());
    world.set_callback([&](const Event& event, std::span<const Hit>, CallbackContext& context) {
        EXPECT_EQ(event.frame_a, 8u);
        EXPECT_EQ(context.pose(event.a).translation.x, 100);
        EXPECT_EQ(context.pose(event.b).translation.x, 1);
    });
    world.check();
    EventBatch batch = events_of(world);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::begin);
    EXPECT_EQ(batch.events[0].frame_a, 7u);
    EXPECT_EQ(batch.events[0].frame, 7u);
    world.publish(8);
    world.check();
    batch = events_of(world);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::end);
    EXPECT_EQ(batch.events[0].frame_b, 7u);
    EXPECT_TRUE(world.alive(b));
}

TEST(Concurrent, APP_conc_switching_serial_parallel_and_concurrent_modes_reports_the_same_contacts) {
    std::vector<std::set<std::pair<BodyId, BodyId>>> contacts;
    for (const bool switched : {false, true}) {
        WorldSettings settings = ball_settings();
        World world(settings);
        RandomDrive drive(world, 80, 5, 21);
        Contacts reported;
        for (std::uint64_t n = 1; n <= 300; ++n) {
            if (switched && n % 10 == 0) {
                settings.concurrent = n / 10 % 2 == 1;
                settings.parallel = n / 20 % 2 == 1 ? ParallelMode::pairs : ParallelMode::serial;
                settings.workers = 1 + static_cast<unsigned>(n / 10 % 3);
                world.set_settings(settings);
            }
            scripted_frame(world, drive, n);
            world.check();
            reported.follow(events_of(world));
        }
        world.wait_idle();
        world.check();
        reported.follow(events_of(world));
        EXPECT_EQ(reported.faults, 0);
        contacts.push_back(reported.now);
        EXPECT_EQ(reported.now, drive.expected());
    }
    EXPECT_EQ(contacts[0].size(), contacts[1].size());
}

/// One random action out of everything a panel or an application can do.
void do_random_action(World& world, RandomDrive& drive, WorldSettings& settings) {
    Random& random = drive.random();
    const BodyId a = drive.ids()[random.below(drive.ids().size())];
    const BodyId b = drive.ids()[random.below(drive.ids().size())];
    Interest interest;
    interest.wants = random.below(2) ? kWantVerdict : kWantAllHits;
    switch (random.below(12)) {
        case 0:
            settings.concurrent = !settings.concurrent;
            break;
        case 1:
            settings.parallel = static_cast<ParallelMode>(random.below(1u << kParallelModes));
            break;
        case 2:
            settings.workers = 1 + static_cast<unsigned>(random.below(4));
            break;
        case 3:
            settings.pair_algorithm = random.below(2) ? &balls() : &other_balls();
            break;
        case 4:
            settings.broad_phase = broad_phases()[random.below(broad_phases().size())];
            settings.broad_parameters = default_values(settings.broad_phase->parameters);
            break;
        case 5:
            settings.exactness = random.below(2) ? Exactness::exact : Exactness::fast;
            break;
        case 6:
            settings.assert_pairs = !settings.assert_pairs;
            break;
        case 7:
            world.set_interest(0, 1, interest);
            return;
        case 8:
            world.set_interest_exception(a, b, interest);
            return;
        case 9:
            world.clear_interest_exception(a, b);
            return;
        case 10:
            world.set_pair_callback(a, b, separate_bodies());
            return;
        default:
            world.request_view({static_cast<std::uint32_t>(random.below(3))});
            return;
    }
    world.set_settings(settings);
}

// Mainly for ThreadSanitizer; every build checks that no contact is lost or reported twice.
TEST(Concurrent, stress_with_random_switches_loses_no_contact) {
    WorldSettings settings = ball_settings();
    settings.concurrent = true;
    World world(settings);
    std::atomic<int> calls{0};
    world.set_callback([&](const Event&, std::span<const Hit>, CallbackContext& context) {
        const int call = calls.fetch_add(1);
        if (call % 50 == 0) {
            const auto guest = context.add_body({.shape = cube(), .pose = at(100 + call)});
            if (guest && call % 100 == 0) context.remove_body(guest.value());
        }
    });
    RandomDrive drive(world, 100, 5, 77);
    const BodyId soft = add(world, at(0, 0, 40), 0, true);
    Contacts contacts;
    for (std::uint64_t n = 1; n <= 600; ++n) {
        if (n % 2 == 0) do_random_action(world, drive, settings);
        const VertexChange change{static_cast<std::uint32_t>(n % 8), {0, static_cast<float>(n % 5), 0}};
        ASSERT_TRUE(world.deform(soft, {&change, 1}).ok());
        scripted_frame(world, drive, n);
        world.check();
        contacts.follow(events_of(world));
        EXPECT_TRUE(world.alive(soft));
        EXPECT_EQ(world.stats().pair_disagreements, 0u);
        (void)world.view();
        (void)world.memory_bytes();
        (void)world.take_pass_boundaries();
    }
    world.wait_idle();
    world.check();
    contacts.follow(events_of(world));
    EXPECT_EQ(contacts.faults, 0);
    EXPECT_EQ(world.stats().colliding, contacts.now.size());
    EXPECT_GT(contacts.begins, 0u);
}

}  // namespace
}  // namespace claybox::collision
