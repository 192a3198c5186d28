#pragma once
// From the interface of continuous algorithms to the search, and back. Shared by the algorithm and by the
// picture of its screen.

#include "collision/continuous/registry.hpp"
#include "collision/continuous/screw_motion/screw_search.hpp"

namespace claybox::collision {

/// The parameters of screw_motion, in the order of its table.
enum class ScrewParameter : std::size_t {
    pixels,
    time_resolution,
    threshold,
    refine,
    near_pixels,
    path,
    cull,
    search,
    precision,
    start_test,
    last_good,
    hierarchy,
};
std::span<const Parameter> screw_parameters();
ScrewOptions screw_options(const ParameterValues& values);

/// The mesh of a body that was prepared for screw_motion.
inline ScrewBody screw_body(const PairBody& body) {
    return {static_cast<const ScrewMesh*>(body.prepared), to_map(body.world_from_body)};
}

}  // namespace claybox::collision
