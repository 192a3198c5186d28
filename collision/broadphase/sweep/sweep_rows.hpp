#pragma once
// Boxes sorted by their low ends on one axis, with their ends in arrays in the same order. Both forms of the
// sweep find pairs with it.

#include "collision/broadphase/broad_phase.hpp"
#include "collision/jobs/pair_collector.hpp"
#include "collision/simd/overlap_run.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

class SweepRows {
  public:
    std::size_t size() const { return order_.size(); }
    std::size_t axis() const { return axis_; }
    std::uint32_t slot_at(std::size_t place) const { return static_cast<std::uint32_t>(order_[place]); }

    /// The axis on which the fewest intervals of a sample of the boxes overlap. Returns `current` unless
    /// another axis is clearly better.
    static std::size_t best_axis(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes,
                                 std::size_t current);

    /// Replaces the contents by `slots` (ascending) and sorts them.
    void sort_all(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes, std::size_t axis);
    /// Moves one box to its new position. Returns the number of neighbours passed.
    std::uint64_t move(std::uint32_t slot, const Aabb& box);
    /// Updates the order of all boxes by insertion sort and adds to `swaps`. Stops and returns false above
    /// `max_swaps`: then call sort_all(). Columns are outdated until gather().
    bool update_all(std::span<const Aabb> boxes, std::uint64_t max_swaps, std::uint64_t& swaps);
    /// Adds slots that are not contained yet. Columns are outdated until gather().
    void merge(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes);
    void gather(std::span<const Aabb> boxes);
    /// Removes the marked slots.
    void drop(std::span<const unsigned char> marked);

    /// Finds pairs with at least one marked slot by a sweep over all boxes.
    void find_all(std::span<const unsigned char> marked, bool all_marked, Executor& executor,
                  PairCollector& collector) const;
    /// The same by searching around each slot of `moved` (the marked slots).
    void find_around(std::span<const std::uint32_t> moved, std::span<const unsigned char> marked,
                     Executor& executor, PairCollector& collector);

    /// Adds the intervals on the axis.
    void view(StructureView& out) const;
    std::size_t memory_bytes() const;

  private:
    enum Column : std::size_t { kLow0, kHigh0, kLow1, kHigh1, kLow2, kHigh2, kColumns };
    using Ends = std::array<float, kColumns>;

    Ends ends_of(const Aabb& box) const;
    std::uint64_t key(float low, std::uint32_t slot) const;
    RunColumns columns() const;
    RunBox run_box(std::size_t place) const;
    /// One past the last place whose low end is <= `high`, starting the search at `from`.
    std::uint32_t run_end(std::size_t from, float high) const;
    std::size_t place_of(std::uint32_t slot) const;
    void find_left_of(std::size_t place, std::span<const unsigned char> marked,
                      PairCollector::Worker& worker) const;
    void compute_block_reach();
    void resize_columns();
    template <class Visit>
    void scan(const RunBox& box, std::uint32_t begin, std::uint32_t end, Visit&& visit) const;

    std::size_t axis_ = 0;
    std::vector<std::uint64_t> order_;  ///< by place: low end in sortable bits, then the slot
    std::array<std::vector<float>, kColumns> columns_;
    std::vector<std::uint32_t> low_of_;  ///< by slot: upper half of its key
    std::vector<float> block_high_,
        block_reach_;  ///< by block: largest high end of the block; of all blocks so far
    std::vector<std::uint64_t> scratch_, entering_;
};

}  // namespace claybox::collision
