#pragma once
// Where two meshes meet, found by walking both their trees at once.

#include "collision/parts/mesh_bvh_memory.hpp"
#include "collision/parts/mesh_hits.hpp"

namespace claybox::collision {

struct BvhSearch {
    PlacedBvh a, b;
    bool diagonals = true;  ///< inner diagonals of polygons count as edges, see MeshSide
    bool fast = false;      ///< what double arithmetic cannot tell from a hit counts as one
    StopToken stop;
    /// Null to start at the roots. For searches that end with the first hit: else its hits come twice.
    /// Whatever a search has left in it, of these or other trees, changes no verdict.
    BvhMemory* memory = nullptr;
    BvhFront* front = nullptr;  ///< the memory's room; without one, no front is made
    /// Part k of m: of the pairs of volumes near the roots, each m-th. Without a memory only.
    std::uint32_t part = 0, part_count = 1;
};

struct BvhCounts {
    std::uint64_t steps = 0;   ///< one volume against four
    std::uint64_t leaves = 0;  ///< pairs of leaves
    std::uint64_t pairs = 0;   ///< pairs of triangles that float left over
    std::uint64_t tests = 0;   ///< edge against triangle
    std::uint64_t exact = 0;   ///< of these, decided in exact arithmetic
};

/// False where the trees' relation is not certain enough to walk them: nothing was done then. Otherwise calls
/// `on_hit` for every (edge, polygon) that meets, once, until it returns false.
bool find_bvh_hits(const BvhSearch& search, FunctionRef<bool(const MeshHit&)> on_hit, BvhCounts& counts,
                   MeshEnd& end);

}  // namespace claybox::collision
