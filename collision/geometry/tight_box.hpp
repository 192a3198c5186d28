#pragma once
// World boxes over the vertices themselves.

#include "collision/geometry/bounds.hpp"
#include "collision/geometry/hull.hpp"

#include <array>

namespace claybox::collision {

/// The vertices of a hull that lie furthest along -x, +x, -y, +y, -z, +z of the world: where the search of
/// the next frame begins. Any vertex does for a start.
using Extremes = std::array<std::uint32_t, 6>;

/// The world box of a hull, from six walks over its edges that start at the last frame's extremes and follow
/// the exact order of the vertices, so that they end at the true ones. Rounded outward. Source: Zachmann
/// 1994, section 10.2.
Aabb tight_box(const Matrix34f& world_from_local, const ConvexHull& hull, Extremes& extremes);

/// The world box of points, rounded outward.
Aabb tight_box(const Matrix34f& world_from_local, std::span<const Vec3f> points);

}  // namespace claybox::collision
