#include "engine/input/sources/mouse_hand.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::engine {

namespace {

constexpr double kWheelStep =
    0.006;  // metres per notch; fine enough for surfaces, ten notches per hand thickness
constexpr double kMaxOffset = 0.25;     // metres; limit of the wheel's offset
constexpr double kReachSeconds = 0.10;  // a brisk poke: 46 mm, about 3 frames faster than a person
constexpr double kPinchSeconds = 0.12;
constexpr double kCurlSeconds = 0.25;
constexpr double kFollowSeconds = 0.05;  // smooths depth jumps where the ray crosses an outline

double approach(double value, double target, double seconds, double dt) {
    const double step = dt / seconds;
    return value < target ? std::min(target, value + step) : std::max(target, value - step);
}

double smooth(double t) {
    return t * t * (3 - 2 * t);
}

/// The hand with its curls, wrist at the origin, without depth motion.
HandPose curled(const MouseHand& hand, const MouseHandSetup& setup) {
    HandPose pose = setup.rest;
    for (std::size_t f = 0; f < 5; ++f) {
        pose.curl[f] += (1 - pose.curl[f]) * static_cast<float>(smooth(hand.curl[f]));
    }
    if (setup.pinches) pose = with_pinch(pose, static_cast<float>(smooth(hand.pinch)));
    return with_grip(pose, static_cast<float>(smooth(hand.grip)));
}

/// The surface depth to follow: a nearer surface at once, so a pointer jump never pushes the finger through
/// it; a farther one smoothly.
double follow_surface(const MouseHand& hand, double surface, double follow) {
    // A poke follows at once, as fast as the button.
    const bool poking = hand.reach > 0 && hand.reach < 1;
    // Metres, invisible. Without an end of the way the program could not sleep for seconds.
    constexpr double kArrived = 1e-6;
    if (hand.surface < 0 || poking || surface < hand.surface + kArrived) return surface;
    return hand.surface + follow * (surface - hand.surface);
}

/// The ray through the fingertip's target, and the surface there.
struct Line {
    glm::dvec3 origin, direction;
    double surface;  ///< negative: none
    glm::dvec3 push;
};

/// Advances the remembered depths and returns the position of the fingertip's centre.
glm::dvec3 place_tip(MouseHand& hand, const MouseHandSetup& setup, const Line& line, double dt) {
    double near_t = 0, far_t = 0;
    if (!clip_ray_to_box(line.origin, line.direction, setup.region_min, setup.region_max, near_t, far_t)) {
        // The ray misses the region: use the region's point nearest to the ray at the last depth.
        const double middle = glm::distance(line.origin, 0.5 * (setup.region_min + setup.region_max));
        near_t = far_t = hand.surface >= 0 ? hand.surface : middle;
    }
    const double follow = 1 - std::exp(-dt / kFollowSeconds);
    if (!setup.holds || hand.surface < 0)
        hand.surface =
            follow_surface(hand, line.surface >= 0 ? line.surface : 0.5 * (near_t + far_t), follow);
    hand.eased_offset += follow * (hand.offset - hand.eased_offset);
    const double place = smooth(hand.reach) * (setup.hover + setup.reach) - setup.hover + hand.eased_offset;
    // In front of the surface the finger stays under the pointer; beyond it, it moves along the push
    // direction.
    const bool own_way = place > 0 && glm::length(line.push) > 0;
    const double along = std::clamp(hand.surface + (own_way ? 0 : place), near_t, far_t);
    const glm::dvec3 tip =
        line.origin + line.direction * along + (own_way ? line.push * place : glm::dvec3(0));
    return glm::clamp(tip, setup.region_min, setup.region_max);
}

}  // namespace

bool clip_ray_to_box(const glm::dvec3& origin, const glm::dvec3& direction, const glm::dvec3& box_min,
                     const glm::dvec3& box_max, double& near_t, double& far_t) {
    near_t = 0;
    far_t = 1e30;
    for (int i = 0; i < 3; ++i) {
        if (std::abs(direction[i]) < 1e-12) {
            if (origin[i] < box_min[i] || origin[i] > box_max[i]) return false;
            continue;
        }
        const double a = (box_min[i] - origin[i]) / direction[i], b = (box_max[i] - origin[i]) / direction[i];
        near_t = std::max(near_t, std::min(a, b));
        far_t = std::min(far_t, std::max(a, b));
    }
    return near_t <= far_t;
}

HandPose move_mouse_hand(MouseHand& hand, const MouseHandSetup& setup, const MouseHandInput& input) {
    const double dt = std::clamp(input.dt, 0.0, 0.1);
    hand.offset = std::clamp(hand.offset + input.wheel * kWheelStep, -kMaxOffset, kMaxOffset);
    hand.reach = approach(hand.reach, input.left ? 1 : 0, kReachSeconds, dt);
    hand.pinch = approach(hand.pinch, input.left ? 1 : 0, kPinchSeconds, dt);
    hand.grip = approach(hand.grip, input.right ? 1 : 0, kPinchSeconds, dt);
    for (std::size_t f = 0; f < 5; ++f)
        hand.curl[f] = approach(hand.curl[f], input.curl_key[f] ? 1 : 0, kCurlSeconds, dt);

    const double length = glm::length(input.ray_direction);
    const glm::dvec3 direction = length > 0 ? input.ray_direction / length : glm::dvec3(0, 0, -1);
    const double surface = input.touch ? glm::dot(*input.touch - input.ray_origin, direction) : -1;
    const glm::dvec3 origin = input.touch ? *input.touch - direction * surface : input.ray_origin;
    const glm::dvec3 tip = place_tip(hand, setup, {origin, direction, surface, input.push}, dt);
    HandPose pose = curled(hand, setup);
    // The anchor is the tip at rest curl: curling fingers must not move the hand. Only a pinch shifts it,
    // because the pinch closes at the pointer.
    HandPose anchor = setup.rest;
    if (setup.pinches) anchor = with_pinch(anchor, static_cast<float>(smooth(hand.pinch)));
    anchor.wrist = glm::dvec3(0);
    pose.wrist = tip - tip_of(pose_hand(anchor).part[kIndexTipPart]);
    return pose;
}

}  // namespace claybox::engine
