#pragma once
// Two convex bodies in linear motion, as a ray against their Minkowski difference. C is the set of all a - b
// at t = 0, relative to the world axes. The bodies touch at t if and only if t times the ray lies in C.

#include "collision/continuous/query.hpp"
#include "collision/exact/solid.hpp"
#include "collision/pairwise/support/quick_climb.hpp"
#include "collision/simd/double4.hpp"

#include <algorithm>
#include <bit>

namespace claybox::collision {

/// A point of C with the hull vertices that define it.
struct CastPoint {
    Vec3d c;
    VertexPair pair;
};

/// Borrows the query.
class LinearPair {
  public:
    /// `climb_a`, `climb_b`: prepared searches; may be null.
    explicit LinearPair(const ContinuousQuery& query, const QuickClimb* climb_a = nullptr,
                        const QuickClimb* climb_b = nullptr);

    const SolidSide& a() const { return a_; }
    const SolidSide& b() const { return b_; }
    const SolidSweep& sweep() const { return sweep_; }
    const Vec3d& ray() const { return ray_; }
    /// Above the magnitude of every coordinate of C and of the ray.
    double size() const { return size_; }

    Vec3d difference(VertexPair p) const {
        const ConvexHull &a = *a_.hull, &b = *b_.hull;
        const PointRows& l = linear_;
        const double ax = a.x[p.a], ay = a.y[p.a], az = a.z[p.a], bx = b.x[p.b], by = b.y[p.b], bz = b.z[p.b];
        const Double2 xy =
            (ax * l.xy[0] + ay * l.xy[1] + az * l.xy[2]) - (bx * l.xy[3] + by * l.xy[4] + bz * l.xy[5]);
        const double z =
            (ax * l.z[0] + ay * l.z[1] + az * l.z[2]) - (bx * l.z[3] + by * l.z[4] + bz * l.z[5]);
        return {xy[0] + apart_.x, xy[1] + apart_.y, z + apart_.z};
    }
    CastPoint make_point(VertexPair p) const { return {difference(p), p}; }
    /// A point about in the middle of C, of no vertices.
    Vec3d middle() const;
    /// The point of C that is lowest along n, about: found in float. Starts climbs at `start`. The largest
    /// component of n must be between 1/2 and 2, see with_size_one().
    CastPoint lowest(const Vec3d& n, VertexPair start) const;
    /// The same in double, by climbing.
    CastPoint lowest_in_double(const Vec3d& n, VertexPair start) const;

  private:
    /// The columns of both linear parts, A's first: the rows x and y together, and z.
    struct PointRows {
        Double2 xy[6];
        double z[6];
    };

    SolidSide a_, b_;
    const QuickClimb *climb_a_, *climb_b_;
    SolidSweep sweep_;
    PointRows linear_;
    Vec3d apart_, ray_;
    double size_;
};

/// n times the power of two that brings its largest component into [1, 2): cheap, and without rounding. A
/// direction that is zero, tiny or not finite becomes the x axis.
inline Vec3d with_size_one(const Vec3d& n) {
    const double largest = std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)});
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(largest) >> 52;
    constexpr std::uint64_t kBias = 1023, kRange = 1000;
    if (exponent - (kBias - kRange) > 2 * kRange) return {1, 0, 0};
    return n * std::bit_cast<double>((2 * kBias - exponent) << 52);
}

/// The translation of a body's matrix at t = 1, for fixed and linear motion.
Vec3f end_translation(const Matrix34f& world_from_body, const Motion& motion);

}  // namespace claybox::collision
