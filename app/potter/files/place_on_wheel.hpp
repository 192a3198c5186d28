#pragma once

#include "collision/geometry/polyhedron.hpp"

namespace claybox::app {

/// What is known about the numbers of a mesh file.
struct MeshUnits {
    double metres_per_unit = 0;  ///< 0: unknown
    bool z_up = false;           ///< otherwise +Y is up
};

/// Brings a mesh onto the potter's wheel: in metres, +Y up, standing on y = 0, the middle of its box on the
/// axis. A mesh of an implausible size, below 10 mm or above 400 mm, becomes 120 mm large. A mesh that stands
/// on the wheel already keeps every bit of its positions.
collision::PolygonList place_on_wheel(collision::PolygonList mesh, const MeshUnits& units);

}  // namespace claybox::app
