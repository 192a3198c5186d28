#pragma once
// Two convex bodies in linear motion, as a ray against their Minkowski difference. C is the set of all a - b
// at t = 0, relative to the world axes. The bodies touch at t if and only if t times the ray lies in C.

#include "collision/continuous/query.hpp"
#include "collision/exact/solid.hpp"

namespace claybox::collision {

/// A point of C with the hull vertices that define it.
struct CastPoint {
    Vec3d c;
    VertexPair pair;
};

/// Borrows the query.
class LinearPair {
  public:
    explicit LinearPair(const ContinuousQuery& query);

    const SolidSide& a() const { return a_; }
    const SolidSide& b() const { return b_; }
    const SolidSweep& sweep() const { return sweep_; }
    const Vec3d& ray() const { return ray_; }
    /// Above the magnitude of every coordinate of C and of the ray.
    double size() const { return size_; }

    Vec3d difference(VertexPair p) const {
        return transform_vector(linear_a_, a_.hull->vertex(p.a)) -
               transform_vector(linear_b_, b_.hull->vertex(p.b)) + apart_;
    }
    CastPoint make_point(VertexPair p) const { return {difference(p), p}; }
    /// A point about in the middle of C, of no vertices.
    Vec3d middle() const;
    /// The point of C that is lowest along n, about: found in float. Starts climbs at `start`.
    CastPoint lowest(const Vec3d& n, VertexPair start) const;
    /// The same in double, by climbing.
    CastPoint lowest_in_double(const Vec3d& n, VertexPair start) const;

  private:
    SolidSide a_, b_;
    SolidSweep sweep_;
    Matrix34d linear_a_, linear_b_;
    Vec3d apart_, ray_;
    double size_;
};

/// The translation of a body's matrix at t = 1, for fixed and linear motion.
Vec3f end_translation(const Matrix34f& world_from_body, const Motion& motion);

}  // namespace claybox::collision
