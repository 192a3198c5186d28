#pragma once
// Sorted endpoints of boxes on all three axes. Swaps of endpoints show which pairs must be tested again.

#include "collision/core/ids.hpp"
#include "collision/geometry/bounds/bounds.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

/// Slots must be below 2^31: a key consists of the endpoint's coordinate, one bit for the side, and the slot.
class SweepLists {
  public:
    std::size_t size() const { return lists_[0].size() / 2; }
    /// Replaces the contents by `slots` (ascending).
    void sort_all(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes);
    /// Moves the ends of the marked slots from `before` to `now` (indexed by slot) by swapping neighbours,
    /// and adds to `swaps`. Pairs that begin or cease to overlap are appended to begun() and ended(),
    /// possibly repeatedly. Stops and returns false above `max_swaps` swaps: then call sort_all().
    bool update(std::span<const unsigned char> marked, std::span<const Aabb> before,
                std::span<const Aabb> now, std::uint64_t max_swaps, std::uint64_t& swaps);
    /// Adds slots that are not contained yet.
    void merge(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes);
    /// Removes the marked slots.
    void drop(std::span<const unsigned char> marked);

    /// Slots in the order of their low ends on an axis.
    std::vector<std::uint32_t> by_low_end(std::size_t axis) const;
    std::span<const PairKey> begun() const { return begun_; }
    std::span<const PairKey> ended() const { return ended_; }
    /// Sorts begun() and ended() and removes duplicates.
    void sort_changes();
    void clear_changes();
    void add_begun(PairKey pair) { begun_.push_back(pair); }

    std::size_t memory_bytes() const;

  private:
    using Key = std::uint64_t;
    static constexpr Key kHighEnd = Key{1} << 31;

    static Key low_key(const Aabb& box, std::size_t axis, std::uint32_t slot);
    static Key high_key(const Aabb& box, std::size_t axis, std::uint32_t slot);
    static std::uint32_t slot_of(Key key) { return static_cast<std::uint32_t>(key & (kHighEnd - 1)); }
    void pass(std::uint32_t a, std::uint32_t b, std::span<const Aabb> before, std::span<const Aabb> now);

    /// Per axis. At equal coordinates low ends come before high ends: touching boxes overlap.
    std::array<std::vector<Key>, 3> lists_;
    std::vector<Key> scratch_;
    std::vector<PairKey> begun_, ended_;
};

}  // namespace claybox::collision
