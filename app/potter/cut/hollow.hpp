#pragma once
// Makes a pot of solid clay: opens it at the top and leaves a wall and a floor.

#include "app/potter/cut/plane_cut.hpp"
#include "collision/core/result.hpp"

namespace claybox::app {

struct HollowSize {
    double wall = 0.008, floor = 0.010;  ///< metres
    double spacing = 0.003;              ///< of the vertices inside, metres
};

/// Cuts the clay flat at the height where it is still wide enough to open, and removes everything that is
/// farther from the outside than the wall, above the floor. The wall is measured towards the outermost
/// surface around the vertical axis, so every place below the lip has at least this wall. `rim` receives all
/// vertices of the rim and the inside. Errors: clay that is too small for this wall, that is hollow already,
/// or that does not surround the axis.
collision::Result<ClayMesh> hollow(const ClayMesh& mesh, const HollowSize& size,
                                   std::vector<std::uint32_t>& rim);

}  // namespace claybox::app
