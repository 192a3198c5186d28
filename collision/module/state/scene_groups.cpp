#include "collision/module/state/scene_groups.hpp"

#include "collision/core/assert.hpp"
#include "collision/core/counting_sort.hpp"

#include <algorithm>
#include <utility>

namespace claybox::collision {

namespace {

/// Groups per claim. A smaller level is processed by the caller.
constexpr std::size_t kGrain = 32;

/// Clamps a translation to the limits of a pose: a product of many poses can exceed them.
Pose clamped(Pose pose) {
    const auto clamp = [](double v) { return std::clamp(v, -kMaxMagnitude, kMaxMagnitude); };
    Vec3d& t = pose.translation;
    t = {clamp(t.x), clamp(t.y), clamp(t.z)};
    return pose;
}

}  // namespace

void SceneGroups::apply(std::span<const MovedGroup> groups) {
    for (const MovedGroup& entry : groups) {
        if (entry.added) add(entry);
        if (!entry.moved || !contains(entry.id)) continue;
        Group& group = groups_[entry.id.slot];
        group.pose = entry.pose;
        group.frame = entry.frame;
        group.moved = moved_ = true;
        group.restarted |= entry.restarted;
    }
}

void SceneGroups::add(const MovedGroup& entry) {
    const std::uint32_t slot = entry.id.slot;
    if (slot >= groups_.size()) {
        groups_.resize(slot + std::size_t{1});
        parents_.resize(groups_.size(), kNoIndex);
        boxes_.resize(groups_.size());
    }
    CLAYBOX_ASSERT(!groups_[slot].alive && (!entry.parent || contains(entry.parent)));
    groups_[slot] = Group{};
    groups_[slot].generation = entry.id.generation;
    groups_[slot].alive = true;
    parents_[slot] = entry.parent.slot;
    boxes_[slot] = {};
    ++count_;
    ++version_;
    sorted_ = false;
}

void SceneGroups::attach(std::uint32_t body, GroupId parent) {
    if (!parent || !contains(parent)) return;
    if (body >= group_of_.size()) {
        group_of_.resize(body + std::size_t{1}, kNoIndex);
        neighbours_.resize(group_of_.size());
    }
    CLAYBOX_ASSERT(group_of_[body] == kNoIndex);
    link(body, parent.slot);
}

void SceneGroups::link(std::uint32_t body, std::uint32_t group) {
    group_of_[body] = group;
    if (group == kNoIndex) return;
    std::uint32_t& first = groups_[group].first_body;
    if (first != kNoIndex) neighbours_[first].previous = body;
    neighbours_[body] = {std::exchange(first, body), kNoIndex};
}

void SceneGroups::detach(std::uint32_t body) {
    if (body >= neighbours_.size() || group_of_[body] == kNoIndex) return;
    const Neighbours around = std::exchange(neighbours_[body], {});
    if (around.next != kNoIndex) neighbours_[around.next].previous = around.previous;
    if (around.previous != kNoIndex)
        neighbours_[around.previous].next = around.next;
    else
        groups_[group_of_[body]].first_body = around.next;
    group_of_[body] = kNoIndex;
}

void SceneGroups::remove(std::span<const MovedGroup> groups, BodyMoved moved,
                         std::vector<std::uint32_t>& removed_slots) {
    bool any = false;
    for (const MovedGroup& entry : groups) {
        if (!entry.removed || !contains(entry.id)) continue;
        Group& group = groups_[entry.id.slot];
        group.removed = any = true;
        group.frame = std::max(group.frame, entry.frame);
    }
    if (!any) return;
    sort_levels();
    // Top down: a removed group's parent is final before its children are processed.
    for (const std::uint32_t slot : order_) {
        const std::uint32_t parent = parents_[slot];
        if (parent == kNoIndex || !groups_[parent].removed) continue;
        Group& group = groups_[slot];
        group.frame = std::max(group.frame, groups_[parent].frame);
        group.moved = group.restarted = moved_ = true;
        parents_[slot] = parents_[parent];
    }
    for (const std::uint32_t slot : order_) {
        if (!groups_[slot].removed) continue;
        reparent_bodies(slot, moved);
        groups_[slot] = Group{};
        parents_[slot] = kNoIndex;
        boxes_[slot] = {};
        removed_slots.push_back(slot);
        --count_;
    }
    ++version_;
    sorted_ = false;
}

void SceneGroups::reparent_bodies(std::uint32_t from, BodyMoved moved) {
    std::uint32_t next = kNoIndex;
    for (std::uint32_t body = groups_[from].first_body; body != kNoIndex; body = next) {
        next = neighbours_[body].next;
        neighbours_[body] = {};
        link(body, parents_[from]);
        moved(body, groups_[from].frame, Arrival::placed);
    }
}

/// Breadth first: each level becomes a range of order_.
void SceneGroups::sort_levels() {
    if (std::exchange(sorted_, true)) return;
    const auto world = static_cast<std::uint32_t>(groups_.size());
    const auto parent_of = [&](std::uint32_t slot) {
        if (!groups_[slot].alive) return kNoIndex;
        return parents_[slot] == kNoIndex ? world : parents_[slot];
    };
    counting_sort(world, world + std::size_t{1}, parent_of, child_begin_, children_);
    order_.clear();
    level_begin_.assign(1, 0);
    const auto append_children = [&](std::uint32_t group) {
        order_.insert(order_.end(), children_.begin() + child_begin_[group],
                      children_.begin() + child_begin_[group + 1]);
    };
    append_children(world);
    for (std::size_t done = 0; done < order_.size();) {
        const std::size_t end = order_.size();
        level_begin_.push_back(static_cast<std::uint32_t>(end));
        for (; done < end; ++done) append_children(order_[done]);
    }
    CLAYBOX_ASSERT(order_.size() == count_);
}

void SceneGroups::update_poses(Executor& executor, BodyMoved moved) {
    if (!std::exchange(moved_, false)) return;
    sort_levels();
    for (std::size_t i = 0; i < level_count(); ++i) {
        const auto groups = level(i);
        executor.parallel_for(groups.size(), kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
            for (const std::uint32_t group : groups.subspan(begin, end - begin)) update_pose(group);
        });
    }
    for (const std::uint32_t slot : order_) {
        if (!std::exchange(groups_[slot].moved, false)) continue;
        const Arrival arrival =
            std::exchange(groups_[slot].restarted, false) ? Arrival::placed : Arrival::moved;
        for (std::uint32_t body = groups_[slot].first_body; body != kNoIndex; body = neighbours_[body].next)
            moved(body, groups_[slot].world_frame, arrival);
    }
}

