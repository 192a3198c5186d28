#pragma once
// What an application enters of scene groups between two passes: each group once.

#include "collision/core/ids.hpp"
#include "collision/geometry/transform.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

/// What is entered of one scene group.
struct MovedGroup {
    GroupId id;
    GroupId parent;           ///< of a new one
    std::uint64_t frame = 0;  ///< the application's, of the newest entry
    bool added = false;
    bool moved = false;  ///< `pose` is set
    bool removed = false;
    Pose pose;  ///< in the parent's frame
};

/// Beside the moved list. In the order in which groups were first entered, so that a new group stands behind
/// its parent. A slot names one group only in a list, because it is free again when a pass has forgotten its
/// group.
class GroupList {
  public:
    bool empty() const { return groups_.empty(); }
    std::span<const MovedGroup> groups() const { return groups_; }

    /// The group's entry, made when there is none.
    MovedGroup& enter(GroupId group);
    /// Takes over the entries of a later frame, the newest pose wins. Empties `later`.
    void merge(GroupList& later);
    /// Gives every entry its frame.
    void stamp_frame(std::uint64_t frame);
    /// Keeps the memory.
    void clear();
    std::size_t memory_bytes() const;

  private:
    std::vector<MovedGroup> groups_;
    std::vector<std::uint32_t> entry_of_slot_;  ///< kNoIndex where there is none
};

}  // namespace claybox::collision
