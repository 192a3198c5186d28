#include "tests/module/support.hpp"

namespace claybox::collision {
namespace {

using namespace test;

TEST(Events, begin_stay_and_end_name_bodies_frames_and_a_point) {
    World world(ball_settings());
    const BodyId a = add(world, at(0)), b = add(world, at(1.5));
    EventBatch batch = frame(world, 10);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::begin);
    EXPECT_EQ(batch.events[0].a, a);
    EXPECT_EQ(batch.events[0].b, b);
    EXPECT_EQ(batch.events[0].frame, 10u);
    EXPECT_EQ(batch.events[0].frame_a, 10u);
    EXPECT_EQ(batch.events[0].witness.kind, CertificateKind::common_point);
    EXPECT_FLOAT_EQ(batch.events[0].point_w.x, 0.75f);

    ASSERT_TRUE(world.move(b, at(1.6)).ok());
    batch = frame(world, 11);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::stay);
    EXPECT_EQ(batch.events[0].frame_a, 10u);
    EXPECT_EQ(batch.events[0].frame_b, 11u);

    ASSERT_TRUE(world.move(a, at(-1)).ok());  // the boxes separate too
    batch = frame(world, 12);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::end);
    EXPECT_EQ(world.stats().colliding, 0u);

    ASSERT_TRUE(world.move(a, at(0.2, 1.5, 0.8)).ok());  // boxes overlap, balls do not
    batch = frame(world, 13);
    EXPECT_TRUE(batch.events.empty());
    EXPECT_EQ(world.stats().tests, 1u);
}

TEST(Events, unmoved_pair_keeps_its_contact_without_events) {
    World world(ball_settings());
    const BodyId a = add(world, at(0));
    add(world, at(1));
    const BodyId far = add(world, at(100));
    EXPECT_EQ(frame(world, 1).events.size(), 1u);
    for (std::uint64_t n = 2; n < 6; ++n) {
        ASSERT_TRUE(world.move(far, at(100.0 + static_cast<double>(n))).ok());
        EXPECT_TRUE(frame(world, n).events.empty());
        EXPECT_EQ(world.stats().colliding, 1u);
    }
    ASSERT_TRUE(world.move(a, at(10)).ok());
    const EventBatch batch = frame(world, 6);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::end);
}

TEST(Events, are_in_key_order_with_their_hits) {
    World world(ball_settings());
    Interest all_hits;
    all_hits.wants = kWantAllHits;
    all_hits.data = 77;
    world.set_interest(1, 1, all_hits);
    std::vector<BodyId> ids;
    for (int i = 0; i < 6; ++i) ids.push_back(add(world, at(1.5 * i), i < 3 ? 0u : 1u));
    const EventBatch batch = frame(world, 1);
    ASSERT_EQ(batch.events.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(batch.events[i].a, ids[i]);
        EXPECT_EQ(batch.events[i].b, ids[i + 1]);
        EXPECT_EQ(batch.events[i].hit_count, i < 3 ? 0u : kBallHits);
        EXPECT_EQ(batch.events[i].data, i < 3 ? 0u : 77u);
    }
    ASSERT_EQ(batch.hits.size(), 2 * kBallHits);
    EXPECT_EQ(batch.events[4].first_hit, kBallHits);
    EXPECT_EQ(batch.hits[kBallHits + 5].edge, 5u);
}

TEST(Events, events_of_several_passes_keep_their_own_hits) {
    World world(ball_settings());
    Interest all_hits;
    all_hits.wants = kWantAllHits;
    world.set_interest(0, 0, all_hits);
    add(world, at(0));
    const BodyId b = add(world, at(1));
    for (std::uint64_t n = 1; n <= 3; ++n) {
        ASSERT_TRUE(world.move(b, at(static_cast<double>(n) * 0.5)).ok());
        world.publish(n);
        world.check();
    }
    const EventBatch batch = events_of(world);
    ASSERT_EQ(batch.events.size(), 3u);
    ASSERT_EQ(batch.hits.size(), 3 * kBallHits);
    for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(batch.events[i].first_hit, i * kBallHits);
    EXPECT_TRUE(events_of(world).events.empty());
}

TEST(Events, are_not_queued_when_only_callbacks_are_used) {
    WorldSettings settings = ball_settings();
    settings.queue_events = false;
    World world(settings);
    std::size_t calls = 0;
    world.set_callback([&](const Event&, std::span<const Hit>, CallbackContext&) { ++calls; });
    const BodyId a = add(world, at(0));
    add(world, at(1));
    EXPECT_TRUE(frame(world, 1).events.empty());
    EXPECT_EQ(calls, 1u);
    settings.queue_events = true;
    world.set_settings(settings);
    ASSERT_TRUE(world.move(a, at(0.5)).ok());
    EXPECT_EQ(frame(world, 2).events.size(), 1u);
    EXPECT_EQ(calls, 2u);
    EXPECT_EQ(world.stats().colliding, 1u);
}

