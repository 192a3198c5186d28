#pragma once
// The walk towards the point of a convex hull that is nearest to a given point: a simplex of its vertices, of
// which each new one comes strictly nearer. How vertices are found is the caller's.

#include "collision/parts/simplex.hpp"

#include <algorithm>

namespace claybox::collision {

/// In double, about the given point, so that distance and direction lose nothing to the size of coordinates.
class PointWalk {
  public:
    explicit PointWalk(const Vec3d& s) : s_(s) {}

    /// From the nearest point so far to the given one; its plane there is the supporting plane.
    Vec3d direction() const { return -nearest_; }
    /// Whether the given point lies in the simplex, or on it within rounding.
    bool inside() const { return inside_; }
    Vec3d point() const { return inside_ ? s_ : nearest_ + s_; }
    std::uint32_t corner() const { return simplex_.point[0].a; }

    /// Whether `p` is beyond the supporting plane by more than rounding.
    bool nears(const Vec3d& p) const {
        const double norm = length_squared(nearest_);
        return norm - dot(nearest_, p - s_) > kConverged * norm;
    }

    /// Takes a vertex into the simplex, and those out of it that are needed no more. False, and nothing has
    /// changed, when that brings it no nearer: distances only fall, so a walk cannot circle.
    bool add(const Vec3d& p, std::uint32_t name) {
        const SimplexPoint<double> point{p - s_, name, 0};
        if (simplex_.holds(point)) return false;
        Simplex<double> next = simplex_;
        next.add(point);
        double extent = 0;
        for (int i = 0; i < next.count; ++i) extent = std::max(extent, length_squared(next.point[i].w));
        const Vec3d nearest = reduce_to_nearest(next);
        const bool first = simplex_.count == 0, surrounded = next.count == 4;
        if (!first && !surrounded && !(length_squared(nearest) < length_squared(nearest_))) return false;
        simplex_ = next;
        nearest_ = nearest;
        inside_ = surrounded || !(length_squared(nearest) > kNothingLeft * kNothingLeft * extent);
        return true;
    }

  private:
    /// A point is as near as it gets when the next one would shorten the distance by less than this part.
    static constexpr double kConverged = 0x1p-48;
    /// Nearer than this part of the simplex's extent, only rounding is left.
    static constexpr double kNothingLeft = 0x1p-50;

    Vec3d s_;
    Simplex<double> simplex_;
    Vec3d nearest_;
    bool inside_ = false;
};

}  // namespace claybox::collision
