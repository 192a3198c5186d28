#pragma once

#include "engine/input/gamepad_state.hpp"

namespace claybox::engine {

/// The first gamepad whose layout GLFW knows, as it is now. Main thread, while a window is open; a gamepad
/// that was plugged in is seen after Window::poll().
GamepadState read_gamepad();

}  // namespace claybox::engine
