#pragma once
// The support vertex of a hull: the one furthest along a direction. The basic operation of every convex
// algorithm.

#include "collision/pairwise/support/far_neighbours.hpp"

namespace claybox::collision {

enum class SupportMethod : unsigned char {
    automatic,  ///< scan up to kScanLimit vertices, otherwise climb
    scan,       ///< evaluate all vertices with vector instructions
    climb,      ///< move to the best neighbour until none is better
};

/// Up to this many vertices, `automatic` scans. Measured by `pairwise_bench` on coherent streams of gjk (rows
/// exact_scan and exact_climb): with 16 float lanes scan and climb cost the same near 500 vertices. Half of
/// that leaves a margin for narrower vectors, which scan slower.
inline constexpr std::uint32_t kScanLimit = 256;

/// The vertex of `hull` with the largest dot product with `direction` (in the hull's frame, any length). A
/// climb starts at vertex `start` and uses the links of `far` unless it is null. The vertex is best as
/// computed in float: among all vertices for a scan, among its neighbours for a climb. Thread-safe; allocates
/// nothing; terminates for every input, including infinities.
std::uint32_t support_vertex(const ConvexHull& hull, const Vec3f& direction, std::uint32_t start,
                             SupportMethod method, const FarNeighbours* far = nullptr);

/// The same in double, always by climbing. Refines a result found in float.
std::uint32_t support_vertex(const ConvexHull& hull, const Vec3d& direction, std::uint32_t start);

}  // namespace claybox::collision
