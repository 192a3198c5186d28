#pragma once
// An algorithm tells its insides through this interface and never sees a renderer.

#include "collision/core/vec.hpp"

#include <array>

namespace claybox::collision {

/// Receives what happens inside one query, iteration by iteration; all points in the world frame, in metres.
/// A query with a trace gives the same result as one without. Implementations need not be thread-safe.
class Trace {
  public:
    virtual ~Trace() = default;
    virtual void begin_iteration(int number) = 0;
    virtual void point(const Vec3d& p_w, const char* label) = 0;
    virtual void segment(const Vec3d& from_w, const Vec3d& to_w, const char* label) = 0;
    /// The plane { x | dot(normal_w, x) = offset }, drawn around `near_w`.
    virtual void plane(const Vec3d& normal_w, double offset, const Vec3d& near_w, const char* label) = 0;
    virtual void value(const char* label, double v) = 0;
    /// A box with a corner and the three sides from there; any parallelepiped. Its twelve edges where nobody
    /// takes it as a whole.
    virtual void box(const Vec3d& corner_w, const std::array<Vec3d, 3>& sides_w, const char* label) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d &along = sides_w[k], &u = sides_w[(k + 1) % 3], &v = sides_w[(k + 2) % 3];
            for (const Vec3d& start : {corner_w, corner_w + u, corner_w + v, corner_w + u + v})
                segment(start, start + along, label);
        }
    }
};

}  // namespace claybox::collision
