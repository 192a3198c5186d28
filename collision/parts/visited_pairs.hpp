#pragma once
// Which vertex pairs a search has visited, in O(1) a question and without clearing anything between searches.

#include "collision/core/assert.hpp"
#include "collision/exact/solid.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

namespace claybox::collision {

/// A table with a time stamp per slot (Chung and Wang, section 5). The paper has a slot per pair of vertices;
/// where that many do not fit, pairs share slots by a hash, and a slot names the visit that took it, so that
/// none is taken for another. Slots of earlier searches carry another stamp. When the stamp has gone through
/// all its values the slots are cleared, which is once in 65,535 searches for 16 bits.
template <class Stamp>
class VisitedPairs {
  public:
    /// Zero bytes are a free slot.
    struct Slot {
        Stamp stamp;
        std::uint16_t visit;
    };
    static constexpr std::size_t kMostSlots = 1024;

    /// How many slots a pair of hulls needs.
    static std::size_t slots_for(std::uint32_t vertices_a, std::uint32_t vertices_b) {
        const std::uint64_t pairs = std::uint64_t{vertices_a} * vertices_b;
        return pairs <= kMostSlots ? static_cast<std::size_t>(pairs) : kMostSlots;
    }

    /// Borrows the slots and the stamp, which live from search to search. Without slots, or with more visits
    /// than fit, visits are compared one by one.
    VisitedPairs(std::span<Slot> slots, Stamp& stamp, std::uint32_t vertices_a, std::uint32_t vertices_b)
        : slots_(slots),
          stamp_(stamp),
          row_(vertices_b),
          direct_(std::uint64_t{vertices_a} * vertices_b <= slots.size()),
          room_(direct_ ? slots.size() : slots.size() / 4 * 3) {
        CLAYBOX_ASSERT(direct_ || std::has_single_bit(slots.size()) || slots.empty());
    }

    /// A new search. Stamp 0, that of memory which is new to this table, clears the slots as well.
    void begin() {
        if (stamp_ == 0 || stamp_ == std::numeric_limits<Stamp>::max()) clear();
        ++stamp_;
    }
    /// Whether one of the visits so far is `pair`; pair_of(i) is visit number i < count.
    template <class PairOf>
    bool seen(VertexPair pair, std::size_t count, PairOf&& pair_of) const {
        const auto is = [&](std::size_t visit) {
            const VertexPair other = pair_of(visit);
            return other.a == pair.a && other.b == pair.b;
        };
        for (std::size_t i = count > 0 && room_ > 0 ? slot_of(pair) : slots_.size(); i < slots_.size();
             i = next(i)) {
            if (slots_[i].stamp != stamp_) break;
            if (is(slots_[i].visit)) return true;
        }
        for (std::size_t visit = room_; visit < count; ++visit)
            if (is(visit)) return true;
        return false;
    }
    /// Enters visit number `visit`, which has not been seen.
    void enter(VertexPair pair, std::size_t visit) {
        if (visit >= room_) return;
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
    std::size_t room_;  ///< visits that the table takes
};

}  // namespace claybox::collision
