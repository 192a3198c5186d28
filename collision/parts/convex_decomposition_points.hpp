#pragma once
// Points and planes of a convex decomposition without rounding. A plane passes through three vertices of the
// mesh, a point is a vertex or where planes cut: both are integers on the grid of the mesh's coordinates, a
// point with a common denominator. Beside each number stands a double with its error, in units in which the
// mesh is about 1 large; signs come from the doubles where these are certain.

#include "collision/exact/number.hpp"
#include "collision/geometry/bounds.hpp"

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
    /// A point whose coordinates are doubles in units of size.
    RationalPoint point_in_units(const Vec3d& p) const;
    /// The mean of three points with w = 1.
    RationalPoint middle(const RationalPoint& a, const RationalPoint& b, const RationalPoint& c) const;
    /// Through three points with w = 1, counter-clockwise as seen from outside; scale is 0 where they are in
    /// line.
    RationalPlane plane(const RationalPoint& a, const RationalPoint& b, const RationalPoint& c) const;
    /// The point where the line through a and b cuts the plane; they must lie on different sides.
    RationalPoint cut(const RationalPlane& plane, const RationalPoint& a, const RationalPoint& b) const;
    /// The floats next to each coordinate from below and from above; equal where it is a float.
    Aabb between_floats(const RationalPoint& p) const;

    double unit() const { return unit_; }              ///< metres
    double float_step() const { return float_step_; }  ///< of the largest coordinate, in units of size

  private:
    void set_near(RationalPoint& p) const;

    int grid_ = 0;  ///< coordinates are multiples of 2^grid_ metres
    int top_ = 0;   ///< the unit of size is 2^top_ metres
    double unit_ = 1, float_step_ = 0;
};

/// -1 on the inner side, 0 on the plane, 1 on the outer side: always right.
int side(const RationalPlane& plane, const RationalPoint& p);
/// The signed distance in units of size, rounded.
double height(const RationalPlane& plane, const RationalPoint& p);
/// The sign of the determinant of four points: of dot((b - a) x (c - a), d - a), always right.
int orientation(const RationalPoint& a, const RationalPoint& b, const RationalPoint& c,
                const RationalPoint& d);

}  // namespace claybox::collision
