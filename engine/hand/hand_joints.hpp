#pragma once
// The 26 joints of a tracked hand, in the order of OpenXR's XR_EXT_hand_tracking, and the 16 parts made of
// them.

#include "engine/hand/hand_model.hpp"

namespace claybox::engine {

inline constexpr int kHandJointCount = 26;

/// Numbers as in XrHandJointEXT: palm, wrist, thumb of four, then fingers of five each, base first.
namespace joint {
inline constexpr std::size_t kPalm = 0, kWrist = 1, kThumbMetacarpal = 2, kThumbTip = 5, kIndexMetacarpal = 6,
                             kIndexTip = 10, kMiddleMetacarpal = 11, kMiddleTip = 15, kRingMetacarpal = 16,
                             kRingTip = 20, kLittleMetacarpal = 21, kLittleTip = 25;
}

/// A joint's frame as OpenXR defines it: -Z roughly towards the fingertip, +Y out of the back of the hand;
/// world frame, metres.
struct HandJoint {
    glm::dvec3 position{0};
    glm::dquat rotation{1, 0, 0, 0};
    float radius = 0;    ///< from the joint's centre to the skin
    bool valid = false;  ///< position and orientation both
};

struct HandJoints {
    bool active = false;  ///< false: everything else means nothing
    bool left = false;
    std::array<HandJoint, kHandJointCount> joint;
};

/// The parts that lie on the joints: a finger's from its proximal joint to its tip, the thumb's from its
/// metacarpal on, the palm from the wrist to the knuckles. Not present when the hand is not active, or a
/// joint that a part needs is not valid, not finite, farther than 100 m away, or has a bone that nobody has.
/// Radii are clamped to those of people.
HandState hand_from_joints(const HandJoints& joints);

/// The joints of a modelled hand, for sources that have only a pose and for tests: hand_from_joints() of them
/// gives the same parts up to rounding.
HandJoints joints_from_pose(const HandPose& pose);

}  // namespace claybox::engine
