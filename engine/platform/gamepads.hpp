#pragma once

#include "engine/input/sources/gamepad_state.hpp"

namespace claybox::engine {

/// State of the first gamepad whose layout GLFW knows. Main thread, while a window is open; a newly
/// plugged-in gamepad appears after Window::poll().
GamepadState read_gamepad();

}  // namespace claybox::engine