TEST(World, keeps_only_the_newest_pass_boundaries) {
    World world(ball_settings());
    constexpr std::uint64_t kPasses = 5 * kMaxPassBoundaries / 2 + 7;
    for (std::uint64_t n = 1; n <= kPasses; ++n) {
        world.publish(n);
        world.check();
    }
    const std::vector<PassBoundary> kept = world.take_pass_boundaries();
    ASSERT_EQ(kept.size(), kMaxPassBoundaries);
    for (std::size_t i = 0; i < kept.size(); ++i)
        ASSERT_EQ(kept[i].frame, kPasses - kMaxPassBoundaries + 1 + i);
    EXPECT_TRUE(world.take_pass_boundaries().empty());
}

TEST(Bodies, removal_ends_contacts_and_makes_the_id_stale) {
    World world(ball_settings());
    const BodyId a = add(world, at(0)), b = add(world, at(1));
    frame(world, 1);
    ASSERT_TRUE(world.remove_body(a).ok());
    EXPECT_FALSE(world.alive(a));
    EXPECT_EQ(world.body_count(), 1u);
    EXPECT_FALSE(world.remove_body(a).ok());
    EXPECT_FALSE(world.move(a, at(3)).ok());
    EXPECT_FALSE(world.deform(a, {}).ok());
    const EventBatch batch = frame(world, 2);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::end);
    EXPECT_EQ(batch.events[0].a, a);
    EXPECT_EQ(batch.events[0].b, b);

    const BodyId c = add(world, at(0));
    EXPECT_EQ(c.slot, a.slot);  // the pass has released the old body
    EXPECT_NE(c.generation, a.generation);
    EXPECT_FALSE(world.move(a, at(3)).ok());
    EXPECT_EQ(frame(world, 3).events.size(), 1u);
}

TEST(Bodies, slot_is_not_reused_before_a_pass_has_released_it) {
    World world(ball_settings());
    const BodyId a = add(world, at(0));
    frame(world, 1);
    ASSERT_TRUE(world.remove_body(a).ok());
    EXPECT_NE(add(world, at(0)).slot, a.slot);
    world.publish(2);
    EXPECT_NE(add(world, at(0)).slot, a.slot);
    world.check();
    EXPECT_EQ(add(world, at(0)).slot, a.slot);
}

TEST(Bodies, body_added_and_removed_between_passes_leaves_no_trace) {
    World world(ball_settings());
    add(world, at(0));
    frame(world, 1);
    const BodyId b = add(world, at(1));
    world.publish(2);
    ASSERT_TRUE(world.remove_body(b).ok());
    EXPECT_TRUE(frame(world, 3).events.empty());
    EXPECT_EQ(world.stats().bodies, 1u);
    EXPECT_EQ(add(world, at(1)).slot, b.slot);
    EXPECT_EQ(frame(world, 4).events.size(), 1u);
}

TEST(Bodies, invalid_input_is_an_error_with_a_message) {
    World world(ball_settings());
    EXPECT_FALSE(world.add_body({}).ok());
    EXPECT_FALSE(world.add_body({.shape = cube(), .pose = {}, .group = kGroupCount}).ok());
    EXPECT_FALSE(world.add_body({.shape = cube(), .pose = at(std::nan(""))}).ok());
    EXPECT_FALSE(world.add_body({.shape = cube(), .pose = at(0x1p61)}).ok());
    EXPECT_EQ(world.body_count(), 0u);
    const BodyId a = add(world, at(0));
    EXPECT_FALSE(world.move(a, {{0, 0, 0, 0}, {}}).ok());
    EXPECT_FALSE(world.move({}, at(0)).ok());
    const VertexChange change{0, {}};
    const Status rigid = world.deform(a, {&change, 1});
    ASSERT_FALSE(rigid.ok());
    EXPECT_NE(rigid.error().message.find("deformable"), std::string::npos);
    const BodyId soft = add(world, at(0), 0, true);
    for (const VertexChange& bad :
         {VertexChange{8, {}}, VertexChange{0, {INFINITY, 0, 0}}, VertexChange{0, {0, 2e18f, 0}}})
        EXPECT_FALSE(world.deform(soft, {&bad, 1}).ok());
    EXPECT_TRUE(world.deform(soft, {&change, 1}).ok());
}

TEST(MovedList, frames_merge_until_a_pass_takes_them_and_the_newest_pose_wins) {
    World world(ball_settings());
    const BodyId a = add(world, at(0)), b = add(world, at(10));
    world.publish(1);
    ASSERT_TRUE(world.move(b, at(20)).ok());
    ASSERT_TRUE(world.move(b, at(30)).ok());
    world.publish(2);
    ASSERT_TRUE(world.move(b, at(1)).ok());
    world.publish(3);
    ASSERT_TRUE(world.move(b, at(50)).ok());  // of an unpublished frame
    world.check();
    const EventBatch batch = events_of(world);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].frame, 3u);
    EXPECT_EQ(batch.events[0].frame_a, 1u);
    EXPECT_EQ(batch.events[0].frame_b, 3u);
    EXPECT_EQ(world.stats().moved, 2u);
    EXPECT_EQ(world.stats().pass, 1u);
    EXPECT_EQ(world.take_pass_boundaries(), (std::vector<PassBoundary>{{3, Accuracy::full}}));
    EXPECT_EQ(frame(world, 4).events.size(), 1u);  // the end event, after frame 4 is published
    EXPECT_TRUE(world.alive(a));
}

