#pragma once
// The six vertex groups of a body, one per face of its bounding box, made once per shape.
// Source: A Linear Programming Solution for Exact Collision Detection, section 5.1, step 2 and i to iii.

#include "collision/pairwise/query.hpp"

#include <vector>

namespace claybox::collision {

/// Faces of the box in the body's frame: -x, +x, -y, +y, -z, +z.
inline constexpr std::size_t kBoxFaces = 6;

struct PreparedGroups final : Prepared {
    /// Hull vertices, ascending. Each vertex is in the group of every face that it is nearest to, as a
    /// fraction of the box's size, so in at least one.
    std::vector<std::uint32_t> group[kBoxFaces];
    Aabb box;  ///< of the hull

    std::size_t memory_bytes() const override;
};

PreparedGroups make_groups(const ConvexHull& hull);
/// The box face nearest to a direction from the box's centre: the one whose four corners have the smallest
/// sum of distances to that line, among the faces on its side. At ties, the first in the order of kBoxFaces.
std::size_t nearest_face(const Aabb& box, const Vec3d& direction);

}  // namespace claybox::collision
