#pragma once
// Where `best` keeps its bodies: in columns, in the order of the cells of its grids.

#include "collision/broadphase/best_broad_cells_levels.hpp"
#include "collision/core/ids.hpp"

#include <algorithm>
#include <vector>

namespace claybox::collision {

/// Neighbouring cells of a grid: from a cell on so many along each axis, before they are wrapped.
struct CellRange {
    Cells3 low{}, count{};
};

/// Where a body of this grid must stand that overlaps the box: its lower corner is at most a cell before the
/// box's lower corner and not beyond the upper one.
inline CellRange range_of(const BoxGrid& grid, const Aabb& box) {
    CellRange out;
    for (std::size_t k = 0; k < 3; ++k) {
        out.low[k] = grid.at(box.min[k]) - 1;
        out.count[k] = std::clamp<Cells>(grid.at(box.max[k]) - out.low[k] + 1, 0, Cells{grid.mask[k]} + 1);
    }
    return out;
}

/// A box as it is compared: in two vectors, the upper corner negated, so that both compare the same way.
struct alignas(32) BoxEntry {
    Vec3f low;
    std::uint32_t slot = kNoIndex;  ///< kNoIndex: a hole, which overlaps nothing
    Vec3f minus_high;
    std::uint32_t cell = kNoIndex;

    const float* numbers() const { return reinterpret_cast<const float*>(this); }
    Aabb box() const { return {low, -1.0f * minus_high}; }
};

/// Every body has a place. First come those sorted by cell, the bodies that are compared with all in a last
/// cell of their own; behind them those that entered a cell later and found no hole there.
class BoxCells {
  public:
    /// Only noted: the next update or sort knows all boxes, and with them the sizes of cells.
    void insert(std::uint32_t slot);
    void remove(std::uint32_t slot);
    /// Follows each of the moved.
    void follow(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes);
    /// Puts all into cells anew.
    void sort(std::span<const Aabb> boxes);
    /// So much has changed that it is time to sort.
    bool is_worn() const;

    std::size_t size() const { return body_count_; }
    std::size_t waiting() const { return waiting_.size(); }
    std::uint32_t slot_count() const { return static_cast<std::uint32_t>(place_.size()); }
    std::uint64_t changed() const { return changed_; }
    std::uint64_t unchanged() const { return unchanged_; }
    void clear_counts() { changed_ = unchanged_ = 0; }
    std::size_t memory_bytes() const;

    std::span<const BoxGrid> grids() const { return levels_.grids(); }
    /// The grid of a cell; grids().size() for the cell of those that are compared with all.
    std::size_t grid_with(std::uint32_t cell) const;
    /// The cell of those that are compared with all.
    std::uint32_t large_cell() const { return levels_.cell_count(); }
    bool has_large() const { return start_[large_cell()] != start_[large_cell() + 1] || large_outside_ != 0; }
    /// Sorted places: [first_of(cell), first_of(cell + 1)).
    std::uint32_t first_of(std::uint32_t cell) const { return start_[cell]; }
    const std::uint32_t* first_of_cells() const { return start_.data(); }
    std::uint32_t sorted_count() const { return sorted_; }
    /// All places, holes too.
    std::uint32_t place_count() const { return count_; }
    std::uint32_t place_of(std::uint32_t slot) const { return place_[slot]; }
    const BoxEntry& entry(std::uint32_t place) const { return entries_[place]; }
    CodeColumns codes() const { return {upper_.data(), lower_.data()}; }

