// From the hand of a source to the hand of a step: filter, lead, pressure.

#include "app/bridge/devices/steady_hand.hpp"

#include <gtest/gtest.h>

#include <random>

namespace claybox::app {
namespace {

engine::HandState hand_near(double x, double jitter = 0, std::mt19937* random = nullptr) {
    engine::HandPose pose;
    pose.wrist = {x, 1, 0};
    if (random != nullptr) {
        std::normal_distribution<double> off(0, jitter);
        pose.wrist += glm::dvec3(off(*random), off(*random), off(*random));
    }
    engine::HandState hand = engine::pose_hand(pose);
    hand.present = true;
    return hand;
}

double wrist_x(const HandInput& hand) {
    return hand.part[0].translation.x;
}

HandMoment moment(bool pressing = false, std::optional<double> trigger = {}) {
    HandMoment out;
    out.pressing = pressing;
    out.trigger = trigger;
    return out;
}

TEST(SteadyHand, a_tracked_hand_is_filtered_and_the_hand_of_the_mouse_is_not) {
    std::mt19937 random(11);
    SteadyHand tracked, mouse, off;
    HandMoment by_mouse;
    by_mouse.by_mouse = true;
    HandSettings settings, none;
    none.filter = 0;
    double raw = 0, filtered = 0;
    for (int i = 0; i < 600; ++i) {
        const engine::HandState hand = hand_near(0, 0.0005, &random);
        const double now = wrist_x(tracked.update(hand, settings, moment()));
        ASSERT_EQ(wrist_x(mouse.update(hand, settings, by_mouse)), hand.part[0].position.x);
        ASSERT_EQ(wrist_x(off.update(hand, none, moment())), hand.part[0].position.x);
        raw += hand.part[0].position.x * hand.part[0].position.x;
        filtered += now * now;
    }
    EXPECT_LT(std::sqrt(filtered), 0.5 * std::sqrt(raw));
}

TEST(SteadyHand, a_held_hand_stays_and_a_lost_one_starts_again) {
    SteadyHand steady;
    const HandSettings settings;
    for (int i = 0; i < 5; ++i) steady.update(hand_near(0.01 * i), settings, moment());
    const HandInput last = steady.update(hand_near(0.05), settings, moment());
    HandMoment lost = moment();
    lost.held = true;
    for (int i = 0; i < 5; ++i) {
        const HandInput held = steady.update(hand_near(0.05), settings, lost);
        ASSERT_TRUE(held.held && held.present);
        ASSERT_EQ(wrist_x(held), wrist_x(last)) << "the filter does not creep on";
    }
    const double back = wrist_x(steady.update(hand_near(0.06), settings, moment()));
    EXPECT_GT(back, wrist_x(last));
    EXPECT_LE(back, 0.06);
    EXPECT_FALSE(steady.update({}, settings, moment()).present);
    EXPECT_EQ(wrist_x(steady.update(hand_near(0.1), settings, moment())), 0.1);
}

TEST(SteadyHand, every_source_but_the_mouse_follows_on_a_lead_while_it_presses) {
    HandSettings settings;
    settings.filter = 0;
    settings.lead = 10;
    SteadyHand steady;
    HandInput now;
    for (int i = 0; i <= 100; ++i) now = steady.update(hand_near(0.001 * i), settings, moment(true));
    EXPECT_NEAR(wrist_x(now), 0.1 - 0.010, 1e-9);
    for (int i = 0; i < 30; ++i) now = steady.update(hand_near(0.1), settings, moment());
    EXPECT_EQ(wrist_x(now), 0.1) << "free again";
    settings.lead = 0;
    for (int i = 0; i < 10; ++i)
        ASSERT_EQ(wrist_x(steady.update(hand_near(0.1 + 0.003 * i), settings, moment(true))),
                  0.1 + 0.003 * i);
}

TEST(SteadyHand, pressure_is_full_unless_the_user_takes_it_from_speed_or_trigger) {
    HandSettings settings;
    settings.filter = 0;
    const auto pressure_at = [&](double metres_per_second, std::optional<double> trigger) {
        SteadyHand steady;
        float out = 0;
        for (int i = 0; i < 60; ++i)
            out = steady.update(hand_near(metres_per_second * i / 60), settings, moment(true, trigger))
                      .pressure;
        return out;
    };
    EXPECT_EQ(pressure_at(1, 0.3), 1);
    settings.pressure = PressureFrom::speed;
    EXPECT_EQ(pressure_at(0.02, 0.3), 1);
    EXPECT_NEAR(pressure_at(0.275, 0.3), 0.6, 0.01);
    EXPECT_NEAR(pressure_at(1, {}), 0.2, 0.001);
    settings.pressure = PressureFrom::trigger;
    EXPECT_FLOAT_EQ(pressure_at(1, 0.3), 0.3f);
    EXPECT_EQ(pressure_at(1, {}), 1) << "no trigger";
    EXPECT_EQ(pressure_at(0, 7), 1);
    EXPECT_EQ(pressure_at(0, -1), 0);
}

TEST(SteadyHand, a_preview_changes_nothing) {
    HandSettings settings;
    settings.lead = 5;
    SteadyHand steady;
    for (int i = 0; i < 10; ++i) steady.update(hand_near(0.002 * i), settings, moment(true));
    const engine::HandState next = hand_near(0.021);
    const HandInput seen = steady.preview(next, settings, moment(true));
    EXPECT_EQ(wrist_x(seen), wrist_x(steady.preview(next, settings, moment(true))));
    EXPECT_EQ(wrist_x(seen), wrist_x(steady.update(next, settings, moment(true))));
}

}  // namespace
}  // namespace claybox::app
