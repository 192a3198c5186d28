#pragma once
// The controls of the button desk: their kinds, places and roles, built from the registries. Desk frame: +X
// to the right, +Y up the slope, +Z out of the face plate; origin in the middle of the plate; metres.

#include "app/buttons/press.hpp"
#include "app/scenes/step.hpp"
#include "app/scenes/view.hpp"
#include "collision/core/parameter.hpp"
#include "collision/module/world.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace claybox::app {

enum class DeskKind : unsigned char { key, small_key, toggle, slider, dial, wheel };

/// Purpose of a control.
enum class DeskRole : unsigned char {
    open,  ///< opens the scene of the wheel with the values of its sliders
    pause,
    step,
    restart,
    next_algorithm,
    theme,
    sound,
    concurrent,
    exact,
    all_fingers,
    parallel,  ///< `index`: which parallel switch
    workers,
    scene,
    algorithm,
    broad_phase,
    scene_parameter,  ///< of the scene of the wheel; `index`: which slider
    setting,          ///< of the shown group; `index`: which slider
    scene_page,       ///< shows the next page of scene settings
    page,             ///< shows the next page of the group
    group,            ///< shows the next group
};

struct DeskControl {
    DeskKind kind = DeskKind::key;
    DeskRole role = DeskRole::pause;
    std::string title;    ///< in events: "Next algorithm"
    std::string line[2];  ///< engraved on a key; a toggle has line[0] below it
    double x = 0, y = 0;  ///< centre of the face, desk frame
    unsigned index = 0;
};

std::span<const DeskControl> desk_controls();
/// Index of the control with this role and index. Precondition: it exists.
std::uint32_t desk_control(DeskRole role, unsigned index = 0);

/// Face of a control, and its height above the plate at rest.
PressPad desk_pad(DeskKind kind);
double desk_height(DeskKind kind);
/// Half sizes of the visible cap.
collision::Vec3f desk_cap_half(DeskKind kind);
/// Convex body of a cap; origin in the centre of its face at rest.
collision::Result<collision::ShapePtr> desk_cap_shape(DeskKind kind);

/// World poses of the desk frame and of a control's face at rest.
collision::Pose world_from_desk();
collision::Pose desk_face(const DeskControl& control);
inline constexpr double kDeskHalfX = 0.226, kDeskHalfY = 0.138, kDeskCase = 0.034;
inline constexpr double kRailHalf = 0.050;    ///< half length of a slider rail, metres
inline constexpr double kKnobHalf = 0.009;    ///< half width of a slider knob
inline constexpr double kDrumRadius = 0.036;  ///< of a wheel
inline constexpr double kDrumPitch = 0.0150;  ///< metres per entry on the surface of a wheel
inline constexpr double kDialTurn = 4.71;     ///< radians between the ends of the dial
inline constexpr unsigned kDeskSliders = 4;   ///< per column
/// Position of the workers dial, 0 .. 1 of its turn, and its inverse. Logarithmic: differences between few
/// workers matter most.
double workers_share(unsigned workers);
unsigned workers_at(double share);

/// A ray in the desk frame.
struct DeskRay {
    collision::Vec3d origin, direction;
};
/// The control whose cap or caption the ray hits first; kNoIndex for none.
std::uint32_t desk_control_at(const DeskRay& ray);

ViewCamera desk_camera();
ViewLight desk_light();

/// Position of a value in the range of its parameter, 0 .. 1, on a linear or logarithmic scale. value_at() is
/// the inverse and returns a valid value.
double share_of(const collision::Parameter& parameter, double value);
double value_at(const collision::Parameter& parameter, double share);
/// Number of detents of a slider: for choices and toggles; 0 for numbers.
int detents_of(const collision::Parameter& parameter);
/// Title and value: "Speed: 1.5 m/s", "Shape: cube", "Warm start: on".
std::string parameter_words(const collision::Parameter& parameter, double value);
/// "name=value" for a command.
std::string parameter_text(const collision::Parameter& parameter, double value);

}  // namespace claybox::app
