// Scene groups in a world: a world of groups behaves like the equivalent flat world, in every mode.
#include "collision/broadphase/broad_phase.hpp"
#include "tests/module/groups_support.hpp"
#include "tests/module/support.hpp"

#include <chrono>
#include <thread>
#include <tuple>

namespace claybox::collision {
namespace {

using namespace test;

using EventSummary = std::tuple<EventKind, BodyId, BodyId, std::uint64_t, std::uint64_t>;

struct Outcome {
    std::vector<std::uint64_t> hashes;  ///< by frame
    std::vector<EventSummary> events;
    std::size_t groups = 0;
};

Outcome play(const WorldSettings& settings, bool flat, std::uint64_t frames = 25) {
    World world(settings);
    RandomGroupScene scene(world, 11, flat);
    Outcome out;
    for (std::uint64_t n = 1; n <= frames; ++n) {
        scene.step();
        for (const Event& e : frame(world, n).events)
            out.events.emplace_back(e.kind, e.a, e.b, e.frame_a, e.frame_b);
        EXPECT_EQ(world.stats().pair_disagreements, 0u) << settings.broad_phase->id;
        out.hashes.push_back(world.stats().state_hash);
    }
    out.groups = scene.group_count();
    return out;
}

TEST(Groups, Z_6_0_1_par_world_of_groups_equals_the_flat_world_with_any_workers_broad_phase_and_mode) {
    WorldSettings settings = default_settings();
    const Outcome flat = play(settings, true);
    EXPECT_GT(flat.events.size(), 200u);
    EXPECT_GT(flat.groups, 6u);
    settings.assert_pairs = true;
    for (const BroadPhaseDescriptor* broad : broad_phases())
        for (const unsigned workers : {1u, 2u, 3u, 5u})
            for (const bool concurrent : {false, true}) {
                settings.broad_phase = broad;
                settings.broad_parameters = default_values(broad->parameters);
                settings.parallel = workers == 1 ? ParallelMode::serial : ParallelMode::pairs;
                settings.workers = workers;
                settings.concurrent = concurrent;
                const Outcome now = play(settings, false);
                const std::string what = std::string(broad->id) + ", workers: " + std::to_string(workers);
                EXPECT_EQ(now.hashes, flat.hashes) << what;
                EXPECT_EQ(now.events, flat.events) << what;
            }
}

TEST(Groups, concurrent_run_replayed_at_its_boundaries_has_the_same_hash) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        WorldSettings settings = default_settings();
        settings.concurrent = true;
        World live(settings);
        RandomGroupScene scene(live, seed, false);
        for (std::uint64_t n = 1; n <= 200; ++n) {
            scene.step();
            live.publish(n);
            if (n % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        live.wait_idle();
        const std::vector<PassBoundary> boundaries = live.take_pass_boundaries();
        settings.concurrent = false;
        World replay(settings);
        RandomGroupScene again(replay, seed, false);
        auto boundary = boundaries.begin();
        for (std::uint64_t n = 1; n <= 200; ++n) {
            again.step();
            replay.publish(n);
            for (; boundary != boundaries.end() && boundary->frame == n; ++boundary) replay.check();
        }
        EXPECT_EQ(live.stats().state_hash, replay.stats().state_hash) << boundaries.size() << " passes";
        // The final state does not depend on the number of passes.
        EXPECT_EQ(live.stats().frame, 200u);
        World steady(settings);
        RandomGroupScene third(steady, seed, false);
        for (std::uint64_t n = 1; n <= 200; ++n) {
            third.step();
            (void)frame(steady, n);
        }
        EXPECT_EQ(live.stats().colliding, steady.stats().colliding);
        EXPECT_EQ(live.stats().bodies, steady.stats().bodies);
    }
}

BodyId add_under(World& world, const Pose& pose, GroupId parent) {
    return world.add_body({.shape = cube(), .pose = pose, .parent = parent}).value();
}
GroupId group_under(World& world, const Pose& pose, GroupId parent = {}) {
    return world.add_group({pose, parent}).value();
}
/// The bodies at a position on the x axis, found by a box query.
std::vector<BodyId> hit_at(World& world, double x) {
    WorldQuery query;
    query.spec = BoxQuery{
        {Vec3f{static_cast<float>(x) - 0.1f, -0.1f, -0.1f}, Vec3f{static_cast<float>(x) + 0.1f, 0.1f, 0.1f}}};
    std::vector<QueryHit> hits;
    EXPECT_TRUE(world.query_now(query, hits).ok());
    std::vector<BodyId> out;
    for (const QueryHit& hit : hits) out.push_back(hit.body);
    return out;
}

TEST(Groups, poses_are_in_the_parents_frame) {
    World world(ball_settings());
    const Pose quarter{axis_angle({0, 1, 0}, 1.5707963267948966), {10, 0, 0}};
    const GroupId arm = group_under(world, quarter);
    const GroupId hand = group_under(world, at(0, 0, 5), arm);  // +5 along x in the world frame
    const BodyId body = add_under(world, at(0, 0, 2), hand);
    (void)frame(world, 1);
    EXPECT_EQ(hit_at(world, 17), std::vector{body});
    ASSERT_TRUE(world.move_group(hand, at(0, 0, 25)).ok());
    (void)frame(world, 2);
    EXPECT_EQ(world.stats().moved, 1u);
    EXPECT_EQ(hit_at(world, 37), std::vector{body});
    EXPECT_TRUE(hit_at(world, 17).empty());
    ASSERT_TRUE(world.move(body, at(0, 0, -3)).ok());
    (void)frame(world, 3);
    EXPECT_EQ(hit_at(world, 32), std::vector{body});
    (void)frame(world, 4);
    EXPECT_EQ(world.stats().moved, 0u);
}

TEST(Groups, stale_ids_and_invalid_poses_are_errors) {
    World world(ball_settings());
    const GroupId group = group_under(world, {});
    EXPECT_FALSE(world.add_group({at(std::nan("")), {}}).ok());
    EXPECT_FALSE(world.add_group({at(0), {7, 1}}).ok());
    EXPECT_FALSE(world.add_group({at(0), {group.slot, group.generation + 1}}).ok());
    EXPECT_FALSE(world.move_group(group, at(0x1p61)).ok());
    EXPECT_FALSE(world.add_body({.shape = cube(), .pose = {}, .parent = {7, 1}}).ok());
    ASSERT_TRUE(world.remove_group(group).ok());
    const Status again = world.remove_group(group);
    ASSERT_FALSE(again.ok());
    EXPECT_EQ(again.error().text(), "group 0: expected a scene group of this world, but it was removed");
    EXPECT_FALSE(world.move_group(group, {}).ok());
    EXPECT_FALSE(world.add_group({{}, group}).ok());
    EXPECT_FALSE(world.add_body({.shape = cube(), .pose = {}, .parent = group}).ok());
    (void)frame(world, 1);
    (void)frame(world, 2);
    const GroupId next = group_under(world, {});
    EXPECT_EQ(next.slot, group.slot) << "a slot is reused after a pass has released its group";
    EXPECT_NE(next, group);
    EXPECT_FALSE(world.move_group(group, {}).ok());
}

TEST(Groups, children_of_a_removed_group_move_to_its_parent) {
    World world(ball_settings());
    const GroupId root = group_under(world, at(100)), middle = group_under(world, at(10), root),
                  leaf = group_under(world, at(5), middle);
    const BodyId of_middle = add_under(world, at(1), middle), of_leaf = add_under(world, at(2), leaf);
    (void)frame(world, 1);
    EXPECT_EQ(hit_at(world, 111), std::vector{of_middle});
    EXPECT_EQ(hit_at(world, 117), std::vector{of_leaf});
    ASSERT_TRUE(world.remove_group(middle).ok());
    (void)frame(world, 2);
    EXPECT_EQ(world.stats().moved, 2u);
    EXPECT_EQ(hit_at(world, 101), std::vector{of_middle});
    EXPECT_EQ(hit_at(world, 107), std::vector{of_leaf});
    ASSERT_TRUE(world.move_group(root, at(200)).ok());
    (void)frame(world, 3);
    EXPECT_EQ(hit_at(world, 201), std::vector{of_middle});
    EXPECT_EQ(hit_at(world, 207), std::vector{of_leaf});
    // The rest of the chain in one frame, the lower group first.
    ASSERT_TRUE(world.remove_group(leaf).ok());
    ASSERT_TRUE(world.remove_group(root).ok());
    (void)frame(world, 4);
    EXPECT_EQ(hit_at(world, 1), (std::vector{of_middle, of_leaf}));
}

TEST(Groups, unprocessed_frames_merge_and_the_list_does_not_grow) {
    World world(ball_settings());
    const GroupId root = group_under(world, at(100)), gone = group_under(world, at(10), root);
    const BodyId known = add_under(world, at(1), root);
    const BodyId wall = add(world, at(53.5));
    (void)frame(world, 1);
    std::size_t bytes = 0;
    for (std::uint64_t n = 2; n < 200; ++n) {
        ASSERT_TRUE(world.move_group(root, at(static_cast<double>(n))).ok());
        world.publish(n);
        if (n == 10) bytes = world.memory_bytes();
    }
    EXPECT_EQ(world.memory_bytes(), bytes);
    ASSERT_TRUE(world.move_group(root, at(50)).ok());
    world.publish(200);
    // Bodies are added to a group that no pass ever sees, and to a group that is removed.
    const GroupId brief = group_under(world, at(1000), root);
    const BodyId of_brief = add_under(world, at(20), brief), of_gone = add_under(world, at(30), gone);
    world.publish(201);
    ASSERT_TRUE(world.remove_group(brief).ok());
    ASSERT_TRUE(world.remove_group(gone).ok());
    world.publish(202);
    const EventBatch batch = frame(world, 203);
    EXPECT_EQ(hit_at(world, 50.5), std::vector{known});
    EXPECT_EQ(hit_at(world, 70), std::vector{of_brief});
    EXPECT_EQ(hit_at(world, 80), std::vector{of_gone});
    ASSERT_TRUE(world.move_group(root, at(51)).ok());
    const EventBatch contact = frame(world, 204);
    ASSERT_EQ(contact.events.size(), 1u);
    const bool wall_first = contact.events[0].a == wall;
    EXPECT_EQ(wall_first ? contact.events[0].frame_b : contact.events[0].frame_a, 204u)
        << "the frame of the group";
    EXPECT_EQ(wall_first ? contact.events[0].frame_a : contact.events[0].frame_b, 1u);
}

TEST(Groups, memory_does_not_grow_when_groups_are_added_and_removed) {
    World world(ball_settings());
    std::size_t bytes = 0;
    std::uint32_t max_slot = 0;
    for (std::uint64_t n = 1; n <= 400; ++n) {
        const GroupId outer = group_under(world, at(1)), inner = group_under(world, at(2), outer);
        max_slot = std::max({max_slot, outer.slot, inner.slot});
        world.publish(n);
        world.check();
        ASSERT_TRUE(world.remove_group(outer).ok() && world.remove_group(inner).ok());
        (void)world.take_pass_boundaries();
        if (n == 100) bytes = world.memory_bytes();
    }
    EXPECT_LT(max_slot, 8u);
    EXPECT_LE(world.memory_bytes(), bytes + 4096);
}

TEST(Groups, callbacks_read_local_and_world_poses_and_add_bodies_to_groups) {
    World world(ball_settings());
    const GroupId arm = group_under(world, at(10));
    const GroupId gone = group_under(world, at(1000));
    const BodyId child = add_under(world, at(-9), arm);
    (void)add(world, at(2));
    BodyId under_arm, under_gone, under_nothing;
    int calls = 0;
    world.set_callback([&](const Event& event, std::span<const Hit>, CallbackContext& context) {
        if (event.kind != EventKind::begin || ++calls > 1) return;
        EXPECT_EQ(context.pose(child).translation.x, -9);
        EXPECT_EQ(context.world_pose(child).translation.x, 1);
        under_arm = context.add_body({.shape = cube(), .pose = at(40), .parent = arm}).value();
        under_gone = context.add_body({.shape = cube(), .pose = at(60), .parent = gone}).value();
        under_nothing = context.add_body({.shape = cube(), .pose = at(70), .parent = {99, 3}}).value();
        context.move(child, at(-5));
    });
    world.publish(1);
    ASSERT_TRUE(world.remove_group(gone).ok());
    world.check();  // `gone` still exists here; the next pass moves its children to its parent
    ASSERT_EQ(calls, 1);
    (void)frame(world, 2);
    EXPECT_EQ(hit_at(world, 50), std::vector{under_arm});
    EXPECT_EQ(hit_at(world, 60), std::vector{under_gone});
    EXPECT_EQ(hit_at(world, 70), std::vector{under_nothing});
    EXPECT_EQ(hit_at(world, 5), std::vector{child});
}

TEST(Groups, end_callbacks_see_the_last_pose_of_a_removed_body) {
    for (const bool with_group : {false, true}) {
        World world(ball_settings());
        const GroupId group = group_under(world, at(10));
        const BodyId child = add_under(world, at(0), group);
        (void)add(world, at(10.5));
        int ends = 0;
        world.set_callback([&](const Event& event, std::span<const Hit>, CallbackContext& context) {
            if (event.kind != EventKind::end) return;
            ++ends;
            EXPECT_EQ(context.pose(child).translation.x, 0);
            EXPECT_EQ(context.world_pose(child).translation.x, 10);
        });
        (void)frame(world, 1);
        ASSERT_EQ(world.stats().colliding, 1u);
        ASSERT_TRUE(world.remove_body(child).ok());
        if (with_group) {
            ASSERT_TRUE(world.remove_group(group).ok());
        }
        (void)frame(world, 2);
        EXPECT_EQ(ends, 1);
    }
}

TEST(Groups, world_translations_are_clamped_to_the_limits_of_a_pose) {
    World world(ball_settings());
    GroupId group;
    for (int i = 0; i < 40; ++i)
        group = group_under(world, {axis_angle({0, 0, 1}, 1e-3), {kMaxMagnitude, 0, 0}}, group);
    const BodyId far = add_under(world, at(kMaxMagnitude), group);
    const BodyId near = add(world, at(0));
    bool seen = false;
    world.set_callback([&](const Event&, std::span<const Hit>, CallbackContext& context) {
        const Vec3d& p = context.world_pose(far).translation;
        EXPECT_EQ(p.x, kMaxMagnitude);
        EXPECT_LE(std::abs(p.y), kMaxMagnitude);
        seen = true;
    });
    (void)add(world, at(1));
    for (const char* broad : {"hierarchy", "best", "octree", "grid"}) {
        WorldSettings settings = ball_settings();
        if (const BroadPhaseDescriptor* found = find_broad_phase(broad)) {
            settings.broad_phase = found;
            settings.broad_parameters = default_values(found->parameters);
        }
        settings.assert_pairs = true;
        world.set_settings(settings);
        ASSERT_TRUE(world.move(near, at(0.5)).ok());
        (void)frame(world, 1);
        EXPECT_EQ(world.stats().pair_disagreements, 0u) << broad;
        EXPECT_EQ(world.stats().colliding, 1u) << broad;
    }
    EXPECT_TRUE(seen);
}

TEST(Groups, memory_of_groups_is_listed) {
    World world(ball_settings());
    for (int i = 0; i < 1000; ++i) (void)group_under(world, {});
    world.request_memory_list(true);
    (void)frame(world, 1);
    std::size_t bytes = 0;
    for (const MemoryPart& part : world.memory())
        if (part.name == "scene groups") bytes = part.bytes;
    EXPECT_GT(bytes, 100'000u);
}

}  // namespace
}  // namespace claybox::collision
