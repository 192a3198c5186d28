#include "tests/module/support.hpp"

#include <stdexcept>

namespace claybox::collision {
namespace {

using namespace test;

TEST(Callbacks, Z_7_2_gencb_general_callback_serves_pairs_without_their_own_in_either_order_of_setting) {
    for (const bool general_first : {false, true}) {
        World world(ball_settings());
        const BodyId a = add(world, at(0)), b = add(world, at(1.5));
        add(world, at(3));
        int general = 0, own = 0;
        const auto set_general = [&] {
            world.set_callback([&](const Event&, std::span<const Hit>, CallbackContext&) { ++general; });
        };
        if (general_first) set_general();
        world.set_pair_callback(a, b, [&](const Event&, std::span<const Hit>, CallbackContext&) { ++own; });
        if (!general_first) set_general();
        frame(world, 1);
        EXPECT_EQ(general, 1);
        EXPECT_EQ(own, 1);
        world.set_pair_callback(b, a, nullptr);  // the general callback applies again
        ASSERT_TRUE(world.move(a, at(0)).ok());
        frame(world, 2);
        EXPECT_EQ(general, 2);
        EXPECT_EQ(own, 1);
    }
}

TEST(Callbacks, Z_7_2_cb_client_data_match_the_bodies_of_the_event) {
    World world(ball_settings());
    const auto with_data = [&](double x, std::uint64_t data) {
        return world.add_body({.shape = cube(), .pose = at(x), .data = data}).value();
    };
    const BodyId p = with_data(0, 10), q = with_data(1, 20);
    int calls = 0;
    world.set_pair_callback(q, p, [&](const Event& event, std::span<const Hit>, CallbackContext& context) {
        ++calls;
        EXPECT_EQ(context.data(event.a), event.a == p ? 10u : 20u);
        EXPECT_EQ(context.data(event.b), event.b == p ? 10u : 20u);
        EXPECT_NE(event.a, event.b);
    });
    frame(world, 1);
    EXPECT_EQ(calls, 1);
}

TEST(Callbacks, run_in_key_order_and_a_pair_callback_replaces_the_general_one) {
    World world(ball_settings());
    std::vector<BodyId> ids;
    for (int i = 0; i < 4; ++i) ids.push_back(add(world, at(1.5 * i)));
    std::vector<std::string> calls;
    world.set_callback([&](const Event& event, std::span<const Hit>, CallbackContext& context) {
        calls.push_back("all " + std::to_string(event.a.slot));
        EXPECT_EQ(context.pose(event.a).translation.x, 1.5 * event.a.slot);
    });
    world.set_pair_callback(ids[2], ids[1], [&](const Event& event, std::span<const Hit>, CallbackContext&) {
        EXPECT_EQ(event.kind, EventKind::begin);
        calls.push_back("pair " + std::to_string(event.a.slot));
    });
    frame(world, 1);
    EXPECT_EQ(calls, (std::vector<std::string>{"all 0", "pair 1", "all 2"}));
    calls.clear();
    world.set_callback(nullptr);
    world.set_pair_callback(ids[1], ids[2], nullptr);
    ASSERT_TRUE(world.move(ids[1], at(1.5)).ok());
    EXPECT_EQ(frame(world, 2).events.size(), 2u);
    EXPECT_TRUE(calls.empty());
}

TEST(Callbacks, changes_made_by_callbacks_enter_the_next_pass) {
    World world(ball_settings());
    const BodyId a = add(world, at(0)), b = add(world, at(1));
    BodyId added;
    world.set_callback([&](const Event&, std::span<const Hit>, CallbackContext& context) {
        if (added) return;
        context.move(a, at(-50));
        added = context.add_body({.shape = cube(), .pose = at(-50.5)}).value();
        context.remove_body(b);
        context.remove_body(b);  // removing twice is allowed
        EXPECT_EQ(context.pose(a).translation.x, 0);
        EXPECT_FALSE(context.add_body({}).ok());
    });
    EXPECT_EQ(frame(world, 1).events.size(), 1u);
    EXPECT_TRUE(world.alive(added));
    EXPECT_FALSE(world.alive(b));
    world.check();  // nothing was published: only the callback's changes apply
    const EventBatch batch = events_of(world);
    ASSERT_EQ(batch.events.size(), 2u);
    EXPECT_EQ(batch.events[0].kind, EventKind::end);
    EXPECT_EQ(batch.events[1].kind, EventKind::begin);
    EXPECT_EQ(batch.events[1].b, added);
    EXPECT_EQ(batch.events[1].frame_a, 1u);  // the frame of the callback
    EXPECT_EQ(world.stats().bodies, 2u);
}

TEST(Callbacks, application_move_of_the_same_or_a_later_frame_wins) {
    for (const bool published_before_the_pass_ends : {false, true}) {
        World world(ball_settings());
        const BodyId a = add(world, at(0));
        add(world, at(1));
        world.set_callback([&](const Event& event, std::span<const Hit>, CallbackContext& context) {
            if (event.kind != EventKind::begin) return;
            if (published_before_the_pass_ends) {  // as a concurrent application may do during the pass
                ASSERT_TRUE(world.move(a, at(0.5)).ok());
                world.publish(2);
            }
            context.move(a, at(-50));
        });
        frame(world, 1);
        if (!published_before_the_pass_ends) {
            ASSERT_TRUE(world.move(a, at(0.5)).ok());
            world.publish(2);
        }
        world.check();
        const EventBatch batch = events_of(world);
        ASSERT_EQ(batch.events.size(), 1u);
        EXPECT_EQ(batch.events[0].kind, EventKind::stay);
        EXPECT_EQ(batch.events[0].frame_a, 2u);
    }
}

TEST(Callbacks, pair_callbacks_are_removed_with_their_bodies) {
    World world(ball_settings());
    const BodyId a = add(world, at(0)), b = add(world, at(1));
    int calls = 0;
    world.set_pair_callback(a, b, [&](const Event&, std::span<const Hit>, CallbackContext&) { ++calls; });
    frame(world, 1);
    ASSERT_TRUE(world.remove_body(b).ok());
    frame(world, 2);
    EXPECT_EQ(calls, 2);  // begin and end
    EXPECT_EQ(add(world, at(1)).slot, b.slot);
    EXPECT_EQ(frame(world, 3).events.size(), 1u);
    EXPECT_EQ(calls, 2);
}

TEST(Callbacks, may_remove_a_body_of_an_unpublished_frame) {
    World world(ball_settings());
    add(world, at(0));
    add(world, at(1));
    BodyId later;
    world.set_callback([&](const Event&, std::span<const Hit>, CallbackContext& context) {
        context.remove_body(later);
        const BodyId brief = context.add_body({.shape = cube(), .pose = at(50)}).value();
        context.remove_body(brief);  // added and removed between two passes
    });
    world.publish(1);
    later = add(world, at(0.5));  // of frame 2, not published when the callback runs
    world.check();
    EXPECT_FALSE(world.alive(later));
    world.set_callback(nullptr);
    EXPECT_EQ(events_of(world).events.size(), 1u);
    EXPECT_TRUE(frame(world, 2).events.empty());
    EXPECT_EQ(world.stats().bodies, 2u);
    EXPECT_EQ(world.body_count(), 2u);
}

TEST(InterestMatrix, exceptions_belong_to_bodies_and_not_to_slots) {
    InterestMatrix matrix;
    Interest no, data;
    no.test = false;
    data.data = 5;
    matrix.set_groups(3, 63, no);
    EXPECT_FALSE(matrix.groups(63, 3).test);
    const BodyId a{7, 1}, b{4, 9};
    matrix.set_exception(a, b, data);
    EXPECT_EQ(matrix.find(b, 3, a, 63).data, 5u);
    EXPECT_TRUE(matrix.find(a, 63, b, 3).test);
    EXPECT_FALSE(matrix.find({7, 2}, 63, b, 3).test);
    matrix.set_exception(b, a, no);
    EXPECT_EQ(matrix.exception_count(), 1u);
    matrix.remove_exception({7, 2}, b);
    EXPECT_EQ(matrix.exception_count(), 1u);
    matrix.set_exception(a, {100, 1}, no);
    matrix.remove_body(a);
    EXPECT_EQ(matrix.exception_count(), 0u);
    EXPECT_FALSE(matrix.find(a, 63, b, 3).test);
}

TEST(Interest, groups_and_exceptions_decide_which_pairs_are_tested) {
    World world(ball_settings());
    Interest no;
    no.test = false;
    world.set_interest(0, 1, no);
    const BodyId a = add(world, at(0), 0), b = add(world, at(1), 1), c = add(world, at(-1), 1);
    EXPECT_TRUE(frame(world, 1).events.size() == 1u);  // b and c touch at x = 0
    EXPECT_EQ(world.stats().ignored, 2u);
    EXPECT_EQ(world.stats().tests, 1u);
    world.set_interest_exception(b, a, Interest{});
    EventBatch batch = frame(world, 2);  // nothing moved: the changed interest alone creates the contact
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::begin);
    EXPECT_EQ(batch.events[0].b, b);
    world.clear_interest_exception(a, b);
    world.set_interest(1, 1, no);
    batch = frame(world, 3);
    ASSERT_EQ(batch.events.size(), 2u);
    EXPECT_EQ(batch.events[0].kind, EventKind::end);
    EXPECT_EQ(batch.events[1].kind, EventKind::end);
    EXPECT_EQ(world.stats().colliding, 0u);
    EXPECT_TRUE(world.alive(c));
}

TEST(Callbacks, an_exception_leaves_check_after_the_pass_is_complete) {
    World world(ball_settings());
    for (int i = 0; i < 3; ++i) add(world, at(1.5 * i));
    int calls = 0;
    world.set_callback([&](const Event&, std::span<const Hit>, CallbackContext&) {
        if (++calls == 1) throw std::runtime_error("from the callback");
    });
    world.publish(1);
    EXPECT_THROW(world.check(), std::runtime_error);
    EXPECT_EQ(calls, 1) << "the other callbacks of the pass are skipped";
    EventBatch batch;
    world.poll_events(batch);
    EXPECT_EQ(batch.events.size(), 2u) << "the pass has delivered its events";
    EXPECT_EQ(world.stats().pass, 1u);
    const BodyId more = add(world, at(-1.5));
    EXPECT_EQ(frame(world, 2).events.size(), 1u) << "the next pass runs as usual";
    EXPECT_EQ(calls, 2);
    EXPECT_TRUE(world.alive(more));
}

TEST(Callbacks, an_exception_in_concurrent_mode_reaches_the_caller_and_ends_the_passes) {
    WorldSettings settings = ball_settings();
    settings.concurrent = true;
    World world(settings);
    for (int i = 0; i < 3; ++i) add(world, at(1.5 * i));
    world.set_callback([](const Event&, std::span<const Hit>, CallbackContext&) {
        throw std::runtime_error("of a callback");
    });
    world.publish(1);
    EXPECT_THROW(world.wait_idle(), std::runtime_error) << "no hang, and no end of the program";
    world.publish(2);
    EXPECT_THROW(world.wait_idle(), std::runtime_error);
    EXPECT_THROW(world.check(), std::runtime_error);
    EventBatch batch;
    EXPECT_THROW(world.poll_events(batch), std::runtime_error);
    settings.concurrent = false;
    world.set_settings(settings);
    EXPECT_THROW(world.check(), std::runtime_error);
}

}  // namespace
}  // namespace claybox::collision
