#include "app/buttons/press.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

using collision::Vec3d;

constexpr double kFrame = 1.0 / 60.0;
constexpr double kRadius = 0.0075;

/// One finger over a row of buttons 44 mm apart; heights are of the ball's lowest point over the face.
class Press : public testing::Test {
  protected:
    Press() : board_(std::vector<PressPad>(3), 2) {
        board_.appear(0, 0);
        board_.appear(1, 0);
        time_ = 1;  // long after the finger appeared
    }
    static Vec3d over(double height, double x = 0, double y = 0) { return {x, y, height + kRadius}; }
    /// Moves in a straight line within one frame.
    void to(const Vec3d& p, std::uint32_t finger = 0) {
        Vec3d& at = at_[finger];
        for (std::uint32_t b = 0; b < board_.size(); ++b) {
            const Vec3d shift{0.044 * b, 0, 0};
            board_.move(finger, b, {at - shift, p - shift, kRadius, time_, time_ + kFrame}, rules_, events_);
        }
        at = p;
        time_ += kFrame;
        board_.settle(kFrame, rules_);
    }
    void start_at(const Vec3d& p, std::uint32_t finger = 0) { at_[finger] = p; }
    void wait(double seconds) {
        for (int i = 0; i < std::lround(seconds / kFrame); ++i) to(at_[0]);
    }
    std::ptrdiff_t count(PressKind kind) const {
        return std::count_if(events_.begin(), events_.end(),
                             [&](const PressEvent& e) { return e.kind == kind; });
    }
    PressRules rules_;
    PressBoard board_;
    std::vector<PressEvent> events_;
    Vec3d at_[2] = {over(0.05), over(0.05)};
    double time_;
};

TEST_F(Press, OnePokeFiresOnceAndReleasesOnce) {
    for (double h = 0.03; h > -0.009; h -= 0.002) to(over(h));
    EXPECT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(count(PressKind::released), 0);
    for (double h = -0.009; h < 0.03; h += 0.002) to(over(h));
    EXPECT_EQ(count(PressKind::touched), 1);
    EXPECT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(count(PressKind::released), 1);
    EXPECT_EQ(count(PressKind::left_early), 0);
}

TEST_F(Press, FiresAtItsPointAndReleasesBelowItsOwn) {
    to(over(0.01));
    to(over(-0.0059));
    EXPECT_EQ(count(PressKind::fired), 0);
    to(over(-0.0061));
    EXPECT_EQ(count(PressKind::fired), 1);
    to(over(-0.0031));  // jitter around the fire point changes nothing
    to(over(-0.0061));
    EXPECT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(count(PressKind::released), 0);
    to(over(-0.0029));
    EXPECT_EQ(count(PressKind::released), 1);
}

TEST_F(Press, AFastFingerThatPassesThirtyMillimetresInAFrameFiresOnce) {
    to(over(0.021));
    to(over(-0.009));
    EXPECT_EQ(count(PressKind::fired), 1);
    to(over(0.021));
    EXPECT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(count(PressKind::released), 1);
}

TEST_F(Press, AFingerThatShootsRightThroughFiresAndReleasesOnce) {
    to(over(0.05));
    to(over(-0.10));
    EXPECT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(count(PressKind::released), 1);
    to(over(0.05));  // back through the button from behind
    EXPECT_EQ(count(PressKind::fired), 1);
}

TEST_F(Press, GoingDeeperThanTheTravelKeepsThePress) {
    to(over(0.01));
    to(over(-0.010 - 5 * kRadius));
    EXPECT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(count(PressKind::released), 0);
    EXPECT_LE(board_.travel(0), rules_.travel);
}

TEST_F(Press, PushesFromTheSideAndFromBehindDoNotFire) {
    start_at(over(-0.008, -0.06));
    for (double x = -0.06; x < 0.03; x += 0.004) to(over(-0.008, x));
    EXPECT_EQ(count(PressKind::fired), 0);
    start_at(over(-0.05));
    for (double h = -0.05; h < 0.03; h += 0.004) to(over(h));
    EXPECT_EQ(count(PressKind::fired), 0);
    EXPECT_EQ(count(PressKind::touched), 0);
}

