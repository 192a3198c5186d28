#pragma once
// Boxes that turn with their bodies.

#include "collision/geometry/bounds.hpp"

#include <array>

namespace claybox::collision {

/// A closed box with a skin, in world coordinates, metres: centre + sum t_i extent[i] axis[i] + s with
/// |t_i| <= 1 and every |s_k| <= slack. One cache line. The default is the origin.
struct alignas(64) OrientedBox {
    Vec3f centre;
    std::array<Vec3f, 3> axis{Vec3f{1, 0, 0}, Vec3f{0, 1, 0}, Vec3f{0, 0, 1}};  ///< columns of the matrix
    Vec3f extent;
    float slack = 0;  ///< what rounding took from the rest
};

/// Contains every exactly transformed point of the local box, which must not be empty.
OrientedBox orient(const Matrix34f& world_from_local, const Aabb& local);
/// A box along the axes as an oriented one that contains it; not empty.
OrientedBox orient(const Aabb& box);
/// The box along the axes around it, rounded outward.
Aabb bound(const OrientedBox& box);

/// False only for boxes that are disjoint: some of 15 axes separates them (Gottschalk et al. 1996). Symmetric
/// to the last bit. When the matrices turn without stretching, true only for boxes whose distance is below 2
/// (sqrt(3) (slack_a + slack_b) + 2^-44 (sizes of both)), flat boxes and rods included.
bool overlap(const OrientedBox& a, const OrientedBox& b);
/// As above; `box` not empty.
bool overlap(const OrientedBox& a, const Aabb& box);

}  // namespace claybox::collision
