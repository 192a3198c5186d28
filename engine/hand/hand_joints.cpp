#include "engine/hand/hand_joints.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::engine {

namespace {

// Limits of bone lengths and radii, metres: from a small child's hand to a very large one.
constexpr double kShortestBone = 0.004, kLongestBone = 0.120, kLongestPalm = 0.200;
constexpr float kThinnestFinger = 0.003f, kThickestFinger = 0.020f;
constexpr float kThinnestPalm = 0.008f, kThickestPalm = 0.025f;
constexpr double kFarthest = 100;  // metres; some runtimes report hands 2 km away

// The palm's part ends before the knuckles, as in the model: 88 of 94 mm.
constexpr double kPalmShare = 88.0 / 94.0;
// Half the thickness of the flat palm; the model's palm is round.
constexpr float kModelPalmRadius = 0.014f;

/// The first joint of each finger's three parts.
constexpr std::size_t kFirstJoint[5] = {joint::kThumbMetacarpal, joint::kIndexMetacarpal + 1,
                                        joint::kMiddleMetacarpal + 1, joint::kRingMetacarpal + 1,
                                        joint::kLittleMetacarpal + 1};

bool is_good(const HandJoint& j) {
    if (!j.valid || !std::isfinite(j.radius)) return false;
    for (int i = 0; i < 3; ++i)
        if (!(std::abs(j.position[i]) < kFarthest)) return false;
    const double norm = glm::dot(j.rotation, j.rotation);
    return std::abs(norm - 1) < 0.05;
}

/// Rotation with -Z along `forward` and +Y as close to `up` as possible; false when the two are parallel.
bool look_along(const glm::dvec3& forward, const glm::dvec3& up, glm::dquat& rotation) {
    const double length = glm::length(forward);
    const glm::dvec3 z = -forward / length;
    const glm::dvec3 side = glm::cross(up, z);
    const double across = glm::length(side);
    if (!(across > 1e-3)) return false;
    const glm::dvec3 x = side / across;
    rotation = glm::normalize(glm::quat_cast(glm::dmat3(x, glm::cross(z, x), z)));
    return true;
}

bool place_bone(const HandJoint& from, const HandJoint& to, HandPart& part) {
    if (!is_good(from) || !is_good(to)) return false;
    const glm::dvec3 bone = to.position - from.position;
    const double length = glm::length(bone);
    if (!(length > kShortestBone && length < kLongestBone)) return false;
    part.position = from.position;
    part.length = static_cast<float>(length);
    part.radius = std::clamp(to.radius, kThinnestFinger, kThickestFinger);
    return look_along(bone, from.rotation * glm::dvec3(0, 1, 0), part.rotation);
}

bool place_palm(const HandJoints& hand, HandPart& part) {
    const HandJoint &wrist = hand.joint[joint::kWrist], &palm = hand.joint[joint::kPalm];
    const HandJoint& knuckle = hand.joint[joint::kMiddleMetacarpal + 1];
    if (!is_good(wrist) || !is_good(knuckle)) return false;
    part.position = wrist.position;
    part.rotation = glm::normalize(wrist.rotation);
    const double length =
        -glm::dot(knuckle.position - wrist.position, part.rotation * glm::dvec3(0, 0, 1)) * kPalmShare;
    if (!(length > 5 * kShortestBone && length < kLongestPalm)) return false;
    part.length = static_cast<float>(length);
    part.radius = is_good(palm) ? std::clamp(palm.radius, kThinnestPalm, kThickestPalm) : kModelPalmRadius;
    return true;
}

bool place_parts(const HandJoints& joints, HandState& state) {
    if (!place_palm(joints, state.part[0])) return false;
    for (std::size_t finger = 0; finger < 5; ++finger) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t from = kFirstJoint[finger] + i;
            if (!place_bone(joints.joint[from], joints.joint[from + 1], state.part[1 + 3 * finger + i]))
                return false;
        }
    }
    return true;
}

double angle_between(const HandPart& a, const HandPart& b) {
    const glm::dvec3 forward(0, 0, -1);
    return std::acos(std::clamp(glm::dot(a.rotation * forward, b.rotation * forward), -1.0, 1.0));
}

/// Mean bend of the four fingers without the thumb: 0 straight .. 1 fist.
double mean_bend(const HandState& state) {
    constexpr double kFist = 248 * 0.017453292519943295;  // sum over the three joints of a finger
    double sum = 0;
    for (std::size_t f = 0; f < 4; ++f) {
        const HandPart* part = &state.part[4 + 3 * f];
        const double bend = angle_between(state.part[0], part[0]) + angle_between(part[0], part[1]) +
                            angle_between(part[1], part[2]);
        sum += std::min(bend / kFist, 1.0);
    }
    return sum / 4;
}

}  // namespace

HandState hand_from_joints(const HandJoints& joints) {
    HandState state;
    state.left = joints.left;
    if (!joints.active || !place_parts(joints, state)) return state;
    state.present = true;
    state.pinch = pinch_of(state);
    state.grip = static_cast<float>(mean_bend(state));
    return state;
}

HandJoints joints_from_pose(const HandPose& pose) {
    const HandState state = pose_hand(pose);
    HandJoints out;
    out.active = true;
    out.left = pose.left;
    const HandPart& palm = state.part[0];
    const auto set = [&](std::size_t number, const glm::dvec3& at, const glm::dquat& rotation, float radius) {
        out.joint[number] = {at, rotation, radius, true};
    };
    set(joint::kWrist, palm.position, palm.rotation, palm.radius);
    set(joint::kPalm, 0.5 * (palm.position + tip_of(palm)), palm.rotation, palm.radius);
    for (std::size_t finger = 0; finger < 5; ++finger) {
        const HandPart* part = &state.part[1 + 3 * finger];
        const std::size_t first = kFirstJoint[finger];
        // Metacarpals have no part of their own: they start a quarter of the way from the wrist to the
        // knuckle.
        if (finger > 0)
            set(first - 1, palm.position + 0.25 * (part[0].position - palm.position), palm.rotation,
                palm.radius);
        // A joint has the radius of the bone that ends there.
        for (std::size_t i = 0; i < 3; ++i)
            set(first + i, part[i].position, part[i].rotation, part[i > 0 ? i - 1 : 0].radius);
        set(first + 3, tip_of(part[2]), part[2].rotation, part[2].radius);
    }
    return out;
}

}  // namespace claybox::engine
