#pragma once
// Scene groups on the pass side: a tree of frames with bodies as leaves.
// Source: Zachmann 1994, section 6.0.1. To-world matrices depend on the parent's matrix, boxes on the
//   children's boxes. In the thesis every processor computes what it finds missing; several may write the
//   same matrix at once. This implements the section's other proposal, the jo-jo method: all workers
//   process one level, wait at a barrier, and go on to the next, downwards for poses and upwards for
//   boxes.
// Ours: levels are lists, rebuilt when parents change; downwards, only moved groups and their descendants
//   are recomputed. Details: docs/explanation/parallel.md.

#include "collision/broadphase/world_bounds.hpp"
#include "collision/jobs/executor.hpp"
#include "collision/module/arrival.hpp"
#include "collision/module/exchange/group_list.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

/// For one thread, which may pass an executor. Groups are identified by slot. A world without groups costs
/// nothing.
class SceneGroups {
  public:
    /// Called for a body whose world pose changed with a group; `frame` is the newest frame of the groups
    /// above it. `arrival`: how it came to its place.
    using BodyMoved = FunctionRef<void(std::uint32_t body, std::uint64_t frame, Arrival arrival)>;

    bool empty() const { return count_ == 0; }
    /// True when the body is attached to a group.
    bool contains(std::uint32_t body) const { return body < group_of_.size() && group_of_[body] != kNoIndex; }

    // Call in this order, once per list.

    /// Applies new groups and poses. Removed groups stay until remove(): bodies of the same list may refer to
    /// them.
    void apply(std::span<const MovedGroup> groups);
    /// Attaches a body that has no parent yet. Does nothing when the group is unknown.
    void attach(std::uint32_t body, GroupId parent);
    void detach(std::uint32_t body);
    /// Removes groups. Their children move to the nearest remaining group above. Appends the slots of the
    /// removed groups to `removed_slots`.
    void remove(std::span<const MovedGroup> groups, BodyMoved moved,
                std::vector<std::uint32_t>& removed_slots);
    /// Updates world poses of groups, top down, then calls `moved` for all bodies below moved groups. A body
    /// that remove() has reported may be reported again.
    void update_poses(Executor& executor, BodyMoved moved);
    /// Updates the boxes of groups, bottom up. `boxes`: boxes of the bodies, by slot.
    void update_boxes(Executor& executor, std::span<const Aabb> boxes);

    /// World pose of a body, given its pose in the parent's frame.
    Pose world_pose(std::uint32_t body, const Pose& pose) const;
    /// Adds the group data to `bounds`, as of the last update_boxes().
    void add_to(WorldBounds& bounds);
    std::size_t memory_bytes() const;

  private:
    struct Group {
        Pose pose, world;
        std::uint64_t frame = 0;        ///< application frame of the pose
        std::uint64_t world_frame = 0;  ///< the newest of this group and its ancestors
        std::uint32_t generation = 0;
        std::uint32_t first_body = kNoIndex;
        bool alive = false, removed = false;
        bool moved = false;      ///< since the last update_poses()
        bool restarted = false;  ///< the same, without a way
    };
    struct Neighbours {
        std::uint32_t next = kNoIndex, previous = kNoIndex;
    };

    void add(const MovedGroup& entry);
    bool contains(GroupId group) const {
        return group.slot < groups_.size() && groups_[group.slot].alive &&
               groups_[group.slot].generation == group.generation;
    }
    void link(std::uint32_t body, std::uint32_t group);
    void reparent_bodies(std::uint32_t from, BodyMoved moved);
    void sort_levels();
    std::size_t level_count() const { return level_begin_.empty() ? 0 : level_begin_.size() - 1; }
    std::span<const std::uint32_t> level(std::size_t number) const {
        return std::span(order_).subspan(level_begin_[number],
                                         level_begin_[number + 1] - level_begin_[number]);
    }
    void update_pose(std::uint32_t group);
    void update_box(std::uint32_t group, std::span<const Aabb> boxes);

    std::size_t count_ = 0;
    std::uint64_t version_ = 0;  ///< changes with parents_
    bool sorted_ = true;         ///< order_ and level_begin_ match parents_
    bool moved_ = false;         ///< some group moved since the last update_poses()

    // Indexed by group slot.
    std::vector<Group> groups_;
    std::vector<std::uint32_t> parents_;
    std::vector<Aabb> boxes_;
    // Indexed by body slot; may be shorter than the number of slots.
    std::vector<std::uint32_t> group_of_;
    std::vector<Neighbours> neighbours_;  ///< linked list of the group's bodies

    std::vector<std::uint32_t> order_;                   ///< groups level by level, from the top
    std::vector<std::uint32_t> level_begin_;             ///< level ranges in order_
    std::vector<std::uint32_t> child_begin_, children_;  ///< by parent; the last parent is the world
};

}  // namespace claybox::collision
