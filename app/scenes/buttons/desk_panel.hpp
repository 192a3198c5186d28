#pragma once
// State of the desk's controls. Toggles, sliders, the dial and the wheels follow the running program; fingers
// on them produce commands.

#include "app/buttons/widgets.hpp"
#include "app/scenes/buttons/desk.hpp"
#include "app/scenes/scene.hpp"

namespace claybox::app {

/// Visible state of one control.
struct DeskState {
    double travel = 0;  ///< metres
    double glow = 0;    ///< of the nearest fingertip, 0 .. 1
    bool pressed = false, lit = false;
    bool used = true;  ///< false: a slider without parameter
    double position =
        0;  ///< tilt of a toggle, x of a slider knob, angle of a dial, entry in the middle of a wheel
    std::string caption;  ///< of sliders and dials
};

/// Entries of a wheel: titles from the registry.
std::span<const std::string> desk_entries(DeskRole wheel);

/// Group of settings of the right slider column.
enum class DeskGroup : unsigned char { algorithm, broad_phase, bounds, module, program };
inline constexpr std::size_t kDeskGroups = 5;

class DeskPanel {
  public:
    DeskPanel();
    /// Adopts the state of the running program for all controls that no finger holds. `own`: parameters of
    /// the desk's own scene; `program`: values of program_parameters().
    void follow(const collision::WorldSettings& settings, const collision::ParameterValues& own,
                const collision::ParameterValues& program);
    /// A key or toggle has fired.
    void press(std::uint32_t control, double time, std::vector<Command>& out);
    /// A finger touches a slider, the dial or a wheel, moves straight on it, and leaves it.
    void touch(std::uint32_t control, const FacePoint& at, double time, std::vector<Command>& out);
    void drag(std::uint32_t control, const FacePoint& from, const FacePoint& to, double time,
              std::vector<Command>& out);
    void leave(std::uint32_t control, double time, std::vector<Command>& out);
    /// Tracking of the finger ended on the control: values that it has set stay, a wheel chooses nothing.
    void lose(std::uint32_t control);
    /// A pinch turns the dial by `angle` radians clockwise.
    void twist(double angle, std::vector<Command>& out);
    void end_twist();
    void settle(double dt);
    /// Fills in `state` except for the fields that come from the press board.
    void show(std::uint32_t control, double time, DeskState& state) const;
    /// Heading of a slider column (scene_parameter or setting): "Settings of the broad phase, 1 of 2".
    std::string heading(DeskRole column) const;

  private:
    std::span<const collision::Parameter> group_table(DeskGroup group) const;
    std::span<const collision::Parameter> table(DeskRole column) const;
    std::size_t pages(DeskRole column) const;
    /// Index of a slider's parameter in its table.
    std::size_t table_index(const DeskControl& slider) const;
    /// Parameter of a slider; null if its table has none.
    const collision::Parameter* parameter(const DeskControl& slider) const;
    const collision::ParameterValues& values(DeskRole column) const;
    double& value(const DeskControl& slider);
    void follow_control(std::size_t control);
    void press_page(DeskRole role);
    void press_switch(const DeskControl& toggle, bool on, std::vector<Command>& out) const;
    void send(std::uint32_t control, std::vector<Command>& out);
    void send_wheel(const DeskControl& wheel, std::size_t chosen, std::vector<Command>& out);
    void send_setting(std::uint32_t slider, std::vector<Command>& out);
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
    std::vector<collision::ParameterValues> scene_values_;  ///< per scene: values of its sliders
    std::array<collision::ParameterValues, kDeskGroups> group_values_;
    std::size_t own_ = 0, fingers_ = 0;  ///< index of the desk's own scene, and of its parameter "fingers"
    std::size_t scene_ = 0;              ///< scene of the wheel
    std::size_t scene_page_ = 0, page_ = 0;
    DeskGroup group_ = DeskGroup::algorithm;
    std::vector<const collision::Parameter*> shown_;  ///< per control: parameter of the slider
    std::vector<double> sent_;  ///< per control: last value that a finger on the slider has set
    unsigned workers_ = 1;
};

}  // namespace claybox::app
