#include "collision/broadphase/grid/grid_cells.hpp"

#include "collision/core/assert.hpp"

#include <algorithm>
#include <utility>

namespace claybox::collision {

Aabb cell_bounds(CellKey key, double edge) {
    Aabb out;
    for (int axis = 0; axis < 3; ++axis) {
        const double low = cell_coordinate(key, axis) * edge;
        out.min[static_cast<std::size_t>(axis)] = static_cast<float>(low);
        out.max[static_cast<std::size_t>(axis)] = static_cast<float>(low + edge);
    }
    return out;
}

double choose_cell_edge(std::vector<float>& sizes) {
    CLAYBOX_ASSERT(!sizes.empty());
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    // Measured: fewer cells per body are faster than fewer bodies per cell.
    constexpr double kCellPerBody = 1.5;
    // Points have no size: any cell size works. The limits keep cell coordinates finite.
    return *middle > 0 ? std::clamp(kCellPerBody * static_cast<double>(*middle), 1e-30, 1e30) : 1.0;
}

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
    // The last entry replaces the removed one. Searching these short lists is cheaper than indices.
    const std::uint32_t last = cell.count - 1;
    const std::uint32_t last_slot = entry(cell, last);
    if (last_slot != slot) {
        std::uint32_t i = 0;
        while (i < last && entry(cell, i) != slot) ++i;
        CLAYBOX_ASSERT(i < last);
        entry(cell, i) = last_slot;
    }
    cell.count = last;
    if (last >= kSlotsInCell && (last - kSlotsInCell) % kSlotsInBlock == 0) {
        // The last block of the chain is empty.
        std::uint32_t* link = &cell.block;
        for (std::uint32_t i = 0; i < (last - kSlotsInCell) / kSlotsInBlock; ++i) link = &blocks_[*link].next;
        blocks_[*link].next = free_block_;
        free_block_ = std::exchange(*link, kNoIndex);
    }
    if (last == 0) free_place(place);
}

std::uint64_t CellTable::remove_outside(std::uint32_t slot, const CellBox& from, const CellBox& to) {
    std::uint64_t removed = 0;
    from.for_each([&](auto x, auto y, auto z) {
        if (to.contains(x, y, z)) return;
        remove(make_cell_key(x, y, z), slot);
        ++removed;
    });
    return removed;
}

std::uint64_t CellTable::remove_all(std::uint32_t slot, const CellBox& from) {
    std::uint64_t removed = 0;
    from.for_each([&](auto x, auto y, auto z) {
        remove(make_cell_key(x, y, z), slot);
        ++removed;
    });
    return removed;
}

void CellTable::clear() {
    for (Cell& cell : cells_) cell = Cell{};
    blocks_.clear();
    free_block_ = kNoIndex;
    occupied_ = 0;
}

std::uint32_t& CellTable::entry(Cell& cell, std::uint32_t index) {
    if (index < kSlotsInCell) return cell.slots[index];
    index -= kSlotsInCell;
    std::uint32_t b = cell.block;
    for (; index >= kSlotsInBlock; index -= kSlotsInBlock) b = blocks_[b].next;
    return blocks_[b].slots[index];
}

void CellTable::append(Cell& cell, std::uint32_t slot) {
    if (cell.count >= kSlotsInCell && (cell.count - kSlotsInCell) % kSlotsInBlock == 0) {
        const std::uint32_t fresh = acquire_block();
        std::uint32_t* link = &cell.block;
        while (*link != kNoIndex) link = &blocks_[*link].next;
        *link = fresh;
    }
    entry(cell, cell.count++) = slot;
}

