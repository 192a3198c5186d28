#include "engine/input/input_source.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::engine {

namespace {

constexpr const char* kClassNames[kDeviceClassCount] = {"button",      "choice", "value", "location",
                                                        "orientation", "space",  "hand"};

constexpr double kPushed = 0.5;    // share of a stick's travel that counts as deliberate
constexpr double kTurned = 0.3;    // change of a control that stays where it is put; its range is 1
constexpr double kCarried = 0.08;  // metres, for a tracker

/// Whether somebody moved the channel's control on purpose.
bool moved(const Channel& channel, const Reading& then) {
    const Reading& now = channel.now;
    if (!now.valid) return false;
    switch (channel.type) {
        case DeviceClass::button:
            return now.presses > 0 || (now.down && !then.down);
        case DeviceClass::value:
            if (now.presses > 0) return true;
            if (channel.rests) return std::abs(now.number) > kPushed && std::abs(then.number) <= kPushed;
            return then.valid && std::abs(now.number - then.number) > kTurned;
        case DeviceClass::location:
        case DeviceClass::space:
            return then.valid && glm::distance(now.position, then.position) > kCarried;
        case DeviceClass::orientation:
            return then.valid && std::abs(glm::dot(now.rotation, then.rotation)) < 0.95;
        case DeviceClass::hand:
            return !then.valid;
        case DeviceClass::choice:
            return now.choice != then.choice;
    }
    return false;
}

/// Whether a channel can drive a device of that class without modifiers.
bool fits(const Channel& channel, DeviceClass wanted) {
    const bool pose = channel.type == DeviceClass::space;
    switch (wanted) {
        case DeviceClass::button:
            return channel.type == DeviceClass::button ||
                   (channel.type == DeviceClass::value && channel.rests);
        case DeviceClass::choice:
            return channel.type == DeviceClass::button;
        case DeviceClass::location:
        case DeviceClass::orientation:
            return channel.type == wanted || pose;
        default:
            return channel.type == wanted;
    }
}

}  // namespace

const char* to_string(DeviceClass type) {
    return kClassNames[static_cast<std::size_t>(type)];
}

std::optional<DeviceClass> device_class(std::string_view name) {
    for (int i = 0; i < kDeviceClassCount; ++i)
        if (name == kClassNames[i]) return static_cast<DeviceClass>(i);
    return std::nullopt;
}

std::optional<std::size_t> InputSource::open(std::string_view name) {
    for (std::size_t i = 0; i < channels_.size(); ++i)
        if (channels_[i].name == name) return i;
    return std::nullopt;
}

std::string InputSource::expected() const {
    constexpr std::size_t kShown = 8;
    std::string out;
    for (std::size_t i = 0; i < std::min(kShown, channels_.size()); ++i)
        out += (i > 0 ? ", " : "") + channels_[i].name;
    return out + (channels_.size() > kShown ? " ..." : "");
}

std::optional<std::string> InputSource::moved_since(const std::vector<Reading>& then,
                                                    DeviceClass wanted) const {
    const Reading unknown;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        const Channel& channel = channels_[i];
        if (fits(channel, wanted) && moved(channel, i < then.size() ? then[i] : unknown)) return channel.name;
    }
    return std::nullopt;
}

std::size_t InputSource::add(std::string name, DeviceClass type, bool rests) {
    channels_.push_back({std::move(name), type, rests, {}});
    return channels_.size() - 1;
}

void InputSource::invalidate_all() {
    for (Channel& channel : channels_) {
        channel.now.valid = false;
        channel.now.presses = 0;
    }
}

void InputSource::set_button(std::size_t channel, bool down) {
    channels_[channel].now.valid = true;
    channels_[channel].now.down = down;
}

void InputSource::set_value(std::size_t channel, double number) {
    Reading& now = channels_[channel].now;
    now.valid = std::isfinite(number);
    if (now.valid) now.number = number;
}

void InputSource::set_pose(std::size_t channel, const glm::dvec3& position, const glm::dquat& rotation) {
    Reading& now = channels_[channel].now;
    now.valid = is_finite(position) && is_rotation(rotation);
    if (!now.valid) return;
    now.position = position;
    now.rotation = glm::normalize(rotation);
}

bool is_finite(const glm::dvec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

bool is_rotation(const glm::dquat& q) {
    const double square = glm::dot(q, q);
    return square > 1e-6 && square < 1e6;  // false for anything that is not finite
}

}  // namespace claybox::engine
