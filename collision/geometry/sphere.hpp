#pragma once
// Spheres that move with their bodies.

#include "collision/geometry/bounds.hpp"

namespace claybox::collision {

/// Closed; false only for disjoint spheres.
bool overlap(const Sphere& a, const Sphere& b);

/// The world sphere of a local one under a rotation and translation: `world_from_local` as to_matrix makes
/// it. Contains every exactly transformed point.
Sphere transform_sphere(const Matrix34f& world_from_local, const Sphere& local);

}  // namespace claybox::collision
