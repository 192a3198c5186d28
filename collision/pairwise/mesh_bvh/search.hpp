#pragma once
// Finds the intersections of two meshes by traversing both hierarchies together.

#include "collision/pairwise/mesh/mesh_hits.hpp"
#include "collision/pairwise/mesh_bvh/pair_memory.hpp"

namespace claybox::collision {

struct BvhSearch {
    PlacedBvh a, b;
    bool diagonals = true;  ///< inner diagonals of polygons count as edges: see MeshSide
    bool fast = false;      ///< cases that double arithmetic cannot decide count as hits
    StopToken stop;
    /// Null to start at the roots. Only for searches that end with the first hit; others would report hits
    /// twice. Any content, even of other trees, leaves the verdict unchanged.
    BvhMemory* memory = nullptr;
    BvhFront* front = nullptr;  ///< storage for the memory's front; without it no front is built
    /// Part k of m: every m-th of the pairs of volumes near the roots. Only without a memory.
    std::uint32_t part = 0, part_count = 1;
};

struct BvhCounts {
    std::uint64_t steps = 0;   ///< tests of one volume against four
    std::uint64_t leaves = 0;  ///< pairs of leaves
    std::uint64_t pairs = 0;   ///< triangle pairs that the float test left undecided
    std::uint64_t tests = 0;   ///< edge against triangle
    std::uint64_t exact = 0;   ///< of these, decided in exact arithmetic
};

/// Returns false, without doing anything, if the relation of the trees is too uncertain to walk them.
/// Otherwise calls `on_hit` once for every intersecting (edge, polygon) until it returns false.
bool find_bvh_hits(const BvhSearch& search, FunctionRef<bool(const MeshHit&)> on_hit, BvhCounts& counts,
                   MeshEnd& end);

}  // namespace claybox::collision
