#include "app/buttons/press.hpp"

#include "collision/core/ids.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::app {
namespace {

using collision::Vec3d;

constexpr double kFrame = 1.0 / 60.0;
constexpr double kRadius = 0.0075;

/// Two fingers over a row of buttons 44 mm apart. Heights are of the lowest point of the ball above the face.
class Press : public testing::Test {
  protected:
    Press() : board_(std::vector<PressPad>(3), 2) {
        board_.appear(0, 0, events_);
        board_.appear(1, 0, events_);
        time_ = 1;  // long after the fingers appeared
    }
    static Vec3d over(double height, double x = 0, double y = 0) { return {x, y, height + kRadius}; }
    /// Moves one finger straight within one frame.
    void to(const Vec3d& p, std::uint32_t finger = 0) {
        std::vector<FingerMove> moves;
        add(moves, p, finger);
        run_frame(moves);
    }
    /// Moves both fingers within one frame.
    void both_to(const Vec3d& first, const Vec3d& second) {
        std::vector<FingerMove> moves;
        add(moves, first, 0);
        add(moves, second, 1);
        run_frame(moves);
    }
    void add(std::vector<FingerMove>& moves, const Vec3d& p, std::uint32_t finger) {
        Vec3d& at = at_[finger];
        for (std::uint32_t b = 0; b < board_.size(); ++b) {
            const Vec3d shift{0.044 * b, 0, 0};
            moves.push_back({finger, b, at - shift, p - shift, kRadius, time_, time_ + kFrame});
        }
        at = p;
    }
    void run_frame(const std::vector<FingerMove>& moves) {
        board_.frame(moves, rules_, events_);
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

TEST_F(Press, one_poke_fires_once_and_releases_once) {
    for (double h = 0.03; h > -0.009; h -= 0.002) to(over(h));
    EXPECT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(count(PressKind::released), 0);
    for (double h = -0.009; h < 0.03; h += 0.002) to(over(h));
    EXPECT_EQ(count(PressKind::touched), 1);
    EXPECT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(count(PressKind::released), 1);
    EXPECT_EQ(count(PressKind::left_early), 0);
}

TEST_F(Press, fires_at_the_fire_point_and_releases_below_the_release_point) {
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

TEST_F(Press, a_finger_that_moves_30_mm_in_a_frame_fires_once) {
    to(over(0.021));
    to(over(-0.009));
    EXPECT_EQ(count(PressKind::fired), 1);
    to(over(0.021));
    EXPECT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(count(PressKind::released), 1);
}

TEST_F(Press, a_finger_through_the_button_fires_and_releases_once) {
    to(over(0.05));
    to(over(-0.10));
    EXPECT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(count(PressKind::released), 1);
    to(over(0.05));  // back through the button, from behind
    EXPECT_EQ(count(PressKind::fired), 1);
}

TEST_F(Press, going_deeper_than_the_travel_keeps_the_press) {
    to(over(0.01));
    to(over(-0.010 - 5 * kRadius));
    EXPECT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(count(PressKind::released), 0);
    EXPECT_LE(board_.travel(0), rules_.travel);
}

TEST_F(Press, pushes_from_the_side_and_from_behind_do_not_fire) {
    start_at(over(-0.008, -0.06));
    for (double x = -0.06; x < 0.03; x += 0.004) to(over(-0.008, x));
    EXPECT_EQ(count(PressKind::fired), 0);
    start_at(over(-0.05));
    for (double h = -0.05; h < 0.03; h += 0.004) to(over(h));
    EXPECT_EQ(count(PressKind::fired), 0);
    EXPECT_EQ(count(PressKind::touched), 0);
}

TEST_F(Press, a_resting_finger_does_not_fire) {
    to(over(0.001));
    for (int i = 0; i < 600; ++i) to(over(i % 2 ? -0.002 : -0.0045));
    EXPECT_EQ(count(PressKind::touched), 1);
    EXPECT_EQ(count(PressKind::fired), 0);
}

TEST_F(Press, a_second_poke_within_the_rearm_time_does_not_fire) {
    to(over(0.01));
    to(over(-0.008));
    to(over(0.01));
    to(over(-0.008));  // 17 ms after the release
    EXPECT_EQ(count(PressKind::fired), 1);
    wait(0.2);
    EXPECT_EQ(count(PressKind::fired), 1) << "nor later while the finger stays down";
    to(over(0.01));
    to(over(-0.008));
    EXPECT_EQ(count(PressKind::fired), 2);
}

TEST_F(Press, a_finger_that_has_just_appeared_presses_nothing) {
    board_.appear(0, time_, events_);
    to(over(0.01));
    to(over(-0.008));
    EXPECT_EQ(count(PressKind::fired), 0);
    wait(0.3);
    EXPECT_EQ(count(PressKind::fired), 0) << "it must come from the front again";
    to(over(0.01));
    to(over(-0.008));
    EXPECT_EQ(count(PressKind::fired), 1);
}

TEST_F(Press, a_button_of_a_lost_finger_reports_lost_once_and_no_release) {
    to(over(0.01));
    to(over(-0.008));
    board_.lose(0, time_, events_);
    EXPECT_EQ(count(PressKind::lost), 1);
    EXPECT_EQ(count(PressKind::released), 0);
    EXPECT_EQ(count(PressKind::left_early), 0);
    EXPECT_FALSE(board_.pressed(0));
    board_.lose(0, time_, events_);
    board_.appear(0, time_, events_);
    to(over(0.02));
    EXPECT_EQ(count(PressKind::lost), 1);
    EXPECT_EQ(count(PressKind::released), 0);
}

TEST_F(Press, a_finger_that_reappears_on_its_pressed_button_releases_it_once_and_fires_nothing_at_once) {
    to(over(0.01));
    to(over(-0.008));
    start_at(over(-0.007));  // tracking had a gap
    board_.appear(0, time_, events_);
    to(over(-0.0075));
    EXPECT_TRUE(board_.pressed(0));
    to(over(0.002));
    EXPECT_EQ(count(PressKind::released), 1);
    to(over(-0.008));  // 50 ms after it reappeared
    EXPECT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(count(PressKind::released), 1);
    EXPECT_EQ(count(PressKind::lost), 0);
}

TEST_F(Press, a_finger_that_reappears_deeper_fires_nothing) {
    to(over(0.01));
    to(over(-0.004));
    start_at(over(-0.009));
    board_.appear(0, time_, events_);
    wait(0.5);
    EXPECT_EQ(count(PressKind::fired), 0);
    EXPECT_EQ(count(PressKind::lost), 1);
}

TEST_F(Press, events_of_one_frame_are_ordered_by_time) {
    to(over(0.05));
    events_.clear();
    const double start = time_;
    to(over(-0.15));
    ASSERT_EQ(events_.size(), 3u);
    // 200 mm in a frame: the face at 50 mm, the fire point at 56 mm, the release at 50 + 10 mm + 6 radii.
    EXPECT_EQ(events_[0].kind, PressKind::touched);
    EXPECT_NEAR(events_[0].time, start + kFrame * 0.050 / 0.2, 1e-12);
    EXPECT_EQ(events_[1].kind, PressKind::fired);
    EXPECT_NEAR(events_[1].time, start + kFrame * 0.056 / 0.2, 1e-12);
    EXPECT_EQ(events_[2].kind, PressKind::released);
    EXPECT_NEAR(events_[2].time, start + kFrame * (0.060 + 6 * kRadius) / 0.2, 1e-12);
}

TEST_F(Press, the_first_finger_within_a_frame_gets_the_button) {
    start_at(over(0.02, -0.01), 0);
    start_at(over(0.01, 0.01), 1);
    both_to(over(-0.009, -0.01), over(-0.009, 0.01));
    ASSERT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(board_.holder(0), 1u);
    // It moves up. The other finger is down already and must come from the front again.
    both_to(over(-0.009, -0.01), over(0.02, 0.01));
    both_to(over(-0.009, -0.01), over(0.02, 0.01));
    EXPECT_EQ(count(PressKind::fired), 1);
}

TEST_F(Press, a_button_left_within_a_frame_can_be_touched_in_the_same_frame) {
    to(over(0.01), 0);
    to(over(-0.008), 0);
    wait(0.2);
    start_at(over(0.08, 0.01), 1);
    both_to(over(0.09),
            over(-0.02, 0.01));  // the first is up at 8/98 of the frame, the second touches at 80/100
    EXPECT_EQ(count(PressKind::released), 1);
    EXPECT_EQ(count(PressKind::touched), 2);
    EXPECT_EQ(board_.holder(0), 1u);
}

TEST_F(Press, of_two_faces_touched_at_once_the_nearest_wins) {
    PressBoard board({{0.02, 0.02}, {0.02, 0.02}}, 1);  // they share an edge
    const auto poke = [&](double x, double time) {
        std::vector<FingerMove> moves;
        for (std::uint32_t b = 0; b < 2; ++b) {
            const Vec3d shift{b == 0 ? -0.019 : 0.019, 0, 0};
            moves.push_back(
                {0, b, over(0.02, x) - shift, over(-0.008, x) - shift, kRadius, time, time + kFrame});
            moves.push_back({0, b, over(-0.008, x) - shift, over(0.02, x) - shift, kRadius, time + kFrame,
                             time + 2 * kFrame});
        }
        board.frame(std::array{moves[0], moves[2]}, rules_, events_);
        board.frame(std::array{moves[1], moves[3]}, rules_, events_);
        const std::uint32_t pressed = events_.front().button;
        EXPECT_EQ(count(PressKind::fired), 1);
        events_.clear();
        return pressed;
    };
    EXPECT_EQ(poke(-0.0005, 1), 0u);
    EXPECT_EQ(poke(0.0005, 2), 1u);
}

TEST_F(Press, a_control_that_does_not_fire_is_only_touched_and_left) {
    PressBoard board({{0.02, 0.02, false}}, 1);
    const FingerMove down{0, 0, over(0.02), over(-0.009), kRadius, 1, 2},
        up{0, 0, over(-0.009), over(0.02), kRadius, 2, 3};
    board.frame(std::array{down}, rules_, events_);
    EXPECT_EQ(board.holder(0), 0u);
    board.frame(std::array{up}, rules_, events_);
    EXPECT_EQ(count(PressKind::touched), 1);
    EXPECT_EQ(count(PressKind::left_early), 1);
    EXPECT_EQ(count(PressKind::fired), 0);
}

TEST_F(Press, Z_9_virtual_plain_rule_pressed_while_colliding) {
    rules_.plain = true;
    to(over(0.01));
    to(over(-0.008));
    EXPECT_TRUE(events_.empty()) << "only collisions count";
    board_.collide(0, 1, true, 2, events_);
    EXPECT_TRUE(board_.pressed(1));
    board_.collide(1, 1, true, 2.1, events_);
    board_.collide(0, 1, false, 2.2, events_);
    EXPECT_TRUE(board_.pressed(1)) << "the other finger still collides";
    board_.collide(1, 1, false, 2.3, events_);
    EXPECT_FALSE(board_.pressed(1));
    EXPECT_EQ(count(PressKind::fired), 1);
    EXPECT_EQ(count(PressKind::released), 1);
    board_.collide(0, 2, true, 3, events_);
    board_.lose(0, 3.1, events_);
    board_.collide(0, 2, false, 3.2, events_);
    EXPECT_EQ(count(PressKind::lost), 1);
    EXPECT_EQ(count(PressKind::released), 1) << "the end of a lost finger's collision is no release";
}

TEST_F(Press, Z_9_virtual_plain_rule_holds_a_dragged_control_while_it_collides) {
    PressBoard board({{0.02, 0.02, false}, {0.02, 0.02, false}}, 3);
    board.collide(1, 0, true, 1, events_);
    EXPECT_EQ(board.holder(0), 1u);
    board.collide(1, 1, true, 1.1, events_);
    EXPECT_EQ(board.holder(1), collision::kNoIndex) << "a finger drags one thing";
    board.collide(2, 0, true, 1.2, events_);
    EXPECT_EQ(board.holder(0), 1u) << "the first keeps it";
    EXPECT_EQ(count(PressKind::touched), 1);
    board.collide(1, 0, false, 1.3, events_);
    EXPECT_EQ(board.holder(0), 2u) << "then the next one holds it";
    EXPECT_EQ(count(PressKind::left_early), 1);
    EXPECT_EQ(count(PressKind::touched), 2);
    board.lose(2, 1.4, events_);
    board.collide(2, 0, false, 1.5, events_);
    EXPECT_EQ(board.holder(0), collision::kNoIndex);
    EXPECT_EQ(count(PressKind::lost), 1) << "reported once";
    EXPECT_EQ(count(PressKind::left_early), 1) << "a lost finger does not leave early";
    EXPECT_EQ(count(PressKind::fired) + count(PressKind::released), 0);
}

TEST_F(Press, Z_9_virtual_plain_rule_passes_the_control_of_a_lost_finger_to_the_next_colliding_one) {
    PressBoard board({{0.02, 0.02, false}}, 3);
    board.collide(1, 0, true, 1, events_);
    board.collide(2, 0, true, 1.1, events_);
    board.lose(1, 1.2, events_);
    EXPECT_EQ(board.holder(0), 2u);
    board.appear(2, 1.3, events_);
    EXPECT_EQ(board.holder(0), 2u) << "it reappears at the same place and keeps the control";
    EXPECT_EQ(count(PressKind::lost), 2);
    EXPECT_EQ(count(PressKind::touched), 3);
    board.lose(2, 1.4, events_);
    EXPECT_EQ(board.holder(0), collision::kNoIndex);
}

TEST_F(Press, sliding_off_sideways_tolerates_one_finger_radius) {
    to(over(0.01));
    to(over(-0.004));
    to(over(-0.004, 0.016 + 0.9 * kRadius));
    EXPECT_EQ(count(PressKind::left_early), 0);
    to(over(-0.004, 0.016 + 1.1 * kRadius));
    EXPECT_EQ(count(PressKind::left_early), 1);
    EXPECT_EQ(count(PressKind::fired), 0);
}

TEST_F(Press, one_button_per_finger_and_one_finger_per_button) {
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

TEST_F(Press, the_cap_follows_the_finger_and_springs_back_within_150_ms) {
    to(over(0.01));
    to(over(-0.007));
    EXPECT_NEAR(board_.travel(0), 0.007, 1e-4);
    to(over(0.03));
    for (int i = 0; i < 9; ++i) to(over(0.03));
    EXPECT_LT(std::abs(board_.travel(0)), 0.0003);
    for (int i = 0; i < 60; ++i) to(over(0.03));
    EXPECT_LT(std::abs(board_.travel(0)), 1e-6);
}

TEST_F(Press, non_finite_positions_change_nothing) {
    to(over(0.01));
    to({std::nan(""), 0, 0});
    to({0, 0, -INFINITY});
    EXPECT_TRUE(events_.empty());
}

}  // namespace
}  // namespace claybox::app
