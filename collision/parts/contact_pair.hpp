#pragma once
// Where two solids that collide touch once they are moved apart the shortest way (Chung and Wang, section 7:
// contact points of colliding objects).

#include "collision/exact/solid.hpp"

namespace claybox::collision {

/// A point of A deepest in B and a point of B deepest in A, world frame: a - b = depth * direction up to
/// rounding, and no point of A is further along the direction than a, none of B further against it than b.
/// Where faces or edges touch there are several such pairs; this is one of them.
struct ContactPair {
    Vec3d a_w, b_w;
};

/// For the depth and direction that PairResult or find_penetration() gives for these two solids. Exact up to
/// rounding in double. Thread-safe; allocates nothing.
ContactPair contact_pair(const SolidSide& a, const SolidSide& b, double depth, const Vec3d& direction_w);

}  // namespace claybox::collision
