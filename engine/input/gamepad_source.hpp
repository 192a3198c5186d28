#pragma once
// A gamepad with the layout that GLFW gives every known one.

#include "engine/input/gamepad_state.hpp"
#include "engine/input/input_source.hpp"

namespace claybox::engine {

/// Buttons by their names on an Xbox pad; sticks -1 .. 1, right and down positive; triggers 0 .. 1.
class GamepadSource final : public InputSource {
  public:
    GamepadSource();
    void feed(const GamepadState& state) { state_ = state; }
    void update(double now) override;
    std::string state() const override { return state_.present ? state_.name.data() : "not connected"; }

  private:
    GamepadState state_;
};

}  // namespace claybox::engine
