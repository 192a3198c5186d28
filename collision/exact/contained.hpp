#pragma once

#include "collision/geometry/shape.hpp"

namespace claybox::collision {

enum class Containment : unsigned char {
    outside,
    inside,     ///< on the surface counts as inside
    uncertain,  ///< the ray meets an edge or a vertex: ask with another direction
};

/// Where a vertex of one body lies against the closed surface of another, decided exactly by the parity of
/// crossings of the ray from it along `direction_w`. The container must be closed. O(triangles) of exact
/// arithmetic: for checking.
Containment locate_vertex(const Geometry& body, const Matrix34f& world_from_body, std::uint32_t vertex,
                          const Geometry& container, const Matrix34f& world_from_container,
                          const Vec3d& direction_w);

}  // namespace claybox::collision
