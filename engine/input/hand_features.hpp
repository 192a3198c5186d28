#pragma once
// What a tracked hand can be asked for by name: the 20 angles of the thesis' hand, curls, pinch and grip, and
// each of the 26 joints.

#include "engine/input/input_source.hpp"

namespace claybox::engine {

inline constexpr int kHandAngleCount = 20;
/// Of each finger from thumb to little finger four angles in radians: bend and spread where it leaves the
/// hand, bend of the two joints after that. Bends are positive towards the palm, spreads towards the thumb's
/// side. Only for a hand whose joints are all valid.
using HandAngles = std::array<double, kHandAngleCount>;
HandAngles hand_angles(const HandJoints& hand);

/// Number of a feature by its name ("index_bend", "index_curl", "pinch", "index_tip"); nothing for another
/// word.
std::optional<std::size_t> hand_feature(std::string_view name);
/// Every name in order.
const std::vector<std::string>& hand_feature_names();
/// value for angles (radians), curls, pinch and grip (0 .. 1); space for joints.
DeviceClass hand_feature_class(std::size_t feature);
/// Not valid when the hand is not active or a joint that is needed is not valid.
Reading read_hand_feature(const HandJoints& hand, std::size_t feature);

/// The name of a joint as OpenXR has it, in lower case without its prefix: "index_proximal".
const std::string& joint_name(std::size_t joint);

/// Points -Z of a frame along a direction by the shortest turn.
glm::dquat aimed(const glm::dquat& rotation, const glm::dvec3& direction);

}  // namespace claybox::engine
