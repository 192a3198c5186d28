#pragma once
// Hill climbing over a hull's edges: the support search that exploits frame coherence.

#include "collision/core/assert.hpp"
#include "collision/geometry/hull/hull.hpp"

namespace claybox::collision {

/// The height of vertex v along d (in the hull's frame, any length), computed in T.
template <class T>
T value_along(const ConvexHull& hull, const Vec3<T>& d, std::uint32_t v) {
    return d.x * T(hull.x[v]) + d.y * T(hull.y[v]) + d.z * T(hull.z[v]);
}

/// Moves to the best neighbour until none is better. Terminates because every step is strictly better. On a
/// convex polytope a vertex that no neighbour beats is the best of all: the edges at a vertex span the cone
/// that contains the body. Calls `visit` once per step with the number of vertices that the step evaluates.
template <class T, class Visit>
std::uint32_t hill_climb(const ConvexHull& hull, const Vec3<T>& d, std::uint32_t start, Visit&& visit) {
    CLAYBOX_ASSERT(start < hull.vertex_count);
    const float* const x = hull.x.data();
    const float* const y = hull.y.data();
    const float* const z = hull.z.data();
    const auto value = [&](std::uint32_t v) { return d.x * T(x[v]) + d.y * T(y[v]) + d.z * T(z[v]); };
    std::uint32_t best = start;
    T best_value = value(start);
    for (;;) {
        const std::uint32_t here = best;
        const std::uint32_t begin = hull.neighbour_begin[here], end = hull.neighbour_begin[here + 1];
        visit(end - begin);
        for (std::uint32_t i = begin; i < end; ++i) {
            const std::uint32_t neighbour = hull.neighbours[i];
            const T v = value(neighbour);
            if (v > best_value) {
                best = neighbour;
                best_value = v;
            }
        }
        if (best == here) return best;
    }
}

}  // namespace claybox::collision
