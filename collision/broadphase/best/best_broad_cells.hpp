#pragma once
// Storage of the bodies of `best`: arrays in the order of the cells of its grids.

#include "collision/broadphase/best/best_broad_cells_levels.hpp"
#include "collision/core/ids.hpp"

#include <algorithm>
#include <vector>

namespace claybox::collision {

/// A block of cells of a grid: first cell and count along each axis, before wrapping.
struct CellRange {
    Cells3 low{}, count{};
};

/// The cells of the bodies of this grid that may overlap the box: their lower corner is at most one cell
/// before the box's lower corner and not beyond its upper corner.
inline CellRange range_of(const BoxGrid& grid, const Aabb& box) {
    CellRange out;
    for (std::size_t k = 0; k < 3; ++k) {
        out.low[k] = grid.at(box.min[k]) - 1;
        out.count[k] = std::clamp<Cells>(grid.at(box.max[k]) - out.low[k] + 1, 0, Cells{grid.mask[k]} + 1);
    }
    return out;
}

/// A box in two vectors. The upper corner is negated: both vectors are compared in the same direction.
struct alignas(32) BoxEntry {
    Vec3f low;
    std::uint32_t slot = kNoIndex;  ///< kNoIndex: a hole; overlaps nothing
    Vec3f minus_high;
    std::uint32_t cell = kNoIndex;

    const float* numbers() const { return reinterpret_cast<const float*>(this); }
    Aabb box() const { return {low, -1.0f * minus_high}; }
};

/// Every body has a place (an index in the arrays). First the places sorted by cell; the bodies that are
/// compared with all are in an extra last cell. Behind them, "outside", the bodies that entered a cell later
/// and found no hole there.
class BoxCells {
  public:
    /// Deferred until the next update or sort, when all boxes and the cell sizes are known.
    void insert(std::uint32_t slot);
    void remove(std::uint32_t slot);
    /// Updates the moved bodies one by one.
    void update(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes);
    /// Chooses the grids and sorts all bodies by cell.
    void sort(std::span<const Aabb> boxes);
    /// True when too many bodies are outside the sorted cells.
    bool needs_sort() const;

    std::size_t size() const { return body_count_; }
    std::size_t waiting() const { return waiting_.size(); }
    std::uint32_t slot_count() const { return static_cast<std::uint32_t>(place_.size()); }
    std::uint64_t changed() const { return changed_; }
    std::uint64_t unchanged() const { return unchanged_; }
    void clear_counts() { changed_ = unchanged_ = 0; }
    std::size_t memory_bytes() const;

    std::span<const BoxGrid> grids() const { return levels_.grids(); }
    /// The grid of a cell; grids().size() for large_cell().
    std::size_t grid_with(std::uint32_t cell) const;
    /// The cell of the bodies that are compared with all.
    std::uint32_t large_cell() const { return levels_.cell_count(); }
    bool has_large() const { return start_[large_cell()] != start_[large_cell() + 1] || large_outside_ != 0; }
    /// The sorted places of a cell: [first_of(cell), first_of(cell + 1)).
    std::uint32_t first_of(std::uint32_t cell) const { return start_[cell]; }
    const std::uint32_t* first_of_cells() const { return start_.data(); }
    std::uint32_t sorted_count() const { return sorted_; }
    /// All places, including holes.
    std::uint32_t place_count() const { return count_; }
    std::uint32_t place_of(std::uint32_t slot) const { return place_[slot]; }
    const BoxEntry& entry(std::uint32_t place) const { return entries_[place]; }
    CodeColumns codes() const { return {upper_.data(), lower_.data()}; }

    /// Calls visit(begin, end) for the runs of places of a block of cells.
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
    /// Writes the non-empty runs of the neighbourhood of a body in its own grid and advances `out`, by
    /// kMaxRuns at most. Bodies outside are added as one more run; if there are too many, returns false and
    /// writes nothing.
    bool write_runs_around(std::uint32_t place, const BoxGrid& grid, CodeRun*& out) const {
        const bool few_outside = outside_ == 0 || (grids().size() == 1 && large_outside_ == 0 &&
                                                   count_ - sorted_ <= kMaxOutsideRun);
        if (!few_outside) return false;
        const BoxEntry& body = entries_[place];
        const std::uint32_t local = body.cell - grid.first_cell, top = grid.mask[2];
        const std::uint32_t x = local >> grid.shift_x, y = (local >> grid.shift_y) & grid.mask[1];
        const std::uint32_t z = local & top, from = (z - 1) & top;
        // No body is longer than a cell: it ends in its first cell or in the next one.
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
    static constexpr std::size_t kMaxRuns = 2 * 9 + 1;
    /// The same for the bodies that are compared with all.
    template <class Visit>
    void for_each_large_run(Visit&& visit) const {
        visit_cells(large_cell(), large_cell() + 1, visit);
    }

  private:
    static constexpr std::uint32_t kAbsent = kNoIndex, kWaiting = kNoIndex - 1;
    /// Up to this number, comparing a body with all places outside is cheaper than finding them by cell.
    static constexpr std::uint32_t kMaxOutsideRun = 256;

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
    void reserve_places(std::size_t places);
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
    std::vector<std::uint32_t> upper_, lower_;  ///< codes in steps of the body's grid
    std::uint32_t sorted_ = 0, count_ = 0;
    std::vector<std::uint32_t> start_;             ///< by cell: first place; ends at the next cell's first
    std::vector<std::uint32_t> head_;              ///< by cell: first place outside
    std::vector<std::uint32_t> next_;              ///< by place outside: next in the cell's list or free list
    std::vector<std::uint32_t> place_;             ///< by slot
    std::vector<std::uint32_t> waiting_;           ///< inserted since the last update
    std::uint32_t free_ = kNoIndex;                ///< first free place outside
    std::size_t outside_ = 0, large_outside_ = 0;  ///< bodies outside; those of large_cell() among them
    std::size_t body_count_ = 0, new_large_ = 0;
    std::uint64_t changed_ = 0, unchanged_ = 0;
    // By body, used while sorting.
    std::vector<std::uint32_t> slots_, cells_;
    std::vector<std::uint16_t> bins_;
};

}  // namespace claybox::collision
