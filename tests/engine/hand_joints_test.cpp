#include "engine/hand/hand_joints.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace claybox::engine {
namespace {

HandPose some_pose(std::mt19937& random, bool left) {
    std::uniform_real_distribution<double> unit(-1, 1);
    std::uniform_real_distribution<float> share(0, 1);
    HandPose pose;
    pose.left = left;
    pose.wrist = {unit(random), unit(random), unit(random)};
    const double z = unit(random), y = unit(random), x = unit(random), w = 1.1 + unit(random);
    pose.rotation = glm::normalize(glm::dquat(w, x, y, z));
    for (float& curl : pose.curl) curl = share(random);
    pose.spread = share(random);
    return pose;
}

TEST(HandJoints, APP_hand_parts_match_the_joints) {
    std::mt19937 random(11);
    for (int i = 0; i < 200; ++i) {
        const HandPose pose = some_pose(random, i % 2 == 1);
        const HandState modelled = pose_hand(pose), made = hand_from_joints(joints_from_pose(pose));
        ASSERT_TRUE(made.present);
        EXPECT_EQ(made.left, pose.left);
        for (std::size_t p = 0; p < made.part.size(); ++p) {
            const HandPart &a = modelled.part[p], &b = made.part[p];
            EXPECT_LT(glm::distance(a.position, b.position), 1e-12) << p;
            EXPECT_GT(std::abs(glm::dot(a.rotation, b.rotation)), 1 - 1e-9) << p;
            EXPECT_NEAR(a.length, b.length, 1e-6f) << p;
            EXPECT_NEAR(a.radius, b.radius, 1e-7f) << p;
        }
        EXPECT_NEAR(modelled.pinch, made.pinch, 1e-5f);
    }
}

TEST(HandJoints, grip_follows_the_fingers) {
    HandPose open, fist;
    fist.curl = {1, 1, 1, 1, 1};
    EXPECT_LT(hand_from_joints(joints_from_pose(open)).grip, 0.2f);
    EXPECT_GT(hand_from_joints(joints_from_pose(fist)).grip, 0.8f);
}

TEST(HandJoints, an_inactive_hand_is_not_present) {
    HandJoints joints = joints_from_pose({});
    joints.active = false;
    EXPECT_FALSE(hand_from_joints(joints).present);
}

TEST(HandJoints, every_required_joint_must_be_valid) {
    const HandJoints good = joints_from_pose({});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t j = 0; j < kHandJointCount; ++j) {
        const bool metacarpal = j == joint::kIndexMetacarpal || j == joint::kMiddleMetacarpal ||
                                j == joint::kRingMetacarpal || j == joint::kLittleMetacarpal;
        const bool needed = !metacarpal && j != joint::kPalm;
        HandJoints bad = good;
        bad.joint[j].valid = false;
        EXPECT_EQ(hand_from_joints(bad).present, !needed) << j;
        if (!needed) continue;
        bad = good;
        bad.joint[j].position.y = nan;
        EXPECT_FALSE(hand_from_joints(bad).present) << j;
        bad = good;
        bad.joint[j].position += glm::dvec3(2000, 0, 0);
        EXPECT_FALSE(hand_from_joints(bad).present) << j;
        bad = good;
        bad.joint[j].rotation = {0, 0, 0, 0};
        EXPECT_FALSE(hand_from_joints(bad).present) << j;
        bad = good;
        bad.joint[j].radius = std::numeric_limits<float>::infinity();
        EXPECT_FALSE(hand_from_joints(bad).present) << j;
    }
}

TEST(HandJoints, impossible_bone_lengths_are_rejected) {
    HandJoints joints = joints_from_pose({});
    joints.joint[joint::kIndexTip].position = joints.joint[joint::kIndexTip - 1].position;
    EXPECT_FALSE(hand_from_joints(joints).present);
    joints = joints_from_pose({});
    joints.joint[joint::kIndexTip].position += glm::dvec3(0, 0, -0.3);
    EXPECT_FALSE(hand_from_joints(joints).present);
}

TEST(HandJoints, radii_are_clamped_to_human_ones) {
    HandJoints joints = joints_from_pose({});
    for (HandJoint& j : joints.joint) j.radius = 0.5f;
    HandState state = hand_from_joints(joints);
    ASSERT_TRUE(state.present);
    for (const HandPart& part : state.part) EXPECT_LE(part.radius, 0.025f);
    for (HandJoint& j : joints.joint) j.radius = 0;
    state = hand_from_joints(joints);
    for (const HandPart& part : state.part) EXPECT_GE(part.radius, 0.003f);
}

}  // namespace
}  // namespace claybox::engine
