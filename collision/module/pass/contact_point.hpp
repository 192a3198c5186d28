#pragma once

#include "collision/pairwise/query.hpp"

namespace claybox::collision {

/// A point of the contact proved by a certificate, in the world frame, rounded; for drawing. Without a
/// certificate: the centre of the intersection of the world boxes.
Vec3f contact_point(const PairBody& a, const PairBody& b, const Certificate& certificate, const Aabb& box_a,
                    const Aabb& box_b);

}  // namespace claybox::collision
