#include "engine/hand/hand_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace claybox::engine {
namespace {

constexpr double kMillimetre = 1e-3;

HandPose curled(float c) {
    HandPose pose;
    pose.curl = {c, c, c, c, c};
    return pose;
}

TEST(HandModel, has_the_size_of_an_adult_hand) {
    const HandState hand = rest_hand();
    EXPECT_TRUE(hand.present);
    const HandPart& middle = hand.part[9];
    const double reach = glm::length(tip_of(middle)) + static_cast<double>(middle.radius);
    EXPECT_NEAR(reach, 190 * kMillimetre, 6 * kMillimetre);
    for (const HandPart& part : hand.part) {
        EXPECT_GT(part.radius, 0.006f);
        EXPECT_GT(part.length, 0.013f);
    }
}

TEST(HandModel, parts_of_a_finger_are_connected_at_every_curl) {
    for (float c = 0; c <= 1.0f; c += 0.125f) {
        const HandState hand = pose_hand(curled(c));
        for (std::size_t finger = 0; finger < 5; ++finger) {
            for (std::size_t i = 1 + 3 * finger; i < 3 + 3 * finger; ++i) {
                EXPECT_LT(glm::distance(tip_of(hand.part[i]), hand.part[i + 1].position), 1e-7)
                    << i << " curl " << c;
            }
        }
    }
}

TEST(HandModel, fingers_point_along_minus_z_and_bend_towards_the_palm) {
    const HandState straight = rest_hand();
    const HandState fist = pose_hand(curled(1));
    for (std::size_t tip : {6u, 9u, 12u, 15u}) {
        EXPECT_LT(tip_of(straight.part[tip]).z, -0.14);
        EXPECT_LT(tip_of(fist.part[tip]).y, -0.01);
        EXPECT_GT(tip_of(fist.part[tip]).z, -0.08) << "fingertips of a fist are near the palm";
    }
    EXPECT_LT(tip_of(straight.part[kThumbTipPart]).x, -0.06) << "a right hand's thumb points to -X";
    EXPECT_LT(straight.grip, 0.01f);
    EXPECT_GT(fist.grip, 0.99f);
}

TEST(HandModel, pinch_brings_thumb_and_forefinger_together) {
    HandPose rest;
    rest.curl = relaxed_curl();
    const HandState open = pose_hand(rest), closed = pose_hand(with_pinch(rest, 1));
    const auto gap = [](const HandState& h) {
        return glm::distance(tip_of(h.part[kThumbTipPart]), tip_of(h.part[kIndexTipPart])) -
               static_cast<double>(h.part[kThumbTipPart].radius + h.part[kIndexTipPart].radius);
    };
    EXPECT_GT(gap(open), 0.02);
    EXPECT_LT(std::abs(gap(closed)), 2.5 * kMillimetre);
    EXPECT_GT(closed.pinch, 0.95f);
    EXPECT_LT(open.pinch, 0.7f);
}

TEST(HandModel, left_hand_is_the_mirror_image) {
    HandPose pose = curled(0.4f);
    const HandState right = pose_hand(pose);
    pose.left = true;
    const HandState left = pose_hand(pose);
    for (std::size_t i = 0; i < right.part.size(); ++i) {
        const glm::dvec3 r = tip_of(right.part[i]), l = tip_of(left.part[i]);
        EXPECT_NEAR(l.x, -r.x, 1e-12) << i;
        EXPECT_NEAR(l.y, r.y, 1e-12) << i;
        EXPECT_NEAR(l.z, r.z, 1e-12) << i;
    }
}

TEST(HandModel, follows_the_wrist_rigidly_and_stays_finite_outside_the_limits) {
    HandPose pose = curled(0.3f);
    const HandState at_origin = pose_hand(pose);
    pose.wrist = {0.3, -0.2, 1.5};
    pose.rotation = glm::angleAxis(1.2, glm::normalize(glm::dvec3(1, 2, -1)));
    const HandState moved = pose_hand(pose);
    for (std::size_t i = 0; i < moved.part.size(); ++i) {
        const glm::dvec3 expected = pose.wrist + pose.rotation * tip_of(at_origin.part[i]);
        EXPECT_LT(glm::distance(tip_of(moved.part[i]), expected), 1e-12);
    }
    pose.curl = {-3, 7, 2, -1, 9};
    pose.spread = 40;
    for (const HandPart& part : pose_hand(pose).part)
        EXPECT_LT(glm::distance(part.position, pose.wrist), 0.2);
}

}  // namespace
}  // namespace claybox::engine
