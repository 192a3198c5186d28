#pragma once
// A hash table of grid cells with a list of body slots each. A cell is one cache line, so that looking at a
// cell with few bodies costs one memory access; the thesis found that pointers between cells and bodies cost
// more than they save.

#include "collision/core/ids.hpp"
#include "collision/core/random.hpp"

#include <cstdint>
#include <vector>

namespace claybox::collision {

/// A cell's integer coordinates, |c| < 2^20 each, in one number.
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

class CellTable {
  public:
    CellTable() { cells_.resize(kLeastCells); }

    void add(CellKey key, std::uint32_t slot);
    /// The slot must be in the cell.
    void remove(CellKey key, std::uint32_t slot);
    void clear();

    /// Calls visit(slot) for every slot of the cell.
    template <class Visit>
    void for_each(CellKey key, Visit&& visit) const {
        const Cell& cell = cells_[find(key)];
        if (cell.count > 0) for_each_in(cell, visit);
    }
    /// A walk over the table: places 0 .. places()-1, of which those with count_at() > 0 hold a cell.
    std::size_t places() const { return cells_.size(); }
    std::uint32_t count_at(std::size_t place) const { return cells_[place].count; }
    CellKey key_at(std::size_t place) const { return cells_[place].key; }
    template <class Visit>
    void for_each_at(std::size_t place, Visit&& visit) const {
        for_each_in(cells_[place], visit);
    }
    /// Calls visit(key) for occupied cells until it returns false.
    template <class Visit>
    void for_each_cell(Visit&& visit) const {
        for (const Cell& cell : cells_)
            if (cell.count > 0 && !visit(cell.key)) return;
    }
    std::size_t memory_bytes() const {
        return cells_.capacity() * sizeof(Cell) + blocks_.capacity() * sizeof(Block);
    }

  private:
    static constexpr std::size_t kLeastCells = 64;
    static constexpr std::uint32_t kInCell = 11, kInBlock = 15;

    struct alignas(kCacheLine) Cell {
        CellKey key = 0;
        std::uint32_t count = 0;         ///< 0: the place is free
        std::uint32_t block = kNoIndex;  ///< the first block of what does not fit here
        std::uint32_t slots[kInCell];
    };
    struct alignas(kCacheLine) Block {
        std::uint32_t slots[kInBlock];
        std::uint32_t next = kNoIndex;
    };

    std::size_t home(CellKey key) const { return mix64(key) & (cells_.size() - 1); }
    /// The place of `key`, or the free place where it would go.
    std::size_t find(CellKey key) const {
        std::size_t i = home(key);
        while (cells_[i].count > 0 && cells_[i].key != key) i = (i + 1) & (cells_.size() - 1);
        return i;
    }
    template <class Visit>
    void for_each_in(const Cell& cell, Visit&& visit) const {
        const std::uint32_t here = cell.count < kInCell ? cell.count : kInCell;
        for (std::uint32_t i = 0; i < here; ++i) visit(cell.slots[i]);
        std::uint32_t left = cell.count - here;
        for (std::uint32_t b = cell.block; left > 0; b = blocks_[b].next)
            for (std::uint32_t i = 0; i < kInBlock && left > 0; ++i, --left) visit(blocks_[b].slots[i]);
    }
    std::uint32_t& entry(Cell& cell, std::uint32_t index);
    void append(Cell& cell, std::uint32_t slot);
    std::uint32_t take_block();
    void grow();
    void free_place(std::size_t place);

    std::vector<Cell> cells_;  ///< a power of two, at most half full; linear probing
    std::size_t occupied_ = 0;
    std::vector<Block> blocks_;
    std::uint32_t free_block_ = kNoIndex;
};

}  // namespace claybox::collision
