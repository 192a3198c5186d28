#pragma once

#include "engine/input/gamepad_source.hpp"
#include "engine/input/network_source.hpp"
#include "engine/input/space_mouse.hpp"
#include "engine/input/track.hpp"
#include "engine/input/window_source.hpp"
#include "engine/input/xr_source.hpp"

namespace claybox::app {

/// Every physical source that the program has, in the order in which it is shown.
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
