#pragma once
/// \file
/// The interface of all broad phases, and the list of them.

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

/// Counters of the last update and search, for panels and the tables of the papers.
struct BroadPhaseCounts {
    std::uint64_t raw_candidates = 0;  ///< compared pairs before the bounds test, with repetitions
    std::uint64_t cells_changed = 0;   ///< cell entries added and removed; 0 without cells
    std::uint64_t unchanged = 0;       ///< moved bodies that kept their place in the structure
    std::uint64_t swaps = 0;           ///< swaps of neighbours in sorted lists
    std::uint64_t sorts = 0;           ///< 1 if the structure was rebuilt from all boxes
    std::uint64_t pairs_begun = 0;     ///< new pairs, if the structure stores its pairs
    std::uint64_t pairs_ended = 0;     ///< removed pairs, if the structure stores its pairs
    std::uint64_t node_tests = 0;      ///< tree boxes compared by find_pairs
};

/// Scratch memory of a query traversal, owned by the caller: traversals do not allocate, and several threads
/// may query at once, each with its own scratch.
struct WalkScratch {
    /// A cell, node or body that the traversal still has to visit.
    struct Item {
        double enter;         ///< where the ray enters it; 0 without a ray
        std::uint32_t index;  ///< into an array of the broad phase
    };
    std::vector<Item> items;  ///< keeps its memory between traversals
};

/// A segment of a ray, 0 <= begin <= end, both finite.
struct RayPart {
    Ray ray;           ///< valid according to check()
    double begin = 0;  ///< first t of the segment
    double end = 0;    ///< last t of the segment
};

/// Finds the pairs whose bounds overlap. Bodies are identified by slot; bounds are in arrays indexed by slot
/// that the caller owns. One thread at a time. Results do not depend on the executor.
class BroadPhase {
  public:
    virtual ~BroadPhase() = default;

    /// Adds a slot that is not in the structure. The next update reads its bounds.
    virtual void insert(std::uint32_t slot) = 0;
    /// Removes a slot; does nothing if it is not in the structure.
    virtual void remove(std::uint32_t slot) = 0;
    /// Reads the new bounds of moved slots (each once, in the structure).
    virtual void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds,
                        Executor& executor) = 0;
    /// Returns all pairs with at least one slot of `moved` whose boxes overlap, and whose bounds of the kinds
    /// in BroadPhaseDescriptor::states overlap (touching counts). Sorted by key, each pair once. Call after
    /// update, with the same bounds. `out` is overwritten and keeps its memory.
    virtual void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds& bounds,
                            Executor& executor, std::vector<PairKey>& out) = 0;

    /// Calls visit(slot) once for every body whose box overlaps `box`, in unspecified order, until it returns
    /// false. This and the next: call after update; bodies removed since then are skipped. Boxes of slots
    /// without a body must be empty. The default implementation tests all boxes.
    virtual void overlapping(const Aabb& box, std::span<const Aabb> boxes, WalkScratch& scratch,
                             FunctionRef<bool(std::uint32_t)> visit) const;
    /// Calls visit(slot) once for every body whose box intersects the segment (RayBoxTest), nearer bodies
    /// roughly first. `visit` returns the new end of the segment, which must not grow: bodies entered beyond
    /// it are skipped, and a value below `begin` stops the traversal.
    virtual void along_ray(const RayPart& part, std::span<const Aabb> boxes, WalkScratch& scratch,
                           FunctionRef<double(std::uint32_t)> visit) const;

    /// What the last update and search did.
    virtual BroadPhaseCounts counts() const = 0;
    /// Memory of the structure, without the bounds that it reads.
    virtual std::size_t memory_bytes() const = 0;
    /// Adds boxes for drawing: occupied cells, nodes, intervals. The caller has called out.begin().
    virtual void view(StructureView& out) const = 0;
};

/// A broad phase as plain data: everything that the panels, the command line, tests, benches and
/// documentation know about it. Its pointers stay valid until the program ends.
struct BroadPhaseDescriptor {
    const char* id;                              ///< name on the command line
    const char* title;                           ///< label in panels, sentence case
    const char* source;                          ///< paper and section
    const char* summary;                         ///< one sentence for a tooltip
    std::span<const Parameter> parameters = {};  ///< its settings; may be empty
    /// Makes an empty structure with these settings: those of default_values(), changed where wanted.
    std::unique_ptr<BroadPhase> (*create)(const ParameterValues& values) = nullptr;
    const char* levels = "";  ///< what a level of the view means, e.g. "Depth"; empty: no view
    std::span<const char* const> level_names = {};  ///< if levels have names instead of numbers
    BoundKinds needs = 0;   ///< kinds used in addition to boxes; missing ones are replaced by the box
    BoundKinds states = 0;  ///< kinds that overlap, in addition to the boxes, for every reported pair
};

/// All broad phases, in the order of list.def.
std::span<const BroadPhaseDescriptor* const> broad_phases();
/// Null if no broad phase has this id.
const BroadPhaseDescriptor* find_broad_phase(std::string_view id);

}  // namespace claybox::collision