TEST(Deformation, merges_changes_counts_versions_and_updates_prepared_data) {
    wrong_prepared = prepare_calls = update_calls = 0;
    World world(ball_settings());
    const BodyId soft = add(world, at(0), 0, true), hard = add(world, at(4));
    EXPECT_TRUE(frame(world, 1).events.empty());
    // All vertices move to x = +-3 in two published frames, one of them twice.
    std::vector<VertexChange> changes;
    for (std::uint32_t v = 0; v < 8; ++v)
        changes.push_back({v, {v & 1 ? 3.5f : -3.5f, v & 2 ? 1.0f : -1.0f, v & 4 ? 1.0f : -1.0f}});
    ASSERT_TRUE(world.deform(soft, std::span(changes).first(5)).ok());
    world.publish(2);
    for (VertexChange& change : changes) change.position.x = change.vertex & 1 ? 3.0f : -3.0f;
    ASSERT_TRUE(world.deform(soft, std::span(changes).subspan(3)).ok());
    ASSERT_TRUE(world.deform(soft, std::span(changes).first(3)).ok());
    const EventBatch batch = frame(world, 3);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::begin);
    EXPECT_EQ(batch.events[0].a, soft);
    EXPECT_EQ(batch.events[0].frame_a, 3u);
    EXPECT_EQ(batch.events[0].version_a, cube()->geometry().version + 1);
    EXPECT_EQ(batch.events[0].version_b, cube()->geometry().version);
    EXPECT_EQ(cube()->geometry().positions[1].x, 1.0f);  // the shape itself is unchanged

    ASSERT_TRUE(world.deform(soft, changes).ok());
    frame(world, 4);
    EXPECT_EQ(world.stats().tests, 1u);
    EXPECT_EQ(wrong_prepared.load(), 0);
    EXPECT_EQ(prepare_calls.load(), 2);  // once for the cube, once for the soft body
    EXPECT_EQ(update_calls.load(), 1);
    EXPECT_TRUE(world.alive(hard));
}

TEST(Deformation, a_body_made_beforehand_is_not_prepared_again_and_follows_changes) {
    const VertexChange wide{1, {3.0f, -1.0f, -1.0f}};
    std::uint64_t hashes[2];
    for (const bool ready : {false, true}) {
        wrong_prepared = prepare_calls = update_calls = 0;
        World world(ball_settings());
        add(world, at(3.5));
        BodyDef def{.shape = cube(), .pose = at(0), .deformable = true};
        if (ready) def.ready = make_ready_body(*cube(), {&wide, 1}, world.settings()).value();
        const BodyId soft = world.add_body(def).value();
        if (!ready) {
            ASSERT_TRUE(world.deform(soft, {&wide, 1}).ok());
        }
        EXPECT_EQ(frame(world, 1).events.size(), 1u) << "the wide cube reaches its neighbour";
        EXPECT_EQ(prepare_calls.load(), 2);
        const VertexChange narrow{1, {1.0f, -1.0f, -1.0f}};
        ASSERT_TRUE(world.deform(soft, {&narrow, 1}).ok());
        EXPECT_EQ(frame(world, 2).events.size(), 1u) << "ends";
        EXPECT_EQ(update_calls.load(), 1);
        EXPECT_EQ(wrong_prepared.load(), 0);
        hashes[ready] = world.stats().state_hash;
        if (ready) {
            const auto again = world.add_body(def);
            ASSERT_FALSE(again.ok()) << "its data belong to one body";
            EXPECT_NE(again.error().message.find("made for its shape"), std::string::npos);
        }
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    BodyDef rigid{
        .shape = cube(), .pose = {}, .ready = make_ready_body(*cube(), {}, ball_settings()).value()};
    World world(ball_settings());
    EXPECT_FALSE(world.add_body(rigid).ok());
}

TEST(Deformation, moved_list_stays_small_while_no_pass_takes_it) {
    World world(ball_settings());
    const BodyId soft = add(world, at(0), 0, true);
    frame(world, 1);
    std::size_t early_bytes = 0;
    for (std::uint64_t n = 2; n < 5000; ++n) {
        const VertexChange change{static_cast<std::uint32_t>(n % 8), {static_cast<float>(n % 3), 0, 0}};
        ASSERT_TRUE(world.deform(soft, {&change, 1}).ok());
        if (n % 7 == 0) world.publish(n);
        if (n == 100) early_bytes = world.memory_bytes();
    }
    EXPECT_LT(world.memory_bytes(), early_bytes + 1000);
}

}  // namespace
}  // namespace claybox::collision
