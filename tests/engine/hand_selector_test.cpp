#include "engine/hand/hand_selector.hpp"

#include <gtest/gtest.h>

namespace claybox::engine {
namespace {

constexpr double kFrame = 1.0 / 90;

HandState hand_at(double x) {
    HandPose pose;
    pose.wrist = {x, 1, 0};
    return pose_hand(pose);
}

/// Offers a tracked hand at `tracked` and a mouse hand at `mouse`; none where the value is negative.
HandOffers offers(double tracked, double mouse) {
    HandOffers out;
    if (tracked >= 0) out[static_cast<std::size_t>(HandSource::tracked)] = hand_at(tracked);
    if (mouse >= 0) out[static_cast<std::size_t>(HandSource::mouse)] = hand_at(mouse);
    return out;
}

double place(const HandState& state) {
    return state.part[0].position.x;
}

TEST(HandSelector, APP_hand_the_first_source_with_a_hand_drives_it) {
    ASSERT_EQ(hand_sources().size(), kHandSourceCount);
    HandSelector selector;
    EXPECT_FALSE(selector.update({}, kFrame).present);
    EXPECT_EQ(selector.source(), nullptr);
    EXPECT_EQ(place(selector.update(offers(-1, 0.2), kFrame)), 0.2);
    EXPECT_STREQ(selector.source()->id, "mouse");
    // A source of higher priority takes over, after a frame without a hand.
    EXPECT_FALSE(selector.update(offers(0.7, 0.2), kFrame).present);
    EXPECT_EQ(place(selector.update(offers(0.7, 0.2), kFrame)), 0.7);
    EXPECT_STREQ(selector.source()->id, "tracked");
}

TEST(HandSelector, APP_hand_sources_are_in_priority_order) {
    EXPECT_STREQ(hand_sources().front().id, "tracked");
    EXPECT_STREQ(hand_sources().back().id, "mouse");
    for (std::size_t first = 0; first < kHandSourceCount; ++first) {
        EXPECT_EQ(static_cast<std::size_t>(hand_sources()[first].source), first);
        HandOffers all;
        for (std::size_t i = first; i < kHandSourceCount; ++i) all[i] = hand_at(static_cast<double>(i));
        HandSelector selector;
        EXPECT_EQ(place(selector.update(all, kFrame)), static_cast<double>(first));
    }
}

TEST(HandSelector, APP_hand_a_short_loss_holds_the_pose) {
    HandSelector selector;
    selector.update(offers(0.3, 0.9), kFrame);
    double lost = 0;
    for (; lost + kFrame <= kHandGrace; lost += kFrame) {
        const HandState& state = selector.update(offers(-1, 0.9), kFrame);
        ASSERT_TRUE(state.present);
        EXPECT_TRUE(selector.held());
        EXPECT_EQ(place(state), 0.3);
        EXPECT_STREQ(selector.source()->id, "tracked");
    }
    EXPECT_GT(lost, 0.1);
    EXPECT_EQ(place(selector.update(offers(0.4, 0.9), kFrame)), 0.4);
    EXPECT_FALSE(selector.held());
}

TEST(HandSelector, APP_hand_after_the_grace_time_it_fades_and_then_another_source_takes_over) {
    HandSelector selector;
    selector.update(offers(0.3, 0.9), kFrame);
    double time = 0, gone_from = 0;
    for (;; time += kFrame) {
        const HandState& state = selector.update(offers(-1, 0.9), kFrame);
        if (gone_from == 0 && !state.present) gone_from = time;
        EXPECT_EQ(selector.held(), gone_from == 0);
        if (gone_from > 0 && state.present) {
            EXPECT_EQ(place(state), 0.9);
            break;
        }
        ASSERT_LT(time, 1);
    }
    EXPECT_NEAR(gone_from, kHandGrace, 2 * kFrame);
    EXPECT_NEAR(time, kHandGrace + kHandFade, 3 * kFrame);
    EXPECT_STREQ(selector.source()->id, "mouse");
}

TEST(HandSelector, APP_hand_a_tracking_jump_causes_one_frame_without_a_hand) {
    HandSelector selector;
    selector.update(offers(0.3, 0.9), kFrame);
    selector.note_jump();
    EXPECT_FALSE(selector.update(offers(0.8, 0.9), kFrame).present);
    EXPECT_FALSE(selector.held());
    EXPECT_EQ(place(selector.update(offers(0.8, 0.9), kFrame)), 0.8);
    EXPECT_STREQ(selector.source()->id, "tracked");
}

TEST(HandSelector, a_late_return_follows_a_frame_without_a_hand) {
    HandSelector selector;
    selector.update(offers(0.3, -1), kFrame);
    bool gone = false;
    for (double time = 0; time < kHandGrace + kHandFade / 2; time += kFrame)
        gone = !selector.update({}, kFrame).present;
    ASSERT_TRUE(gone);
    EXPECT_EQ(place(selector.update(offers(0.8, -1), kFrame)), 0.8);
}

/// A fist around an upright stick, thumb up, in front of the user: fingers point away from the user.
TEST(ControllerHand, surrounds_its_grip) {
    for (const bool left : {false, true}) {
        ControllerGrip grip;
        grip.left = left;
        grip.position = {0.2, 1.1, -0.4};
        // The grip's -Z points up; its X points to the back of the right hand and to the front of the left:
        // +X for both.
        grip.rotation =
            glm::quat_cast(glm::dmat3(glm::dvec3(1, 0, 0), glm::dvec3(0, 0, 1), glm::dvec3(0, -1, 0)));
        grip.squeeze = 1;
        const HandState state = pose_hand(pose_of_controller(grip));
        EXPECT_EQ(state.left, left);
        const glm::dvec3 along = state.part[0].rotation * glm::dvec3(0, 0, -1);
        const glm::dvec3 back = state.part[0].rotation * glm::dvec3(0, 1, 0);
        EXPECT_NEAR(along.z, -1, 1e-12);
        EXPECT_NEAR(back.x, left ? -1 : 1, 1e-12);
        EXPECT_GT(tip_of(state.part[kThumbTipPart]).y, tip_of(state.part[15]).y) << "the thumb is up";
        // The closed fingers surround the grip.
        const glm::dvec3 middle = state.part[8].position;
        EXPECT_LT(glm::distance(middle, grip.position), 0.05);
    }
}

TEST(ControllerHand, trigger_and_squeeze_bend_their_fingers) {
    ControllerGrip grip;
    grip.squeeze = 1;
    const HandPose pointing = pose_of_controller(grip);
    EXPECT_EQ(pointing.curl[1], 0);
    EXPECT_EQ(pointing.curl[2], 1);
    grip.trigger = 1;
    EXPECT_EQ(pose_of_controller(grip).curl[1], 1);
    grip.squeeze = 0;
    EXPECT_GT(pose_hand(pose_of_controller(grip)).pinch, 0.95f);
    grip.trigger = 0;
    EXPECT_LT(pose_hand(pose_of_controller(grip)).pinch, 0.5f);
}

}  // namespace
}  // namespace claybox::engine
