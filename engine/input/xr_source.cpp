#include "engine/input/xr_source.hpp"

#include "engine/input/hand_features.hpp"

#include <algorithm>

namespace claybox::engine {

namespace {

constexpr const char* kSides[2] = {"left", "right"};
constexpr std::size_t kHead = 2;
/// Channels of one controller in order.
enum ControllerChannel : std::size_t {
    kHand,
    kGrip,
    kAim,
    kTrigger,
    kSqueeze,
    kStickX,
    kStickY,
    kPrimary,
    kSecondary,
    kMenu,
    kPerSide
};

// OpenXR's grip lies on the skin of the palm's middle: metres to the wrist of the modelled hand.
constexpr double kWristBehind = 0.05, kWristAbove = 0.014;
constexpr double kGripCurl = 0.25;  // of fingers that rest on a controller

HandPose pose_of(const ControllerInput& in, bool left) {
    HandPose pose;
    pose.left = left;
    // OpenXR's grip: -Z from the little finger's side to the thumb's, +X from the palm to the back on the
    // right hand and the other way on the left. The modelled hand has fingers along -Z and its back at +Y.
    const double side = left ? 0.5 : -0.5;
    pose.rotation = in.grip.rotation * glm::dquat(0.5, -0.5, side, side);
    pose.wrist = in.grip.position + pose.rotation * glm::dvec3(0, kWristAbove, kWristBehind);
    const auto trigger = static_cast<float>(std::clamp(in.trigger, 0.0, 1.0));
    const auto squeeze = static_cast<float>(std::clamp(in.squeeze, 0.0, 1.0));
    const auto rest = static_cast<float>(kGripCurl);
    pose.curl = {rest, rest, rest, rest, rest};
    for (std::size_t f = 2; f < 5; ++f) pose.curl[f] += squeeze * (1 - rest);
    return with_pinch(pose, trigger);
}

}  // namespace

HeadsetSource::HeadsetSource() : InputSource("xr") {
    for (const char* side : kSides) add(side, DeviceClass::hand);
    add("head", DeviceClass::space);
}

void HeadsetSource::feed(const HeadsetInput& input) {
    input_ = input;
    fed_ = true;
}

void HeadsetSource::update(double) {
    if (!fed_) return lose_all();
    fed_ = false;
    for (std::size_t side = 0; side < 2; ++side) {
        input_.hand[side].left = side == 0;
        channels_[side].now.hand = &input_.hand[side];
        channels_[side].now.valid = input_.hand[side].active;
    }
    if (input_.head.valid)
        set_pose(kHead, input_.head.position, input_.head.rotation);
    else
        channels_[kHead].now.valid = false;
}

std::string HeadsetSource::state() const {
    const bool left = channels_[0].now.valid, right = channels_[1].now.valid;
    if (left && right) return "both hands";
    if (left || right) return left ? "left hand" : "right hand";
    return channels_[kHead].now.valid ? "no hand in sight" : "no headset";
}

ControllerSource::ControllerSource() : InputSource("controller") {
    for (const std::string side : kSides) {
        add(side, DeviceClass::hand);
        for (const char* name : {".grip", ".aim"}) add(side + name, DeviceClass::space);
        for (const char* name : {".trigger", ".squeeze", ".stick_x", ".stick_y"})
            add(side + name, DeviceClass::value, true);
        for (const char* name : {".primary", ".secondary", ".menu"}) add(side + name, DeviceClass::button);
    }
}

void ControllerSource::feed(const HeadsetInput& input) {
    input_ = input.controller;
    fed_ = true;
}

void ControllerSource::update(double) {
    if (!fed_) return lose_all();
    fed_ = false;
    for (std::size_t side = 0; side < 2; ++side) update_side(side);
}

void ControllerSource::update_side(std::size_t side) {
    const ControllerInput& in = input_[side];
    const std::size_t first = side * kPerSide;
    if (!in.active) {
        for (std::size_t i = first; i < first + kPerSide; ++i) channels_[i].now.valid = false;
        return;
    }
    const auto pose = [&](std::size_t channel, const TrackedPose& tracked) {
        if (tracked.valid)
            set_pose(first + channel, tracked.position, tracked.rotation);
        else
            channels_[first + channel].now.valid = false;
    };
    pose(kGrip, in.grip);
    pose(kAim, in.aim);
    const double values[] = {in.trigger, in.squeeze, in.stick.x, in.stick.y};
    for (std::size_t i = 0; i < 4; ++i) set_value(first + kTrigger + i, values[i]);
    const bool buttons[] = {in.primary, in.secondary, in.menu};
    for (std::size_t i = 0; i < 3; ++i) set_button(first + kPrimary + i, buttons[i]);
    const bool fingers = channels_[first + kTrigger].now.valid && channels_[first + kSqueeze].now.valid;
    Reading& hand = channels_[first + kHand].now;
    hand.valid = channels_[first + kGrip].now.valid && fingers;
    if (hand.valid) hand_[side] = joints_on_parts(pose_hand(pose_of(in, side == 0)));
    hand.hand = &hand_[side];
}

std::string ControllerSource::state() const {
    const bool left = channels_[kTrigger].now.valid, right = channels_[kPerSide + kTrigger].now.valid;
    if (left && right) return "both controllers";
    if (left || right) return left ? "left controller" : "right controller";
    return "no controller";
}

}  // namespace claybox::engine
