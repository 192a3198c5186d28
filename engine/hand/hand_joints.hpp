#pragma once
// The 26 joints of a tracked hand, in the order of OpenXR's XR_EXT_hand_tracking, and their conversion to 16
// parts.

#include "engine/hand/hand_model.hpp"

namespace claybox::engine {

inline constexpr int kHandJointCount = 26;

/// Numbers as in XrHandJointEXT: palm, wrist, four thumb joints, then five per finger, base first.
namespace joint {
inline constexpr std::size_t kPalm = 0, kWrist = 1, kThumbMetacarpal = 2, kThumbTip = 5, kIndexMetacarpal = 6,
                             kIndexTip = 10, kMiddleMetacarpal = 11, kMiddleTip = 15, kRingMetacarpal = 16,
                             kRingTip = 20, kLittleMetacarpal = 21, kLittleTip = 25;
}

/// A joint's frame as in OpenXR: -Z roughly towards the fingertip, +Y out of the back of the hand. World
/// frame, metres.
struct HandJoint {
    glm::dvec3 position{0};
    glm::dquat rotation{1, 0, 0, 0};
    float radius = 0;    ///< from the joint's centre to the skin
    bool valid = false;  ///< both position and orientation are valid
};

struct HandJoints {
    bool active = false;  ///< false: the other members are undefined
    bool left = false;
    std::array<HandJoint, kHandJointCount> joint;
};

/// Parts from joints: a finger from its proximal joint to its tip, the thumb from its metacarpal, the palm
/// from the wrist to the knuckles. Not present when the hand is inactive, or when a required joint is
/// invalid, not finite, more than 100 m away, or has an impossible bone length. Radii are clamped to human
/// ones.
HandState hand_from_joints(const HandJoints& joints);

/// Joints of a modelled hand, for sources with only a pose and for tests. hand_from_joints() recovers the
/// same parts up to rounding.
HandJoints joints_from_pose(const HandPose& pose);

}  // namespace claybox::engine
