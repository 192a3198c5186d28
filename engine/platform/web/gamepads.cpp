// Browsers lay out every gamepad that they know like GLFW does, but for the triggers, which are buttons
// there. So this reads the browser's own state.

#include "engine/platform/gamepads.hpp"

#include <cstring>
#include <emscripten/html5.h>
#include <iterator>

namespace claybox::engine {

namespace {

// Places in the "standard" layout of browsers, in GLFW's order: A B X Y, bumpers, back, start, guide, thumbs,
// up right down left.
constexpr int kButtons[] = {0, 1, 2, 3, 4, 5, 8, 9, 16, 10, 11, 12, 15, 13, 14};
constexpr int kLeftTrigger = 6, kRightTrigger = 7, kSticks = 4;

}  // namespace

GamepadState read_gamepad() {
    GamepadState out;
    if (emscripten_sample_gamepad_data() != EMSCRIPTEN_RESULT_SUCCESS) return out;
    for (int pad = 0; pad < emscripten_get_num_gamepads() && !out.present; ++pad) {
        EmscriptenGamepadEvent state;
        if (emscripten_get_gamepad_status(pad, &state) != EMSCRIPTEN_RESULT_SUCCESS) continue;
        if (std::strcmp(state.mapping, "standard") != 0) continue;
        out.present = true;
        std::strncpy(out.name.data(), state.id, out.name.size() - 1);
        static_assert(std::size(kButtons) == std::tuple_size_v<decltype(out.button)>);
        for (std::size_t i = 0; i < out.button.size(); ++i)
            out.button[i] = state.digitalButton[kButtons[i]] != 0;
        for (std::size_t i = 0; i < kSticks; ++i) out.axis[i] = static_cast<float>(state.axis[i]);
        const auto trigger = [&](int button) {
            return static_cast<float>(2 * state.analogButton[button] - 1);
        };
        out.axis[kSticks] = trigger(kLeftTrigger);
        out.axis[kSticks + 1] = trigger(kRightTrigger);
    }
    return out;
}

}  // namespace claybox::engine
