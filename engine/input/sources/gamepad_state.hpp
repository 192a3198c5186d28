#pragma once

#include <array>

namespace claybox::engine {

/// A gamepad in one frame, in GLFW's order and signs: triggers rest at -1.
struct GamepadState {
    bool present = false;
    std::array<char, 64> name{};  ///< zero-terminated
    std::array<bool, 15> button{};
    std::array<float, 6> axis{};
};

}  // namespace claybox::engine
