#pragma once
// An algorithm tells its insides through this interface and never sees a renderer.

#include "collision/core/vec.hpp"

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
};

}  // namespace claybox::collision
