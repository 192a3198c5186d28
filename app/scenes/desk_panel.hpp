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

/// What the right column of sliders sets.
enum class DeskGroup : unsigned char { algorithm, broad_phase, bounds, module, program };
inline constexpr std::size_t kDeskGroups = 5;

class DeskPanel {
  public:
    DeskPanel();
    /// The program as it runs: whatever no finger holds shows it. `own` are the parameters of the desk's own
    /// scene, `program` those of program_parameters().
    void follow(const collision::WorldSettings& settings, const collision::ParameterValues& own,
                const collision::ParameterValues& program);
    /// A key or toggle was pressed.
    void press(std::uint32_t control, double time, std::vector<Command>& out);
    /// A finger has touched a slider, the dial or a wheel, goes straight along it, and has left it.
    void touch(std::uint32_t control, const FacePoint& at, double time, std::vector<Command>& out);
    void drag(std::uint32_t control, const FacePoint& from, const FacePoint& to, double time,
              std::vector<Command>& out);
    void leave(std::uint32_t control, double time, std::vector<Command>& out);
    /// The finger got lost on it: what it has set stays, and nothing is chosen.
    void lose(std::uint32_t control);
    /// A pinch turns the dial; radians, clockwise.
    void twist(double angle, std::vector<Command>& out);
    void end_twist();
    void settle(double dt);
    /// All but what the press board knows.
    void show(std::uint32_t control, double time, DeskState& state) const;
    /// What a column of sliders (scene_parameter or setting) is about, and which page of it: "Settings of the
    /// broad phase, 1 of 2".
    std::string heading(DeskRole column) const;

  private:
    std::span<const collision::Parameter> group_table(DeskGroup group) const;
    std::span<const collision::Parameter> table(DeskRole column) const;
    std::size_t pages(DeskRole column) const;
    /// Which entry of its table a slider is about.
    std::size_t place(const DeskControl& slider) const;
    /// The parameter of a slider: null where its table has none.
    const collision::Parameter* parameter(const DeskControl& slider) const;
    const collision::ParameterValues& values(DeskRole column) const;
    double& value(const DeskControl& slider);
    void follow_control(std::size_t control);
    void press_page(DeskRole role);
    void press_switch(const DeskControl& toggle, bool on, std::vector<Command>& out) const;
    void say(std::uint32_t control, std::vector<Command>& out);
    void say_wheel(const DeskControl& wheel, std::size_t chosen, std::vector<Command>& out);
    void say_setting(std::uint32_t slider, std::vector<Command>& out);
    void show_group(DeskGroup group);
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
    std::array<collision::ParameterValues, kDeskGroups> group_values_;
    std::size_t own_ = 0, fingers_ = 0;  ///< the desk's own scene, and its parameter of fingers
    std::size_t scene_ = 0;              ///< that the wheel shows
    std::size_t scene_page_ = 0, page_ = 0;
    DeskGroup group_ = DeskGroup::algorithm;
    std::vector<const collision::Parameter*> shown_;  ///< by control: of a slider
    std::vector<double> said_;  ///< by control: the value that a finger on the slider has set last
    unsigned workers_ = 1;
};

}  // namespace claybox::app
