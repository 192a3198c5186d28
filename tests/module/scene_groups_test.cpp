// Scene groups alone: the jo-jo method on deep and wide trees, with any number of workers.
#include "collision/module/state/scene_groups.hpp"

#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <map>

namespace claybox::collision {
namespace {

/// Runs loops from the last index to the first, and counts loops. Detects dependencies between groups of one
/// level.
class BackwardsExecutor final : public Executor {
  public:
    unsigned worker_count() const override { return 1; }
    void parallel_for(std::size_t count, std::size_t, Body body, std::size_t) override {
        ++loops;
        for (std::size_t i = count; i-- > 0;) body(i, i + 1, 0);
    }
    std::size_t loops = 0;
};

Pose random_pose(Random& random) {
    return {random_rotation(random, 0, 3), 2.0 * random.unit_vector()};
}

/// Reference tree of groups and bodies; computes everything by walking to the root.
class Tree {
  public:
    explicit Tree(std::uint64_t seed) : random_(seed) {}

    /// Adds a chain of groups, then `others` more groups with random parents.
    void grow(std::uint32_t chain, std::uint32_t others) {
        for (std::uint32_t i = 0; i < chain; ++i) add_group(i == 0 ? kNoIndex : i - 1);
        for (std::uint32_t i = 0; i < others; ++i)
            add_group(static_cast<std::uint32_t>(random_.below(parents_.size())));
    }
    void add_body(std::uint32_t parent) {
        const auto body = static_cast<std::uint32_t>(group_of_.size());
        group_of_.push_back(parent);
        pose_of_body_.push_back(random_pose(random_));
        const Vec3f at = cast<float>(10.0 * random_.unit_vector());
        boxes.push_back({at, at + Vec3f{1, 2, 3}});
        new_bodies_.push_back(body);
    }
    void move_group(std::uint32_t group, std::uint64_t frame) {
        poses_[group] = random_pose(random_);
        MovedGroup& entry = list_.entry_for({group, 1});
        entry.moved = true;
        entry.pose = poses_[group];
        entry.frame = frame;
        frames_[group] = frame;
    }
    /// Applies the list as a pass does. Returns the bodies reported as moved, with their frames.
    std::map<std::uint32_t, std::uint64_t> apply(SceneGroups& groups, Executor& executor) const {
        std::map<std::uint32_t, std::uint64_t> moved;
        std::vector<std::uint32_t> removed_slots;
        const auto report = [&](std::uint32_t body, std::uint64_t frame, Arrival) { moved[body] = frame; };
        groups.apply(list_.groups());
        for (const std::uint32_t body : new_bodies_) groups.attach(body, {group_of_[body], 1});
        groups.remove(list_.groups(), report, removed_slots);
        groups.update_poses(executor, report);
        groups.update_boxes(executor, boxes);
        return moved;
    }
    void next_frame() {
        list_.clear();
        new_bodies_.clear();
    }

    Pose world_of_group(std::uint32_t group) const {
        std::vector<std::uint32_t> path;
        for (std::uint32_t g = group; g != kNoIndex; g = parents_[g]) path.push_back(g);
        Pose world = poses_[path.back()];
        for (std::size_t i = path.size() - 1; i-- > 0;) world = world * poses_[path[i]];
        return world;
    }
    Pose world_of_body(std::uint32_t body) const {
        return world_of_group(group_of_[body]) * pose_of_body_[body];
    }
    std::vector<Aabb> boxes_of_groups() const {
        std::vector<Aabb> out(parents_.size());
        for (std::size_t body = 0; body < boxes.size(); ++body)
            for (std::uint32_t g = group_of_[body]; g != kNoIndex; g = parents_[g]) out[g].add(boxes[body]);
        return out;
    }
    bool is_below(std::uint32_t body, std::uint32_t group) const {
        std::uint32_t g = group_of_[body];
        while (g != kNoIndex && g != group) g = parents_[g];
        return g == group;
    }
    void expect_same(SceneGroups& groups, const char* what) const {
        WorldBounds bounds(boxes);
        groups.add_to(bounds);
        EXPECT_TRUE(std::ranges::equal(bounds.groups.boxes, boxes_of_groups())) << what;
        EXPECT_TRUE(std::ranges::equal(bounds.groups.parent, parents_)) << what;
        EXPECT_TRUE(std::ranges::equal(bounds.group_of, group_of_)) << what;
        std::size_t wrong = 0;
        for (std::uint32_t body = 0; body < boxes.size(); ++body)
            wrong += groups.world_pose(body, pose_of_body_[body]) != world_of_body(body);
        EXPECT_EQ(wrong, 0u) << what;
    }
    std::size_t group_count() const { return parents_.size(); }

    std::vector<Aabb> boxes;  ///< of bodies

