#pragma once
// Hash tables of grid cells, each with a list of body slots, in the two schemes of Zachmann 1994,
// section 5.5: plain (a removal searches the cell's list), and with indices in both directions between cells
// and bodies (nothing is searched). The thesis found that the indices cost more than they save.

#include "collision/core/array_pool.hpp"
#include "collision/core/ids.hpp"
#include "collision/core/parameter.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/bounds/bounds.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace claybox::collision {

/// The integer coordinates of a cell, |c| < 2^20 each, in one number.
using CellKey = std::uint64_t;

constexpr int kCellBits = 21;
constexpr std::int32_t kMaxCell = (1 << (kCellBits - 1)) - 1;

constexpr CellKey make_cell_key(std::int32_t x, std::int32_t y, std::int32_t z) {
    const auto part = [](std::int32_t v) { return static_cast<CellKey>(v + kMaxCell); };
    return part(x) << (2 * kCellBits) | part(y) << kCellBits | part(z);
}
constexpr std::int32_t cell_coordinate(CellKey key, int axis) {
    const CellKey mask = (CellKey{1} << kCellBits) - 1;
    return static_cast<std::int32_t>((key >> ((2 - axis) * kCellBits)) & mask) - kMaxCell;
}

/// The box of a cell, for views.
Aabb cell_bounds(CellKey key, double edge);
/// Parameters of every grid.
inline constexpr Parameter kCellSizeParameter{
    .id = "cell_size",
    .title = "Cell size",
    .kind = ParameterKind::real,
    .default_value = 0,
    .min = 0,
    .max = 1000,
    .unit = "m",
    .source = "ours: measured with the cage",
    .help = "Edge of a cell; 0 chooses it from the median size of the bodies."};
inline constexpr Parameter kCellsPerBodyParameter{
    .id = "cells_per_body",
    .title = "Cells per body",
    .kind = ParameterKind::integer,
    .default_value = 512,
    .min = 1,
    .max = 100000,
    .source = "ours: above this, comparing with all boxes is cheaper",
    .help = "A body that touches more cells is compared with all others instead.",
    .logarithmic = true};
/// Names of the view's levels: number of bodies in a cell.
inline constexpr std::array kBodyCountNames{"1", "2", "3", "4 or more"};

/// Automatic cell size in metres for bodies of these sizes (not empty; reordered).
double choose_cell_edge(std::vector<float>& sizes);

/// The cells that a body's box touches.
struct CellBox {
    std::array<std::int32_t, 3> low{}, high{};  ///< inclusive
    friend bool operator==(const CellBox&, const CellBox&) = default;

    bool contains(std::int32_t x, std::int32_t y, std::int32_t z) const {
        return low[0] <= x && x <= high[0] && low[1] <= y && y <= high[1] && low[2] <= z && z <= high[2];
    }
    bool contains(CellKey key) const {
        return contains(cell_coordinate(key, 0), cell_coordinate(key, 1), cell_coordinate(key, 2));
    }
    double cell_count() const {
        double count = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) count *= 1.0 + high[axis] - low[axis];
        return count;
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::int32_t x = low[0]; x <= high[0]; ++x)
            for (std::int32_t y = low[1]; y <= high[1]; ++y)
                for (std::int32_t z = low[2]; z <= high[2]; ++z) visit(x, y, z);
    }
};

/// Plain lists. A cell is one cache line: reading a cell with few bodies costs one memory access.
class CellTable {
  public:
    CellTable() { cells_.resize(kMinCells); }

    void add(CellKey key, std::uint32_t slot);
    /// The slot must be in the cell.
    void remove(CellKey key, std::uint32_t slot);
    /// Removes the slot from the cells of `from` that are not in `to`. Returns their number.
    std::uint64_t remove_outside(std::uint32_t slot, const CellBox& from, const CellBox& to);
    /// Removes the slot from all its cells, those of `from`. Returns their number.
    std::uint64_t remove_all(std::uint32_t slot, const CellBox& from);
    void clear();

    /// Calls visit(slot) for every slot of the cell.
    template <class Visit>
    void for_each(CellKey key, Visit&& visit) const {
        const Cell& cell = cells_[find(key)];
        if (cell.count > 0) for_each_in(cell, visit);
    }
    /// Iteration over the table: places 0 .. places()-1; a place contains a cell if count_at() > 0.
    std::size_t places() const { return cells_.size(); }
    /// Calls visit(*this, begin, end). Other tables consist of several.
    template <class Visit>
    void for_tables(std::size_t begin, std::size_t end, Visit&& visit) const {
        visit(*this, begin, end);
    }
    std::uint32_t count_at(std::size_t place) const { return cells_[place].count; }
    CellKey key_at(std::size_t place) const { return cells_[place].key; }
    template <class Visit>
    void for_each_at(std::size_t place, Visit&& visit) const {
        for_each_in(cells_[place], visit);
    }
    /// Calls visit(key, number of bodies) for occupied cells.
    template <class Visit>
    void for_each_cell(Visit&& visit) const {
        for (const Cell& cell : cells_)
            if (cell.count > 0) visit(cell.key, cell.count);
    }
    std::size_t memory_bytes() const {
        return cells_.capacity() * sizeof(Cell) + blocks_.capacity() * sizeof(Block);
    }

  private:
    static constexpr std::size_t kMinCells = 64;
    static constexpr std::uint32_t kSlotsInCell = 11, kSlotsInBlock = 15;

