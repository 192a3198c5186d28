#pragma once
// The part of a convex hull within a box, as points: for methods that look only at where two bodies' boxes
// overlap.

#include "collision/geometry/hull.hpp"
#include "collision/geometry/transform.hpp"
#include "collision/parts/scratch.hpp"

namespace claybox::collision {

/// Points whose hull is what was clipped, in three arrays that are padded to a multiple of 16 by repeating
/// the first. Lives in a Scratch.
struct ClippedHull {
    std::span<float> x, y, z;
    std::uint32_t count = 0;
};

struct Box3d {
    Vec3d min, max;
    bool empty() const { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }
};

/// The smallest box around the hull's vertices, in the frame of the matrix. O(vertices).
Box3d box_of(const ConvexHull& hull, const Matrix34d& frame_from_hull);

/// What clip_to_box() takes of a scratch at most.
std::size_t clip_bytes(const ConvexHull& hull);

/// The hull's faces clipped by the box, and the box's corners that lie within the hull: their hull is hull
/// and box together, up to rounding. Of any dimension. Empty where the two do not meet, or where the scratch
/// has no room. O(faces).
ClippedHull clip_to_box(const ConvexHull& hull, const Matrix34d& frame_from_hull, const Box3d& box,
                        Scratch& scratch);

}  // namespace claybox::collision
