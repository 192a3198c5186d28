#pragma once
/// \file
/// Oriented bounding boxes (OBBs), which rotate with their bodies.

#include "collision/geometry/bounds/bounds.hpp"

#include <array>

namespace claybox::collision {

/// A closed box with a skin, in the world frame, metres: all points centre + sum t_i extent[i] axis[i] + s
/// with |t_i| <= 1 and |s_k| <= slack. It fits one cache line. The default is the origin.
struct alignas(64) OrientedBox {
    Vec3f centre;                                                               ///< rounded; see `slack`
    std::array<Vec3f, 3> axis{Vec3f{1, 0, 0}, Vec3f{0, 1, 0}, Vec3f{0, 0, 1}};  ///< columns of the matrix
    Vec3f extent;     ///< half the size along each axis, in lengths of that axis
    float slack = 0;  ///< bound on the rounding error of the centre
};

/// The oriented box of a local box under a matrix. It contains every exactly transformed point. `local` must
/// not be empty.
OrientedBox orient(const Matrix34f& world_from_local, const Aabb& local);
/// An oriented box that contains an axis-aligned box, which must not be empty.
OrientedBox orient(const Aabb& box);
/// The axis-aligned box of an oriented box, rounded outward.
Aabb bound(const OrientedBox& box);

/// Separating axis test with 15 axes (Gottschalk et al. 1996). Returns false only for disjoint boxes; then
/// one of the axes separates them. Symmetric to the last bit. For rotations, it returns true only for boxes,
/// flat ones and rods included, whose distance is below 2 (sqrt(3) (slack_a + slack_b) + 2^-44 (sizes of
/// both)).
bool overlap(const OrientedBox& a, const OrientedBox& b);
/// The same with an axis-aligned box, which must not be empty.
bool overlap(const OrientedBox& a, const Aabb& box);

}  // namespace claybox::collision
