#pragma once
// Scene group ids. Only the application creates and removes groups; a plain table of slots is enough.

#include "collision/core/ids.hpp"

#include <limits>
#include <span>
#include <vector>

namespace claybox::collision {

/// For one thread.
class GroupIds {
  public:
    bool has_free() const { return !free_.empty(); }
    bool alive(GroupId group) const {
        return group.slot < slots_.size() && slots_[group.slot].alive &&
               slots_[group.slot].generation == group.generation;
    }
    /// Returns a new id: the most recently released slot, otherwise a new slot.
    GroupId open() {
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(slots_.size()));
            slots_.emplace_back();
        }
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        slots_[slot].alive = true;
        return {slot, ++slots_[slot].generation};
    }
    /// Returns false when the group is not alive. The slot stays closed until released.
    bool close(GroupId group) {
        if (!alive(group)) return false;
        slots_[group.slot].alive = false;
        return true;
    }
    /// Releases slots of groups that passes have removed. A slot that has used all generations stays closed.
    void release(std::span<const std::uint32_t> slots) {
        for (const std::uint32_t slot : slots)
            if (slots_[slot].generation != std::numeric_limits<std::uint32_t>::max()) free_.push_back(slot);
    }
    std::size_t memory_bytes() const {
        return slots_.capacity() * sizeof(Slot) + free_.capacity() * sizeof(std::uint32_t);
    }

  private:
    struct Slot {
        std::uint32_t generation = 0;
        bool alive = false;
    };
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_;
};

}  // namespace claybox::collision
