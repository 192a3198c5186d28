#pragma once
// What the grids know of a slot beside its cells: whether a body is there, waits for the next update, stands
// in cells or is too large for them; and when an automatic cell size has to be chosen anew.

#include "collision/broadphase/grid_cells.hpp"
#include "collision/core/assert.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace claybox::collision {

enum class Place : unsigned char { absent, waiting, in_cells, large };

class GridSlots {
  public:
    /// Only noted: the next update knows all boxes, and with them the size of a cell.
    void insert(std::uint32_t slot) {
        if (slot >= size()) {
            place_.resize(slot + 1, Place::absent);
            moved_.resize(slot + 1, 0);
        }
        CLAYBOX_ASSERT(place_[slot] == Place::absent);
        place_[slot] = Place::waiting;
        waiting_.push_back(slot);
        ++bodies_;
    }
    bool has(std::uint32_t slot) const { return slot < size() && place_[slot] != Place::absent; }
    Place place(std::uint32_t slot) const { return place_[slot]; }
    /// Of a slot that is there.
    void put(std::uint32_t slot, Place place) {
        if (const bool is = place == Place::large; is != (place_[slot] == Place::large)) {
            const auto at = std::lower_bound(large_.begin(), large_.end(), slot);
            is ? large_.insert(at, slot) : large_.erase(at);
        }
        if (place == Place::absent) --bodies_;
        place_[slot] = place;
    }

    std::size_t size() const { return place_.size(); }
    std::size_t bodies() const { return bodies_; }
    std::span<const std::uint32_t> large() const { return large_; }  ///< sorted
    /// Calls visit(slot) for every body.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::uint32_t slot = 0; slot < size(); ++slot)
            if (place_[slot] != Place::absent) visit(slot);
    }
    /// Calls visit(slot), which puts it somewhere, for all that wait.
    template <class Visit>
    void take_waiting(Visit&& visit) {
        for (const std::uint32_t slot : waiting_)
            if (place_[slot] == Place::waiting) visit(slot);
        waiting_.clear();
    }

    /// Set during find_pairs only.
    bool moved(std::uint32_t slot) const { return moved_[slot] != 0; }
    void mark_moved(std::span<const std::uint32_t> slots, bool moved) {
        for (const std::uint32_t slot : slots) moved_[slot] = moved ? 1 : 0;
    }

    /// When the number of bodies has doubled or halved since a size was chosen, or many have become large.
    bool cell_size_is_stale() const {
        return bodies_ > 0 && (bodies_ > 2 * bodies_at_choice_ || 2 * bodies_ < bodies_at_choice_ ||
                               large_.size() > 2 * large_at_choice_ + 8);
    }
    /// Metres, by the sizes of the bodies.
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
    /// All bodies were entered anew, with the size that was chosen.
    void note_rebuilt() {
        waiting_.clear();
        large_at_choice_ = large_.size();
    }

    std::size_t memory_bytes() const {
        return place_.capacity() + moved_.capacity() + sizes_.capacity() * sizeof(float) +
               (large_.capacity() + waiting_.capacity()) * sizeof(std::uint32_t);
    }

  private:
    std::vector<Place> place_;            ///< by slot
    std::vector<unsigned char> moved_;    ///< by slot
    std::vector<std::uint32_t> large_;    ///< sorted
    std::vector<std::uint32_t> waiting_;  ///< inserted since the last update
    std::vector<float> sizes_;
    std::size_t bodies_ = 0, bodies_at_choice_ = 0, large_at_choice_ = 0;
};

}  // namespace claybox::collision