TEST_F(Press, ARestingFingerDoesNotFire) {
    to(over(0.001));
    for (int i = 0; i < 600; ++i) to(over(i % 2 ? -0.002 : -0.0045));
    EXPECT_EQ(count(PressKind::touched), 1);
    EXPECT_EQ(count(PressKind::fired), 0);
}

TEST_F(Press, ASecondPokeWithinTheReArmTimeDoesNotFire) {
    to(over(0.01));
    to(over(-0.008));
    to(over(0.01));
    to(over(-0.008));  // 17 ms after the release
    EXPECT_EQ(count(PressKind::fired), 1);
    wait(0.2);
    EXPECT_EQ(count(PressKind::fired), 1) << "nor later, while it stays down";
    to(over(0.01));
    to(over(-0.008));
    EXPECT_EQ(count(PressKind::fired), 2);
}

TEST_F(Press, AFingerThatHasJustAppearedPressesNothing) {
    board_.appear(0, time_);
    to(over(0.01));
    to(over(-0.008));
    EXPECT_EQ(count(PressKind::fired), 0);
    wait(0.3);
    EXPECT_EQ(count(PressKind::fired), 0) << "it must come from the front again";
    to(over(0.01));
    to(over(-0.008));
    EXPECT_EQ(count(PressKind::fired), 1);
}

TEST_F(Press, AFingerThatVanishesReleasesWhatItHeld) {
    to(over(0.01));
    to(over(-0.008));
    board_.vanish(0, time_, events_);
    EXPECT_EQ(count(PressKind::released), 1);
    EXPECT_FALSE(board_.pressed(0));
    board_.vanish(0, time_, events_);
    EXPECT_EQ(count(PressKind::released), 1);
}

TEST_F(Press, RollingOffSidewaysForgivesOneFingerRadius) {
    to(over(0.01));
    to(over(-0.004));
    to(over(-0.004, 0.016 + 0.9 * kRadius));
    EXPECT_EQ(count(PressKind::left_early), 0);
    to(over(-0.004, 0.016 + 1.1 * kRadius));
    EXPECT_EQ(count(PressKind::left_early), 1);
    EXPECT_EQ(count(PressKind::fired), 0);
}

TEST_F(Press, OneButtonPerFingerAndOneFingerPerButton) {
    to(over(0.01));
    to(over(-0.008));
    to(over(-0.008, 0.044));  // slides over to the neighbour at depth
    EXPECT_EQ(count(PressKind::fired), 1);
    to(over(0.01, 0.044));
    to(over(-0.008, 0.044));
    EXPECT_EQ(count(PressKind::fired), 2);
    EXPECT_EQ(events_.back().button, 1u);
    start_at(over(0.01, 0.044), 1);
    to(over(-0.008, 0.044), 1);
    EXPECT_EQ(count(PressKind::fired), 2) << "the button is held by the other finger";
}

TEST_F(Press, TheCapFollowsTheFingerAndSpringsBackWithin150Milliseconds) {
    to(over(0.01));
    to(over(-0.007));
    EXPECT_NEAR(board_.travel(0), 0.007, 1e-4);
    to(over(0.03));
    for (int i = 0; i < 9; ++i) to(over(0.03));
    EXPECT_LT(std::abs(board_.travel(0)), 0.0003);
    for (int i = 0; i < 60; ++i) to(over(0.03));
    EXPECT_LT(std::abs(board_.travel(0)), 1e-6);
}

TEST_F(Press, NumbersThatAreNotFiniteChangeNothing) {
    to(over(0.01));
    to({std::nan(""), 0, 0});
    to({0, 0, -INFINITY});
    EXPECT_TRUE(events_.empty());
}

}  // namespace
}  // namespace claybox::app