/// Writes this group only and reads its parent, whose level is finished.
void SceneGroups::update_pose(std::uint32_t slot) {
    Group& group = groups_[slot];
    const Group* const parent = parents_[slot] == kNoIndex ? nullptr : &groups_[parents_[slot]];
    if (parent && parent->moved) group.moved = true;
    if (parent && parent->restarted) group.restarted = true;
    if (!group.moved) return;
    group.world = parent ? clamped(parent->world * group.pose) : group.pose;
    group.world_frame = parent ? std::max(parent->world_frame, group.frame) : group.frame;
}

void SceneGroups::update_boxes(Executor& executor, std::span<const Aabb> boxes) {
    sort_levels();
    for (std::size_t i = level_count(); i-- > 0;) {
        const auto groups = level(i);
        executor.parallel_for(groups.size(), kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
            for (const std::uint32_t group : groups.subspan(begin, end - begin)) update_box(group, boxes);
        });
    }
}

/// Writes this group's box only and reads the boxes of its children, whose level is finished.
void SceneGroups::update_box(std::uint32_t slot, std::span<const Aabb> boxes) {
    Aabb box;
    for (std::uint32_t body = groups_[slot].first_body; body != kNoIndex; body = neighbours_[body].next)
        box.add(boxes[body]);
    for (std::uint32_t i = child_begin_[slot]; i < child_begin_[slot + 1]; ++i) box.add(boxes_[children_[i]]);
    boxes_[slot] = box;
}

Pose SceneGroups::world_pose(std::uint32_t body, const Pose& pose) const {
    if (body >= group_of_.size() || group_of_[body] == kNoIndex) return pose;
    return clamped(groups_[group_of_[body]].world * pose);
}

void SceneGroups::add_to(WorldBounds& bounds) {
    if (empty()) return;
    if (group_of_.size() < bounds.boxes.size()) {
        group_of_.resize(bounds.boxes.size(), kNoIndex);
        neighbours_.resize(group_of_.size());
    }
    bounds.group_of = group_of_;
    bounds.groups = {parents_, boxes_, version_};
}

std::size_t SceneGroups::memory_bytes() const {
    return groups_.capacity() * sizeof(Group) + boxes_.capacity() * sizeof(Aabb) +
           neighbours_.capacity() * sizeof(Neighbours) +
           (parents_.capacity() + group_of_.capacity() + order_.capacity() + level_begin_.capacity() +
            child_begin_.capacity() + children_.capacity()) *
               sizeof(std::uint32_t);
}

}  // namespace claybox::collision
