#pragma once
// A mesh in the work frame of a query (world axes, origin of one body), with boxes rounded outward. Values
// are computed on demand.

#include "collision/exact/edge_triangle.hpp"
#include "collision/geometry/shape.hpp"

namespace claybox::collision {

/// A box in double. Unless it is stated to be rounded outward, its creator states its error.
struct BoxD {
    Vec3d min{HUGE_VAL, HUGE_VAL, HUGE_VAL}, max{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    void add(const Vec3d& p) {
        min = collision::min(min, p);
        max = collision::max(max, p);
    }
};

/// The float box that contains `box` grown by `pad`. Rounding to float moves a number by at most 2^-24 of its
/// magnitude or 2^-150; the double operations here by far less.
Aabb outward(const BoxD& box, const Vec3d& pad);

inline constexpr Aabb kEverywhere{{-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}, {HUGE_VALF, HUGE_VALF, HUGE_VALF}};

inline Aabb common(const Aabb& a, const Aabb& b) {
    return {max(a.min, b.min), min(a.max, b.max)};
}

/// The inverse of a linear part in double precision; not finite if there is none.
std::array<Vec3d, 3> rough_inverse(const Matrix34d& m);

struct MeshFrame {
    MeshFrame(const Geometry& geometry, const Matrix34f& world_from_local, const Vec3f& origin_w);

    Vec3d at(std::uint32_t vertex) const {
        return transform_point(frame.work_from_local, geometry->positions[vertex]);
    }
    Aabb polygon_box(std::uint32_t polygon) const;
    /// The box of the whole mesh, from the eight corners of the local box.
    Aabb object_box() const;
    /// A box in the mesh's own frame that contains every local point of the mesh whose image is in `work`.
    Aabb local_box(const Aabb& work) const;

    const Geometry* geometry;
    const Topology* topology;
    WorkFrame frame;
    Vec3d pad;  ///< error of each coordinate of at()
};

}  // namespace claybox::collision
