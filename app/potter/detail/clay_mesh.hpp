#pragma once
// Clay as plain arrays of triangles: what remeshing changes, and what undo stores.

#include "collision/geometry/polyhedron.hpp"

#include <array>
#include <vector>

namespace claybox::app {

struct ClayMesh {
    std::vector<collision::Vec3f> positions;              ///< metres
    std::vector<float> mask;                              ///< per vertex: 0 free .. 1 frozen
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise seen from outside
};

/// The triangles of a mesh. An empty `mask` counts as free.
ClayMesh clay_mesh(const collision::Topology& topology, const std::vector<collision::Vec3f>& positions,
                   const std::vector<float>& mask);

collision::PolygonList polygon_list(const ClayMesh& mesh);

}  // namespace claybox::app
