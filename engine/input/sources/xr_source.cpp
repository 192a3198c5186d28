#include "engine/input/sources/xr_source.hpp"

#include "engine/hand/hand_selector.hpp"

#include <algorithm>

namespace claybox::engine {

namespace {

constexpr const char* kSides[2] = {"left", "right"};
constexpr std::size_t kHead = 2;
/// Channels of one controller, in order.
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

ControllerGrip grip_of(const ControllerInput& in, bool left) {
    ControllerGrip grip;
    grip.position = in.grip.position;
    grip.rotation = glm::normalize(in.grip.rotation);
    grip.trigger = static_cast<float>(std::clamp(in.trigger, 0.0, 1.0));
    grip.squeeze = static_cast<float>(std::clamp(in.squeeze, 0.0, 1.0));
    grip.left = left;
    return grip;
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
    if (!fed_) return invalidate_all();
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
    return channels_[kHead].now.valid ? "no tracked hand" : "no headset";
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
    if (!fed_) return invalidate_all();
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
    if (hand.valid) hand_[side] = joints_from_pose(pose_of_controller(grip_of(in, side == 0)));
    hand.hand = &hand_[side];
}

std::string ControllerSource::state() const {
    const bool left = channels_[kTrigger].now.valid, right = channels_[kPerSide + kTrigger].now.valid;
    if (left && right) return "both controllers";
    if (left || right) return left ? "left controller" : "right controller";
    return "no controller";
}

}  // namespace claybox::engine
