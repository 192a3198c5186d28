#include "collision/broadphase/grid_cells.hpp"

#include "collision/core/assert.hpp"

#include <utility>

namespace claybox::collision {

void CellTable::add(CellKey key, std::uint32_t slot) {
    std::size_t place = find(key);
    if (cells_[place].count == 0) {
        if (2 * (occupied_ + 1) > cells_.size()) {
            grow();
            place = find(key);
        }
        cells_[place].key = key;
        ++occupied_;
    }
    append(cells_[place], slot);
}

void CellTable::remove(CellKey key, std::uint32_t slot) {
    const std::size_t place = find(key);
    Cell& cell = cells_[place];
    CLAYBOX_ASSERT(cell.count > 0);
    // The last entry takes the place of the removed one; a search of these short lists is cheaper than
    // indices.
    const std::uint32_t last = cell.count - 1;
    const std::uint32_t last_slot = entry(cell, last);
    if (last_slot != slot) {
        std::uint32_t i = 0;
        while (i < last && entry(cell, i) != slot) ++i;
        CLAYBOX_ASSERT(i < last);
        entry(cell, i) = last_slot;
    }
    cell.count = last;
    if (last >= kInCell && (last - kInCell) % kInBlock == 0) {
        // The last block of the chain is empty now.
        std::uint32_t* link = &cell.block;
        for (std::uint32_t i = 0; i < (last - kInCell) / kInBlock; ++i) link = &blocks_[*link].next;
        blocks_[*link].next = free_block_;
        free_block_ = std::exchange(*link, kNoIndex);
    }
    if (last == 0) free_place(place);
}

void CellTable::clear() {
    for (Cell& cell : cells_) cell = Cell{};
    blocks_.clear();
    free_block_ = kNoIndex;
    occupied_ = 0;
}

std::uint32_t& CellTable::entry(Cell& cell, std::uint32_t index) {
    if (index < kInCell) return cell.slots[index];
    index -= kInCell;
    std::uint32_t b = cell.block;
    for (; index >= kInBlock; index -= kInBlock) b = blocks_[b].next;
    return blocks_[b].slots[index];
}

void CellTable::append(Cell& cell, std::uint32_t slot) {
    if (cell.count >= kInCell && (cell.count - kInCell) % kInBlock == 0) {
        const std::uint32_t fresh = take_block();
        std::uint32_t* link = &cell.block;
        while (*link != kNoIndex) link = &blocks_[*link].next;
        *link = fresh;
    }
    entry(cell, cell.count++) = slot;
}

std::uint32_t CellTable::take_block() {
    if (free_block_ == kNoIndex) {
        blocks_.emplace_back();
        return static_cast<std::uint32_t>(blocks_.size() - 1);
    }
    const std::uint32_t b = free_block_;
    free_block_ = std::exchange(blocks_[b].next, kNoIndex);
    return b;
}

void CellTable::grow() {
    std::vector<Cell> old(cells_.size() * 2);
    old.swap(cells_);
    for (const Cell& cell : old)
        if (cell.count > 0) cells_[find(cell.key)] = cell;
}

// Cells behind a freed place move up where their search path crosses it, so that no markers of removed cells
// pile up while bodies wander.
void CellTable::free_place(std::size_t place) {
    const std::size_t mask = cells_.size() - 1;
    --occupied_;
    for (std::size_t i = (place + 1) & mask; cells_[i].count > 0; i = (i + 1) & mask) {
        if (((i - home(cells_[i].key)) & mask) >= ((i - place) & mask)) {
            cells_[place] = cells_[i];
            place = i;
        }
    }
    cells_[place] = Cell{};
}

}  // namespace claybox::collision
