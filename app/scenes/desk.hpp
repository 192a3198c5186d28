#pragma once
// The button desk: which controls it has, where each is and what it does, all made from the registries. Desk
// frame: +X to the right, +Y up the slope, +Z out of the face plate; origin in the plate's middle; metres.

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

/// What a control is for.
enum class DeskRole : unsigned char {
    open,  ///< the scene that the wheel shows, with what its sliders say
    pause,
    step,
    restart,
    next_algorithm,
    theme,
    sound,
    concurrent,
    exact,
    all_fingers,
    parallel,  ///< `index`: the switch
    workers,
    scene,
    algorithm,
    broad_phase,
    scene_parameter,  ///< of the scene that the wheel shows; `index`: which of the sliders
    setting,          ///< of the group that is shown; `index` likewise
    scene_page,       ///< the next of the scene's settings on its sliders
    page,             ///< the next of the group's
    group,            ///< the next group
};

struct DeskControl {
    DeskKind kind = DeskKind::key;
    DeskRole role = DeskRole::pause;
    std::string title;    ///< for events: "Next algorithm"
    std::string line[2];  ///< engraved on a key; below a toggle the first
    double x = 0, y = 0;  ///< of the face's middle, desk frame
    unsigned index = 0;
};

std::span<const DeskControl> desk_controls();
/// The first with this role; there is one.
std::uint32_t desk_control(DeskRole role, unsigned index = 0);

/// Half sizes of the face, and its height over the plate at rest.
PressPad desk_pad(DeskKind kind);
double desk_height(DeskKind kind);
/// Half sizes of the cap that is seen.
collision::Vec3f desk_cap_half(DeskKind kind);
/// The convex body of a cap, about the middle of its face at rest.
collision::Result<collision::ShapePtr> desk_cap_shape(DeskKind kind);

/// The desk's frame in the world, and a control's face at rest.
collision::Pose world_from_desk();
collision::Pose desk_face(const DeskControl& control);
inline constexpr double kDeskHalfX = 0.226, kDeskHalfY = 0.138, kDeskCase = 0.034;
inline constexpr double kRailHalf = 0.050;    ///< of a slider, metres
inline constexpr double kKnobHalf = 0.009;    ///< of its knob
inline constexpr double kDrumRadius = 0.036;  ///< of a wheel
inline constexpr double kDrumPitch = 0.0150;  ///< of an entry on its skin
inline constexpr double kDialTurn = 4.71;     ///< radians between the ends of a dial
inline constexpr unsigned kDeskSliders = 4;   ///< in each of the two columns
/// Where the dial of workers stands, 0 .. 1 of its turn: logarithmic, as few workers matter most.
double workers_share(unsigned workers);
unsigned workers_at(double share);

/// A ray in the desk's frame, and the control that it points at: by its cap or by its words, wherever they
/// stand; kNoIndex for none.
struct DeskRay {
    collision::Vec3d origin, direction;
};
std::uint32_t desk_control_at(const DeskRay& ray);

ViewCamera desk_camera();
ViewLight desk_light();

/// Where a value stands between its ends, 0 .. 1, as the parameter's scale has it; and the reverse, at a
/// value that the parameter takes.
double share_of(const collision::Parameter& parameter, double value);
double value_at(const collision::Parameter& parameter, double share);
/// Places at which a slider stays: of choices and switches; 0 for anywhere.
int detents_of(const collision::Parameter& parameter);
/// "Speed 1.5 m/s", "Shape cube", "Warm start on".
std::string parameter_words(const collision::Parameter& parameter, double value);
/// "name=value" of a command.
std::string parameter_text(const collision::Parameter& parameter, double value);

}  // namespace claybox::app
