#pragma once
// Artificial neighbours for hill climbing: links to vertices several steps away. With them a climb crosses a
// large hull in a few jumps.
//
// Source: Chong's notes on convexity-based methods, hill climbing for extreme vertices. The notes leave open
// which vertices to link. Ours: from each vertex, four walks along the surface in perpendicular directions.

#include "collision/pairwise/support/hill_climb.hpp"

#include <cstddef>

namespace claybox::collision {

struct FarNeighbours {
    static constexpr std::uint32_t kPerVertex = 4;
    /// The links of vertex v start at links[kPerVertex * v]. Empty for small or flat hulls: there the
    /// true neighbours suffice.
    std::vector<std::uint32_t> links;

    std::size_t memory_bytes() const { return sizeof(*this) + links.capacity() * sizeof(std::uint32_t); }
};

/// A climb over fewer vertices takes few steps without links.
inline constexpr std::uint32_t kMinVerticesForLinks = 64;

/// O(vertices^1.5): at most 16 steps per link.
FarNeighbours make_far_neighbours(const ConvexHull& hull);

/// hill_climb over true and artificial neighbours. Like hill_climb it ends at a vertex that no true neighbour
/// beats.
template <class T, class Visit>
std::uint32_t hill_climb_far(const ConvexHull& hull, const FarNeighbours& far, const Vec3<T>& d,
                             std::uint32_t start, Visit&& visit) {
    if (far.links.empty()) return hill_climb(hull, d, start, visit);
    std::uint32_t best = start;
    T best_value = value_along(hull, d, start);
    for (;;) {
        const std::uint32_t here = best;
        const std::uint32_t* const jump = far.links.data() + std::size_t{FarNeighbours::kPerVertex} * here;
        visit(FarNeighbours::kPerVertex);
        for (std::uint32_t i = 0; i < FarNeighbours::kPerVertex; ++i) {
            const T v = value_along(hull, d, jump[i]);
            if (!(v > best_value)) continue;
            best = jump[i];
            best_value = v;
        }
        if (best != here) continue;  // jump as long as it helps, then step
        return hill_climb(hull, d, here, visit);
    }
}

}  // namespace claybox::collision
