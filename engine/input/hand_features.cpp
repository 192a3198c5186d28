#include "engine/input/hand_features.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::engine {

namespace {

constexpr double kDegree = 0.017453292519943295;
constexpr std::size_t kCurls = kHandAngleCount, kPinch = kCurls + 5, kGrip = kPinch + 1, kJoints = kGrip + 1;
constexpr const char* kFingers[5] = {"thumb", "index", "middle", "ring", "little"};
// Sums of the joint bends of a straight finger and of a fist, for the modelled hand (hand_model.cpp).
constexpr double kFingerStraight = 12 * kDegree, kFingerFist = 248 * kDegree;
constexpr double kThumbStraight = 4 * kDegree, kThumbFist = 110 * kDegree;

/// The joint where a finger leaves the hand: the thumb's first, the others' second.
std::size_t root_joint(std::size_t finger) {
    return finger == 0 ? joint::kThumbMetacarpal : joint::kIndexMetacarpal + 5 * (finger - 1) + 1;
}

double angle_between(const glm::dvec3& a, const glm::dvec3& b) {
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

std::vector<std::string> make_names() {
    std::vector<std::string> names;
    for (const char* finger : kFingers)
        for (const char* angle : {"_bend", "_spread", "_bend2", "_bend3"})
            names.push_back(std::string(finger) + angle);
    for (const char* finger : kFingers) names.push_back(std::string(finger) + "_curl");
    names.insert(names.end(), {"pinch", "grip", "palm", "wrist"});
    for (std::size_t f = 0; f < 5; ++f)
        for (const char* bone : {"_metacarpal", "_proximal", "_intermediate", "_distal", "_tip"})
            if (f > 0 || std::string_view(bone) != "_intermediate")
                names.push_back(kFingers[f] + std::string(bone));
    return names;
}

bool all_valid(const HandJoints& hand) {
    return hand.active && std::all_of(hand.joint.begin(), hand.joint.end(), [](const HandJoint& j) {
               return j.valid && is_finite(j.position) && is_rotation(j.rotation);
           });
}

/// 0 straight .. 1 fist, from the bends after the root and, except for the thumb, at the root.
double curl_of(const HandAngles& angles, std::size_t finger) {
    const double* a = &angles[4 * finger];
    if (finger == 0)
        return std::clamp((a[2] + a[3] - kThumbStraight) / (kThumbFist - kThumbStraight), 0.0, 1.0);
    return std::clamp((a[0] + a[2] + a[3] - kFingerStraight) / (kFingerFist - kFingerStraight), 0.0, 1.0);
}

double number_of(const HandJoints& hand, std::size_t feature) {
    if (feature == kPinch) {
        const HandJoint &thumb = hand.joint[joint::kThumbTip], &index = hand.joint[joint::kIndexTip];
        return pinch_of(thumb.position, index.position, thumb.radius + index.radius);
    }
    const HandAngles angles = hand_angles(hand);
    if (feature < kCurls) return angles[feature];
    if (feature < kPinch) return curl_of(angles, feature - kCurls);
    double grip = 0;
    for (std::size_t f = 1; f < 5; ++f) grip += curl_of(angles, f) / 4;
    return grip;
}

}  // namespace

glm::dquat aimed(const glm::dquat& rotation, const glm::dvec3& direction) {
    const double length = glm::length(direction);
    if (!(length > 1e-9)) return rotation;
    const glm::dvec3 from = rotation * glm::dvec3(0, 0, -1), to = direction / length;
    // Half-way rotation: the sum of the unit quaternions of the whole rotation and of the identity.
    glm::dquat turn(1 + glm::dot(from, to), glm::cross(from, to));
    if (turn.w < 1e-9)
        turn = glm::dquat(0, rotation * glm::dvec3(0, 1, 0));  // opposite directions: any half turn
    return glm::normalize(glm::normalize(turn) * rotation);
}

HandAngles hand_angles(const HandJoints& hand) {
    const glm::dquat to_hand = glm::conjugate(hand.joint[joint::kWrist].rotation);
    HandAngles out{};
    for (std::size_t f = 0; f < 5; ++f) {
        glm::dvec3 bone[3];
        for (std::size_t i = 0; i < 3; ++i) {
            const HandJoint* at = &hand.joint[root_joint(f) + i];
            bone[i] = to_hand * (at[1].position - at[0].position);
        }
        const double side = hand.left ? bone[0].x : -bone[0].x;
        out[4 * f] = std::atan2(-bone[0].y, -bone[0].z);
        out[4 * f + 1] = std::atan2(side, std::hypot(bone[0].y, bone[0].z));
        out[4 * f + 2] = angle_between(bone[0], bone[1]);
        out[4 * f + 3] = angle_between(bone[1], bone[2]);
    }
    return out;
}

const std::vector<std::string>& hand_feature_names() {
    static const std::vector<std::string> kNames = make_names();
    return kNames;
}

std::optional<std::size_t> hand_feature(std::string_view name) {
    const auto& names = hand_feature_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
}

const std::string& joint_name(std::size_t j) {
    return hand_feature_names()[kJoints + j];
}

DeviceClass hand_feature_class(std::size_t feature) {
    return feature < kJoints ? DeviceClass::value : DeviceClass::space;
}

Reading read_hand_feature(const HandJoints& hand, std::size_t feature) {
    Reading out;
    if (feature < kJoints) {
        out.valid = all_valid(hand);
        if (out.valid) out.number = number_of(hand, feature);
        out.valid = out.valid && std::isfinite(out.number);
        return out;
    }
    const HandJoint& j = hand.joint[feature - kJoints];
    out.valid = hand.active && j.valid && is_finite(j.position) && is_rotation(j.rotation);
    out.position = j.position;
    out.rotation = j.rotation;
    return out;
}

}  // namespace claybox::engine
