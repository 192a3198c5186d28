#pragma once
// The groups of the scene as passes know them: a tree of frames over the bodies.
// Source: Zachmann 1994, section 6.0.1. To-world matrices depend on the parent's and boxes on the children's.
//   There every processor computes what it finds missing, several of them the same matrix, which writes the
//   same memory at once. Here is the section's other proposal, the jo-jo method: all workers compute on one
//   level, wait for each other, and go on to the next, down for poses and up for boxes. Bodies are leaves.
// Ours: levels are lists that are made when parents change; downward only moved groups and what is below them
//   are computed anew.

#include "collision/broadphase/world_bounds.hpp"
#include "collision/jobs/executor.hpp"
#include "collision/module/group_list.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

/// For one thread, which may bring an executor. Groups are named by slot; a world without groups costs
/// nothing.
class SceneGroups {
  public:
    /// Told of a body whose pose in the world has changed with a group, and of the newest frame of those
    /// above.
    using BodyMoved = FunctionRef<void(std::uint32_t body, std::uint64_t frame)>;

    bool empty() const { return count_ == 0; }
    /// Whether the body hangs from a group.
    bool holds(std::uint32_t body) const { return body < group_of_.size() && group_of_[body] != kNoIndex; }

    // In this order, once a list.

    /// New groups and poses. Who is removed stays until leave(), so that bodies of the same list find it.
    void enter(std::span<const MovedGroup> groups);
    /// The body hangs from this group, or from none when the group is unknown; first it hangs from none.
    void hang(std::uint32_t body, GroupId parent);
    void take_down(std::uint32_t body);
    /// What hangs from removed groups goes to the next group above that stays. Appends the slots that were
    /// left.
    void leave(std::span<const MovedGroup> groups, BodyMoved moved, std::vector<std::uint32_t>& left);
    /// World poses of groups, from the top down; then tells of all bodies below those that moved, which may
    /// be again of one that leave() told of.
    void carry_down(Executor& executor, BodyMoved moved);
    /// Boxes around all bodies below, from the bottom up. `boxes`: of the bodies, by slot.
    void carry_up(Executor& executor, std::span<const Aabb> boxes);

    /// Where a body is whose pose in its parent's frame is this.
    Pose world_pose(std::uint32_t body, const Pose& pose) const;
    /// As of carry_up(), for as many bodies as have boxes here.
    void tell(WorldBounds& bounds);
    std::size_t memory_bytes() const;

  private:
    struct Group {
        Pose pose, world;
        std::uint64_t frame = 0;        ///< the application's, of the pose
        std::uint64_t world_frame = 0;  ///< the newest of this one and those above
        std::uint32_t generation = 0;
        std::uint32_t first_body = kNoIndex;
        bool alive = false, leaving = false;
        bool moved = false;  ///< since carry_down()
    };
    struct Neighbours {
        std::uint32_t next = kNoIndex, previous = kNoIndex;
    };

    void add(const MovedGroup& entry);
    bool knows(GroupId group) const {
        return group.slot < groups_.size() && groups_[group.slot].alive &&
               groups_[group.slot].generation == group.generation;
    }
    void link(std::uint32_t body, std::uint32_t group);
    void hand_over_bodies(std::uint32_t from, BodyMoved moved);
    void sort_levels();
    std::size_t level_count() const { return level_begin_.empty() ? 0 : level_begin_.size() - 1; }
    std::span<const std::uint32_t> level(std::size_t number) const {
        return std::span(order_).subspan(level_begin_[number],
                                         level_begin_[number + 1] - level_begin_[number]);
    }
    void place(std::uint32_t group);
    void fit(std::uint32_t group, std::span<const Aabb> boxes);

    std::size_t count_ = 0;
    std::uint64_t version_ = 0;  ///< of parents_
    bool sorted_ = true;         ///< the levels are those of parents_
    bool moved_ = false;         ///< a group has, since carry_down()

    // By group.
    std::vector<Group> groups_;
    std::vector<std::uint32_t> parents_;
    std::vector<Aabb> boxes_;
    // By body; shorter than the world when the last bodies hang from none.
    std::vector<std::uint32_t> group_of_;
    std::vector<Neighbours> neighbours_;  ///< in the list of the group's bodies

    std::vector<std::uint32_t> order_;                   ///< the groups level by level, from the top
    std::vector<std::uint32_t> level_begin_;             ///< in order_, and its end
    std::vector<std::uint32_t> child_begin_, children_;  ///< by parent, the last being the world
};

}  // namespace claybox::collision
