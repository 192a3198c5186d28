#include "collision/broadphase/best/best_broad_cells.hpp"

#include "collision/core/assert.hpp"

#include <limits>

namespace claybox::collision {

namespace {

/// Sort again when more than 1/kMaxOutsideShare of the bodies (plus kMinOutside) are outside the sorted
/// cells.
constexpr std::size_t kMaxOutsideShare = 8, kMinOutside = 16;
constexpr std::size_t kMaxNewLarge = 32;
/// Number of places searched for a hole: entering a crowded cell stays cheap.
constexpr std::uint32_t kHoleSearch = 8;

}  // namespace

void BoxCells::insert(std::uint32_t slot) {
    if (slot >= place_.size()) place_.resize(slot + 1, kAbsent);
    CLAYBOX_ASSERT(place_[slot] == kAbsent);
    place_[slot] = kWaiting;
    waiting_.push_back(slot);
    ++body_count_;
}

void BoxCells::remove(std::uint32_t slot) {
    if (slot >= place_.size() || place_[slot] == kAbsent) return;
    if (place_[slot] != kWaiting) leave(place_[slot]);
    place_[slot] = kAbsent;
    --body_count_;
}

void BoxCells::update(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes) {
    for (const std::uint32_t slot : waiting_)
        if (place_[slot] == kWaiting) enter(slot, boxes[slot], cell_of(boxes[slot]));
    waiting_.clear();
    for (const std::uint32_t slot : moved) move(slot, boxes[slot]);
}

bool BoxCells::needs_sort() const {
    return outside_ > kMinOutside + body_count_ / kMaxOutsideShare || new_large_ > kMaxNewLarge;
}

std::size_t BoxCells::memory_bytes() const {
    std::size_t bytes = levels_.memory_bytes() + bins_.capacity() * sizeof(std::uint16_t);
    bytes += entries_.capacity() * sizeof(BoxEntry);
    for (const auto* v : {&upper_, &lower_, &start_, &head_, &next_, &place_, &waiting_, &slots_, &cells_})
        bytes += v->capacity() * sizeof(std::uint32_t);
    return bytes;
}

std::size_t BoxCells::grid_with(std::uint32_t cell) const {
    std::size_t i = 0;
    while (cell >= end_of_grid(i)) ++i;
    return i;
}

/// large_cell() when no grid accepts the body.
std::uint32_t BoxCells::cell_of(const Aabb& box) const {
    const std::uint32_t grid = levels_.grid_of(box);
    return grid == BoxLevels::kNone ? large_cell() : grids()[grid].cell_of(box.min);
}

// Sorting.

void BoxCells::sort(std::span<const Aabb> boxes) {
    for (std::uint32_t place = sorted_; place < count_; ++place)
        if (entries_[place].slot != kNoIndex) head_[entries_[place].cell] = kNoIndex;
    waiting_.clear();
    next_.clear();
    free_ = kNoIndex;
    outside_ = large_outside_ = new_large_ = 0;
    slots_.resize(body_count_);
    bins_.resize(body_count_);
    levels_.begin();
    std::size_t count = 0;
    for (std::uint32_t slot = 0; slot < place_.size(); ++slot) {
        if (place_[slot] == kAbsent) continue;
        slots_[count] = slot;
        bins_[count++] = levels_.note(boxes[slot]);
    }
    levels_.choose(slots_, bins_, boxes);
    count_cells(boxes);
    fill_places(boxes);
    changed_ += body_count_;
}

void BoxCells::count_cells(std::span<const Aabb> boxes) {
    const std::uint32_t large = large_cell();
    start_.assign(large + 3, 0);
    if (head_.size() < start_.size()) head_.resize(start_.size(), kNoIndex);
    cells_.resize(body_count_);
    for (std::size_t i = 0; i < body_count_; ++i) {
        const std::uint32_t grid = levels_.grid_of_bin(bins_[i]);
        cells_[i] = grid == BoxLevels::kNone ? large : grids()[grid].cell_of(boxes[slots_[i]].min);
        ++start_[cells_[i] + 2];
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& start : start_) start = sum += start;
}

/// Scatters indices first and then reads boxes in the order of places: scattered reads are cheaper than
/// scattered writes.
void BoxCells::fill_places(std::span<const Aabb> boxes) {
    sorted_ = count_ = static_cast<std::uint32_t>(body_count_);
    reserve_places(count_);
    for (std::size_t i = 0; i < body_count_; ++i)
        upper_[start_[cells_[i] + 1]++] = static_cast<std::uint32_t>(i);
    std::size_t grid = 0;
    std::uint32_t grid_end = end_of_grid(0);
    for (std::uint32_t place = 0; place < count_; ++place) {
        const std::uint32_t i = upper_[place], slot = slots_[i], cell = cells_[i];
        while (cell >= grid_end) grid_end = end_of_grid(++grid);
        put(place, slot, boxes[slot], cell, grid);
        place_[slot] = place;
    }
}

void BoxCells::reserve_places(std::size_t places) {
    if (entries_.size() >= places) return;
    entries_.resize(places);
    upper_.resize(places + kCodePadding);
    lower_.resize(places + kCodePadding);
}

void BoxCells::put(std::uint32_t place, std::uint32_t slot, const Aabb& box, std::uint32_t cell,
                   std::size_t grid) {
    entries_[place] = {box.min, slot, -1.0f * box.max, cell};
    const BoxCode code = grid < grids().size() ? grids()[grid].code_of(box) : BoxCode{};
    upper_[place] = code.upper;
    lower_[place] = code.lower;
}

// Updates of single bodies.

void BoxCells::enter(std::uint32_t slot, const Aabb& box, std::uint32_t cell) {
    ++changed_;
    if (cell == large_cell()) ++new_large_;
    const std::uint32_t last = std::min(start_[cell + 1], start_[cell] + kHoleSearch);
    std::uint32_t place = start_[cell];
    while (place < last && entries_[place].slot != kNoIndex) ++place;
    if (place >= last) place = place_outside(cell);
    put(place, slot, box, cell, grid_with(cell));
    place_[slot] = place;
}

/// Returns a place behind the sorted ones and links it into the cell's list.
std::uint32_t BoxCells::place_outside(std::uint32_t cell) {
    std::uint32_t place = free_;
    if (place == kNoIndex) {
        place = count_++;
        reserve_places(count_);
        next_.push_back(kNoIndex);
    } else {
        free_ = next_[place - sorted_];
    }
    next_[place - sorted_] = head_[cell];
    head_[cell] = place;
    ++outside_;
    large_outside_ += cell == large_cell() ? 1 : 0;
    return place;
}

void BoxCells::leave(std::uint32_t place) {
    ++changed_;
    if (place >= sorted_) {
        std::uint32_t* link = &head_[entries_[place].cell];
        while (*link != place) link = &next_[*link - sorted_];
        *link = next_[place - sorted_];
        next_[place - sorted_] = free_;
        free_ = place;
        --outside_;
        large_outside_ -= entries_[place].cell == large_cell() ? 1 : 0;
    }
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    entries_[place] = {{kNan, kNan, kNan}, kNoIndex, {kNan, kNan, kNan}, kNoIndex};
    upper_[place] = kCodeNothing;
}

void BoxCells::move(std::uint32_t slot, const Aabb& box) {
    const std::uint32_t place = place_[slot], cell = cell_of(box);
    if (entries_[place].cell == cell) {
        put(place, slot, box, cell, grid_with(cell));
        ++unchanged_;
        return;
    }
    leave(place);
    enter(slot, box, cell);
}

}  // namespace claybox::collision
