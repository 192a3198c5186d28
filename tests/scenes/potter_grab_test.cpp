// Grab in the Potter: the clay stays with the finger, however fast it moves.

#include "app/scenes/potter/hand/clay_hold.hpp"
#include "tests/scenes/mouse_person.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

using collision::Vec3d;
using collision::Vec3f;

SessionOptions grab_potter(bool concurrent) {
    SessionOptions options = options_for("potter");
    set(options, "polygons", 5000);
    set(options, "detail", 0);
    set(options, "effect", static_cast<int>(ClayEffect::grab));
    options.settings.concurrent = concurrent;
    return options;
}

/// Largest distance by which a vertex has moved, and where it was.
std::pair<float, std::size_t> farthest(const std::vector<Vec3f>& before, const std::vector<Vec3f>& after) {
    std::pair<float, std::size_t> out{0, 0};
    for (std::size_t v = 0; v < before.size(); ++v) out = std::max(out, {length(after[v] - before[v]), v});
    return out;
}

/// A person drags with the mouse from the belly of the pot up by 70 mm within `frames`, waits, and lets go.
float drag(int frames, bool concurrent) {
    const auto session = start(grab_potter(concurrent));
    MousePerson person(session->scene());
    const std::vector<Vec3f> before = *session->scene().export_mesh().positions;
    const Vec3d from{0.02, 0.060, 0.070};
    const auto step = [&](const Vec3d& at, bool left) {
        StepInput input;
        input.hand[0] = person.frame(at, left);
        session->step(std::move(input));
        session->world().wait_idle();
    };
    for (int i = 0; i < 20; ++i) step(from, false);
    for (int i = 0; i < 20; ++i) step(from, true);
    EXPECT_TRUE(session->scene().hand_holds());
    for (int i = 1; i <= frames; ++i) step(from + Vec3d{0, 0.070 * i / frames, 0}, true);
    for (int i = 0; i < 15; ++i) step(from + Vec3d{0, 0.070, 0}, true);
    EXPECT_TRUE(session->scene().hand_holds()) << "it holds until the button is up";
    const float held = farthest(before, *session->scene().export_mesh().positions).first;
    for (int i = 0; i < 30; ++i) step(from + Vec3d{0, 0.070, 0}, false);
    EXPECT_FALSE(session->scene().hand_holds());
    const float left = farthest(before, *session->scene().export_mesh().positions).first;
    EXPECT_NEAR(left, held, 0.004f) << "a hand that lets go pulls no clay along";
    const auto after = *session->scene().export_mesh().positions;
    for (int i = 0; i < 10; ++i) step(from, false);
    EXPECT_TRUE(after == *session->scene().export_mesh().positions);
    return held;
}

TEST(PotterGrab, a_mouse_that_drags_fast_keeps_the_clay_until_the_button_is_up) {
    for (const bool concurrent : {false, true}) {
        const float slow = drag(60, concurrent), fast = drag(3, concurrent);
        EXPECT_GT(slow, 0.045f);
        EXPECT_GT(fast, 0.9f * slow) << "70 mm within 50 ms";
    }
}

HandInput hand_with_tip(const Vec3d& at, float pinch) {
    HandInput out;
    out.present = true;
    out.pinch = pinch;
    out.part[kIndexTip].translation = at;
    return out;
}

TEST(ClayHold, a_finger_without_a_pinch_drags_clay_and_lifts_off) {
    ClayHold hold;
    hold.take(kIndexTip, hand_with_tip({0.1, 0.1, 0}, 0), {}, {0.09, 0.1, 0}, {1, 0, 0});
    Vec3d way = hold.follow(hand_with_tip({0.1, 0.12, 0}, 0), {}, 1);
    EXPECT_NEAR(length(way - Vec3d{0, 0.02, 0}), 0, 1e-12);
    way = hold.follow(hand_with_tip({0.103, 0.12, 0}, 0), {}, 1);
    EXPECT_NEAR(length(way), 0, 1e-12) << "it does not pull outwards";
    way = hold.follow(hand_with_tip({0.097, 0.12, 0}, 0), {}, 1);
    EXPECT_NEAR(length(way - Vec3d{-0.003, 0, 0}), 0, 1e-12) << "it presses inwards";
    hold.follow(hand_with_tip({0.097 + ClayHold::kLiftOff + 0.001, 0.12, 0}, 0), {}, 1);
    EXPECT_FALSE(hold.active());
}

TEST(ClayHold, a_pinch_pulls_clay_until_it_opens) {
    ClayHold hold;
    hold.take(kIndexTip, hand_with_tip({0.1, 0.1, 0}, 0.4f), {}, {0.09, 0.1, 0}, {1, 0, 0});
    Vec3d way = hold.follow(hand_with_tip({0.13, 0.1, 0}, 0.9f), {}, 1);
    EXPECT_NEAR(length(way - Vec3d{0.03, 0, 0}), 0, 1e-12);
    way = hold.follow(hand_with_tip({0.15, 0.1, 0}, 0.85f), {}, 1);
    EXPECT_NEAR(length(way), 0, 1e-12) << "an opening hand pulls no more";
    EXPECT_TRUE(hold.active());
    hold.follow(hand_with_tip({0.15, 0.1, 0}, 0.7f), {}, 1);
    EXPECT_FALSE(hold.active());
}

TEST(ClayHold, a_way_that_is_too_long_for_a_frame_follows_in_the_next_ones) {
    ClayHold hold;
    const HandInput far = hand_with_tip({0.1, 0.2, 0}, 1);
    hold.take(kIndexTip, hand_with_tip({0.1, 0.1, 0}, 1), {}, {0.1, 0.1, 0}, {1, 0, 0});
    int frames = 0;
    for (; length(hold.at() - Vec3d{0.1, 0.2, 0}) > 1e-9 && frames < 100; ++frames)
        EXPECT_LE(length(hold.follow(far, {}, 0.024)), 0.024 + 1e-12);
    EXPECT_EQ(frames, 5);
}

}  // namespace
}  // namespace claybox::app
