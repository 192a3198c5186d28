#pragma once
// The supporting vertex of a hull: the one furthest along a direction. What every convex algorithm starts
// from.

#include "collision/parts/far_neighbours.hpp"

namespace claybox::collision {

enum class SupportMethod : unsigned char {
    automatic,  ///< scan up to kScanLimit vertices, else climb
    scan,       ///< all vertices, vectorised
    climb,      ///< from vertex to best neighbour until none is better
};

/// Up to this many vertices the scan is taken. Measured by `pairwise_bench` on coherent streams of gjk (rows
/// exact_scan and exact_climb): with 16 float lanes both cost the same near 500 vertices; half of that leaves
/// room for narrower vectors, which scan slower.
inline constexpr std::uint32_t kScanLimit = 256;

/// The vertex of `hull` with the largest dot product with `direction` (in the hull's frame, any length),
/// started from vertex `start` where it climbs. Float rounding counts: the vertex is best among its
/// neighbours, or among all, as computed in float. Thread-safe; allocates nothing; terminates for every
/// input, infinite ones included. A climb jumps over artificial neighbours when it is given some.
std::uint32_t support_vertex(const ConvexHull& hull, const Vec3f& direction, std::uint32_t start,
                             SupportMethod method, const FarNeighbours* far = nullptr);

/// The same in double, always by climbing: for refining what float found.
std::uint32_t support_vertex(const ConvexHull& hull, const Vec3d& direction, std::uint32_t start);

}  // namespace claybox::collision
