#pragma once
// Points and planes of a convex decomposition, without rounding. A plane passes through three vertices of the
// mesh. A point is a vertex or an intersection of planes. Both have integer coordinates on the grid of the
// mesh's coordinates; a point has a common denominator. Each number is accompanied by a double with its
// error, in units in which the mesh has size about 1. Signs come from the doubles if these are certain.

#include "collision/exact/number.hpp"
#include "collision/geometry/bounds/bounds.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

/// xyz / w, in grid units; w > 0, no common divisor.
struct RationalPoint {
    Vec3<Integer> xyz;
    Integer w = 1;
    Vec3<Approx> near;  ///< in units of size
};

/// The plane { p | dot(normal, p) + offset = 0 }; its inner side is negative.
struct RationalPlane {
    Vec3<Integer> normal;
    Integer offset;
    Vec3<Approx> near_normal;  ///< up to a power of two
    Approx near_offset;
    double scale = 0;  ///< 1 / length of near_normal
};

/// The grid and the unit of one mesh.
class RationalFrame {
  public:
    explicit RationalFrame(std::span<const Vec3f> positions);

    RationalPoint point(const Vec3f& p) const;
    /// A point with double coordinates in units of size.
    RationalPoint point_in_units(const Vec3d& p) const;
    /// The mean of three points with w = 1.
    RationalPoint middle(const RationalPoint& a, const RationalPoint& b, const RationalPoint& c) const;
    /// The plane through three points with w = 1, counter-clockwise as seen from outside; scale is 0 if they
    /// are collinear.
    RationalPlane plane(const RationalPoint& a, const RationalPoint& b, const RationalPoint& c) const;
    /// The intersection of the line through a and b with the plane; a and b must be on different sides.
    RationalPoint cut(const RationalPlane& plane, const RationalPoint& a, const RationalPoint& b) const;
    /// The adjacent floats below and above each coordinate; equal if the coordinate is a float.
    Aabb between_floats(const RationalPoint& p) const;

    double unit() const { return unit_; }              ///< metres
    double float_step() const { return float_step_; }  ///< of the largest coordinate, in units of size

  private:
    void set_near(RationalPoint& p) const;

    int grid_ = 0;  ///< coordinates are multiples of 2^grid_ metres
    int top_ = 0;   ///< the unit of size is 2^top_ metres
    double unit_ = 1, float_step_ = 0;
};

/// -1 on the inner side, 0 on the plane, 1 on the outer side; always right.
int side(const RationalPlane& plane, const RationalPoint& p);
/// The signed distance in units of size, rounded.
double height(const RationalPlane& plane, const RationalPoint& p);
/// The sign of the determinant of four points, dot((b - a) x (c - a), d - a); always right.
int orientation(const RationalPoint& a, const RationalPoint& b, const RationalPoint& c,
                const RationalPoint& d);

}  // namespace claybox::collision
