#pragma once
// A convex body as half spaces, edges and vertices in one frame with another, for algorithms that clip edges.

#include "collision/exact/solid.hpp"
#include "collision/parts/difference.hpp"
#include "collision/parts/query_room.hpp"

#include <span>

namespace claybox::collision {

/// The half space dot(n, x) <= offset, n of length 1 and outward. Zero where a matrix flattens a face to
/// nothing: then it holds everything.
struct ClipPlane {
    Vec3d n;
    double offset = 0;
    std::uint32_t face = 0;  ///< of the hull; a flat body's sides name its first

    double height(const Vec3d& x) const { return dot(n, x) - offset; }
};

struct ClipEdge {
    std::uint32_t u = 0, v = 0;
};

struct ClipBox {
    Vec3d min, max;
};

inline bool overlap(const ClipBox& a, const ClipBox& b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
           a.min.z <= b.max.z && b.min.z <= a.max.z;
}
inline ClipBox box_of(const Vec3d& u, const Vec3d& v) {
    return {min(u, v), max(u, v)};
}

/// Everything in the frame of the difference (the world about A's translation), in a query's room.
struct ClipBody {
    const ConvexHull* hull = nullptr;
    bool of_b = false;
    std::span<Vec3d> points;
    /// Of a solid its faces; of a flat polygon its plane, the same turned round, and its sides; else none.
    std::span<ClipPlane> planes;
    std::span<ClipBox> boxes;   ///< of each plane's face or side
    std::span<ClipEdge> edges;  ///< a point is an edge from itself to itself
    ClipBox box;
    Vec3d centre;
};

std::uint32_t clip_edge_count(const ConvexHull& hull);
std::uint32_t clip_plane_count(const ConvexHull& hull);
/// Bytes that make_clip_body takes of a room.
std::size_t clip_body_bytes(const ConvexHull& hull);
ClipBody make_clip_body(const Difference<double>& d, bool of_b, QueryRoom& room);

/// What is left of an edge u + t (v - u), t in [0, 1]; never more than the two numbers is computed.
struct ClipInterval {
    double low = 0, high = 1;
    std::uint32_t entered = kNoIndex, left = kNoIndex;  ///< planes that cut it, if any
};

/// Clips by one half space; false when nothing is left. Entering edges lose their lower end, leaving ones
/// their upper (FIX-20: the text has it the other way round). An edge with both ends outside is outside,
/// parallel to the plane or not (FIX-21: to pass over parallel ones is unsound). With `kOpen` the plane
/// itself is outside and a single point is nothing.
template <bool kOpen>
bool clip(const ClipPlane& plane, std::uint32_t index, const Vec3d& u, const Vec3d& v, ClipInterval& left) {
    const double at_u = plane.height(u), at_v = plane.height(v);
    if (kOpen ? (at_u >= 0 && at_v >= 0) : (at_u > 0 && at_v > 0)) return false;
    if (at_u > 0) {  // and v inside: n.(v - u) < 0
        const double t = at_u / (at_u - at_v);
        if (t > left.low) {
            left.low = t;
            left.entered = index;
        }
    } else if (at_v > 0) {
        const double t = at_u / (at_u - at_v);
        if (t < left.high) {
            left.high = t;
            left.left = index;
        }
    }
    return kOpen ? left.low < left.high : left.low <= left.high;
}

/// Whether no plane has `x` further outside than `tolerance`; strictly inside all with `kOpen`.
template <bool kOpen>
bool holds(const ClipBody& body, const Vec3d& x, double tolerance = 0) {
    for (const ClipPlane& plane : body.planes)
        if (kOpen ? !(plane.height(x) < tolerance) : plane.height(x) > tolerance) return false;
    return !body.planes.empty();
}

/// Four vertex pairs whose differences surround the origin where an edge of `p` is partly in `q`: of the
/// edge's ends and a triangle of the face that cuts it, or of an end inside and four vertices around it. A
/// pair is (vertex of A, vertex of B). False when double does not show that they do, as where the edge meets
/// an edge.
bool surround_by_edge(const ClipBody& p, const ClipEdge& edge, const ClipInterval& left, const ClipBody& q,
                      VertexPair (&out)[4]);
/// The same for a vertex of `p` in `q`.
bool surround_by_vertex(const ClipBody& p, std::uint32_t vertex, const ClipBody& q, VertexPair (&out)[4]);

/// The widest gap between the bodies across a face plane of either; negative when there is none. The axis
/// points from A to B.
struct FaceGap {
    double gap = 0;
    Vec3d axis{1, 0, 0};
    std::uint32_t support_a = 0, support_b = 0;
};
FaceGap widest_face_gap(const ClipBody& a, const ClipBody& b);

}  // namespace claybox::collision
