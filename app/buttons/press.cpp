#include "app/buttons/press.hpp"

#include "collision/core/ids.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::kNoIndex;
using collision::Vec3d;

namespace {

constexpr double kSampleStep = 0.001;  // metres between samples of a way: a tenth of the travel
constexpr int kMaxSamples = 256;  // a quarter of a metre in one frame; faster fingers are sampled coarser
// A lightly underdamped spring: back within 150 ms with one small swing.
constexpr double kSpringRate = 42;      // radians a second
constexpr double kSpringDamping = 0.7;  // of critical
constexpr double kSpringSteps = 480;    // a second: keeps the step well below the spring's own time
constexpr double kLongestSettle = 1;    // seconds; after that it stands still anyway

}  // namespace

PressBoard::PressBoard(std::vector<PressPad> pads, std::uint32_t fingers) : fingers_(fingers) {
    for (const PressPad& pad : pads) {
        Button button;
        button.pad = pad;
        buttons_.push_back(button);
    }
}

void PressBoard::appear(std::uint32_t finger, double time) {
    fingers_[finger] = {kNoIndex, time};
}

void PressBoard::vanish(std::uint32_t finger, double time, std::vector<PressEvent>& out) {
    if (fingers_[finger].button != kNoIndex) let_go(fingers_[finger].button, time, out);
}

void PressBoard::let_go(std::uint32_t button, double time, std::vector<PressEvent>& out) {
    Button& b = buttons_[button];
    if (b.fired || !b.used) {
        out.push_back({b.fired ? PressKind::released : PressKind::left_early, button, b.finger, time});
    }
    if (b.fired) b.released = time;
    fingers_[b.finger].button = kNoIndex;
    b.finger = kNoIndex;
    b.fired = b.used = b.blocked = false;
    b.depth = 0;
}

void PressBoard::move(std::uint32_t finger, std::uint32_t button, const FingerMove& way,
                      const PressRules& rules, std::vector<PressEvent>& out) {
    const Vec3d delta = way.to - way.from;
    const double distance = length(delta);
    if (!std::isfinite(distance)) return;
    const int samples = std::clamp(static_cast<int>(std::ceil(distance / kSampleStep)), 1, kMaxSamples);
    Vec3d before = way.from;
    for (int i = 1; i <= samples; ++i) {
        const double t = static_cast<double>(i) / samples;
        const Vec3d now = i == samples ? way.to : way.from + delta * t;
        sample(finger, button, before, now, way.radius, way.time_from + (way.time_to - way.time_from) * t,
               rules, out);
        before = now;
    }
}

void PressBoard::sample(std::uint32_t finger, std::uint32_t button, const Vec3d& before, const Vec3d& now,
                        double radius, double time, const PressRules& rules, std::vector<PressEvent>& out) {
    Button& b = buttons_[button];
    const double depth = radius - now.z;  // of the ball's lowest point under the face at rest
    if (b.finger != finger) {
        const bool through_front = before.z - radius > 0 && depth >= 0;
        const bool inside = std::abs(now.x) <= b.pad.half_x && std::abs(now.y) <= b.pad.half_y;
        const bool free = b.finger == kNoIndex && fingers_[finger].button == kNoIndex;
        if (!through_front || !inside || !free || time < fingers_[finger].since + rules.reacquire) return;
        b.finger = finger;
        fingers_[finger].button = button;
        out.push_back({PressKind::touched, button, finger, time});
    }
    const bool beside = std::abs(now.x) > b.pad.half_x + radius || std::abs(now.y) > b.pad.half_y + radius;
    const bool through = depth > rules.travel + rules.behind * radius;
    if (depth < 0 || beside || through) return let_go(button, time, out);
    b.depth = std::min(depth, rules.travel);
    press(b, button, time, rules, out);
}

void PressBoard::press(Button& b, std::uint32_t button, double time, const PressRules& rules,
                       std::vector<PressEvent>& out) {
    const double share = b.depth / rules.travel;
    if (share < rules.release_at) {
        b.blocked = false;
        if (b.fired) {
            b.fired = false;
            b.released = time;
            out.push_back({PressKind::released, button, b.finger, time});
        }
    } else if (share >= rules.fire_at && !b.fired && !b.blocked) {
        b.blocked = time < b.released + rules.rearm;
        if (b.blocked) return;
        b.fired = b.used = true;
        out.push_back({PressKind::fired, button, b.finger, time});
    }
}

void PressBoard::settle(double dt, const PressRules& rules) {
    dt = std::clamp(dt, 0.0, kLongestSettle);
    const int steps = std::max(1, static_cast<int>(std::lround(dt * kSpringSteps)));
    const double h = dt / steps;
    for (Button& b : buttons_) {
        for (int i = 0; i < steps; ++i) {
            b.speed += h * (-kSpringRate * kSpringRate * b.cap - 2 * kSpringDamping * kSpringRate * b.speed);
            b.cap += h * b.speed;
        }
        const double floor = b.finger != kNoIndex ? std::min(b.depth, rules.travel) : -rules.travel;
        if (b.cap < floor || b.finger != kNoIndex) {  // the finger holds it down
            b.cap = std::max(b.cap, floor);
            if (b.cap == floor) b.speed = 0;
        }
        b.cap = std::min(b.cap, rules.travel);
    }
}

}  // namespace claybox::app
