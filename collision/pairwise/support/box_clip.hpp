#pragma once
// The part of a convex hull inside a box, as points. For methods that look only at the overlap of two bodies'
// boxes.

#include "collision/geometry/hull/hull.hpp"
#include "collision/geometry/transform.hpp"
#include "collision/pairwise/scratch.hpp"

namespace claybox::collision {

/// Points whose convex hull is the clipped hull. Each array is padded to a multiple of 16 by repeating the
/// first point. The memory belongs to a Scratch.
struct ClippedHull {
    std::span<float> x, y, z;
    std::uint32_t count = 0;
};

struct Box3d {
    Vec3d min, max;
    bool empty() const { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }
};

/// The smallest box around the hull's vertices, in the target frame of the matrix. O(vertices).
Box3d box_of(const ConvexHull& hull, const Matrix34d& frame_from_hull);

/// Upper bound of the scratch bytes that clip_to_box() uses.
std::size_t clip_bytes(const ConvexHull& hull);

/// The hull's faces clipped by the box, plus the box corners inside the hull. Their convex hull is the
/// intersection of hull and box, up to rounding. Hulls of any dimension. Empty if hull and box do not
/// intersect or the scratch memory is too small. O(faces).
ClippedHull clip_to_box(const ConvexHull& hull, const Matrix34d& frame_from_hull, const Box3d& box,
                        Scratch& scratch);

}  // namespace claybox::collision
