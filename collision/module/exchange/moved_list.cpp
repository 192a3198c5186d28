#include "collision/module/exchange/moved_list.hpp"

#include <algorithm>
#include <utility>

namespace claybox::collision {

void ChangeMerger::keep_newest(std::vector<VertexChange>& changes) {
    ++now_;
    if (now_ == 0) {  // the counter wrapped around: old stamps would look current
        std::fill(stamp_.begin(), stamp_.end(), 0u);
        now_ = 1;
    }
    // Backwards, since the newest changes are last; kept changes move to the end.
    std::size_t kept = changes.size();
    for (std::size_t i = changes.size(); i-- > 0;) {
        const std::uint32_t vertex = changes[i].vertex;
        if (vertex >= stamp_.size()) stamp_.resize(vertex + 1, 0);
        if (std::exchange(stamp_[vertex], now_) != now_) changes[--kept] = changes[i];
    }
    changes.erase(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(kept));
}

MovedBody& MovedList::entry_for(BodyId body) {
    if (body.slot >= entry_of_slot_.size()) entry_of_slot_.resize(body.slot + std::size_t{1}, kNoIndex);
    if (entry_of_slot_[body.slot] == kNoIndex) {
        if (count_ == bodies_.size()) bodies_.emplace_back();
        entry_of_slot_[body.slot] = static_cast<std::uint32_t>(count_++);
        bodies_[count_ - 1].slot = body.slot;
    }
    MovedBody& entry = bodies_[entry_of_slot_[body.slot]];
    if (entry.generation < body.generation) {
        reset(entry);
        entry.generation = body.generation;
    }
    return entry;
}

void MovedList::reset(MovedBody& entry) {
    entry.generation = 0;
    entry.frame = 0;
    entry.moved = entry.removed = false;
    entry.start = kNoIndex;
    entry.added.reset();
    entry.changes.clear();
}

void MovedList::add_changes(MovedBody& body, std::span<const VertexChange> changes,
                            std::uint32_t vertex_count) {
    body.changes.insert(body.changes.end(), changes.begin(), changes.end());
    // Bounds the list to two changes per vertex while no pass takes it.
    if (body.changes.size() > 2 * std::size_t{vertex_count}) merger_.keep_newest(body.changes);
}

void MovedList::merge(MovedList& later) {
    for (MovedBody& from : later.bodies()) {
        MovedBody& to = entry_for({from.slot, from.generation});
        if (to.generation != from.generation) continue;  // the slot has a newer body
        if (from.added) {
            to.added = std::move(from.added);
            to.creation = from.creation;
        }
        if (from.moved) {
            to.moved = true;
            to.pose = from.pose;
        }
        if (from.start != kNoIndex) set_start(to, later.start(from));
        to.frame = from.frame;
        to.removed |= from.removed;
        if (to.changes.empty()) {
            to.changes.swap(from.changes);
        } else if (!from.changes.empty()) {
            to.changes.insert(to.changes.end(), from.changes.begin(), from.changes.end());
            merger_.keep_newest(to.changes);
        }
    }
    later.clear();
}

void MovedList::set_pose(MovedBody& body, const Pose& pose, Arrival arrival) {
    body.moved = true;
    body.pose = pose;
    if (arrival == Arrival::placed) set_start(body, pose);
}

void MovedList::set_start(MovedBody& body, const Pose& pose) {
    if (body.start == kNoIndex) {
        body.start = static_cast<std::uint32_t>(starts_.size());
        starts_.emplace_back();
    }
    starts_[body.start] = pose;
}

void MovedList::stamp_frame(std::uint64_t frame) {
    for (MovedBody& body : bodies()) body.frame = frame;
}

void MovedList::clear() {
    for (MovedBody& body : bodies()) {
        entry_of_slot_[body.slot] = kNoIndex;
        reset(body);
    }
    count_ = 0;
    starts_.clear();
}

std::size_t MovedList::memory_bytes() const {
    std::size_t bytes = bodies_.capacity() * sizeof(MovedBody) +
                        entry_of_slot_.capacity() * sizeof(std::uint32_t) + starts_.capacity() * sizeof(Pose);
    for (const MovedBody& body : bodies_) bytes += body.changes.capacity() * sizeof(VertexChange);
    return bytes;
}

}  // namespace claybox::collision
