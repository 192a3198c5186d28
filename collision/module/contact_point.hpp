#pragma once

#include "collision/pairwise/query.hpp"

namespace claybox::collision {

/// A point of the contact that a certificate proves, world frame, rounded: for drawing. Bodies without a
/// certificate get the middle of what their world boxes share.
Vec3f contact_point(const PairBody& a, const PairBody& b, const Certificate& certificate, const Aabb& box_a,
                    const Aabb& box_b);

}  // namespace claybox::collision
