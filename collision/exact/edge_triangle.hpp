#pragma once
// Decides whether a closed segment intersects a closed triangle: in double with a proven error bound if that
// suffices, else in integers. A triangle of zero area is the segment or point that it spans; a segment of
// zero length is a point.

#include "collision/core/vec.hpp"
#include "collision/geometry/transform.hpp"

namespace claybox::collision {

enum class EdgeTriangleSign : unsigned char { miss, hit, unknown };

/// The filter's answer.
struct EdgeTriangleFilter {
    EdgeTriangleSign sign = EdgeTriangleSign::unknown;
    double t = 0;  ///< of a hit: the position on the segment, in [0, 1]
};

/// Tests the segment from p to q against the triangle (a, b, c) in double. The points may be in any common
/// frame; every coordinate must be within `error` of the exact one.
EdgeTriangleFilter filter_edge_triangle(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b,
                                        const Vec3d& c, double error);

/// Error bounds of the filter's determinants. `volume`: of determinants such as det(U, V, P) of points
/// relative to a corner, where `largest` is the largest component. `third`: of the third side's value, a sum
/// of four of them.
struct EdgeTriangleBounds {
    double volume = 0, third = 0;
};
EdgeTriangleBounds edge_triangle_bounds(double largest, double error);

/// A segment or triangle as the exact layer defines it: float32 points under a float32 matrix.
struct ExactEdge {
    const Matrix34f* world_from_local = nullptr;
    Vec3f p, q;
};
struct ExactTriangle {
    const Matrix34f* world_from_local = nullptr;
    Vec3f a, b, c;
};

struct EdgeTriangleIntersection {
    bool hit = false;
    double t = 0;  ///< of a hit: p + t (q - p) is a common point; t is rounded to double
};

/// Decides in integers; always right. For the cases that the filter leaves open.
EdgeTriangleIntersection intersect_exact(const ExactEdge& edge, const ExactTriangle& triangle);

/// Runs the filter, then integers if needed; always right.
EdgeTriangleIntersection intersect(const ExactEdge& edge, const ExactTriangle& triangle);

/// Transforms a body's points to a frame with the world's axes and the origin `origin_w`, in double, with an
/// error bound.
struct WorkFrame {
    Matrix34d work_from_local;
    double error = 0;  ///< bound for every coordinate of every transformed point within `reach`

    /// `reach`: the largest |coordinate| of the points, per axis of the local frame.
    WorkFrame(const Matrix34f& world_from_local, const Vec3f& origin_w, const Vec3f& reach);
};

}  // namespace claybox::collision
