#pragma once
// Tight world boxes: boxes of the transformed vertices instead of the transformed local box.

#include "collision/geometry/bounds/bounds.hpp"
#include "collision/geometry/hull/hull.hpp"

#include <array>

namespace claybox::collision {

/// The extreme vertices of a hull along -x, +x, -y, +y, -z, +z of the world. The next frame's search starts
/// there. Any vertices are valid start values.
using ExtremeVertices = std::array<std::uint32_t, 6>;

/// The world box of a hull, rounded outward. Finds the extreme vertices by six hill climbs that start at the
/// last frame's extremes and compare vertices exactly. Source: Zachmann 1994, section 10.2.
Aabb tight_box(const Matrix34f& world_from_local, const ConvexHull& hull, ExtremeVertices& extremes);

/// The world box of points, rounded outward.
Aabb tight_box(const Matrix34f& world_from_local, std::span<const Vec3f> points);

}  // namespace claybox::collision
