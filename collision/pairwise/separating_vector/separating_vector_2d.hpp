#pragma once
// The separating vector search for two convex polygons in the plane z = 0 (Chung and Wang, section 2.2 and
// figure 1). For pictures and teaching.

#include "collision/pairwise/separating_vector/separating_vector.hpp"

namespace claybox::collision {

/// Two convex polygons with corners in order and z = 0. Borrows them.
struct PolygonPair {
    std::span<const Vec3d> p, q;

    /// Finds the supports along s by climbing around each polygon, starting at `pair`. Returns q - p.
    Vec3d operator()(const Vec3d& s, VertexPair& pair) const {
        pair.a = climb(p, s, pair.a);
        pair.b = climb(q, -s, pair.b);
        return q[pair.b] - p[pair.a];
    }

  private:
    static std::uint32_t climb(std::span<const Vec3d> polygon, const Vec3d& s, std::uint32_t at) {
        const auto count = static_cast<std::uint32_t>(polygon.size());
        for (;;) {
            const std::uint32_t next = (at + 1) % count, last = (at + count - 1) % count;
            const double here = dot(s, polygon[at]);
            const double there = dot(s, polygon[next]), back = dot(s, polygon[last]);
            if (there > here && there >= back) {
                at = next;
            } else if (back > here) {
                at = last;
            } else {
                return at;
            }
        }
    }
};

/// Searches for a vector that separates the polygons; `watch` receives every step. `rays` needs one element
/// per step.
template <class Visited, class Watch>
VectorAnswer<double> separate_polygons(const PolygonPair& polygons, const VectorStart<double>& start,
                                       std::span<VisitedRay<double>> rays, Visited& visited, Watch&& watch) {
    return search_separating_vector<PlaneSpace>(start, rays, visited, polygons, watch);
}

}  // namespace claybox::collision
