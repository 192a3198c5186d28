#include "collision/module/exchange/group_list.hpp"

namespace claybox::collision {

MovedGroup& GroupList::entry_for(GroupId group) {
    if (group.slot >= entry_of_slot_.size()) entry_of_slot_.resize(group.slot + std::size_t{1}, kNoIndex);
    std::uint32_t& entry = entry_of_slot_[group.slot];
    if (entry == kNoIndex) {
        entry = static_cast<std::uint32_t>(groups_.size());
        groups_.emplace_back().id = group;
    }
    return groups_[entry];
}

void GroupList::merge(GroupList& later) {
    for (const MovedGroup& from : later.groups_) {
        MovedGroup& to = entry_for(from.id);
        if (from.added) {
            to.added = true;
            to.parent = from.parent;
        }
        if (from.moved) {
            to.moved = true;
            to.pose = from.pose;
        }
        to.removed |= from.removed;
        to.restarted |= from.restarted;
        to.frame = from.frame;
    }
    later.clear();
}

void GroupList::stamp_frame(std::uint64_t frame) {
    for (MovedGroup& group : groups_) group.frame = frame;
}

void GroupList::clear() {
    for (const MovedGroup& group : groups_) entry_of_slot_[group.id.slot] = kNoIndex;
    groups_.clear();
}

std::size_t GroupList::memory_bytes() const {
    return groups_.capacity() * sizeof(MovedGroup) + entry_of_slot_.capacity() * sizeof(std::uint32_t);
}

}  // namespace claybox::collision
