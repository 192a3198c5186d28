#pragma once
// A convex body as half-spaces, edges and vertices, in a common frame with another body. For algorithms that
// clip edges.

#include "collision/exact/solid.hpp"
#include "collision/pairwise/query_buffer.hpp"
#include "collision/pairwise/solid/solid_ladder.hpp"
#include "collision/pairwise/support/difference.hpp"

#include <span>

namespace claybox::collision {

/// The half-space dot(n, x) <= offset; n has length 1 and points outward. If a matrix collapses a face, n and
/// offset are zero, and the half-space is the whole space.
struct ClipPlane {
    Vec3d n;
    double offset = 0;
    std::uint32_t face = 0;  ///< of the hull; the sides of a flat body have face 0

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

/// All data is in the frame of the difference (world axes, origin at A's translation). The memory belongs to
/// a QueryBuffer.
struct ClipBody {
    const ConvexHull* hull = nullptr;
    bool of_b = false;
    std::span<Vec3d> points;
    /// For a solid: its faces. For a flat polygon: its plane, the plane reversed, and its sides. Otherwise
    /// none.
    std::span<ClipPlane> planes;
    std::span<ClipBox> boxes;   ///< of each plane's face or side
    std::span<ClipEdge> edges;  ///< a single point is an edge from itself to itself
    ClipBox box;
    Vec3d centre;
};

std::uint32_t clip_edge_count(const ConvexHull& hull);
std::uint32_t clip_plane_count(const ConvexHull& hull);
/// Bytes that make_clip_body uses of a buffer.
std::size_t clip_body_bytes(const ConvexHull& hull);
ClipBody make_clip_body(const Difference<double>& d, bool of_b, QueryBuffer& buffer);

/// The part of an edge u + t (v - u), t in [0, 1], that remains after clipping. Only these two numbers are
/// computed.
struct ClipInterval {
    double low = 0, high = 1;
    /// the planes that cut the lower and the upper end, if any
    std::uint32_t entered = kNoIndex, left = kNoIndex;
};

/// Clips by one half-space; false if nothing remains. Entering edges lose their lower end, leaving edges
/// their upper end (FIX-20: the text has it reversed). An edge with both ends outside is outside, parallel to
/// the plane or not (FIX-21: skipping parallel edges is unsound). With `kOpen` the plane itself is outside,
/// and a single remaining point counts as nothing.
template <bool kOpen>
bool clip(const ClipPlane& plane, std::uint32_t index, const Vec3d& u, const Vec3d& v, ClipInterval& left) {
    const double at_u = plane.height(u), at_v = plane.height(v);
    if (kOpen ? (at_u >= 0 && at_v >= 0) : (at_u > 0 && at_v > 0)) return false;
    if (at_u > 0) {  // v is inside: n.(v - u) < 0
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

/// Whether `x` is inside all planes up to `tolerance`; strictly inside with `kOpen`.
template <bool kOpen>
bool contains(const ClipBody& body, const Vec3d& x, double tolerance = 0) {
    for (const ClipPlane& plane : body.planes)
        if (kOpen ? !(plane.height(x) < tolerance) : plane.height(x) > tolerance) return false;
    return !body.planes.empty();
}

/// Given an edge of `p` that is partly inside `q`: finds four vertex pairs whose differences surround the
/// origin. They come from the edge's ends and a triangle of the face that cuts it, or from an end inside and
/// four vertices around it. A pair is (vertex of A, vertex of B). False if double does not confirm that they
/// surround it, e.g. if the edge touches an edge.
bool surround_by_edge(const ClipBody& p, const ClipEdge& edge, const ClipInterval& left, const ClipBody& q,
                      VertexPair (&out)[4]);
/// The same for a vertex of `p` inside `q`.
bool surround_by_vertex(const ClipBody& p, std::uint32_t vertex, const ClipBody& q, VertexPair (&out)[4]);

/// The widest gap between the bodies along a face normal of either; negative if there is none. The axis
/// points from A to B.
struct FaceGap {
    double gap = 0;
    Vec3d axis{1, 0, 0};
    std::uint32_t support_a = 0, support_b = 0;
};
FaceGap widest_face_gap(const ClipBody& a, const ClipBody& b);

/// The claim of a pair without a piece inside: the widest face gap. If no face plane separates the bodies,
/// the ladder starts from the last separation in `memory`.
SolidClaim claim_face_gap(const ClipBody& a, const ClipBody& b, const LadderMemory& memory);

/// Whether clipping all edges of each body by all planes of the other stays within the limit of one query.
bool clips_within_limit(const ConvexHull& a, const ConvexHull& b);

}  // namespace claybox::collision
