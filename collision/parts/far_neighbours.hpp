#pragma once
// Artificial neighbours for hill climbing: links to vertices some steps away, over which a climb makes its
// way across a large hull in a few jumps.
//
// Source: Chong's notes on convexity-based methods, hill climbing for extreme vertices, which leave open
// which vertices to link. Ours: from each vertex, four walks along the surface in directions square to each
// other.

#include "collision/parts/hill_climb.hpp"

#include <cstddef>

namespace claybox::collision {

struct FarNeighbours {
    static constexpr std::uint32_t kPerVertex = 4;
    /// Those of vertex v: links[kPerVertex * v ..]. Empty for hulls that are small or flat: there the true
    /// neighbours reach far enough.
    std::vector<std::uint32_t> links;

    std::size_t memory_bytes() const { return sizeof(*this) + links.capacity() * sizeof(std::uint32_t); }
};

/// Below this many vertices a climb takes few steps anyway.
inline constexpr std::uint32_t kFewestForLinks = 64;

/// O(vertices^1.5), at most sixteen steps for each link.
FarNeighbours make_far_neighbours(const ConvexHull& hull);

/// hill_climb over true and artificial neighbours. The vertex that it ends at is as far along d: no true
/// neighbour beats it.
template <class T, class LookedAt>
std::uint32_t hill_climb_far(const ConvexHull& hull, const FarNeighbours& far, const Vec3<T>& d,
                             std::uint32_t start, LookedAt&& looked_at) {
    if (far.links.empty()) return hill_climb(hull, d, start, looked_at);
    std::uint32_t best = start;
    T best_value = value_along(hull, d, start);
    for (;;) {
        const std::uint32_t here = best;
        const std::uint32_t* const jump = far.links.data() + std::size_t{FarNeighbours::kPerVertex} * here;
        looked_at(FarNeighbours::kPerVertex);
        for (std::uint32_t i = 0; i < FarNeighbours::kPerVertex; ++i) {
            const T v = value_along(hull, d, jump[i]);
            if (!(v > best_value)) continue;
            best = jump[i];
            best_value = v;
        }
        if (best != here) continue;  // jump while it helps; then step
        return hill_climb(hull, d, here, looked_at);
    }
}

}  // namespace claybox::collision
