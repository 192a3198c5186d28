#include "app/scenes/body_drag.hpp"

#include <algorithm>

namespace claybox::app {

using collision::Pose;
using collision::Vec3d;

namespace {

constexpr double kMaxSpeed = 0.06, kMaxSpin = 0.35;  // metres and radians per frame: still visible
constexpr double kStill = 2e-4;                      // a slower hand puts the body down

Vec3d limited(const Vec3d& v, double most) {
    const double size = length(v);
    return size > most ? v * (most / size) : v;
}

}  // namespace

Pose moved(const Pose& pose, const FreeMotion& motion) {
    Pose out = pose;
    out.translation = pose.translation + motion.velocity;
    const double angle = length(motion.spin);
    if (angle > 0)
        out.rotation =
            collision::normalized(collision::axis_angle(motion.spin / angle, angle) * pose.rotation);
    return out;
}

void Drag::begin(std::uint32_t body, const Pose& pose) {
    body_ = body;
    poses_.fill(pose);
}

void Drag::follow(const Pose& pose, bool frozen) {
    if (frozen) return poses_.fill(pose);
    std::rotate(poses_.begin(), poses_.begin() + 1, poses_.end());
    poses_.back() = pose;
}

FreeMotion Drag::let_go(bool still) {
    body_ = collision::kNoIndex;
    if (still) return {};
    constexpr double kSteps = kFrames - 1;
    const collision::Screw turn = collision::screw_between(poses_.front(), poses_.back());
    FreeMotion out;
    out.velocity = limited((poses_.back().translation - poses_.front().translation) / kSteps, kMaxSpeed);
    out.spin = limited(turn.axis * (turn.angle / kSteps), kMaxSpin);
    if (length(out.velocity) < kStill) out.velocity = {};
    if (length(out.spin) < 10 * kStill) out.spin = {};
    return out;
}

}  // namespace claybox::app
