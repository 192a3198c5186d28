#pragma once
// Whether a closed segment meets a closed triangle: in double with a proven bound where that decides, else in
// integers. A triangle of zero area is the segment or point that it spans, a segment of zero length a point.

#include "collision/core/vec.hpp"
#include "collision/geometry/transform.hpp"

namespace claybox::collision {

enum class EdgeTriangleSign : unsigned char { miss, hit, unknown };

/// What the filter found; `t` is where on the segment, in [0, 1], when it is a hit.
struct EdgeTriangleFilter {
    EdgeTriangleSign sign = EdgeTriangleSign::unknown;
    double t = 0;
};

/// Points in any common frame, every coordinate within `error` of the exact one.
EdgeTriangleFilter filter_edge_triangle(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b,
                                        const Vec3d& c, double error);

/// What the filter's numbers may be off by: the six-fold volumes det(U, V, P) and the like of points relative
/// to a corner, with `largest` the largest component; and the third side's, which is a sum of four.
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

struct EdgeTriangleMeeting {
    bool hit = false;
    double t = 0;  ///< one meeting point is p + t (q - p), t rounded to double
};

/// Always right; for the few cases that the filter leaves.
EdgeTriangleMeeting meet_exact(const ExactEdge& edge, const ExactTriangle& triangle);

/// Always right: the filter first.
EdgeTriangleMeeting meet(const ExactEdge& edge, const ExactTriangle& triangle);

/// Double positions of a body in a frame of the world's axes whose origin is `origin_w`, and what they are
/// off by.
struct WorkFrame {
    Matrix34d work_from_local;
    double error = 0;  ///< of every coordinate of every transformed point whose magnitudes are within `reach`

    /// `reach`: largest |coordinate| of the points, by axis of the local frame.
    WorkFrame(const Matrix34f& world_from_local, const Vec3f& origin_w, const Vec3f& reach);
};

}  // namespace claybox::collision