    struct alignas(kCacheLine) Cell {
        CellKey key = 0;
        std::uint32_t count = 0;         ///< 0: free place
        std::uint32_t block = kNoIndex;  ///< first block of further slots
        std::uint32_t slots[kSlotsInCell];
    };
    struct alignas(kCacheLine) Block {
        std::uint32_t slots[kSlotsInBlock];
        std::uint32_t next = kNoIndex;
    };

    std::size_t home(CellKey key) const { return mix64(key) & (cells_.size() - 1); }
    /// The place of `key`, or the free place where it would be inserted.
    std::size_t find(CellKey key) const {
        std::size_t i = home(key);
        while (cells_[i].count > 0 && cells_[i].key != key) i = (i + 1) & (cells_.size() - 1);
        return i;
    }
    template <class Visit>
    void for_each_in(const Cell& cell, Visit&& visit) const {
        const std::uint32_t here = cell.count < kSlotsInCell ? cell.count : kSlotsInCell;
        for (std::uint32_t i = 0; i < here; ++i) visit(cell.slots[i]);
        std::uint32_t left = cell.count - here;
        for (std::uint32_t b = cell.block; left > 0; b = blocks_[b].next)
            for (std::uint32_t i = 0; i < kSlotsInBlock && left > 0; ++i, --left) visit(blocks_[b].slots[i]);
    }
    std::uint32_t& entry(Cell& cell, std::uint32_t index);
    void append(Cell& cell, std::uint32_t slot);
    std::uint32_t acquire_block();
    void grow();
    void free_place(std::size_t place);

    std::vector<Cell> cells_;  ///< a power of two, at most half full; linear probing
    std::size_t occupied_ = 0;
    std::vector<Block> blocks_;
    std::uint32_t free_block_ = kNoIndex;
};

/// Doubly indexed lists ("overkill"): an entry of a cell's list stores the body and the index of the cell in
/// the body's list, and vice versa. A removed entry is replaced by the last entry, whose counterpart is
/// updated.
class LinkedCellTable {
  public:
    LinkedCellTable() : places_of_keys_(kMinPlaces, kNoIndex) {}

    void add(CellKey key, std::uint32_t slot);
    /// As in CellTable, using the body's own list of cells.
    std::uint64_t remove_outside(std::uint32_t slot, const CellBox& from, const CellBox& to);
    std::uint64_t remove_all(std::uint32_t slot, const CellBox& from);
    void clear();

    template <class Visit>
    void for_each(CellKey key, Visit&& visit) const {
        if (const std::uint32_t cell = places_of_keys_[find(key)]; cell != kNoIndex) for_each_at(cell, visit);
    }
    std::size_t places() const { return cells_.size(); }
    template <class Visit>
    void for_tables(std::size_t begin, std::size_t end, Visit&& visit) const {
        visit(*this, begin, end);
    }
    std::uint32_t count_at(std::size_t place) const { return cells_[place].bodies.count; }
    CellKey key_at(std::size_t place) const { return cells_[place].key; }
    template <class Visit>
    void for_each_at(std::size_t place, Visit&& visit) const {
        for (const Link& link : bodies_.values(cells_[place].bodies)) visit(link.to);
    }
    template <class Visit>
    void for_each_cell(Visit&& visit) const {
        for (const Cell& cell : cells_)
            if (cell.bodies.count > 0) visit(cell.key, cell.bodies.count);
    }
    /// True when every entry's counterpart points back to it, every cell is found by its key, and every empty
    /// cell is in the free list.
    bool is_consistent() const;
    std::size_t memory_bytes() const {
        return cells_.capacity() * sizeof(Cell) + cells_of_.capacity() * sizeof(Links::Array) +
               (places_of_keys_.capacity() + free_cells_.capacity()) * sizeof(std::uint32_t) +
               bodies_.memory_bytes() + entries_of_.memory_bytes();
    }

  private:
    static constexpr std::size_t kMinPlaces = 64;
    static constexpr std::uint32_t kHysteresis = 4;

    struct Link {
        std::uint32_t to = 0;     ///< in a cell's list: a slot; in a body's list: a cell
        std::uint32_t index = 0;  ///< index of the counterpart in the other list
    };
    using Links = ArrayPool<Link>;
    struct Cell {
        CellKey key = 0;
        Links::Array bodies;
    };

    std::size_t home(CellKey key) const { return mix64(key) & (places_of_keys_.size() - 1); }
    std::size_t find(CellKey key) const {
        std::size_t i = home(key);
        while (places_of_keys_[i] != kNoIndex && cells_[places_of_keys_[i]].key != key)
            i = (i + 1) & (places_of_keys_.size() - 1);
        return i;
    }
    std::uint32_t make_cell(CellKey key);
    void grow();
    void remove_entry(std::uint32_t slot, std::uint32_t index);
    void free_cell(std::uint32_t cell);

    std::vector<Cell> cells_;  ///< occupied cells do not move
    std::vector<std::uint32_t> free_cells_;
    std::vector<std::uint32_t> places_of_keys_;  ///< a power of two, at most half full; linear probing
    std::vector<Links::Array> cells_of_;         ///< by slot
    Links bodies_{kHysteresis}, entries_of_{kHysteresis};  ///< memory of the lists of cells and of bodies
};

}  // namespace claybox::collision
