#pragma once
// State of a slot in a grid, in addition to its cells: no body, waiting for the next update, in cells, or too
// large for cells. Also decides when to choose the automatic cell size again.

#include "collision/broadphase/grid/grid_cells.hpp"
#include "collision/core/assert.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace claybox::collision {

enum class SlotState : unsigned char { absent, waiting, in_cells, large };

class GridSlots {
  public:
    /// Deferred until the next update, when all boxes and the cell size are known.
    void insert(std::uint32_t slot) {
        if (slot >= size()) {
            state_.resize(slot + 1, SlotState::absent);
            moved_.resize(slot + 1, 0);
        }
        CLAYBOX_ASSERT(state_[slot] == SlotState::absent);
        state_[slot] = SlotState::waiting;
        waiting_.push_back(slot);
        ++bodies_;
    }
    bool has(std::uint32_t slot) const { return slot < size() && state_[slot] != SlotState::absent; }
    SlotState state(std::uint32_t slot) const { return state_[slot]; }
    /// The slot must have a body.
    void set_state(std::uint32_t slot, SlotState state) {
        if (const bool is_large = state == SlotState::large; is_large != (state_[slot] == SlotState::large)) {
            const auto at = std::lower_bound(large_.begin(), large_.end(), slot);
            is_large ? large_.insert(at, slot) : large_.erase(at);
        }
        if (state == SlotState::absent) --bodies_;
        state_[slot] = state;
    }

    std::size_t size() const { return state_.size(); }
    std::size_t bodies() const { return bodies_; }
    std::span<const std::uint32_t> large() const { return large_; }  ///< sorted
    /// Calls visit(slot) for every body.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::uint32_t slot = 0; slot < size(); ++slot)
            if (state_[slot] != SlotState::absent) visit(slot);
    }
    /// Calls visit(slot), which must set the state, for all waiting slots.
    template <class Visit>
    void place_waiting(Visit&& visit) {
        for (const std::uint32_t slot : waiting_)
            if (state_[slot] == SlotState::waiting) visit(slot);
        waiting_.clear();
    }

    /// Valid during find_pairs only.
    bool moved(std::uint32_t slot) const { return moved_[slot] != 0; }
    void mark_moved(std::span<const std::uint32_t> slots, bool moved) {
        for (const std::uint32_t slot : slots) moved_[slot] = moved ? 1 : 0;
    }

    /// True when the number of bodies has doubled or halved since the last choice, or many bodies have become
    /// large.
    bool cell_size_is_stale() const {
        return bodies_ > 0 && (bodies_ > 2 * bodies_at_choice_ || 2 * bodies_ < bodies_at_choice_ ||
                               large_.size() > 2 * large_at_choice_ + 8);
    }
    /// Chooses a cell size in metres from the sizes of the bodies.
    double choose_cell_size(std::span<const Aabb> boxes) {
        bodies_at_choice_ = bodies_;
        large_at_choice_ = large_.size();
        sizes_.clear();
        for_each([&](std::uint32_t slot) {
            const Vec3f half = boxes[slot].half();
            sizes_.push_back(2 * std::max({half.x, half.y, half.z}));
        });
        return choose_cell_edge(sizes_);
    }
    /// Call after all bodies were inserted again with the chosen size.
    void mark_rebuilt() {
        waiting_.clear();
        large_at_choice_ = large_.size();
    }

    std::size_t memory_bytes() const {
        return state_.capacity() + moved_.capacity() + sizes_.capacity() * sizeof(float) +
               (large_.capacity() + waiting_.capacity()) * sizeof(std::uint32_t);
    }

  private:
    std::vector<SlotState> state_;        ///< by slot
    std::vector<unsigned char> moved_;    ///< by slot
    std::vector<std::uint32_t> large_;    ///< sorted
    std::vector<std::uint32_t> waiting_;  ///< inserted since the last update
    std::vector<float> sizes_;
    std::size_t bodies_ = 0, bodies_at_choice_ = 0, large_at_choice_ = 0;
};

}  // namespace claybox::collision
