#pragma once
/// \file
/// Bounding volumes: axis-aligned boxes and spheres. All are conservative: rounding outward, they contain the
/// exact set.

#include "collision/core/vec.hpp"
#include "collision/geometry/transform.hpp"

#include <limits>
#include <span>

namespace claybox::collision {

/// A closed axis-aligned box, metres. The default is empty (min > max).
struct Aabb {
    /// The smallest coordinate per axis.
    Vec3f min{std::numeric_limits<float>::max(), std::numeric_limits<float>::max(),
              std::numeric_limits<float>::max()};
    /// The largest coordinate per axis.
    Vec3f max{std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest(),
              std::numeric_limits<float>::lowest()};

    /// Whether no point is in the box. A box of size zero is not empty.
    bool empty() const { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }
    /// Extends the box to contain a point.
    void add(const Vec3f& p) {
        min = collision::min(min, p);
        max = collision::max(max, p);
    }
    /// Extends the box to contain another box; an empty one changes nothing.
    void add(const Aabb& b) {
        min = collision::min(min, b.min);
        max = collision::max(max, b.max);
    }
    /// The midpoint, rounded.
    Vec3f centre() const { return 0.5f * min + 0.5f * max; }
    /// Half the size per axis.
    Vec3f half() const { return 0.5f * max - 0.5f * min; }
    /// Whether both corners are equal.
    friend bool operator==(const Aabb&, const Aabb&) = default;
};

/// Whether two boxes overlap. Touching counts.
inline bool overlap(const Aabb& a, const Aabb& b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
           a.min.z <= b.max.z && b.min.z <= a.max.z;
}

/// A closed ball, metres.
struct Sphere {
    Vec3f centre;      ///< in the frame of its user: of the body, or of the world
    float radius = 0;  ///< at least 0
};

/// The smallest box that contains the points; empty if there are none.
Aabb bound(std::span<const Vec3f> points);
/// A sphere about the centre of the points' box that contains them, rounded outward. Not the smallest sphere.
Sphere bounding_sphere(std::span<const Vec3f> points);

/// The world box of a local box under a matrix, rounded outward: it contains every exactly transformed point
/// of the local box. Source: Zachmann, efficient transformation of boxes.
Aabb transform_aabb(const Matrix34f& world_from_local, const Aabb& local);

/// The box enlarged by `margin` metres on every side, rounded outward.
Aabb grown(const Aabb& box, float margin);

}  // namespace claybox::collision
