#pragma once
/// \file
/// Algorithms report their intermediate steps through this interface, independent of any renderer.

#include "collision/core/vec.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace claybox::collision {

/// Where the items of a trace are.
enum class TraceSpace : unsigned char {
    world,       ///< the world frame, metres
    difference,  ///< A - B: the points a - b of all points a of A and b of B; axes of the world, metres. The
                 ///< bodies share a point if and only if the origin is in it.
    directions,  ///< unit vectors, in the world's axes
};

/// What a pixel of a traced picture shows.
enum class TracePixel : std::uint8_t {
    nothing,  ///< background
    a,        ///< body A
    b,        ///< body B
    both,     ///< both bodies
    common,   ///< both bodies, and the algorithm found a common point there
};

/// Receives the geometry and numbers of one query, iteration by iteration. Points are in the world frame, in
/// metres, unless space() says otherwise; labels are string literals. A trace never changes a query's result.
/// The query calls it on its own thread; implementations need not be thread-safe.
class Trace {
  public:
    virtual ~Trace() = default;
    /// Starts a step; later calls belong to it.
    virtual void begin_iteration(int number) = 0;
    /// Later items of this step are in this space. Each step begins in the world.
    virtual void space(TraceSpace space) = 0;
    /// A point of interest of this step.
    virtual void point(const Vec3d& p_w, const char* label) = 0;
    /// A straight segment between two points.
    virtual void segment(const Vec3d& from_w, const Vec3d& to_w, const char* label) = 0;
    /// The plane { x | dot(normal_w, x) = offset }. Draw it around the point `near_w`.
    virtual void plane(const Vec3d& normal_w, double offset, const Vec3d& near_w, const char* label) = 0;
    /// A number of this step; the label says what it measures and its unit.
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
    /// The default reports the three sides.
    virtual void triangle(const Vec3d& p, const Vec3d& q, const Vec3d& r, const char* label) {
        segment(p, q, label);
        segment(q, r, label);
        segment(r, p, label);
    }
    /// A picture that the algorithm has drawn: rows of `width` pixels, from the bottom up. The default
    /// reports nothing.
    virtual void picture(std::uint32_t width, std::span<const TracePixel> pixels, const char* label) {
        (void)width, (void)pixels, (void)label;
    }
};

/// The corners, edges and faces of a simplex of one to four points, in the current space.
inline void trace_simplex_of(Trace& trace, std::span<const Vec3d> p, const char* label) {
    if (p.size() == 1) trace.point(p[0], label);
    if (p.size() == 2) trace.segment(p[0], p[1], label);
    if (p.size() == 3) trace.triangle(p[0], p[1], p[2], label);
    if (p.size() != 4) return;
    for (std::size_t i = 0; i < 4; ++i) trace.triangle(p[i], p[(i + 1) % 4], p[(i + 2) % 4], label);
}

}  // namespace claybox::collision