    /// Calls visit(begin, end) for runs of places that hold the bodies of neighbouring cells.
    template <class Visit>
    void for_each_run(const BoxGrid& grid, const CellRange& range, Visit&& visit) const {
        if (range.count[2] <= 0) return;
        const std::uint32_t side = grid.mask[2] + 1;
        const std::uint32_t from = static_cast<std::uint32_t>(range.low[2]) & grid.mask[2];
        const std::uint32_t to = from + static_cast<std::uint32_t>(range.count[2]);
        for (Cells x = 0; x < range.count[0]; ++x)
            for (Cells y = 0; y < range.count[1]; ++y) {
                const std::uint32_t column = grid.column(static_cast<std::uint32_t>(range.low[0] + x),
                                                         static_cast<std::uint32_t>(range.low[1] + y));
                visit_cells(column + from, column + std::min(to, side), visit);
                if (to > side) visit_cells(column, column + to - side, visit);
            }
    }
    /// The runs around a body in its own grid, empty ones left out, written one after the other: advances
    /// `out`, by kMostRuns at most. Where bodies stand outside, all of these are one more run. False when
    /// they are too many for that, and nothing is written.
    bool write_runs_around(std::uint32_t place, const BoxGrid& grid, CodeRun*& out) const {
        const bool few_outside = outside_ == 0 || (grids().size() == 1 && large_outside_ == 0 &&
                                                   count_ - sorted_ <= kFewOutsideRun);
        if (!few_outside) return false;
        const BoxEntry& body = entries_[place];
        const std::uint32_t local = body.cell - grid.first_cell, top = grid.mask[2];
        const std::uint32_t x = local >> grid.shift_x, y = (local >> grid.shift_y) & grid.mask[1];
        const std::uint32_t z = local & top, from = (z - 1) & top;
        // No body is longer than a cell: it ends in the one where it begins or in the next.
        const std::uint32_t ends = grid.cell_of(-1.0f * body.minus_high) - grid.first_cell;
        const std::uint32_t to_x = x + (ends >> grid.shift_x != x ? 1 : 0);
        const std::uint32_t to_y = y + ((ends >> grid.shift_y & grid.mask[1]) != y ? 1 : 0);
        const std::uint32_t to = from + ((ends & top) != z ? 3 : 2),
                            wrapped = to > top + 1 ? to - top - 1 : 0;
        const std::uint32_t* const first = start_.data();
        const auto add = [&](std::uint32_t begin, std::uint32_t end) {
            *out = {first[begin], first[end]};
            out += first[begin] != first[end] ? 1 : 0;
        };
        for (std::uint32_t i = x - 1; i != to_x + 1; ++i)
            for (std::uint32_t k = y - 1; k != to_y + 1; ++k) {
                const std::uint32_t column = grid.column(i, k);
                add(column + from, column + to - wrapped);
                if (wrapped != 0) add(column, column + wrapped);
            }
        if (outside_ != 0) *out++ = {sorted_, count_};
        return true;
    }
    static constexpr std::size_t kMostRuns = 2 * 9 + 1;
    /// The same for those that are compared with all.
    template <class Visit>
    void for_each_large_run(Visit&& visit) const {
        visit_cells(large_cell(), large_cell() + 1, visit);
    }

  private:
    static constexpr std::uint32_t kAbsent = kNoIndex, kWaiting = kNoIndex - 1;
    /// So many places outside are compared with a body sooner than looked for by cell.
    static constexpr std::uint32_t kFewOutsideRun = 256;

    template <class Visit>
    void visit_cells(std::uint32_t first, std::uint32_t last, Visit&& visit) const {
        visit(start_[first], start_[last]);
        if (outside_ == 0) return;
        for (std::uint32_t cell = first; cell < last; ++cell)
            for (std::uint32_t p = head_[cell]; p != kNoIndex; p = next_[p - sorted_]) visit(p, p + 1);
    }
    std::uint32_t end_of_grid(std::size_t grid) const {
        return grid < grids().size() ? grids()[grid].first_cell + grids()[grid].cell_count() : kNoIndex;
    }
    std::uint32_t cell_of(const Aabb& box) const;
    void make_room(std::size_t places);
    void put(std::uint32_t place, std::uint32_t slot, const Aabb& box, std::uint32_t cell, std::size_t grid);
    void count_cells(std::span<const Aabb> boxes);
    void fill_places(std::span<const Aabb> boxes);
    void enter(std::uint32_t slot, const Aabb& box, std::uint32_t cell);
    void leave(std::uint32_t place);
    void move(std::uint32_t slot, const Aabb& box);
    std::uint32_t place_outside(std::uint32_t cell);

    BoxLevels levels_;
    // By place.
    std::vector<BoxEntry> entries_;
    std::vector<std::uint32_t> upper_, lower_;  ///< codes in the steps of the body's grid
    std::uint32_t sorted_ = 0, count_ = 0;
    std::vector<std::uint32_t> start_;    ///< by cell: its first place; the next cell's is its end
    std::vector<std::uint32_t> head_;     ///< by cell: its first place outside
    std::vector<std::uint32_t> next_;     ///< by place outside: the cell's next one, or the next free one
    std::vector<std::uint32_t> place_;    ///< by slot
    std::vector<std::uint32_t> waiting_;  ///< inserted since the last update
    std::uint32_t free_ = kNoIndex;       ///< the first free place outside
    std::size_t outside_ = 0, large_outside_ = 0;  ///< bodies in places outside, and those compared with all
    std::size_t body_count_ = 0, new_large_ = 0;
    std::uint64_t changed_ = 0, unchanged_ = 0;
    // By body, while all are sorted anew.
    std::vector<std::uint32_t> slots_, cells_;
    std::vector<std::uint16_t> bins_;
};

}  // namespace claybox::collision
