#include "engine/hand/hand_selector.hpp"

#include <algorithm>

namespace claybox::engine {

namespace {

constexpr HandSourceInfo kSources[kHandSourceCount] = {
    {HandSource::tracked, "tracked", "Tracked hand"}, {HandSource::controller, "controller", "Controller"},
    {HandSource::network, "network", "Network hand"}, {HandSource::track, "track", "Recorded hand"},
    {HandSource::mouse, "mouse", "Mouse hand"},
};

/// The controller's grip in the frame of the hand that holds it, metres: the middle of the fist.
const glm::dvec3 kGripInHand{0, -0.028, -0.070};

constexpr std::size_t kNone = kHandSourceCount;

std::size_t first_offer(const HandOffers& offers) {
    for (std::size_t i = 0; i < offers.size(); ++i)
        if (offers[i] && offers[i]->present) return i;
    return kNone;
}

}  // namespace

std::span<const HandSourceInfo> hand_sources() {
    return kSources;
}

const HandSourceInfo* HandSelector::source() const {
    return source_ ? &kSources[*source_] : nullptr;
}

const HandState& HandSelector::switch_to(std::size_t source, const HandOffers& offers) {
    const bool jumps = state_.present;
    source_ = source;
    held_ = false;
    lost_ = 0;
    state_ = jumps ? HandState{} : *offers[source];
    return state_;
}

const HandState& HandSelector::without(const HandOffers& offers, double dt) {
    lost_ += std::max(dt, 0.0);
    held_ = state_.present && lost_ <= kHandGrace;
    if (held_) return state_;
    state_ = {};
    if (lost_ <= kHandGrace + kHandFade) return state_;
    source_.reset();
    const std::size_t next = first_offer(offers);
    return next == kNone ? state_ : switch_to(next, offers);
}

const HandState& HandSelector::update(const HandOffers& offers, double dt) {
    if (jumped_) {
        *this = {};
        return state_;
    }
    const std::size_t best = first_offer(offers);
    if (!source_) return best == kNone ? state_ : switch_to(best, offers);
    if (best < *source_) return switch_to(best, offers);
    if (best != *source_) return without(offers, dt);
    // A hand that returns after the grace time is a new hand: presses held before are over.
    held_ = false;
    lost_ = 0;
    state_ = *offers[best];
    return state_;
}

HandPose pose_of_controller(const ControllerGrip& grip) {
    // OpenXR grip frame: -Z from the little finger to the thumb; X through the palm, out of its back on the
    // right hand and out of its front on the left. Hand frame: -Z along the fingers, +Y out of its back.
    const double side = grip.left ? -1 : 1;
    const glm::dquat turn(
        glm::quat_cast(glm::dmat3(glm::dvec3(0, 0, side), glm::dvec3(side, 0, 0), glm::dvec3(0, 1, 0))));
    HandPose pose;
    pose.left = grip.left;
    pose.rotation = glm::normalize(grip.rotation * turn);
    pose.wrist = grip.position - pose.rotation * kGripInHand;
    pose.curl = relaxed_curl();
    const float squeeze = std::clamp(grip.squeeze, 0.0f, 1.0f),
                trigger = std::clamp(grip.trigger, 0.0f, 1.0f);
    pose = with_pinch(pose, trigger * (1 - squeeze));
    for (std::size_t f = 2; f < 5; ++f) pose.curl[f] += (1 - pose.curl[f]) * squeeze;
    // Pointing: the forefinger is straight while the others close around the controller.
    pose.curl[1] += (trigger - pose.curl[1]) * squeeze;
    return pose;
}

}  // namespace claybox::engine