  private:
    void add_group(std::uint32_t parent) {
        const auto slot = static_cast<std::uint32_t>(parents_.size());
        parents_.push_back(parent);
        poses_.push_back(random_pose(random_));
        frames_.push_back(1);
        MovedGroup& entry = list_.entry_for({slot, 1});
        entry.added = entry.moved = true;
        if (parent != kNoIndex) entry.parent = {parent, 1};
        entry.pose = poses_.back();
        entry.frame = 1;
    }

    Random random_;
    std::vector<std::uint32_t> parents_, group_of_, new_bodies_;
    std::vector<Pose> poses_, pose_of_body_;
    std::vector<std::uint64_t> frames_;
    GroupList list_;
};

TEST(SceneGroups, Z_6_0_1_jojo_result_for_1000_levels_does_not_depend_on_the_order_within_a_level) {
    Tree tree(5);
    tree.grow(1000, 4000);
    for (std::uint32_t body = 0; body < 3000; ++body) tree.add_body((body * 7) % 5000);
    SceneGroups serial, backwards;
    BackwardsExecutor executor;
    (void)tree.apply(serial, *make_serial_executor());
    (void)tree.apply(backwards, executor);
    EXPECT_GE(executor.loops, 2000u) << "one loop per level, down and up";
    tree.expect_same(serial, "in order");
    tree.expect_same(backwards, "backwards");
    for (const unsigned workers : {1u, 2u, 3u, 5u}) {
        SceneGroups shared;
        const auto pool = make_thread_executor(workers);
        (void)tree.apply(shared, *pool);
        tree.expect_same(shared, "workers");
    }
}

TEST(SceneGroups, Z_6_0_1_par_results_on_wide_levels_do_not_depend_on_workers) {
    for (const unsigned workers : {2u, 3u, 5u}) {
        Tree tree(workers);
        tree.grow(6, 3000);
        for (std::uint32_t body = 0; body < 3000; ++body) tree.add_body((body * 11) % 3006);
        SceneGroups shared;
        const auto pool = make_thread_executor(workers);
        for (std::uint64_t frame = 2; frame < 30; ++frame) {
            (void)tree.apply(shared, *pool);
            tree.next_frame();
            for (std::uint32_t i = 0; i < 40; ++i)
                tree.move_group(static_cast<std::uint32_t>((frame * 997 + i * 131) % 3006), frame);
        }
        (void)tree.apply(shared, *pool);
        tree.expect_same(shared, "workers");
    }
}

TEST(SceneGroups, reports_only_bodies_below_moved_groups_with_the_newest_frame_above) {
    Tree tree(8);
    tree.grow(20, 200);
    for (std::uint32_t body = 0; body < 400; ++body) tree.add_body(body % 220);
    SceneGroups groups;
    const auto executor = make_serial_executor();
    EXPECT_EQ(tree.apply(groups, *executor).size(), 400u);
    tree.next_frame();
    EXPECT_TRUE(tree.apply(groups, *executor).empty());
    tree.move_group(12, 7);
    tree.move_group(5, 6);
    const auto moved = tree.apply(groups, *executor);
    std::size_t reported = 0;
    for (std::uint32_t body = 0; body < 400; ++body) {
        const bool expected = tree.is_below(body, 5);
        EXPECT_EQ(moved.contains(body), expected);
        if (!expected) continue;
        ++reported;
        EXPECT_EQ(moved.at(body), tree.is_below(body, 12) ? 7u : 6u);
    }
    EXPECT_GT(reported, 20u);
    EXPECT_LT(reported, 400u);
    tree.expect_same(groups, "after moves");
}

TEST(GroupList, merging_keeps_one_entry_per_group_with_the_newest_pose) {
    GroupList first, later;
    const auto move = [](GroupList& list, std::uint32_t slot, double x, std::uint64_t frame) {
        MovedGroup& entry = list.entry_for({slot, 1});
        entry.moved = true;
        entry.pose.translation.x = x;
        entry.frame = frame;
    };
    MovedGroup& added = first.entry_for({3, 1});
    added.added = true;
    added.parent = {9, 1};
    for (std::uint64_t n = 1; n <= 1000; ++n) {
        for (const std::uint32_t slot : {3u, 1u}) move(later, slot, static_cast<double>(n), n);
        first.merge(later);
        EXPECT_TRUE(later.empty());
    }
    ASSERT_EQ(first.groups().size(), 2u);
    EXPECT_EQ(first.groups()[0].id, (GroupId{3, 1}));
    EXPECT_TRUE(first.groups()[0].added && first.groups()[0].moved);
    EXPECT_EQ(first.groups()[0].parent, (GroupId{9, 1}));
    EXPECT_EQ(first.groups()[0].pose.translation.x, 1000);
    EXPECT_EQ(first.groups()[0].frame, 1000u);
    later.entry_for({1, 1}).removed = true;
    first.merge(later);
    EXPECT_TRUE(first.groups()[1].removed);
    EXPECT_EQ(first.groups()[1].pose.translation.x, 1000);
    first.clear();
    EXPECT_TRUE(first.empty());
    EXPECT_FALSE(first.entry_for({3, 2}).added);
}

}  // namespace
}  // namespace claybox::collision
