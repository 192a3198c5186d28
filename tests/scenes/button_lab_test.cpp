#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

TEST(ButtonLab, APP_buttons_the_standard_rules_give_the_expected_presses) {
    for (const double speed : {0.05, 0.5, 5.0}) {
        SessionOptions options = options_for("button_lab");
        set(options, "speed", speed);
        const auto session = start(options);
        run(*session, speed < 0.1 ? 30000 : 4000);
        EXPECT_GT(figure(*session, "pokes"), 30) << speed;
        EXPECT_GT(figure(*session, "presses"), 10) << speed;
        EXPECT_EQ(figure(*session, "presses"), figure(*session, "expected_presses")) << speed;
        EXPECT_EQ(figure(*session, "missed_presses"), 0) << speed;
        EXPECT_EQ(figure(*session, "extra_presses"), 0) << speed;
        EXPECT_EQ(figure(*session, "presses_from_behind"), 0) << speed;
    }
}

TEST(ButtonLab, worse_rules_show_up_in_the_counts) {
    SessionOptions plain = options_for("button_lab");
    set(plain, "rule", 1);
    const auto thesis = start(plain);
    run(*thesis, 4000);
    EXPECT_GT(figure(*thesis, "extra_presses") + figure(*thesis, "presses_from_behind"), 10);
    SessionOptions deep = options_for("button_lab");
    set(deep, "fire_at", 95);
    const auto late = start(deep);
    run(*late, 4000);
    EXPECT_GT(figure(*late, "missed_presses"), 3);
}

// A left hand appears behind the keys while the mechanical finger is in front of them. The straight line from
// one finger to the other leads through a key.
TEST(ButtonLab, presses_of_the_mechanical_finger_are_not_attributed_to_an_arriving_left_hand) {
    SessionOptions options = options_for("button_lab");
    set(options, "speed", 0.5);
    const auto session = start(options);
    std::size_t left_events = 0;
    for (int i = 0; i < 400; ++i) {
        const bool present = i % 10 > 5;
        StepInput input;
        input.hand[1].present = present;
        input.hand[1].radius.fill(0.008f);
        input.hand[1].length.fill(0.04f);
        for (collision::Pose& part : input.hand[1].part)
            part.translation = {0.01 * (i % 13 - 6), 0.02, -0.25};
        session->step(std::move(input));
        session->world().wait_idle();
        for (const SceneEvent& event : session->output().events) left_events += event.hand == Side::left;
    }
    EXPECT_EQ(left_events, 0u);
}

}  // namespace
}  // namespace claybox::app
