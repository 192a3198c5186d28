#pragma once

#include "collision/core/ids.hpp"
#include "collision/core/parameter.hpp"
#include "collision/geometry/bounds.hpp"
#include "collision/jobs/executor.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace claybox::collision {

/// What a broad phase did in its last update, for panels and the papers' tables.
struct BroadPhaseCounts {
    std::uint64_t raw_candidates =
        0;  ///< pairs the structure found before the bounds filter, repeats included
    std::uint64_t cells_changed = 0;  ///< entries made and removed (0 where there are no cells)
    std::uint64_t unchanged = 0;      ///< moved bodies whose place in the structure stayed
    std::uint64_t swaps = 0;          ///< neighbours that passed each other in sorted lists
    std::uint64_t sorts = 0;          ///< 1 where the structure was made anew from all boxes
    std::uint64_t pairs_begun = 0, pairs_ended = 0;  ///< where the structure keeps its pairs
    std::uint64_t node_tests = 0;                    ///< boxes of a tree that were compared by find_pairs
};

/// Finds the pairs whose bounds overlap. Bodies are slots; their boxes stand in one array indexed by slot
/// that the caller owns and keeps. One thread at a time; results do not depend on the executor.
class BroadPhase {
  public:
    virtual ~BroadPhase() = default;

    /// Enters a slot that is not in the structure.
    virtual void insert(std::uint32_t slot, const Aabb& box) = 0;
    /// Takes a slot out; never an error of memory when it is not there.
    virtual void remove(std::uint32_t slot) = 0;
    /// Follows the boxes of moved slots (each once, in the structure); `boxes` is indexed by slot.
    virtual void update(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes,
                        Executor& executor) = 0;
    /// All pairs with at least one slot of `moved` whose boxes overlap (touching counts): sorted by key, each
    /// once. Call after update. `out` is overwritten and keeps its memory.
    virtual void find_pairs(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes,
                            Executor& executor, std::vector<PairKey>& out) = 0;
    virtual BroadPhaseCounts counts() const = 0;
    virtual std::size_t memory_bytes() const = 0;
    /// Boxes that a view can draw (occupied cells, tree nodes), at most `limit`.
    virtual void view(std::vector<Aabb>& out, std::size_t limit) const = 0;
};

struct BroadPhaseDescriptor {
    const char* id;
    const char* title;
    const char* source;
    const char* summary;
    std::span<const Parameter> parameters = {};
    std::unique_ptr<BroadPhase> (*create)(const ParameterValues& values) = nullptr;
};

std::span<const BroadPhaseDescriptor* const> broad_phases();
const BroadPhaseDescriptor* find_broad_phase(std::string_view id);

}  // namespace claybox::collision
