// Properties of the tree: valid after every change, quality of a new tree, any depth.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/tree/tree_nodes.hpp"
#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace claybox::collision {
namespace {

Aabb cube(const Vec3d& centre, double half) {
    const Vec3d h{half, half, half};
    return {cast<float>(centre - h), cast<float>(centre + h)};
}
Vec3d random_point(Random& random, double extent) {
    return {random.uniform(-extent, extent), random.uniform(-extent, extent),
            random.uniform(-extent, extent)};
}

/// Checks that links match, every box is the union of its children, and every slot occurs once.
void expect_valid(const BodyTree& tree, const std::map<std::uint32_t, Aabb>& leaves) {
    const auto nodes = tree.nodes();
    ASSERT_EQ(tree.leaf_count(), leaves.size());
    ASSERT_EQ(nodes.size(), leaves.empty() ? 0 : leaves.size() - 1);
    std::set<std::uint32_t> slots, children;
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        for (std::uint32_t side = 0; side < 2; ++side) {
            const std::uint32_t child = nodes[i].child[side];
            if (BodyTree::leaf(child)) {
                ASSERT_TRUE(slots.insert(BodyTree::slot_of(child)).second);
                const auto leaf = leaves.find(BodyTree::slot_of(child));
                ASSERT_NE(leaf, leaves.end());
                ASSERT_EQ(nodes[i].box[side], ends_of(leaf->second));
                ASSERT_EQ(tree.leaf_box(leaf->first), nodes[i].box[side]);
            } else {
                ASSERT_LT(child, nodes.size());
                ASSERT_TRUE(children.insert(child).second);
                ASSERT_EQ(nodes[child].parent, 2 * i + side);
                ASSERT_EQ(nodes[i].box[side], united(nodes[child].box[0], nodes[child].box[1]));
            }
        }
    if (leaves.size() > 1) {
        ASSERT_EQ(slots.size(), leaves.size());
        ASSERT_EQ(children.size(), nodes.size() - 1);
        ASSERT_EQ(children.count(tree.root()), 0u);
    }
}

std::vector<BodyTree::Item> items_of(const std::map<std::uint32_t, Aabb>& leaves) {
    std::vector<BodyTree::Item> items;
    for (const auto& [slot, box] : leaves) items.push_back({ends_of(box), slot});
    return items;
}

void expect_correct_queries(const BodyTree& tree, const std::map<std::uint32_t, Aabb>& leaves,
                            Random& random) {
    TreeWalk walk;
    for (int i = 0; i < 10; ++i) {
        const double half = random.uniform(0, 3);
        const Aabb box = cube(random_point(random, 10), half);
        std::vector<std::uint32_t> found, expected;
        tree.query(box, tree.root(), walk, [&](std::uint32_t slot) { found.push_back(slot); });
        for (const auto& [slot, leaf] : leaves)
            if (overlap(leaf, box)) expected.push_back(slot);
        std::sort(found.begin(), found.end());
        ASSERT_EQ(found, expected);
    }
}

TEST(BodyTree, is_valid_after_every_insertion_removal_refit_and_rebuild) {
    Random random(31);
    BodyTree tree;
    std::map<std::uint32_t, Aabb> leaves;
    for (int step = 0; step < 3000; ++step) {
        const auto slot = static_cast<std::uint32_t>(random.below(60));
        const double half = std::ldexp(1.0, static_cast<int>(random.below(6)) - 4);
        const Aabb box = cube(random_point(random, 10), half);
        if (leaves.count(slot) != 0 && random.below(4) == 0) {
            tree.set_leaf(slot, ends_of(box));
            tree.refit();
            leaves[slot] = box;
        } else if (leaves.count(slot) != 0) {
            tree.remove(slot);
            tree.remove(slot);
            leaves.erase(slot);
        } else {
            tree.insert(slot, ends_of(box));
            leaves[slot] = box;
        }
        if (random.below(50) == 0) {
            std::vector<BodyTree::Item> items = items_of(leaves);
            tree.rebuild(items);
        }
        if (step % 300 == 299)  // empty the tree
            while (!leaves.empty()) {
                tree.remove(leaves.begin()->first);
                leaves.erase(leaves.begin());
            }
        expect_valid(tree, leaves);
        expect_correct_queries(tree, leaves, random);
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(BodyTree, leaves_in_one_place_and_of_all_sizes_are_split) {
    Random random(32);
    const float huge = std::numeric_limits<float>::max(), tiny = std::numeric_limits<float>::denorm_min();
    std::map<std::uint32_t, Aabb> same, sizes, limits;
    for (std::uint32_t i = 0; i < 500; ++i) {
        same[i] = cube({1, 2, 3}, 0.5);
        const double size = std::pow(10, random.uniform(-6, 6));
        sizes[i] = cube(size * random.unit_vector(), 0.1 * size);
        const auto value = [&] { return random.below(2) == 0 ? -huge : random.below(2) == 0 ? huge : tiny; };
        Aabb& box = limits[i];
        box.add(Vec3f{value(), value(), value()});
        box.add(Vec3f{value(), value(), value()});
    }
    for (const auto& leaves : {same, sizes, limits}) {
        BodyTree tree;
        std::vector<BodyTree::Item> items = items_of(leaves);
        tree.rebuild(items);
        expect_valid(tree, leaves);
        expect_correct_queries(tree, leaves, random);
    }
}

/// Boxes that move with constant velocities and bounce off the walls.
class Drift {
  public:
    Drift(std::uint32_t bodies, double extent, std::uint64_t seed) : random_(seed), extent_(extent) {
        for (std::uint32_t slot = 0; slot < bodies; ++slot) {
            boxes.push_back(cube(random_point(random_, extent), 0.5));
            velocity_.push_back(0.03 * random_.unit_vector());
            all.push_back(slot);
        }
    }
    void move(std::uint32_t slot) {
        const Vec3f centre = boxes[slot].centre();
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (std::abs(centre[axis]) > extent_ && centre[axis] * velocity_[slot][axis] > 0)
                velocity_[slot][axis] *= -1;
        boxes[slot].min += cast<float>(velocity_[slot]);
        boxes[slot].max += cast<float>(velocity_[slot]);
    }
    void add_floor() {
        all.push_back(static_cast<std::uint32_t>(boxes.size()));
        velocity_.push_back({});
        boxes.push_back({{-5000, -12, -5000}, {5000, -11, 5000}});
    }

    std::vector<Aabb> boxes;
    std::vector<std::uint32_t> all;

  private:
    Random random_;
    double extent_;
    std::vector<Vec3d> velocity_;
};

std::unique_ptr<BroadPhase> make_tree() {
    const BroadPhaseDescriptor& descriptor = *find_broad_phase("tree");
    return descriptor.create(default_values(descriptor.parameters));
}

/// Node tests to find the pairs of `moved`, relative to a new tree.
double relative_cost(BroadPhase& old, const Drift& drift, const std::vector<std::uint32_t>& moved) {
    const auto executor = make_serial_executor();
    const auto fresh = make_tree();
    for (const std::uint32_t slot : drift.all) fresh->insert(slot);
    fresh->update(drift.all, drift.boxes, *executor);
    std::vector<PairKey> found, expected;
    old.find_pairs(moved, drift.boxes, *executor, found);
    fresh->find_pairs(moved, drift.boxes, *executor, expected);
    EXPECT_EQ(found, expected);
    EXPECT_GT(found.size(), 50u);
    return static_cast<double>(old.counts().node_tests) / static_cast<double>(fresh->counts().node_tests);
}

TEST(Tree, quality_after_ten_thousand_frames_of_drift_is_near_that_of_a_new_tree) {
    for (const std::size_t moving : {600u, 30u}) {
        Drift drift(599, 8, 41);
        drift.add_floor();  // much more surface area than all others together
        const auto executor = make_serial_executor();
        const auto tree = make_tree();
        for (const std::uint32_t slot : drift.all) tree->insert(slot);
        std::vector<std::uint32_t> moved;
        std::vector<PairKey> found;
        std::uint64_t rebuilds = 0;
        for (std::size_t frame = 0; frame < 10000; ++frame) {
            moved.clear();
            for (std::size_t i = 0; i < moving; ++i)
                moved.push_back(static_cast<std::uint32_t>((frame * moving + i) % drift.all.size()));
            for (const std::uint32_t slot : moved) drift.move(slot);
            tree->update(moved, drift.boxes, *executor);
            rebuilds += tree->counts().sorts;
            if (frame % 500 != 499) continue;
            EXPECT_LT(relative_cost(*tree, drift, drift.all), 1.5) << moving << " frame " << frame;
            EXPECT_LT(relative_cost(*tree, drift, {drift.all.begin(), drift.all.begin() + 150}), 1.5)
                << moving << " frame " << frame;
        }
        EXPECT_LT(rebuilds, 1000u) << "updates instead of rebuilds";
    }
}

TEST(Tree, body_inside_its_margin_changes_nothing_and_a_body_that_leaves_it_is_moved) {
    const auto tree = make_tree();
    const auto executor = make_serial_executor();
    Drift drift(100, 8, 42);
    for (const std::uint32_t slot : drift.all) tree->insert(slot);
    tree->update(drift.all, drift.boxes, *executor);
    EXPECT_EQ(tree->counts().sorts, 1u);
    drift.boxes[7].min.x += 0.005f;
    drift.boxes[7].max.x += 0.005f;
    tree->update(std::vector<std::uint32_t>{7}, drift.boxes, *executor);
    EXPECT_EQ(tree->counts().unchanged, 1u);
    EXPECT_EQ(tree->counts().cells_changed, 0u);
    drift.boxes[7].min.x += 0.1f;
    drift.boxes[7].max.x += 0.1f;
    tree->update(std::vector<std::uint32_t>{7}, drift.boxes, *executor);
    EXPECT_EQ(tree->counts().unchanged, 0u);
    EXPECT_EQ(tree->counts().cells_changed, 2u);
    int stays = 0;  // the margin is stretched along the move
    do {
        drift.boxes[7].min.x += 0.1f;
        drift.boxes[7].max.x += 0.1f;
        tree->update(std::vector<std::uint32_t>{7}, drift.boxes, *executor);
    } while (tree->counts().unchanged == 1 && ++stays < 100);
    EXPECT_EQ(stays, 4);
}

TEST(Tree, deep_trees_need_no_recursion) {
    // Each box contains all previous ones: insertion builds a chain.
    const auto tree = make_tree();
    const auto executor = make_serial_executor();
    std::vector<Aabb> boxes;
    std::vector<PairKey> found;
    std::vector<std::uint32_t> all;
    for (std::uint32_t slot = 0; slot < 1500; ++slot) {
        boxes.push_back(cube({}, std::pow(1.01, slot)));
        all.push_back(slot);
        tree->insert(slot);
        tree->update(std::vector<std::uint32_t>{slot}, boxes, *executor);
    }
    tree->find_pairs(all, boxes, *executor, found);
    EXPECT_EQ(found.size(), 1500u * 1499 / 2);
    for (std::uint32_t slot = 0; slot < 1500; slot += 2) tree->remove(slot);
    tree->update({}, boxes, *executor);
    tree->find_pairs(std::vector<std::uint32_t>{1}, boxes, *executor, found);
    EXPECT_EQ(found.size(), 749u);
}

TEST(Tree, view_shows_boxes_level_by_level) {
    const auto tree = make_tree();
    const auto executor = make_serial_executor();
    Drift drift(64, 8, 43);
    StructureView view;
    view.begin({1000});
    tree->view(view);
    EXPECT_TRUE(view.boxes().empty());
    for (const std::uint32_t slot : drift.all) tree->insert(slot);
    tree->update(drift.all, drift.boxes, *executor);
    tree->view(view);
    ASSERT_EQ(view.boxes().size(), 2u * 64 - 1);
    const Aabb root = view.boxes()[0].box;
    EXPECT_EQ(view.boxes()[0].level, 0u);
    for (const Aabb& box : drift.boxes) {
        EXPECT_LE(root.min.x, box.min.x);
        EXPECT_GE(root.max.z, box.max.z);
    }
    const std::uint32_t levels = view.levels();
    view.begin({9});
    tree->view(view);
    EXPECT_EQ(view.boxes().size(), 7u) << "complete levels from the top: 1, 2 and 4 boxes";
    for (std::size_t i = 1; i < 7; ++i) EXPECT_EQ(view.boxes()[i].level, i < 3 ? 1u : 2u);
    EXPECT_EQ(view.levels(), levels) << "deeper levels are counted nevertheless";
    std::size_t sum = 0;
    for (std::uint32_t level = 0; level < levels; ++level) {
        view.begin({1000, level});
        tree->view(view);
        sum += view.boxes().size();
        for (const ViewBox& box : view.boxes()) EXPECT_EQ(box.level, level);
    }
    EXPECT_EQ(sum, 2u * 64 - 1);
}

}  // namespace
}  // namespace claybox::collision
