#pragma once
// The walk to the point of a convex hull nearest to a given point. It keeps a simplex of hull vertices; each
// added vertex brings it strictly nearer. The caller finds the vertices.

#include "collision/pairwise/gjk/simplex.hpp"

#include <algorithm>

namespace claybox::collision {

/// Works in double, relative to the given point, so that large coordinates cost no precision.
class PointWalk {
  public:
    explicit PointWalk(const Vec3d& s) : s_(s) {}

    /// From the nearest point so far to the given point: the normal of the supporting plane there.
    Vec3d direction() const { return -nearest_; }
    /// Whether the given point is inside the simplex, or on it up to rounding.
    bool inside() const { return inside_; }
    Vec3d point() const { return inside_ ? s_ : nearest_ + s_; }
    std::uint32_t corner() const { return simplex_.point[0].a; }

    /// Whether `p` is beyond the supporting plane by more than rounding.
    bool improves(const Vec3d& p) const {
        const double norm = length_squared(nearest_);
        return norm - dot(nearest_, p - s_) > kConverged * norm;
    }

    /// Adds a vertex to the simplex and drops those no longer needed. Returns false and changes nothing if
    /// the distance does not shrink. Distances strictly decrease, so a walk cannot cycle.
    bool add(const Vec3d& p, std::uint32_t name) {
        const SimplexPoint<double> point{p - s_, name, 0};
        if (simplex_.contains(point)) return false;
        Simplex<double> next = simplex_;
        next.add(point);
        double extent = 0;
        for (int i = 0; i < next.count; ++i) extent = std::max(extent, length_squared(next.point[i].w));
        const Vec3d nearest = reduce_to_nearest(next);
        const bool first = simplex_.count == 0, surrounded = next.count == 4;
        if (!first && !surrounded && !(length_squared(nearest) < length_squared(nearest_))) return false;
        simplex_ = next;
        nearest_ = nearest;
        inside_ = surrounded || !(length_squared(nearest) > kZeroDistance * kZeroDistance * extent);
        return true;
    }

  private:
    /// The walk has converged when the next point would shorten the distance by less than this fraction.
    static constexpr double kConverged = 0x1p-48;
    /// Below this fraction of the simplex's extent, the distance is only rounding.
    static constexpr double kZeroDistance = 0x1p-50;

    Vec3d s_;
    Simplex<double> simplex_;
    Vec3d nearest_;
    bool inside_ = false;
};

}  // namespace claybox::collision