std::uint32_t CellTable::acquire_block() {
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

// Deletion from linear probing without tombstones: later cells move up if their probe path crosses the free
// place.
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

void LinkedCellTable::add(CellKey key, std::uint32_t slot) {
    if (slot >= cells_of_.size()) cells_of_.resize(slot + 1);
    std::uint32_t cell = places_of_keys_[find(key)];
    if (cell == kNoIndex) cell = make_cell(key);
    const Link there{slot, cells_of_[slot].count}, here{cell, cells_[cell].bodies.count};
    bodies_.push(cells_[cell].bodies, there);
    entries_of_.push(cells_of_[slot], here);
}

// Backwards: the entry that replaces a removed one has already been visited.
std::uint64_t LinkedCellTable::remove_outside(std::uint32_t slot, const CellBox&, const CellBox& to) {
    std::uint64_t removed = 0;
    for (std::uint32_t i = slot < cells_of_.size() ? cells_of_[slot].count : 0; i-- > 0;) {
        if (to.contains(cells_[entries_of_.values(cells_of_[slot])[i].to].key)) continue;
        remove_entry(slot, i);
        ++removed;
    }
    return removed;
}

std::uint64_t LinkedCellTable::remove_all(std::uint32_t slot, const CellBox&) {
    const std::uint64_t count = slot < cells_of_.size() ? cells_of_[slot].count : 0;
    for (std::uint64_t i = count; i-- > 0;) remove_entry(slot, static_cast<std::uint32_t>(i));
    return count;
}

void LinkedCellTable::clear() {
    cells_.clear();
    free_cells_.clear();
    std::fill(places_of_keys_.begin(), places_of_keys_.end(), kNoIndex);
    std::fill(cells_of_.begin(), cells_of_.end(), Links::Array{});
    bodies_.reset();
    entries_of_.reset();
}

std::uint32_t LinkedCellTable::make_cell(CellKey key) {
    if (2 * (cells_.size() - free_cells_.size() + 1) > places_of_keys_.size()) grow();
    std::uint32_t cell = 0;
    if (free_cells_.empty()) {
        cell = static_cast<std::uint32_t>(cells_.size());
        cells_.emplace_back();
    } else {
        cell = free_cells_.back();
        free_cells_.pop_back();
    }
    places_of_keys_[find(key)] = cell;
    cells_[cell].key = key;
    return cell;
}

void LinkedCellTable::grow() {
    places_of_keys_.assign(2 * places_of_keys_.size(), kNoIndex);
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell)
        if (cells_[cell].bodies.count > 0) places_of_keys_[find(cells_[cell].key)] = cell;
}

void LinkedCellTable::remove_entry(std::uint32_t slot, std::uint32_t index) {
    const Link entry = entries_of_.values(cells_of_[slot])[index];
    Cell& cell = cells_[entry.to];
    const Link last_body = bodies_.values(cell.bodies).back();
    bodies_.remove_at(cell.bodies, entry.index);
    entries_of_.values(cells_of_[last_body.to])[last_body.index].index = entry.index;
    const Link last_cell = entries_of_.values(cells_of_[slot]).back();
    entries_of_.remove_at(cells_of_[slot], index);
    if (last_cell.to != entry.to) bodies_.values(cells_[last_cell.to].bodies)[last_cell.index].index = index;
    if (cell.bodies.count == 0) free_cell(entry.to);
}

void LinkedCellTable::free_cell(std::uint32_t cell) {
    const std::size_t mask = places_of_keys_.size() - 1;
    std::size_t place = find(cells_[cell].key);
    for (std::size_t i = (place + 1) & mask; places_of_keys_[i] != kNoIndex; i = (i + 1) & mask) {
        if (((i - home(cells_[places_of_keys_[i]].key)) & mask) >= ((i - place) & mask)) {
            places_of_keys_[place] = places_of_keys_[i];
            place = i;
        }
    }
    places_of_keys_[place] = kNoIndex;
    free_cells_.push_back(cell);
}

bool LinkedCellTable::is_consistent() const {
    std::size_t in_cells = 0, in_bodies = 0, free = 0;
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
        const auto bodies = bodies_.values(cells_[cell].bodies);
        if (!bodies.empty() && places_of_keys_[find(cells_[cell].key)] != cell) return false;
        in_cells += bodies.size();
        free += bodies.empty();
        for (std::uint32_t i = 0; i < bodies.size(); ++i) {
            if (bodies[i].to >= cells_of_.size()) return false;
            const auto entries = entries_of_.values(cells_of_[bodies[i].to]);
            if (bodies[i].index >= entries.size()) return false;
            const Link& back = entries[bodies[i].index];
            if (back.to != cell || back.index != i) return false;
        }
    }
    for (const Links::Array& entries : cells_of_) in_bodies += entries.count;
    return in_cells == in_bodies && free == free_cells_.size();
}

}  // namespace claybox::collision
