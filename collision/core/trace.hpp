#pragma once
// Algorithms report their intermediate steps through this interface, independent of any renderer.

#include "collision/core/vec.hpp"

#include <array>

namespace claybox::collision {

/// Receives the geometry and numbers of one query, iteration by iteration. Points are in the world frame, in
/// metres; labels are string literals. A trace never changes a query's result. The query calls it on its own
/// thread; implementations need not be thread-safe.
class Trace {
  public:
    virtual ~Trace() = default;
    /// Starts a step; later calls belong to it.
    virtual void begin_iteration(int number) = 0;
    virtual void point(const Vec3d& p_w, const char* label) = 0;
    virtual void segment(const Vec3d& from_w, const Vec3d& to_w, const char* label) = 0;
    /// The plane { x | dot(normal_w, x) = offset }. Draw it around the point `near_w`.
    virtual void plane(const Vec3d& normal_w, double offset, const Vec3d& near_w, const char* label) = 0;
    virtual void value(const char* label, double v) = 0;
    /// A parallelepiped: one corner and the three edge vectors from it. The default reports its twelve edges
    /// as segments.
    virtual void box(const Vec3d& corner_w, const std::array<Vec3d, 3>& sides_w, const char* label) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d &along = sides_w[k], &u = sides_w[(k + 1) % 3], &v = sides_w[(k + 2) % 3];
            for (const Vec3d& start : {corner_w, corner_w + u, corner_w + v, corner_w + u + v})
                segment(start, start + along, label);
        }
    }
};

}  // namespace claybox::collision
