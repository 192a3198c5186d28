#include "engine/hand/hand_model.hpp"

#include <algorithm>

namespace claybox::engine {

namespace {

constexpr double kDegree = 0.017453292519943295;

/// Measures of a finger in millimetres; right hand, wrist frame. Bones run from joint to joint; the tip adds
/// its radius.
struct Finger {
    double root[3];
    double bone[3];
    double radius[3];
    double fan;  ///< degrees to the thumb's side at full spread
};

// Mean adult hand: 190 mm from the wrist to the tip of the middle finger, 84 mm across the knuckles.
constexpr Finger kFinger[4] = {
    {{-28, 1, -90}, {43, 25, 15.5}, {9.4, 8.4, 7.6}, 9},
    {{-8, 3, -94}, {46, 28, 16}, {9.6, 8.6, 7.8}, 2},
    {{12, 2, -90}, {42, 26, 16}, {9.2, 8.2, 7.4}, -6},
    {{30, -2, -81}, {33, 19, 14}, {8.2, 7.2, 6.5}, -15},
};
constexpr Finger kThumb = {{-24, -6, -22}, {44, 31, 20}, {12.5, 10.4, 9.2}, 0};
constexpr double kPalmLength = 88, kPalmRadius = 14;

// Flexion of the three joints from straight to fist, degrees: natural limits of a finger and of a thumb.
constexpr double kFingerFlex[3] = {84, 102, 62};
constexpr double kThumbFlex[3] = {26, 48, 62};
// A relaxed straight finger is slightly bent.
constexpr double kRestFlex[3] = {4, 5, 3};

/// Rotation about a local axis. Sine and cosine of the half angle come from their power series, so recorded
/// runs have the same bits on every machine. The error is rounding error for half angles below 60 degrees,
/// enough for a hand.
glm::dquat turn(double degrees, const glm::dvec3& axis) {
    const double half = 0.5 * degrees * kDegree, square = half * half;
    double sine = 0, cosine = 0;
    for (int k = 20; k > 0; k -= 2) {  // Horner scheme, smallest term first
        cosine = 1 - square / (k * (k - 1)) * (k == 20 ? 1 : cosine);
        sine = 1 - square / (k * (k + 1)) * (k == 20 ? 1 : sine);
    }
    return glm::dquat(cosine, axis * (sine * half));
}

/// Positive flexion bends towards the palm, -Y.
glm::dquat flex(double degrees) {
    return turn(-degrees, {1, 0, 0});
}
glm::dquat fan(double degrees) {
    return turn(degrees, {0, 1, 0});
}
glm::dquat roll(double degrees) {
    return turn(degrees, {0, 0, 1});
}

/// Places the three parts of a finger, starting at `part`; each joint bends by `bend` degrees.
void place_chain(const Finger& finger, glm::dquat rotation, const double (&bend)[3], HandPart* part) {
    glm::dvec3 joint = glm::dvec3(finger.root[0], finger.root[1], finger.root[2]) * 1e-3;
    for (int i = 0; i < 3; ++i) {
        rotation = glm::normalize(rotation * flex(bend[i]));
        const double length = finger.bone[i] * 1e-3;
        part[i] = {joint, rotation, static_cast<float>(finger.radius[i] * 1e-3), static_cast<float>(length)};
        joint += rotation * glm::dvec3(0, 0, -length);
    }
}

void place_finger(const Finger& finger, double curl, double spread, HandPart* part) {
    double bend[3];
    for (int i = 0; i < 3; ++i) bend[i] = kRestFlex[i] + curl * (kFingerFlex[i] - kRestFlex[i]);
    // Curled fingers are parallel, whatever the spread.
    place_chain(finger, fan(finger.fan * spread * (1 - 0.8 * curl)), bend, part);
}

void place_thumb(double curl, double spread, HandPart* part) {
    double bend[3];
    for (int i = 0; i < 3; ++i) bend[i] = 2 + curl * (kThumbFlex[i] - 2);
    // The saddle joint swings the thumb from the side of the palm to its front, and turns the nail outward.
    const double side = 38 + 22 * spread - 14 * curl, down = 14 + 24 * curl, turn = 52 + 12 * curl;
    place_chain(kThumb, fan(side) * flex(down) * roll(turn), bend, part);
}

void mirror(HandState& state) {
    for (HandPart& part : state.part) {
        part.position.x = -part.position.x;
        part.rotation = glm::dquat(part.rotation.w, part.rotation.x, -part.rotation.y, -part.rotation.z);
    }
}

}  // namespace

glm::dvec3 tip_of(const HandPart& part) {
    return part.position + part.rotation * glm::dvec3(0, 0, -static_cast<double>(part.length));
}

double pinch_of(const glm::dvec3& thumb_tip, const glm::dvec3& index_tip, float both_radii) {
    constexpr double kOpenGap = 0.06;  // metres; a gap of this size or more counts as fully open
    const double gap = glm::distance(thumb_tip, index_tip) - static_cast<double>(both_radii);
    return std::clamp(1 - gap / kOpenGap, 0.0, 1.0);
}

float pinch_of(const HandState& state) {
    const HandPart &thumb = state.part[kThumbTipPart], &index = state.part[kIndexTipPart];
    return static_cast<float>(pinch_of(tip_of(thumb), tip_of(index), thumb.radius + index.radius));
}

HandState pose_hand(const HandPose& pose) {
    HandState state;
    state.present = true;
    state.left = pose.left;
    state.part[0] = {glm::dvec3(0), glm::dquat(1, 0, 0, 0), static_cast<float>(kPalmRadius * 1e-3),
                     static_cast<float>(kPalmLength * 1e-3)};
    const double spread = std::clamp(static_cast<double>(pose.spread), 0.0, 1.0);
    std::array<double, 5> curl;
    for (std::size_t f = 0; f < 5; ++f) curl[f] = std::clamp(static_cast<double>(pose.curl[f]), 0.0, 1.0);
    place_thumb(curl[0], spread, &state.part[1]);
    for (std::size_t f = 0; f < 4; ++f) place_finger(kFinger[f], curl[f + 1], spread, &state.part[4 + 3 * f]);

    state.pinch = pinch_of(state);
    state.grip = static_cast<float>((curl[1] + curl[2] + curl[3] + curl[4]) / 4);

    if (pose.left) mirror(state);
    for (HandPart& part : state.part) {
        part.position = pose.wrist + pose.rotation * part.position;
        part.rotation = glm::normalize(pose.rotation * part.rotation);
    }
    return state;
}

HandState rest_hand() {
    return pose_hand({});
}

std::array<float, 5> relaxed_curl() {
    return {0.20f, 0.14f, 0.18f, 0.24f, 0.30f};
}

HandPose with_pinch(HandPose pose, float amount) {
    // Found by a search over both curls: the tips touch and the pads face each other.
    constexpr float kThumbPinch = 0.35f, kIndexPinch = 0.57f;
    pose.curl[0] += (std::max(kThumbPinch, pose.curl[0]) - pose.curl[0]) * amount;
    pose.curl[1] += (std::max(kIndexPinch, pose.curl[1]) - pose.curl[1]) * amount;
    return pose;
}

HandPose with_grip(HandPose pose, float amount) {
    for (float& curl : pose.curl) curl += (1 - curl) * amount;
    return pose;
}

}  // namespace claybox::engine
