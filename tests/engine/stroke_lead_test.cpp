// The stroke lead and the pressure from speed.

#include "engine/hand/stroke_lead.hpp"

#include "engine/hand/hand_pressure.hpp"

#include <gtest/gtest.h>

#include <random>

namespace claybox::engine {
namespace {

constexpr double kLeadStep = 1.0 / 60, kLead = 0.010;

/// A straight way of 0.2 m with a trembling of 3 mm across it.
std::vector<glm::dvec3> jagged_way() {
    std::mt19937 random(5);
    std::normal_distribution<double> off(0, 0.003);
    std::vector<glm::dvec3> out;
    for (int i = 0; i <= 240; ++i) out.emplace_back(0.2 * i / 240.0, off(random), off(random));
    return out;
}

std::vector<glm::dvec3> led(const std::vector<glm::dvec3>& way, double length) {
    StrokeLead lead;
    std::vector<glm::dvec3> out;
    for (const glm::dvec3& p : way) out.push_back(lead.follow(p, length, true, kLeadStep));
    return out;
}

/// Sum of the changes of direction, radians.
double bends(const std::vector<glm::dvec3>& way) {
    double sum = 0;
    glm::dvec3 before{0};
    for (std::size_t i = 1; i < way.size(); ++i) {
        const glm::dvec3 step = way[i] - way[i - 1];
        if (glm::length(step) < 1e-12) continue;
        const glm::dvec3 now = glm::normalize(step);
        if (glm::length(before) > 0) sum += std::acos(std::clamp(glm::dot(before, now), -1.0, 1.0));
        before = now;
    }
    return sum;
}

TEST(StrokeLead, a_jagged_way_becomes_smoother_and_ends_near_its_target) {
    const auto way = jagged_way();
    const auto steady = led(way, kLead), longer = led(way, 2 * kLead);
    EXPECT_LT(bends(steady), 0.25 * bends(way));
    EXPECT_LT(bends(longer), bends(steady)) << "a longer lead steadies more";
    double off = 0;
    for (std::size_t i = 0; i < way.size(); ++i) off = std::max(off, glm::distance(way[i], steady[i]));
    EXPECT_LE(off, kLead * (1 + 1e-12));
    EXPECT_LE(glm::distance(way.back(), steady.back()), kLead * (1 + 1e-12));
    EXPECT_GT(steady.back().x, way.back().x - 1.01 * kLead) << "it was pulled along";
}

TEST(StrokeLead, without_a_length_nothing_changes) {
    const auto way = jagged_way();
    EXPECT_EQ(led(way, 0), way);
    EXPECT_EQ(led(way, -1), way);
    StrokeLead lead;
    for (const glm::dvec3& p : way) ASSERT_EQ(lead.follow(p, kLead, false, kLeadStep), p) << "not pressing";
}

TEST(StrokeLead, a_target_that_wanders_less_than_the_lead_moves_nothing) {
    StrokeLead lead;
    const glm::dvec3 start{0.1, 0.2, 0.3};
    lead.follow(start, kLead, false, kLeadStep);
    std::mt19937 random(9);
    std::uniform_real_distribution<double> off(-0.5 * kLead, 0.5 * kLead);
    for (int i = 0; i < 100; ++i) {
        const glm::dvec3 now =
            lead.follow(start + glm::dvec3(off(random), off(random), 0), kLead, true, kLeadStep);
        ASSERT_LT(glm::distance(now, start), 1e-12) << i;
    }
}

TEST(StrokeLead, after_the_stroke_the_hand_returns_smoothly_and_exactly) {
    StrokeLead lead;
    lead.follow({0, 0, 0}, kLead, true, kLeadStep);
    const glm::dvec3 target{0.1, 0, 0};
    glm::dvec3 before = lead.follow(target, kLead, true, kLeadStep);
    EXPECT_NEAR(before.x, 0.09, 1e-12);
    int frames = 0;
    for (; before != target && frames < 60; ++frames) {
        const glm::dvec3 now = lead.follow(target, kLead, false, kLeadStep);
        ASSERT_LE(glm::distance(now, before), 0.3 * kLead) << "no jump";
        ASSERT_GE(now.x, before.x);
        before = now;
    }
    EXPECT_LE(frames, 24);
    EXPECT_GT(frames, 5);
}

TEST(StrokeLead, a_second_stroke_starts_where_the_hand_is) {
    StrokeLead lead;
    lead.follow({0, 0, 0}, kLead, true, kLeadStep);
    lead.follow({0.1, 0, 0}, kLead, true, kLeadStep);
    const glm::dvec3 free = lead.follow({0.1, 0, 0}, kLead, false, kLeadStep);
    EXPECT_NEAR(glm::distance(lead.follow({0.1, 0, 0}, kLead, true, kLeadStep), free), 0, 1e-12);
    lead.reset();
    EXPECT_EQ(lead.follow({0.5, 0, 0}, kLead, true, kLeadStep), glm::dvec3(0.5, 0, 0));
}

TEST(HandPressure, a_slow_hand_presses_fully_and_a_fast_one_lightly) {
    EXPECT_EQ(pressure_of_speed(0), 1);
    EXPECT_EQ(pressure_of_speed(0.05), 1);
    EXPECT_FLOAT_EQ(pressure_of_speed(0.5), 0.2f);
    EXPECT_FLOAT_EQ(pressure_of_speed(50), 0.2f);
    for (double speed = 0; speed < 1; speed += 0.01)
        EXPECT_GE(pressure_of_speed(speed), pressure_of_speed(speed + 0.01)) << speed;
}

TEST(HandPressure, the_speed_is_that_of_the_fingertip_in_metres_of_the_real_hand) {
    const auto speed_of = [](double metres_per_second, float scale) {
        HandSpeed speed;
        double out = -1;
        for (int i = 0; i < 60; ++i) {
            HandPose pose;
            pose.wrist.x = static_cast<double>(scale) * metres_per_second * i * kLeadStep;
            HandState hand = pose_hand(pose);
            hand.scale = scale;
            out = speed.update(hand, kLeadStep);
            if (i == 0) {
                EXPECT_EQ(out, 0) << "nothing is known yet";
            }
        }
        return out;
    };
    EXPECT_NEAR(speed_of(0.3, 1), 0.3, 1e-6);
    EXPECT_NEAR(speed_of(0.3, 4), 0.3, 1e-6);
    EXPECT_EQ(speed_of(0, 1), 0);
}

}  // namespace
}  // namespace claybox::engine
