#pragma once
// The contact points of two colliding solids: where they touch after the shortest separating translation
// (Chung and Wang, section 7: contact points of colliding objects).

#include "collision/exact/solid.hpp"

namespace claybox::collision {

/// A point of A deepest in B and a point of B deepest in A, in the world frame. a - b = depth * direction up
/// to rounding. No point of A is further along the direction than a, and no point of B further against it
/// than b. If faces or edges touch, several such pairs exist; this is one of them.
struct ContactPair {
    Vec3d a_w, b_w;
};

/// `depth` and `direction_w` come from PairResult or find_penetration() for the same solids. Exact up to
/// rounding in double. Thread-safe; allocates nothing.
ContactPair contact_pair(const SolidSide& a, const SolidSide& b, double depth, const Vec3d& direction_w);

}  // namespace claybox::collision
