#pragma once
// Named features of a tracked hand: the 20 joint angles of the thesis, curls, pinch and grip, and the 26
// joints.

#include "engine/input/input_source.hpp"

namespace claybox::engine {

inline constexpr int kHandAngleCount = 20;
/// Four angles per finger, from thumb to little finger, radians: bend and spread at the root, then the bends
/// of the next two joints. Bends are positive towards the palm, spreads towards the thumb. Requires all
/// joints to be valid.
using HandAngles = std::array<double, kHandAngleCount>;
HandAngles hand_angles(const HandJoints& hand);

/// The feature's number for a name ("index_bend", "index_curl", "pinch", "index_tip"); empty for unknown
/// names.
std::optional<std::size_t> hand_feature(std::string_view name);
/// All names, by number.
const std::vector<std::string>& hand_feature_names();
/// `value` for angles (radians), curls, pinch and grip (0 .. 1); `space` for joints.
DeviceClass hand_feature_class(std::size_t feature);
/// Not valid when the hand is inactive or a required joint is invalid.
Reading read_hand_feature(const HandJoints& hand, std::size_t feature);

/// OpenXR's name of a joint in lower case, without prefix: "index_proximal".
const std::string& joint_name(std::size_t joint);

/// Rotates a frame by the shortest turn so that its -Z points along `direction`.
glm::dquat aimed(const glm::dquat& rotation, const glm::dvec3& direction);

}  // namespace claybox::engine
