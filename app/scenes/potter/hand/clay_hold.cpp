#include "app/scenes/potter/hand/clay_hold.hpp"

#include <algorithm>

namespace claybox::app {

using collision::Pose;
using collision::Vec3d;

void ClayHold::take(std::size_t part, const HandInput& hand, const Pose& clay, const Vec3d& contact,
                    const Vec3d& outward) {
    active_ = true;
    pinched_ = false;
    part_ = part;
    at_ = contact;
    outward_ = outward;
    most_pinch_ = hand.pinch;
    const Pose& pose = hand.part[part];
    const Vec3d in_world = clay.translation + collision::rotate(clay.rotation, contact);
    in_part_ = collision::rotate(collision::conjugate(pose.rotation), in_world - pose.translation);
}

Vec3d ClayHold::target(const HandInput& hand, const Pose& clay) const {
    const Pose& pose = hand.part[part_];
    const Vec3d in_world = pose.translation + collision::rotate(pose.rotation, in_part_);
    return collision::rotate(collision::conjugate(clay.rotation), in_world - clay.translation);
}

Vec3d ClayHold::follow(const HandInput& hand, const Pose& clay, double longest) {
    most_pinch_ = std::max(most_pinch_, hand.pinch);
    pinched_ = pinched_ || hand.pinch >= kPinched;
    if (!active_ || !hand.present || (pinched_ && hand.pinch < most_pinch_ - kOpen)) {
        active_ = false;
        return {};
    }
    if (pinched_ && hand.pinch < most_pinch_ - kOpens) return {};
    Vec3d way = target(hand, clay) - at_;
    const double lifted = dot(way, outward_);
    if (!pinched_ && lifted > kLiftOff) {
        active_ = false;
        return {};
    }
    if (!pinched_ && lifted > 0) way -= outward_ * lifted;
    const double length = collision::length(way);
    if (!(length > 0)) return {};
    if (length > longest) way *= longest / length;
    at_ += way;
    return way;
}

}  // namespace claybox::app
