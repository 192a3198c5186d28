#include "engine/hand/stroke_lead.hpp"

#include <cmath>

namespace claybox::engine {

namespace {

constexpr double kReturnSeconds = 0.05;  // time constant of the way back to the target
constexpr double kArrived = 1e-3;        // share of the lead; nobody sees the rest

}  // namespace

glm::dvec3 StrokeLead::follow(const glm::dvec3& target, double length, bool pressing, double dt) {
    const bool on_lead = pressing && length > 0;
    if (on_lead && target_) slack_ += *target_ - target;  // the hand stays where it is
    target_ = target;
    const double taut = glm::length(slack_);
    if (on_lead) {
        if (taut > length) slack_ *= length / taut;
    } else if (taut > 0) {
        slack_ *= std::exp(-dt / kReturnSeconds);
        if (!(glm::length(slack_) > kArrived * length)) slack_ = {0, 0, 0};
    }
    return slack_ == glm::dvec3(0) ? target : target + slack_;
}

}  // namespace claybox::engine
