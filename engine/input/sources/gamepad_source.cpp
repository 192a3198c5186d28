#include "engine/input/sources/gamepad_source.hpp"

#include <algorithm>

namespace claybox::engine {

namespace {

constexpr const char* kButtons[15] = {"a",     "b",     "x",     "y",          "left_bumper", "right_bumper",
                                      "back",  "start", "guide", "left_thumb", "right_thumb", "up",
                                      "right", "down",  "left"};
constexpr const char* kAxes[6] = {"left_x", "left_y", "right_x", "right_y", "left_trigger", "right_trigger"};
constexpr std::size_t kFirstTrigger = 4;

}  // namespace

GamepadSource::GamepadSource() : InputSource("gamepad") {
    for (const char* name : kButtons) add(name, DeviceClass::button);
    for (const char* name : kAxes) add(name, DeviceClass::value, true);
}

void GamepadSource::update(double) {
    if (!state_.present) return invalidate_all();
    for (std::size_t i = 0; i < state_.button.size(); ++i) set_button(i, state_.button[i]);
    for (std::size_t i = 0; i < state_.axis.size(); ++i) {
        const auto raw = static_cast<double>(state_.axis[i]);
        const double value = std::clamp(i < kFirstTrigger ? raw : 0.5 * (raw + 1), -1.0, 1.0);
        set_value(state_.button.size() + i, value);
    }
}

}  // namespace claybox::engine
