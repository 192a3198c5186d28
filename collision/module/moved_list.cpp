#include "collision/module/moved_list.hpp"

#include <algorithm>
#include <utility>

namespace claybox::collision {

void ChangeMerger::keep_newest(std::vector<VertexChange>& changes) {
    ++now_;
    if (now_ == 0) {  // the counter has wrapped: old stamps could look new
        std::fill(stamp_.begin(), stamp_.end(), 0u);
        now_ = 1;
    }
    // From the back, where the newest stand; what stays moves to the end.
    std::size_t kept = changes.size();
    for (std::size_t i = changes.size(); i-- > 0;) {
        const std::uint32_t vertex = changes[i].vertex;
        if (vertex >= stamp_.size()) stamp_.resize(vertex + 1, 0);
        if (std::exchange(stamp_[vertex], now_) != now_) changes[--kept] = changes[i];
    }
    changes.erase(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(kept));
}

MovedBody& MovedList::enter(std::uint32_t slot) {
    if (slot >= entry_of_slot_.size()) entry_of_slot_.resize(slot + 1, kNoIndex);
    if (entry_of_slot_[slot] != kNoIndex) return bodies_[entry_of_slot_[slot]];
    if (count_ == bodies_.size()) bodies_.emplace_back();
    entry_of_slot_[slot] = static_cast<std::uint32_t>(count_);
    MovedBody& body = bodies_[count_++];
    body.slot = slot;
    return body;
}

MovedBody* MovedList::find(std::uint32_t slot) {
    if (slot >= entry_of_slot_.size() || entry_of_slot_[slot] == kNoIndex) return nullptr;
    return &bodies_[entry_of_slot_[slot]];
}

void MovedList::add_changes(MovedBody& body, std::span<const VertexChange> changes,
                            std::uint32_t vertex_count) {
    body.changes.insert(body.changes.end(), changes.begin(), changes.end());
    // However long nobody takes the list, it holds at most two changes per vertex.
    if (body.changes.size() > 2 * std::size_t{vertex_count}) merger_.keep_newest(body.changes);
}

void MovedList::merge(MovedList& later) {
    for (MovedBody& from : later.bodies()) {
        MovedBody& to = enter(from.slot);
        if (from.added) {
            // What may stand here is of a body that had the slot before.
            to.moved = to.by_callback = to.removed = false;
            to.changes.clear();
            to.added = std::move(from.added);
            to.creation = from.creation;
        }
        to.generation = from.generation;
        if (from.moved) {
            to.moved = true;
            to.by_callback = from.by_callback;
            to.pose = from.pose;
        }
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

void MovedList::stamp_frame(std::uint64_t frame) {
    for (MovedBody& body : bodies()) body.frame = frame;
}

void MovedList::clear() {
    for (MovedBody& body : bodies()) {
        entry_of_slot_[body.slot] = kNoIndex;
        body.added.reset();
        body.changes.clear();
        body.moved = body.by_callback = body.removed = false;
        body.frame = 0;
    }
    count_ = 0;
}

std::size_t MovedList::memory_bytes() const {
    std::size_t bytes =
        bodies_.capacity() * sizeof(MovedBody) + entry_of_slot_.capacity() * sizeof(std::uint32_t);
    for (const MovedBody& body : bodies_) bytes += body.changes.capacity() * sizeof(VertexChange);
    return bytes;
}

}  // namespace claybox::collision
