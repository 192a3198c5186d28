#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

TEST(ButtonLab, APP_buttons_the_standard_rules_do_what_geometry_says) {
    for (const double speed : {0.05, 0.5, 5.0}) {
        SessionOptions options = options_for("button_lab");
        set(options, "speed", speed);
        const auto session = start(options);
        run(*session, speed < 0.1 ? 30000 : 4000);
        EXPECT_GT(figure(*session, "pokes"), 30) << speed;
        EXPECT_GT(figure(*session, "presses"), 10) << speed;
        EXPECT_EQ(figure(*session, "presses"), figure(*session, "should")) << speed;
        EXPECT_EQ(figure(*session, "misses"), 0) << speed;
        EXPECT_EQ(figure(*session, "doubles"), 0) << speed;
        EXPECT_EQ(figure(*session, "back_presses"), 0) << speed;
    }
}

TEST(ButtonLab, RulesThatAreWorseAreSeenInTheCounts) {
    SessionOptions plain = options_for("button_lab");
    set(plain, "rule", 1);
    const auto thesis = start(plain);
    run(*thesis, 4000);
    EXPECT_GT(figure(*thesis, "doubles") + figure(*thesis, "back_presses"), 10);
    SessionOptions deep = options_for("button_lab");
    set(deep, "fire_at", 95);
    const auto late = start(deep);
    run(*late, 4000);
    EXPECT_GT(figure(*late, "misses"), 3);
}

}  // namespace
}  // namespace claybox::app
