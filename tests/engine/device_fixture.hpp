#pragma once
// All sources of logical devices, fed by tests.

#include "engine/input/hand_features.hpp"
#include "engine/input/mapping/logical_devices.hpp"
#include "engine/input/network/network_source.hpp"
#include "engine/input/sources/gamepad_source.hpp"
#include "engine/input/sources/track.hpp"
#include "engine/input/sources/window_source.hpp"
#include "engine/input/sources/xr_source.hpp"

#include <gtest/gtest.h>

namespace claybox::engine {

struct DeviceRig {
    KeyboardSource keyboard;
    MouseSource mouse;
    GamepadSource gamepad;
    HeadsetSource headset;
    ControllerSource controllers;
    NetworkSource network;
    TrackSource track;
    LogicalDevices devices;

    WindowInput window;
    GamepadState pad;
    HeadsetInput input;
    bool headset_on = false;
    double now = 0;

    explicit DeviceRig(std::span<const DeviceDeclaration> declared = {}, std::string_view track_text = {})
        : devices((load_track(track_text), declared),
                  {&keyboard, &mouse, &gamepad, &headset, &controllers, &network, &track}) {}

    /// Runs one frame of 1/60 s with the current inputs.
    void frame() {
        now += 1.0 / 60;
        keyboard.feed(window);
        mouse.feed(window);
        gamepad.feed(pad);
        if (headset_on) {
            headset.feed(input);
            controllers.feed(input);
        }
        devices.update(now);
        window.presses.clear();
    }
    void key(int number, bool down, bool control = false) {
        window.keys.set(static_cast<std::size_t>(number), down);
        if (down) window.presses.push_back({number, control, false});
    }
    void load(const std::string& text) {
        std::string error;
        ASSERT_TRUE(devices.load(text, "map", error)) << error;
    }
    std::string load_error(const std::string& text) {
        std::string error;
        EXPECT_FALSE(devices.load(text, "map.txt", error)) << text;
        return error;
    }
    const Reading& poll(const char* name) const { return devices.poll(name); }
    /// Events of one device in the last frame.
    std::vector<Reading> events(const char* name) const {
        std::vector<Reading> out;
        for (const DeviceEvent& e : devices.events())
            if (devices.devices()[e.device].name == name) out.push_back(e.reading);
        return out;
    }

  private:
    void load_track(std::string_view text) {
        std::string error;
        if (!text.empty() && !track.load(text, "track.jsonl", error)) ADD_FAILURE() << error;
    }
};

/// Joints of a modelled hand.
inline HandJoints make_hand(const std::array<float, 5>& curl, const glm::dvec3& wrist = {0, 1, 0},
                            bool left = false) {
    HandPose pose;
    pose.curl = curl;
    pose.wrist = wrist;
    pose.left = left;
    return joints_from_pose(pose);
}

}  // namespace claybox::engine
