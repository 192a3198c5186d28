#pragma once
// Distance, closest points and safety margin of surfaces, for every algorithm that has trees of its meshes:
// what is measured after the verdict stands.

#include "collision/pairwise/prepared_bvh.hpp"

namespace claybox::collision {

/// What a pair remembers: the triangles that were closest, where the next search starts.
struct SurfaceMemory {
    std::uint32_t triangle_a = kNoIndex, triangle_b = kNoIndex;
};

/// Adds what the query wants beside the verdict of a separated pair: the margin's effect (surfaces not
/// farther apart than the margin become colliding, without a certificate), distance and closest points. Where
/// a body has no prepared tree, one is made for the query.
void measure_surfaces(const PairQuery& query, SurfaceMemory& memory, PairResult& result, Trace* trace);

/// Whether measure_surfaces has anything to do.
inline bool wants_measure(const PairQuery& query, const PairResult& result) {
    return result.status == QueryStatus::done && result.verdict == Verdict::separated &&
           ((query.wants & kWantDistance) != 0 || query.margin > 0);
}

}  // namespace claybox::collision
