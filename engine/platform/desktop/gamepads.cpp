#include "engine/platform/gamepads.hpp"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstring>

namespace claybox::engine {

GamepadState read_gamepad() {
    GamepadState out;
    for (int pad = GLFW_JOYSTICK_1; pad <= GLFW_JOYSTICK_LAST && !out.present; ++pad) {
        GLFWgamepadstate state;
        if (glfwJoystickPresent(pad) != GLFW_TRUE || glfwGetGamepadState(pad, &state) != GLFW_TRUE) continue;
        out.present = true;
        if (const char* name = glfwGetGamepadName(pad))
            std::strncpy(out.name.data(), name, out.name.size() - 1);
        for (std::size_t i = 0; i < out.button.size(); ++i) out.button[i] = state.buttons[i] == GLFW_PRESS;
        std::copy(std::begin(state.axes), std::end(state.axes), out.axis.begin());
    }
    return out;
}

}  // namespace claybox::engine
