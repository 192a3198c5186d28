#include "engine/hand/hand_filter.hpp"

#include <algorithm>
#include <numbers>

namespace claybox::engine {

namespace {

// At half strength. Tests hold these against jitter and lag: 0.5 mm of noise falls to 0.2 mm, and a hand of
// 2 m/s lags by less than 4 mm.
constexpr double kRestCutoff = 0.8;      // Hz, of a hand at rest
constexpr double kCutoffPerSpeed = 100;  // Hz per m/s
constexpr double kSpeedCutoff = 4;       // Hz, of the speed itself
constexpr double kJump = 0.25;           // metres between two samples: tracking has found the hand elsewhere
constexpr double kSettled = 1e-6;        // metres, and sine of half an angle: nobody sees the rest

double smoothing(double cutoff, double dt) {
    const double t = 2 * std::numbers::pi * cutoff * dt;
    return t / (t + 1);
}

glm::dquat nearer_sign(const glm::dquat& q, const glm::dquat& to) {
    return glm::dot(q, to) < 0 ? -q : q;
}

void approach(float& value, float target, double share) {
    value += static_cast<float>(share) * (target - value);
}

void approach(HandPart& part, const HandPart& target, double share) {
    part.position += share * (target.position - part.position);
    const glm::dquat turned = nearer_sign(target.rotation, part.rotation);
    part.rotation = glm::normalize(part.rotation + (turned - part.rotation) * share);
    approach(part.radius, target.radius, share);
    approach(part.length, target.length, share);
}

bool is_settled(const HandPart& a, const HandPart& b) {
    const glm::dquat off = nearer_sign(a.rotation, b.rotation) - b.rotation;
    const double sizes = static_cast<double>(std::abs(a.radius - b.radius) + std::abs(a.length - b.length));
    return glm::distance(a.position, b.position) + sizes < kSettled && glm::length(off) < kSettled;
}

bool is_settled(const HandState& a, const HandState& b) {
    for (std::size_t i = 0; i < a.part.size(); ++i)
        if (!is_settled(a.part[i], b.part[i])) return false;
    return static_cast<double>(std::abs(a.pinch - b.pinch) + std::abs(a.grip - b.grip)) < kSettled;
}

}  // namespace

HandFilter::Points HandFilter::points_of(const HandState& hand) {
    Points out{hand.part[0].position};
    for (std::size_t finger = 0; finger < 5; ++finger) out[finger + 1] = tip_of(hand.part[3 + 3 * finger]);
    return out;
}

bool HandFilter::starts_again(const HandState& hand) const {
    return !out_.present || hand.left != out_.left || hand.scale != out_.scale ||
           !(glm::distance(hand.part[0].position, last_[0]) < kJump * static_cast<double>(hand.scale));
}

double HandFilter::cutoff(const Points& now, double scale, double strength, double dt) {
    const double share = smoothing(kSpeedCutoff, dt);
    double fastest = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        velocity_[i] += share * ((now[i] - last_[i]) / dt - velocity_[i]);
        fastest = std::max(fastest, glm::length(velocity_[i]) / scale);
    }
    return (kRestCutoff + kCutoffPerSpeed * fastest) * 0.5 / strength;
}

const HandState& HandFilter::update(const HandState& hand, double strength, double dt) {
    if (!hand.present) {
        reset();
        return out_ = hand;
    }
    const Points now = points_of(hand);
    if (!(strength > 0) || starts_again(hand)) {
        velocity_ = {};
        out_ = hand;
    } else if (dt > 0) {
        const double share =
            smoothing(cutoff(now, static_cast<double>(hand.scale), std::min(strength, 1.0), dt), dt);
        for (std::size_t i = 0; i < hand.part.size(); ++i) approach(out_.part[i], hand.part[i], share);
        approach(out_.pinch, hand.pinch, share);
        approach(out_.grip, hand.grip, share);
        if (is_settled(out_, hand)) out_ = hand;
    } else {
        return out_;
    }
    last_ = now;
    return out_;
}

HandState HandFilter::preview(const HandState& hand, double strength, double dt) const {
    HandFilter copy = *this;
    return copy.update(hand, strength, dt);
}

}  // namespace claybox::engine
