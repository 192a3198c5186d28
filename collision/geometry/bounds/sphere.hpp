#pragma once
/// \file
/// Bounding spheres that move with their bodies.

#include "collision/geometry/bounds/bounds.hpp"

namespace claybox::collision {

/// Whether two balls overlap. Touching counts. False only for disjoint balls.
bool overlap(const Sphere& a, const Sphere& b);

/// The world sphere of a local sphere. It contains every exactly transformed point. `world_from_local` must
/// be a rigid matrix from to_matrix().
Sphere transform_sphere(const Matrix34f& world_from_local, const Sphere& local);

}  // namespace claybox::collision
