#pragma once

#include "collision/broadphase/structure_view.hpp"
#include "collision/broadphase/world_bounds.hpp"
#include "collision/core/function_ref.hpp"
#include "collision/core/parameter.hpp"
#include "collision/geometry/ray.hpp"
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

/// What a walk of a query needs beside the structure; kept by the caller, so that walks take no memory and
/// several threads may ask at once, each with its own.
struct WalkScratch {
    struct Item {
        double enter;
        std::uint32_t index;
    };
    std::vector<Item> items;
};

/// A part of a ray, 0 <= begin <= end, both finite.
struct RayPart {
    Ray ray;
    double begin = 0, end = 0;
};

/// Finds the pairs whose bounds overlap. Bodies are slots; their bounds stand in arrays indexed by slot that
/// the caller owns and keeps. One thread at a time; results do not depend on the executor.
class BroadPhase {
  public:
    virtual ~BroadPhase() = default;

    /// Enters a slot that is not in the structure: the next update reads its bounds.
    virtual void insert(std::uint32_t slot) = 0;
    /// Takes a slot out; never an error of memory when it is not there.
    virtual void remove(std::uint32_t slot) = 0;
    /// Follows the bounds of moved slots (each once, in the structure).
    virtual void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds,
                        Executor& executor) = 0;
    /// All pairs with at least one slot of `moved` whose boxes, and bounds of the kinds that the descriptor
    /// states, overlap (touching counts): sorted by key, each once. Call after update, with the same bounds.
    /// `out` is overwritten and keeps its memory.
    virtual void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds& bounds,
                            Executor& executor, std::vector<PairKey>& out) = 0;

    /// Calls visit(slot) once for every body whose box overlaps `box`, in no order that says anything, until
    /// it returns false. This and the next: call after update; bodies removed since then are not told. Boxes
    /// of slots without a body must be empty. Unless overridden, looks at all boxes.
    virtual void overlapping(const Aabb& box, std::span<const Aabb> boxes, WalkScratch& scratch,
                             FunctionRef<bool(std::uint32_t)> visit) const;
    /// Calls visit(slot) once for every body whose box the part of the ray meets (RayBoxTest), nearer ones
    /// roughly first. It returns the end of what is still asked, which may only come nearer: bodies that are
    /// entered beyond it are not told, and below `begin` it ends the walk.
    virtual void along_ray(const RayPart& part, std::span<const Aabb> boxes, WalkScratch& scratch,
                           FunctionRef<double(std::uint32_t)> visit) const;

    virtual BroadPhaseCounts counts() const = 0;
    virtual std::size_t memory_bytes() const = 0;
    /// Adds what a view can draw: occupied cells, nodes, intervals. `out` has begun with a wish.
    virtual void view(StructureView& out) const = 0;
};

struct BroadPhaseDescriptor {
    const char* id;
    const char* title;
    const char* source;
    const char* summary;
    std::span<const Parameter> parameters = {};
    std::unique_ptr<BroadPhase> (*create)(const ParameterValues& values) = nullptr;
    const char* levels = "";  ///< what the levels of its view count, "Depth"; empty: nothing to see
    std::span<const char* const> level_names = {};  ///< where they have names instead of numbers
    BoundKinds needs = 0;                           ///< beside boxes; left out, the box takes their place
    BoundKinds states = 0;  ///< bounds that overlap, beside the boxes, where a pair is reported
};

std::span<const BroadPhaseDescriptor* const> broad_phases();
const BroadPhaseDescriptor* find_broad_phase(std::string_view id);

}  // namespace claybox::collision
