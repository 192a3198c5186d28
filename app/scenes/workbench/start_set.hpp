#pragma once

#include "app/scenes/body_edit.hpp"
#include "collision/geometry/bounds/bounds.hpp"

namespace claybox::app {

/// The room of the workbench, above its table. Metres.
inline const collision::Aabb kBenchRoom{{-1.0f, 0, -0.55f}, {1.0f, 0.85f, 0.55f}};

/// The bodies of a fresh workbench: up to ten are a fixed set that shows gaps, contacts and a rod through a
/// ring; more fill the room on a grid, smaller, with random rotations.
std::vector<PlacedBody> start_set(std::size_t count, std::uint64_t seed);
/// One body for each of the user's meshes, in rows.
std::vector<PlacedBody> mesh_set(std::size_t meshes);

}  // namespace claybox::app
