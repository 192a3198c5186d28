#pragma once
// The vertex pairs that a search has visited, with O(1) look-up and nothing to clear between searches.

#include "collision/core/assert.hpp"
#include "collision/exact/solid.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

namespace claybox::collision {

/// A table with a time stamp per slot (Chung and Wang, section 5). The paper has one slot per vertex pair. If
/// there are too many pairs for that, pairs share slots by a hash, and each slot names the visit that
/// occupies it, so pairs are never confused. Slots of earlier searches have other stamps. When all stamp
/// values are used up, the slots are cleared: once in 65,535 searches for 16 bits.
template <class Stamp>
class VisitedPairs {
  public:
    /// All bytes zero: a free slot.
    struct Slot {
        Stamp stamp;
        std::uint16_t visit;
    };
    static constexpr std::size_t kMaxSlots = 1024;

    /// Number of slots for a pair of hulls.
    static std::size_t slots_for(std::uint32_t vertices_a, std::uint32_t vertices_b) {
        const std::uint64_t pairs = std::uint64_t{vertices_a} * vertices_b;
        return pairs <= kMaxSlots ? static_cast<std::size_t>(pairs) : kMaxSlots;
    }

    /// Borrows the slots and the stamp; both persist between searches. Visits that do not fit into the slots
    /// are compared one by one.
    VisitedPairs(std::span<Slot> slots, Stamp& stamp, std::uint32_t vertices_a, std::uint32_t vertices_b)
        : slots_(slots),
          stamp_(stamp),
          row_(vertices_b),
          direct_(std::uint64_t{vertices_a} * vertices_b <= slots.size()),
          capacity_(direct_ ? slots.size() : slots.size() / 4 * 3) {
        CLAYBOX_ASSERT(direct_ || std::has_single_bit(slots.size()) || slots.empty());
    }

    /// Starts a new search. Stamp 0 means new memory; the slots are then cleared as well.
    void begin() {
        if (stamp_ == 0 || stamp_ == std::numeric_limits<Stamp>::max()) clear();
        ++stamp_;
    }
    /// Whether `pair` is one of the visits so far; pair_of(i) returns visit i < count.
    template <class PairOf>
    bool seen(VertexPair pair, std::size_t count, PairOf&& pair_of) const {
        const auto is = [&](std::size_t visit) {
            const VertexPair other = pair_of(visit);
            return other.a == pair.a && other.b == pair.b;
        };
        for (std::size_t i = count > 0 && capacity_ > 0 ? slot_of(pair) : slots_.size(); i < slots_.size();
             i = next(i)) {
            if (slots_[i].stamp != stamp_) break;
            if (is(slots_[i].visit)) return true;
        }
        for (std::size_t visit = capacity_; visit < count; ++visit)
            if (is(visit)) return true;
        return false;
    }
    /// Enters visit number `visit`. Its pair must not have been visited.
    void enter(VertexPair pair, std::size_t visit) {
        if (visit >= capacity_) return;
        CLAYBOX_ASSERT(!direct_ || slots_[slot_of(pair)].stamp != stamp_);
        std::size_t i = slot_of(pair);
        while (slots_[i].stamp == stamp_) i = next(i);
        slots_[i] = {stamp_, static_cast<std::uint16_t>(visit)};
    }

  private:
    void clear() {
        std::fill(slots_.begin(), slots_.end(), Slot{});
        stamp_ = 0;
    }
    std::size_t slot_of(VertexPair pair) const {
        if (direct_) return std::size_t{pair.a} * row_ + pair.b;
        const std::uint64_t mixed =
            (std::uint64_t{pair.a} << 32 | pair.b) * 0x9e3779b97f4a7c15ull;  // golden ratio
        return static_cast<std::size_t>(mixed >> 32) & (slots_.size() - 1);
    }
    std::size_t next(std::size_t slot) const { return slot + 1 < slots_.size() ? slot + 1 : 0; }

    std::span<Slot> slots_;
    Stamp& stamp_;
    std::uint32_t row_;
    bool direct_;
    std::size_t capacity_;  ///< visits that fit into the slots
};

}  // namespace claybox::collision
