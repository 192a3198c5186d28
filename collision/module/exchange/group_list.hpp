#pragma once
// Scene groups changed between two passes: one entry per group.

#include "collision/core/ids.hpp"
#include "collision/geometry/transform.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

/// Changes of one scene group.
struct MovedGroup {
    GroupId id;
    GroupId parent;           ///< new group only
    std::uint64_t frame = 0;  ///< application frame of the newest change
    bool added = false;
    bool moved = false;  ///< `pose` is set
    bool removed = false;
    bool restarted = false;  ///< Arrival::placed
    Pose pose;               ///< in the parent's frame
};

/// Entries in the order of their first change: a new group follows its parent. A slot has at most one group
/// in a list, because a slot is reused only after a pass has released its group.
class GroupList {
  public:
    bool empty() const { return groups_.empty(); }
    std::span<const MovedGroup> groups() const { return groups_; }

    /// The group's entry, created if necessary.
    MovedGroup& entry_for(GroupId group);
    /// Merges the entries of a later frame; the newest pose wins. Empties `later`.
    void merge(GroupList& later);
    /// Sets the frame of every entry.
    void stamp_frame(std::uint64_t frame);
    /// Keeps the memory.
    void clear();
    std::size_t memory_bytes() const;

  private:
    std::vector<MovedGroup> groups_;
    std::vector<std::uint32_t> entry_of_slot_;  ///< kNoIndex: no entry
};

}  // namespace claybox::collision
