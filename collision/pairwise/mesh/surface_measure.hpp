#pragma once
// Distance, closest points and safety margin of surfaces, computed after the verdict. For every algorithm
// that has BVHs of its meshes.

#include "collision/pairwise/bvh/prepared_bvh.hpp"

namespace claybox::collision {

/// The closest triangles of a pair; the next search starts there.
struct SurfaceMemory {
    std::uint32_t triangle_a = kNoIndex, triangle_b = kNoIndex;
};

/// Adds the requested measurements to the verdict of a separated pair: distance and closest points, and the
/// effect of the margin (surfaces not farther apart than the margin become colliding, without a certificate).
/// A body without a prepared tree gets one for this query.
void measure_surfaces(const PairQuery& query, SurfaceMemory& memory, PairResult& result, Trace* trace);

/// Whether measure_surfaces() has anything to do.
inline bool wants_measure(const PairQuery& query, const PairResult& result) {
    return result.status == QueryStatus::done && result.verdict == Verdict::separated &&
           ((query.wants & kWantDistance) != 0 || query.margin > 0);
}

}  // namespace claybox::collision
