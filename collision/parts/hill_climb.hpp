#pragma once
// From vertex to best neighbour until none is better: the support search that follows a body's motion.

#include "collision/core/assert.hpp"
#include "collision/geometry/hull.hpp"

namespace claybox::collision {

/// How far vertex v lies along d (in the hull's frame, any length), as computed in T.
template <class T>
T value_along(const ConvexHull& hull, const Vec3<T>& d, std::uint32_t v) {
    return d.x * T(hull.x[v]) + d.y * T(hull.y[v]) + d.z * T(hull.z[v]);
}

/// Every step is strictly better, so the climb ends; on a convex polytope a vertex that no neighbour beats is
/// best of all, because the edges at a vertex span the cone that holds the body. `looked_at` is called once
/// with the number of vertices that each step looks at.
template <class T, class LookedAt>
std::uint32_t hill_climb(const ConvexHull& hull, const Vec3<T>& d, std::uint32_t start,
                         LookedAt&& looked_at) {
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
        looked_at(end - begin);
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
