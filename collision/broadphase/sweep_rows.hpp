#pragma once
// Boxes sorted by their low ends on one axis, their ends in columns beside the order: what both forms of the
// sweep find pairs with.

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

    /// Of the three axes the one on which the fewest intervals of a sample of the boxes overlap.
    /// `now` stays unless another is clearly better.
    static std::size_t best_axis(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes,
                                 std::size_t now);

    /// Holds exactly `slots` (ascending), sorted without regard to what was held before.
    void sort_anew(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes, std::size_t axis);
    /// Follows one box by passing its neighbours; returns how many were passed.
    std::uint64_t move(std::uint32_t slot, const Aabb& box);
    /// Follows all boxes by insertion and adds to `swaps`; gives up when they exceed `most`: then only
    /// sort_anew() makes it whole again. Columns are old until gather().
    bool follow_all(std::span<const Aabb> boxes, std::uint64_t most, std::uint64_t& swaps);
    /// Adds slots that are not held. Columns are old until gather().
    void merge(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes);
    void gather(std::span<const Aabb> boxes);
    /// Takes out the slots that are marked.
    void drop(std::span<const unsigned char> marked);

    /// Pairs with at least one marked slot, by a sweep over everything.
    void find_all(std::span<const unsigned char> marked, bool all_marked, Executor& executor,
                  PairCollector& collector) const;
    /// The same by looking around each of `moved`, which are the marked ones.
    void find_around(std::span<const std::uint32_t> moved, std::span<const unsigned char> marked,
                     Executor& executor, PairCollector& collector);

    /// The intervals on the axis.
    void view(StructureView& out) const;
    std::size_t memory_bytes() const;

  private:
    enum Column : std::size_t { kLow0, kHigh0, kLow1, kHigh1, kLow2, kHigh2, kColumns };
    using Ends = std::array<float, kColumns>;

    Ends ends_of(const Aabb& box) const;
    std::uint64_t key(float low, std::uint32_t slot) const;
    RunColumns columns() const;
    RunBox run_box(std::size_t place) const;
    /// One behind the last place whose low end is not beyond `high`; `from` is a place before it or it.
    std::uint32_t run_end(std::size_t from, float high) const;
    std::size_t place_of(std::uint32_t slot) const;
    void find_left_of(std::size_t place, std::span<const unsigned char> marked,
                      PairCollector::Worker& worker) const;
    void find_reaches();
    void resize_columns();
    template <class Visit>
    void scan(const RunBox& box, std::uint32_t begin, std::uint32_t end, Visit&& visit) const;

    std::size_t axis_ = 0;
    std::vector<std::uint64_t> order_;  ///< by place: low end in sortable bits, then the slot
    std::array<std::vector<float>, kColumns> columns_;
    std::vector<std::uint32_t> low_of_;            ///< by slot: the upper half of its key
    std::vector<float> block_high_, block_reach_;  ///< by block: its furthest high end, and of all up to it
    std::vector<std::uint64_t> scratch_, entering_;
};

}  // namespace claybox::collision
