#include "collision/broadphase/sweep/sweep_lists.hpp"

#include "collision/core/radix_sort.hpp"

#include <algorithm>

namespace claybox::collision {

SweepLists::Key SweepLists::low_key(const Aabb& box, std::size_t axis, std::uint32_t slot) {
    return Key{ordered_bits(box.min[axis])} << 32 | slot;
}

SweepLists::Key SweepLists::high_key(const Aabb& box, std::size_t axis, std::uint32_t slot) {
    return Key{ordered_bits(box.max[axis])} << 32 | kHighEnd | slot;
}

void SweepLists::sort_all(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<Key>& list = lists_[axis];
        list.clear();
        // In the order of full keys: the stable sort compares upper halves only.
        for (const std::uint32_t slot : slots) list.push_back(low_key(boxes[slot], axis, slot));
        for (const std::uint32_t slot : slots) list.push_back(high_key(boxes[slot], axis, slot));
        radix_sort_upper(list, scratch_);
    }
}

// Insertion sort: every two ends whose order has changed are exchanged exactly once.
bool SweepLists::update(std::span<const unsigned char> marked, std::span<const Aabb> before,
                        std::span<const Aabb> now, std::uint64_t max_swaps, std::uint64_t& swaps) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<Key>& list = lists_[axis];
        for (std::size_t i = 0; i < list.size(); ++i) {
            Key key = list[i];
            const std::uint32_t slot = slot_of(key);
            if (marked[slot])
                key =
                    (key & kHighEnd) != 0 ? high_key(now[slot], axis, slot) : low_key(now[slot], axis, slot);
            std::size_t to = i;
            for (; to > 0 && list[to - 1] > key; --to) {
                list[to] = list[to - 1];
                if (((list[to] ^ key) & kHighEnd) != 0) pass(slot_of(list[to]), slot, before, now);
            }
            list[to] = key;
            swaps += i - to;
            if (swaps > max_swaps) return false;
        }
    }
    return true;
}

// A low and a high end were exchanged. The boxes before and after decide, whatever happens on other axes.
void SweepLists::pass(std::uint32_t a, std::uint32_t b, std::span<const Aabb> before,
                      std::span<const Aabb> now) {
    if (a == b) return;
    const bool together = overlap(now[a], now[b]);
    if (together != overlap(before[a], before[b]))
        (together ? begun_ : ended_).push_back(make_pair_key(a, b));
}

void SweepLists::merge(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        scratch_.clear();
        for (const std::uint32_t slot : slots) {
            scratch_.push_back(low_key(boxes[slot], axis, slot));
            scratch_.push_back(high_key(boxes[slot], axis, slot));
        }
        std::sort(scratch_.begin(), scratch_.end());
        std::vector<Key>& list = lists_[axis];
        std::size_t old = list.size(), fresh = scratch_.size();
        list.resize(old + fresh);
        // From the back: merges in place.
        while (fresh > 0) {
            const bool take_old = old > 0 && list[old - 1] > scratch_[fresh - 1];
            list[old + fresh - 1] = take_old ? list[old - 1] : scratch_[fresh - 1];
            --(take_old ? old : fresh);
        }
    }
}

void SweepLists::drop(std::span<const unsigned char> marked) {
    for (std::vector<Key>& list : lists_) std::erase_if(list, [&](Key key) { return marked[slot_of(key)]; });
}

void SweepLists::sort_changes() {
    for (std::vector<PairKey>* pairs : {&begun_, &ended_}) {
        std::sort(pairs->begin(), pairs->end());
        pairs->erase(std::unique(pairs->begin(), pairs->end()), pairs->end());
    }
}

void SweepLists::clear_changes() {
    begun_.clear();
    ended_.clear();
}

std::vector<std::uint32_t> SweepLists::by_low_end(std::size_t axis) const {
    std::vector<std::uint32_t> slots;
    slots.reserve(size());
    for (const Key key : lists_[axis])
        if ((key & kHighEnd) == 0) slots.push_back(slot_of(key));
    return slots;
}

std::size_t SweepLists::memory_bytes() const {
    std::size_t keys = scratch_.capacity() + begun_.capacity() + ended_.capacity();
    for (const std::vector<Key>& list : lists_) keys += list.capacity();
    return keys * sizeof(Key);
}

}  // namespace claybox::collision
