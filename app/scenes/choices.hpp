#pragma once
// What people choose of the program and of the module that is in no registry, as tables of parameters:
// whoever shows parameters can show these too, and a command names one by "name=value".

#include "collision/core/parameter.hpp"
#include "collision/module/world.hpp"

#include <array>

namespace claybox::app {

inline constexpr unsigned kMostWorkers = 64;  ///< as the world allows
inline constexpr unsigned kFirstWorkers = 2;  ///< our choice: the fewest that share anything

/// Of the program around a scene: its look, its sound, the headset.
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
};
}  // namespace program_choice
std::span<const collision::Parameter> program_parameters();
/// How much faster than usual time runs by each choice of program_choice::time.
inline constexpr std::array<double, 4> kTimeFactors{0.25, 0.5, 1, 2};
/// The choice of a factor; of the usual speed when there is none.
std::size_t time_choice(double factor);

/// Of the module beside its algorithms, exactness and threads.
std::span<const collision::Parameter> module_parameters();
collision::ParameterValues module_values(const collision::WorldSettings& settings);
void set_module_values(const collision::ParameterValues& values, collision::WorldSettings& settings);

}  // namespace claybox::app
