#pragma once
// Proofs about convex solids under float32 matrices: rung 2 of the exactness ladder, in double with proven
// error bounds, and rung 3, in exact integers. Solids are closed: touching counts as colliding. See
// docs/explanation/exactness.md.

#include "collision/exact/certificate.hpp"
#include "collision/geometry/bounds/bounds.hpp"
#include "collision/geometry/hull/hull.hpp"
#include "collision/geometry/transform.hpp"

#include <span>

namespace claybox::collision {

/// One of the two solids of a query: the convex hull of the float32 vertices under the float32 matrix, in
/// rationals. The matrix may scale, shear, mirror or flatten. The pointers are borrowed.
struct SolidSide {
    const ConvexHull* hull = nullptr;
    const Matrix34f* world_from_hull = nullptr;
    const Aabb* box = nullptr;  ///< contains all hull vertices, in the hull's frame
};

/// A hull vertex of A and one of B. It stands for the point a - b of the Minkowski difference.
struct VertexPair {
    std::uint32_t a = 0, b = 0;
};

/// Rung 2. Returns true only if dot(axis_w, p) < dot(axis_w, q) is proven for all points p of A and q of B.
/// False means "not proven".
///
/// `support_a` and `support_b` are start vertices for a hill climb, so approximate support vertices suffice.
/// They return the vertices where the climb ended. Costs O(degree) if double arithmetic decides all
/// comparisons with neighbours, else O(vertices).
bool proves_separation(const SolidSide& a, const SolidSide& b, const Vec3d& axis_w, std::uint32_t& support_a,
                       std::uint32_t& support_b);

/// A linear motion of both bodies, as the translations of their matrices at t = 1. Those at t = 0 are in the
/// matrices. The translation at t is start + t (end - start) in rationals.
struct SolidSweep {
    Vec3f a_end, b_end;
};

/// Lower bounds of the gap along an axis at t = 0 and t = 1. The exact gap is linear in t, so the bounds hold
/// in between by interpolation.
struct SweptGap {
    double start = 0, end = 0;
};

/// Rung 2. Proven lower bounds of dot(axis_w, q - p) over all points p of A and q of B; -infinity if nothing
/// is proven. Supports and cost as in proves_separation.
SweptGap proven_gap(const SolidSide& a, const SolidSide& b, const SolidSweep& sweep, const Vec3d& axis_w,
                    std::uint32_t& support_a, std::uint32_t& support_b);

/// Rung 2. Returns true only if the origin is proven to be inside the simplex of the pairs' differences a -
/// b. Double arithmetic can prove this for four pairs only. False means "not proven".
bool proves_collision(const SolidSide& a, const SolidSide& b, std::span<const VertexPair> pairs);

struct SolidDecision {
    bool colliding = false;
    std::uint32_t iterations = 0;
    Certificate certificate;
};

/// Rung 3. Always right and always ends, for sets of any dimension. `hint` (up to four pairs) is the start
/// simplex, for example the one where a float algorithm ended. It affects the number of iterations, never the
/// verdict.
SolidDecision decide_solid_exact(const SolidSide& a, const SolidSide& b,
                                 std::span<const VertexPair> hint = {});

/// A solid in two frames, 0 and 1: the hull of all its vertices under both matrices.
struct FramedSide {
    SolidSide start, end;
};
/// The frames of a vertex pair.
struct FramePair {
    std::uint8_t a = 0, b = 0;
    friend bool operator==(const FramePair&, const FramePair&) = default;
};

/// Rung 2, like proves_collision, for differences of any frames.
bool proves_framed_collision(const FramedSide& a, const FramedSide& b, std::span<const VertexPair> pairs,
                             std::span<const FramePair> frames);

/// Whether the hulls of both frames of the solids intersect, in exact arithmetic. `together`: only the
/// differences of equal frames count, which for equal 3x3 parts is the linear motion of both. `frames` are
/// those of the hint's pairs; frame 0 if missing. The certificate has a separating axis, or is empty.
SolidDecision decide_framed_exact(const FramedSide& a, const FramedSide& b, bool together,
                                  std::span<const VertexPair> hint = {},
                                  std::span<const FramePair> frames = {});
/// Whether the solids touch at any t in [0, 1] of the sweep, in exact arithmetic.
SolidDecision decide_swept_exact(const SolidSide& a, const SolidSide& b, const SolidSweep& sweep,
                                 std::span<const VertexPair> hint = {});

/// Checks a solid certificate (separating_axis, surrounded_origin or common_point) in exact arithmetic.
bool certify_solid(const SolidSide& a, const SolidSide& b, const Certificate& certificate);

}  // namespace claybox::collision
