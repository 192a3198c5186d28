// The One-Euro filter of the hand: jitter falls, fast motions hardly lag, and a resting hand is unchanged.

#include "engine/hand/hand_filter.hpp"

#include <gtest/gtest.h>

#include <random>

namespace claybox::engine {
namespace {

constexpr double kFilterStep = 1.0 / 60, kHalf = 0.5;  // seconds; the default strength

HandState hand_with(const glm::dvec3& wrist, double turn = 0, float bend = 0.2f) {
    HandPose pose;
    pose.wrist = wrist;
    pose.rotation = glm::angleAxis(turn, glm::dvec3(0, 1, 0));
    pose.curl.fill(bend);
    HandState hand = pose_hand(pose);
    hand.present = true;
    return hand;
}

glm::dvec3 forefinger_tip(const HandState& hand) {
    return tip_of(hand.part[kIndexTipPart]);
}

bool is_same_hand(const HandState& a, const HandState& b) {
    bool equal = a.present == b.present && a.pinch == b.pinch && a.grip == b.grip && a.scale == b.scale;
    for (std::size_t i = 0; i < a.part.size(); ++i)
        equal = equal && a.part[i].position == b.part[i].position &&
                a.part[i].rotation == b.part[i].rotation && a.part[i].radius == b.part[i].radius &&
                a.part[i].length == b.part[i].length;
    return equal;
}

/// Adds noise to each part, as a camera does that sees the joints one by one.
HandState shaken(HandState hand, std::mt19937& random, double metres, double radians) {
    std::normal_distribution<double> shift(0, metres), turn(0, radians / 2);
    for (HandPart& part : hand.part) {
        part.position += glm::dvec3(shift(random), shift(random), shift(random));
        part.rotation =
            glm::normalize(part.rotation * glm::dquat(1, turn(random), turn(random), turn(random)));
    }
    return hand;
}

struct Jitter {
    double raw = 0, filtered = 0;  ///< mean square distance from the resting hand's fingertip
    double raw_turn = 0, filtered_turn = 0;
};

double turn_between(const glm::dquat& a, const glm::dquat& b) {
    return 2 * std::acos(std::min(1.0, std::abs(glm::dot(a, b))));
}

Jitter jitter_of(double strength, double metres, double dt) {
    const HandState rest = hand_with({0, 1, 0});
    std::mt19937 random(7);
    HandFilter filter;
    Jitter out;
    constexpr int kFrames = 1200, kSettle = 100;
    for (int i = 0; i < kFrames; ++i) {
        const HandState raw = shaken(rest, random, metres, 0.01);
        const HandState& now = filter.update(raw, strength, dt);
        if (i < kSettle) continue;
        const auto square = [&](const HandState& h) {
            const glm::dvec3 off = h.part[0].position - rest.part[0].position;
            return glm::dot(off, off) / (kFrames - kSettle);
        };
        out.raw += square(raw);
        out.filtered += square(now);
        out.raw_turn += turn_between(raw.part[0].rotation, rest.part[0].rotation) / (kFrames - kSettle);
        out.filtered_turn += turn_between(now.part[0].rotation, rest.part[0].rotation) / (kFrames - kSettle);
    }
    return out;
}

TEST(HandFilter, the_jitter_of_a_resting_hand_falls_to_less_than_half) {
    for (const double metres : {0.0003, 0.0005}) {
        const Jitter jitter = jitter_of(kHalf, metres, kFilterStep);
        EXPECT_GT(std::sqrt(jitter.raw / jitter.filtered), 2.2) << metres;
        EXPECT_GT(jitter.raw_turn / jitter.filtered_turn, 2.0) << metres;
    }
    const Jitter half = jitter_of(kHalf, 0.0005, kFilterStep), full = jitter_of(1, 0.0005, kFilterStep),
                 weak = jitter_of(0.1, 0.0005, kFilterStep);
    EXPECT_LT(full.filtered, 0.7 * half.filtered) << "a higher strength is calmer";
    EXPECT_GT(weak.filtered, 1.5 * half.filtered);
    RecordProperty("reduction", std::to_string(std::sqrt(half.raw / half.filtered)));
}

TEST(HandFilter, more_frames_per_second_remove_no_less_jitter) {
    EXPECT_GT(std::sqrt(jitter_of(kHalf, 0.0005, 1.0 / 90).raw / jitter_of(kHalf, 0.0005, 1.0 / 90).filtered),
              2.2);
}

/// The largest lag of the fingertip while the hand moves 0.3 m and turns in `seconds`, starting and ending
/// at rest.
double lag_of(double seconds, double strength, double dt) {
    HandFilter filter;
    double lag = 0;
    for (double t = 0; t < seconds + 0.5; t += dt) {
        const double u = std::clamp(t / seconds, 0.0, 1.0);
        const double way = u * u * u * (10 - 15 * u + 6 * u * u);
        const HandState hand = hand_with({0.3 * way, 1, 0}, 0.6 * way);
        lag = std::max(
            lag, glm::distance(forefinger_tip(filter.update(hand, strength, dt)), forefinger_tip(hand)));
    }
    return lag;
}

TEST(HandFilter, a_fast_hand_lags_by_less_than_four_millimetres) {
    for (const double dt : {1.0 / 60, 1.0 / 90, 1.0 / 30})
        for (const double seconds : {0.3, 0.6, 1.2}) {
            EXPECT_LT(lag_of(seconds, kHalf, dt), 0.004) << seconds << " s, " << 1 / dt << " Hz";
            EXPECT_GT(lag_of(seconds, kHalf, dt), 0.0001) << "the filter does something";
        }
    EXPECT_LT(lag_of(0.3, 0.1, kFilterStep), 0.001) << "a weak filter lags less";
}

TEST(HandFilter, a_hand_that_rests_is_passed_bit_for_bit) {
    HandFilter filter;
    const HandState rest = hand_with({0.1, 1.2, -0.3}, 0.7, 0.35f);
    for (int i = 0; i < 100; ++i)
        ASSERT_TRUE(is_same_hand(filter.update(rest, kHalf, kFilterStep), rest)) << i;
    HandState moved;
    for (int i = 0; i < 20; ++i)
        filter.update(moved = hand_with({0.1 + 0.01 * i, 1.2, -0.3}), 1, kFilterStep);
    for (int i = 0; i < 600; ++i) filter.update(moved, 1, kFilterStep);
    EXPECT_TRUE(is_same_hand(filter.update(moved, 1, kFilterStep), moved)) << "also after it has moved";
}

TEST(HandFilter, without_strength_every_hand_is_passed_bit_for_bit) {
    HandFilter filter;
    std::mt19937 random(3);
    for (int i = 0; i < 50; ++i) {
        const HandState raw = shaken(hand_with({0.01 * i, 1, 0}), random, 0.002, 0.05);
        ASSERT_TRUE(is_same_hand(filter.update(raw, 0, kFilterStep), raw)) << i;
    }
    const HandState next = hand_with({0.5, 1, 0.001});
    EXPECT_LT(glm::distance(forefinger_tip(filter.update(next, kHalf, kFilterStep)), forefinger_tip(next)),
              0.003)
        << "switched on, it continues from the last hand";
}

TEST(HandFilter, a_hand_that_was_lost_or_jumped_starts_again) {
    HandFilter filter;
    filter.update(hand_with({0, 1, 0}), kHalf, kFilterStep);
    EXPECT_FALSE(filter.update({}, kHalf, kFilterStep).present);
    const HandState back = hand_with({0.05, 1, 0});
    EXPECT_TRUE(is_same_hand(filter.update(back, kHalf, kFilterStep), back));
    const HandState far = hand_with({0.6, 1, 0});
    EXPECT_TRUE(is_same_hand(filter.update(far, kHalf, kFilterStep), far))
        << "half a metre in a frame is no motion";
    HandState large = hand_with({0.61, 1, 0});
    large.scale = 2;
    EXPECT_TRUE(is_same_hand(filter.update(large, kHalf, kFilterStep), large)) << "another size of the world";
    HandState left = large;
    left.left = true;
    left.part[0].position.x += 0.01;
    EXPECT_TRUE(is_same_hand(filter.update(left, kHalf, kFilterStep), left)) << "another hand";
}

TEST(HandFilter, a_hand_of_a_larger_world_is_filtered_alike) {
    const auto grown = [](HandState hand) {
        for (HandPart& part : hand.part) {
            part.position *= 3.0;
            part.length *= 3;
            part.radius *= 3;
        }
        hand.scale = 3;
        return hand;
    };
    HandFilter small, large;
    for (int i = 0; i < 60; ++i) {
        const HandState hand = hand_with({0.003 * i, 1, 0.001 * (i % 3)});
        const glm::dvec3 a = forefinger_tip(small.update(hand, kHalf, kFilterStep)),
                         b = forefinger_tip(large.update(grown(hand), kHalf, kFilterStep));
        ASSERT_NEAR(glm::distance(3.0 * a, b), 0, 1e-6) << i;
    }
}

TEST(HandFilter, frames_of_any_duration_give_a_finite_hand_between_the_last_and_the_new_one) {
    for (const double dt : {0.0, -1.0, 1e-9, 1e-3, 0.5, 1e6}) {
        HandFilter filter;
        filter.update(hand_with({0, 1, 0}), kHalf, kFilterStep);
        const HandState& now = filter.update(hand_with({0.1, 1, 0}), kHalf, dt);
        const double x = now.part[0].position.x;
        EXPECT_TRUE(x >= 0 && x <= 0.1) << dt << ": " << x;
        if (dt >= 0.5) {
            EXPECT_NEAR(x, 0.1, 0.002) << "after a long time the new hand counts";
        }
        if (dt <= 0) {
            EXPECT_EQ(x, 0) << "no time has passed";
        }
    }
}

TEST(HandFilter, fingers_stay_attached_while_hand_and_fingers_move) {
    HandFilter filter;
    for (int i = 0; i < 90; ++i) {
        const double t = i * kFilterStep;
        const HandState& now = filter.update(hand_with({0.2 * std::sin(6 * t), 1, 0}, std::sin(5 * t),
                                                       static_cast<float>(0.5 - 0.4 * std::cos(7 * t))),
                                             kHalf, kFilterStep);
        for (std::size_t finger = 0; finger < 5; ++finger)
            for (std::size_t k = 1; k < 3; ++k) {
                const std::size_t part = 1 + 3 * finger + k;
                ASSERT_LT(glm::distance(tip_of(now.part[part - 1]), now.part[part].position), 0.001)
                    << "frame " << i << ", part " << part;
            }
        for (const HandPart& part : now.part) ASSERT_NEAR(glm::length(part.rotation), 1, 1e-9);
    }
}

TEST(HandFilter, a_preview_is_the_next_hand_and_changes_nothing) {
    HandFilter filter;
    filter.update(hand_with({0, 1, 0}), kHalf, kFilterStep);
    filter.update(hand_with({0.004, 1, 0}), kHalf, kFilterStep);
    const HandState next = hand_with({0.009, 1, 0.002});
    const HandState seen = filter.preview(next, kHalf, kFilterStep),
                    again = filter.preview(next, kHalf, kFilterStep);
    EXPECT_TRUE(is_same_hand(seen, again));
    EXPECT_TRUE(is_same_hand(filter.update(next, kHalf, kFilterStep), seen));
}

}  // namespace
}  // namespace claybox::engine
