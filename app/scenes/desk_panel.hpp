#pragma once
// What the desk's controls stand at and what they ask for: toggles, sliders, the dial and the wheels follow
// the running program, and what a finger does with them becomes commands.

#include "app/buttons/widgets.hpp"
#include "app/scenes/desk.hpp"
#include "app/scenes/scene.hpp"

namespace claybox::app {

/// How one control stands now.
struct DeskState {
    double travel = 0;  ///< metres
    double glow = 0;    ///< of the nearest fingertip, 0 .. 1
    bool pressed = false, lit = false;
    bool used = true;   ///< false: a slider for which there is no parameter
    double stand = 0;   ///< of a toggle its tilt, of a slider the knob's x, of a dial its angle, of a wheel
                        ///< the entry in the middle
    std::string words;  ///< of sliders and dials
};

/// The entries of a wheel: titles from the registry.
std::span<const std::string> desk_entries(DeskRole wheel);

class DeskPanel {
  public:
    DeskPanel();
    /// The program as it runs: whatever no finger holds shows it.
    void follow(const collision::WorldSettings& settings, bool all_fingers);
    /// A key or toggle was pressed.
    void press(std::uint32_t control, double time, std::vector<Command>& out);
    /// A finger has touched a slider, the dial or a wheel, goes straight along it, and has left it.
    void touch(std::uint32_t control, const FacePoint& at, double time, std::vector<Command>& out);
    void drag(std::uint32_t control, const FacePoint& from, const FacePoint& to, double time,
              std::vector<Command>& out);
    void leave(std::uint32_t control, double time, std::vector<Command>& out);
    /// A pinch turns the dial; radians, clockwise.
    void twist(double angle, std::vector<Command>& out);
    void end_twist();
    void settle(double dt);
    /// All but what the press board knows.
    void show(std::uint32_t control, double time, DeskState& state) const;

  private:
    /// The parameter of a slider: null where its table has none.
    const collision::Parameter* parameter(const DeskControl& control) const;
    double& value(const DeskControl& control);
    void say(std::uint32_t control, std::vector<Command>& out);
    void shape_sliders();
    std::string scene_text() const;

    std::vector<Toggle> toggles_;
    std::vector<Slider> sliders_;
    std::vector<ChoiceWheel> wheels_;
    Dial dial_;
    bool twists_ = false;
    std::vector<double> fired_;  ///< time of the last press
    collision::WorldSettings settings_;
    std::vector<collision::ParameterValues> scene_values_;  ///< by scene: what its sliders say
    std::size_t scene_ = 0;                                 ///< that the wheel shows
    unsigned workers_ = 1;
};

}  // namespace claybox::app
