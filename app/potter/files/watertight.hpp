#pragma once
// Whether a surface encloses a volume, as a 3D printer needs it.

#include "collision/geometry/polyhedron.hpp"

#include <string>

namespace claybox::app {

/// What is wrong with a surface. Edges are between vertex indices; ends at equal positions do not join.
struct Watertight {
    std::size_t open_edges = 0;            ///< with one polygon
    std::size_t crowded_edges = 0;         ///< with more than two polygons
    std::size_t twisted_edges = 0;         ///< with two polygons of which one is inside out
    std::size_t degenerate_triangles = 0;  ///< without area; printers ignore them
    double volume = 0;                     ///< cubic metres; negative if all polygons are inside out

    bool closed() const { return open_edges == 0 && crowded_edges == 0 && twisted_edges == 0; }
    bool good() const { return closed() && volume > 0; }
};

/// Linear in the size of the surface.
Watertight check_watertight(const collision::Topology& topology, std::span<const collision::Vec3f> positions);

/// "watertight, 214.3 cm³", or "not watertight: 12 open edges, 1 edge with more than two polygons".
std::string describe(const Watertight& surface);

}  // namespace claybox::app
