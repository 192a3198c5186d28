#pragma once

#include "engine/input/network/network_source.hpp"
#include "engine/input/sources/gamepad_source.hpp"
#include "engine/input/sources/space_mouse.hpp"
#include "engine/input/sources/track.hpp"
#include "engine/input/sources/window_source.hpp"
#include "engine/input/sources/xr_source.hpp"

namespace claybox::app {

/// All physical sources of the program, in display order.
struct Sources {
    engine::KeyboardSource keyboard;
    engine::MouseSource mouse;
    engine::GamepadSource gamepad;
    engine::SpaceMouseSource space_mouse;
    engine::HeadsetSource headset;
    engine::ControllerSource controllers;
    engine::NetworkSource network;
    engine::TrackSource track;

    std::vector<engine::InputSource*> all() {
        return {&keyboard, &mouse, &gamepad, &space_mouse, &headset, &controllers, &network, &track};
    }
};

}  // namespace claybox::app
