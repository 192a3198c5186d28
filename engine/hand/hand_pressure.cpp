#include "engine/hand/hand_pressure.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::engine {

namespace {

constexpr double kSlow = 0.05, kFast = 0.5;  // m/s: shaping a detail, and sweeping over the clay
constexpr double kLightest = 0.2;
constexpr double kSmoothSeconds = 0.05;

}  // namespace

float pressure_of_speed(double metres_per_second) {
    const double t = std::clamp((metres_per_second - kSlow) / (kFast - kSlow), 0.0, 1.0);
    return static_cast<float>(1 - (1 - kLightest) * t * t * (3 - 2 * t));
}

double HandSpeed::update(const HandState& hand, double dt) {
    const glm::dvec3 tip = tip_of(hand.part[kIndexTipPart]);
    if (tip_ && dt > 0) {
        const double now = glm::distance(tip, *tip_) / (dt * static_cast<double>(hand.scale));
        speed_ += (now - speed_) * (1 - std::exp(-dt / kSmoothSeconds));
    }
    tip_ = tip;
    return speed_;
}

}  // namespace claybox::engine
