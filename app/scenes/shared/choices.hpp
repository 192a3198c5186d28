#pragma once
// Settings of the program and of the module that no registry holds, as parameter tables. Panels show them
// like any other parameters, and commands set them by "name=value".

#include "collision/core/parameter.hpp"
#include "collision/module/world.hpp"

#include <array>

namespace claybox::app {

inline constexpr unsigned kMaxWorkers = 64;  ///< limit of collision::World
inline constexpr unsigned kFirstWorkers =
    2;  ///< set when the first parallel switch is turned on; our choice: the fewest that can share work

/// Indices into program_parameters().
namespace program_choice {
enum Index : std::size_t {
    theme,
    sound,
    labels,
    witness,
    boxes,
    structure,
    time,
    headset,
    haptics,
    seated,
    world_size,
    hand_filter,
    stroke_lead,
    pressure_from,
};
}  // namespace program_choice
/// Settings of the program around a scene: look, sound, headset.
std::span<const collision::Parameter> program_parameters();
/// Choices of program_choice::pressure_from, in order.
enum class PressureFrom : unsigned char { none, speed, trigger };
/// Speed factors of the choices of program_choice::time.
inline constexpr std::array<double, 4> kTimeFactors{0.25, 0.5, 1, 2};
/// Choice with this factor; the choice of factor 1 if there is none.
std::size_t time_choice(double factor);

/// Settings of the module other than algorithms, exactness and threads.
std::span<const collision::Parameter> module_parameters();
collision::ParameterValues module_values(const collision::WorldSettings& settings);
void set_module_values(const collision::ParameterValues& values, collision::WorldSettings& settings);

}  // namespace claybox::app
