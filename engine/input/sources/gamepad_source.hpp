#pragma once
// A gamepad in GLFW's standard layout.

#include "engine/input/input_source.hpp"
#include "engine/input/sources/gamepad_state.hpp"

namespace claybox::engine {

/// Xbox button names; sticks -1 .. 1, right and down positive; triggers 0 .. 1.
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
