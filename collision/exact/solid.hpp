#pragma once
// Proofs about convex point sets under float32 matrices: rung 2 of the ladder in double with proven error
// bounds, rung 3 in exact integers. Solids are closed: touching counts as colliding.

#include "collision/exact/certificate.hpp"
#include "collision/geometry/bounds.hpp"
#include "collision/geometry/hull.hpp"
#include "collision/geometry/transform.hpp"

#include <span>

namespace claybox::collision {

/// One side of a question about solids: the exact set is the hull of the hull's float32 vertices under the
/// float32 matrix, in rationals. The matrix may scale, shear, mirror or flatten. Borrows everything.
struct SolidSide {
    const ConvexHull* hull = nullptr;
    const Matrix34f* world_from_hull = nullptr;
    const Aabb* box = nullptr;  ///< contains all hull vertices, in the hull's own frame
};

/// A vertex of A's hull and one of B's: the point a - b of the difference set.
struct VertexPair {
    std::uint32_t a = 0, b = 0;
};

/// Rung 2. True only when dot(axis_w, p) < dot(axis_w, q) is proven for all points p of A and q of B. The
/// supports are where to start; they are moved uphill when a neighbour is better, so a nearly right support
/// is enough. Costs O(degree) where the double bound decides all neighbours, else O(vertices). False means
/// "not proven", not "false".
bool proves_separation(const SolidSide& a, const SolidSide& b, const Vec3d& axis_w, std::uint32_t& support_a,
                       std::uint32_t& support_b);

/// Rung 2. True only when the origin is proven to lie inside the simplex of the pairs' differences a - b; in
/// double that is possible for four pairs only. False means "not proven".
bool proves_collision(const SolidSide& a, const SolidSide& b, std::span<const VertexPair> pairs);

struct SolidDecision {
    bool colliding = false;
    std::uint32_t iterations = 0;
    Certificate certificate;
};

/// Rung 3. Always right and always ends, for sets of any dimension. `hint`, up to four pairs, is where the
/// float algorithm ended: a good one saves iterations and never changes the verdict.
SolidDecision decide_solid_exact(const SolidSide& a, const SolidSide& b,
                                 std::span<const VertexPair> hint = {});

/// Checks a solid certificate (separating_axis, surrounded_origin, common_point) in exact arithmetic alone.
bool certify_solid(const SolidSide& a, const SolidSide& b, const Certificate& certificate);

}  // namespace claybox::collision
