#pragma once
// The oriented box around both frames of a body. Source: IVRI-CD, section 5.1, step 1.

#include "collision/continuous/query.hpp"
#include "collision/geometry/bounds/oriented_box.hpp"

namespace claybox::collision {

/// A box along the body's axes at frame 0 that contains all points of `local` under both matrices.
OrientedBox extended_box(const Aabb& local, const Matrix34f& frame_0, const Matrix34f& frame_1);

}  // namespace claybox::collision
