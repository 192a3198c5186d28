#include "app/buttons/widgets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace claybox::app {
namespace {

TEST(Widgets, glow_grows_with_a_near_finger_and_is_zero_far_away) {
    EXPECT_EQ(hover_glow(0), 1);
    EXPECT_EQ(hover_glow(0.5), 0);
    EXPECT_GT(hover_glow(0.01), hover_glow(0.02));
    EXPECT_NEAR(distance_to_face({0.02, 0, 0.02}, 0.005, 0.02, 0.02), 0.015, 1e-12);
    EXPECT_NEAR(distance_to_face({0.05, 0.06, 0}, 0.01, 0.02, 0.02), 0.04, 1e-12);
    EXPECT_EQ(distance_to_face({0, 0, 0.001}, 0.005, 0.02, 0.02), 0);
}

TEST(Toggle, flips_within_its_time_and_follows) {
    Toggle toggle;
    EXPECT_TRUE(toggle.flip());
    toggle.settle(0.06);
    EXPECT_NEAR(toggle.tilt(), 0, 1e-9);
    toggle.settle(1);
    EXPECT_EQ(toggle.tilt(), 1);
    EXPECT_FALSE(toggle.flip());
    toggle.follow(true);
    EXPECT_TRUE(toggle.on());
}

TEST(Slider, a_knob_touched_off_centre_does_not_jump) {
    Slider slider;
    slider.shape(0.05, 0.008, 0);
    slider.follow(0.5);
    slider.begin(0.006);
    EXPECT_EQ(slider.share(), 0.5);
    slider.drag(0.026);
    EXPECT_NEAR(slider.share(), 0.7, 1e-12);
    slider.follow(0.1);
    EXPECT_NEAR(slider.share(), 0.7, 1e-12) << "the finger holds it";
    slider.drag(1);
    EXPECT_EQ(slider.share(), 1);
    slider.end();
    slider.drag(-1);
    EXPECT_EQ(slider.share(), 1);
    slider.begin(-0.03);
    EXPECT_NEAR(slider.share(), 0.2, 1e-12) << "a touch of the rail moves the knob";
    slider.drag(NAN);
    EXPECT_NEAR(slider.share(), 0.2, 1e-12);
}

TEST(Slider, detents_hold_the_knob) {
    Slider slider;
    slider.shape(0.05, 0.008, 5);
    slider.begin(0.011);
    EXPECT_EQ(slider.share(), 0.5);
    slider.drag(0.0126);
    EXPECT_EQ(slider.share(), 0.75);
}

TEST(Dial, a_circle_turns_it_by_its_angle_however_it_is_split) {
    for (const int pieces : {3, 7, 100}) {
        Dial dial;
        dial.shape(2 * std::numbers::pi, 0.004, 0);
        dial.begin();
        const double all = 1.5 * std::numbers::pi;  // clockwise
        for (int i = 0; i < pieces; ++i) {
            const double from = -all * i / pieces, to = -all * (i + 1) / pieces;
            dial.circle({0.02 * std::cos(from), 0.02 * std::sin(from)},
                        {0.02 * std::cos(to), 0.02 * std::sin(to)});
        }
        EXPECT_NEAR(dial.share(), 0.75, 1e-9) << pieces;
    }
}

TEST(Dial, a_straight_move_turns_it_the_same_in_one_piece_and_in_many) {
    const FacePoint from{-0.02, 0.003}, to{0.02, 0.001};
    const auto turned = [&](int pieces) {
        Dial dial;
        dial.shape(6, 0.004, 0);
        dial.follow(0.5);
        dial.begin();
        for (int i = 0; i < pieces; ++i) {
            const auto at = [&](double t) {
                return FacePoint{from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
            };
            dial.circle(at(1.0 * i / pieces), at(1.0 * (i + 1) / pieces));
        }
        return dial.share();
    };
    EXPECT_NEAR(turned(1), turned(97), 1e-9) << "through the dead zone";
    EXPECT_NE(turned(1), 0.5);
}

TEST(Dial, twists_stop_at_the_ends_and_detents_hold_it) {
    Dial dial;
    dial.shape(4, 0.004, 5);
    dial.twist(1);
    EXPECT_EQ(dial.share(), 0) << "nobody holds it";
    dial.begin();
    dial.twist(1.3);
    EXPECT_EQ(dial.share(), 0.25);
    dial.twist(100);
    EXPECT_EQ(dial.share(), 1);
    dial.twist(-100);
    EXPECT_EQ(dial.share(), 0);
    dial.twist(1.7);
    dial.end();
    EXPECT_NEAR(dial.angle(), 0, 1e-12);
}

ChoiceWheel wheel_of(int entries) {
    ChoiceWheel wheel;
    wheel.shape(entries, 0.0135);
    return wheel;
}

TEST(ChoiceWheel, rolls_under_the_finger_and_stops_at_the_nearest_entry) {
    ChoiceWheel wheel = wheel_of(12);
    wheel.begin(0, 1);
    for (int i = 1; i <= 10; ++i) wheel.drag(0.0135 * 0.23 * i, 1 + 0.1 * i);
    EXPECT_NEAR(wheel.position(), 2.3, 1e-9);
    wheel.drag(0.0135 * 2.3, 2.5);  // the finger rests
    wheel.end(2.5);
    EXPECT_EQ(wheel.chosen(), 2);
    for (int i = 0; i < 60; ++i) wheel.settle(1.0 / 60);
    EXPECT_NEAR(wheel.position(), 2, 1e-6);
}

TEST(ChoiceWheel, a_faster_flick_rolls_further_at_any_frame_rate) {
    const auto flick = [](double speed, double rate) {
        ChoiceWheel wheel = wheel_of(40);
        wheel.begin(-0.02, 1);
        for (double t = 1 / rate; t < 0.1001; t += 1 / rate) wheel.drag(-0.02 + speed * t, 1 + t);
        wheel.end(1.1);
        return wheel.chosen();
    };
    EXPECT_GT(flick(0.8, 60), flick(0.4, 60));
    EXPECT_NEAR(flick(0.6, 30), flick(0.6, 120), 1);
}

TEST(ChoiceWheel, a_tap_chooses_the_tapped_entry_and_the_ends_limit_rolling) {
    ChoiceWheel wheel = wheel_of(3);
    wheel.begin(-0.0140, 1);  // the entry below the middle
    wheel.drag(-0.0145, 1.1);
    wheel.end(1.1);
    EXPECT_EQ(wheel.chosen(), 1);
    wheel.settle(1);
    wheel.begin(0.0135, 2);
    wheel.end(2.05);
    EXPECT_EQ(wheel.chosen(), 0);
    wheel.settle(1);
    wheel.begin(0, 3);
    for (int i = 0; i < 9; ++i) wheel.drag(-0.05 * i, 3 + 0.02 * i);
    EXPECT_GE(wheel.position(), -0.5);
    wheel.end(3.2);
    EXPECT_EQ(wheel.chosen(), 0);
    wheel.follow(99);
    EXPECT_EQ(wheel.chosen(), 2);
}

}  // namespace
}  // namespace claybox::app
