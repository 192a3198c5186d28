// The hierarchy on deep trees of groups, compared with all pairs and with a rebuild.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace claybox::collision {
namespace {

/// A scene of nested groups with bodies.
class Scene {
  public:
    explicit Scene(std::uint64_t seed) : random(seed) {}

    void add_group(std::uint32_t under) {
        parent.push_back(under);
        ++version_;
    }
    std::uint32_t random_group() {
        return random.below(6) == 0 ? kNoIndex : static_cast<std::uint32_t>(random.below(parent.size()));
    }
    void place(std::uint32_t slot, const Vec3d& centre) {
        const Vec3d half{random.uniform(0.1, 0.6), random.uniform(0.1, 0.6), random.uniform(0.1, 0.6)};
        boxes[slot] = {cast<float>(centre - half), cast<float>(centre + half)};
    }
    std::uint32_t add_body(std::uint32_t group) {
        boxes.emplace_back();
        group_of.push_back(group);
        const auto slot = static_cast<std::uint32_t>(boxes.size() - 1);
        place(slot, 4.0 * random.unit_vector());
        return slot;
    }
    /// Bounds with the boxes of all groups.
    WorldBounds bounds() {
        group_boxes.assign(parent.size(), {});
        for (const std::uint32_t slot : present)
            for (std::uint32_t g = group_of[slot]; g != kNoIndex; g = parent[g])
                group_boxes[g].add(boxes[slot]);
        WorldBounds out(boxes);
        out.group_of = group_of;
        out.groups = {parent, group_boxes, version_};
        return out;
    }

    Random random;
    std::vector<Aabb> boxes, group_boxes;
    std::vector<std::uint32_t> group_of, parent;
    std::set<std::uint32_t> present;

  private:
    std::uint64_t version_ = 0;
};

std::unique_ptr<BroadPhase> create(const char* id) {
    const BroadPhaseDescriptor& descriptor = *find_broad_phase(id);
    return descriptor.create(default_values(descriptor.parameters));
}

TEST(Hierarchy, Z_5_7_hier_deep_trees_equal_all_pairs_and_a_rebuild_after_thousands_of_operations) {
    Scene scene(71);
    const auto updated = create("hierarchy"), reference = create("all_pairs");
    const auto executor = make_thread_executor(3), serial = make_serial_executor();
    for (std::uint32_t i = 0; i < 60; ++i)  // a chain of 40 groups, and 20 others attached to it
        scene.add_group(i == 0   ? kNoIndex
                        : i < 40 ? i - 1
                                 : static_cast<std::uint32_t>(scene.random.below(40)));
    std::vector<PairKey> found, expected;
    std::size_t pairs = 0;
    for (int step = 0; step < 4000; ++step) {
        std::set<std::uint32_t> moved;
        const auto dice = scene.random.below(10);
        if (dice < 3 && scene.present.size() < 200) {
            const std::uint32_t slot = scene.add_body(scene.random_group());
            for (BroadPhase* phase : {updated.get(), reference.get()}) phase->insert(slot);
            scene.present.insert(slot);
            moved.insert(slot);
        } else if (dice < 5 && !scene.present.empty()) {
            auto at = scene.present.begin();
            std::advance(at, static_cast<std::ptrdiff_t>(scene.random.below(scene.present.size())));
            for (BroadPhase* phase : {updated.get(), reference.get()}) phase->remove(*at);
            scene.present.erase(at);
        } else if (dice == 5 && scene.parent.size() < 300) {
            scene.add_group(scene.random_group());
        }
        const bool many = scene.random.below(20) == 0;
        for (const std::uint32_t slot : scene.present)
            if (scene.random.below(many ? 2 : 40) == 0) {
                scene.place(slot,
                            cast<double>(scene.boxes[slot].centre()) + 0.3 * scene.random.unit_vector());
                moved.insert(slot);
            }
        const std::vector<std::uint32_t> list(moved.begin(), moved.end());
        const WorldBounds bounds = scene.bounds();
        for (BroadPhase* phase : {updated.get(), reference.get()}) {
            phase->update(list, bounds, *executor);
            phase->find_pairs(list, bounds, *executor, phase == updated.get() ? found : expected);
        }
        ASSERT_EQ(found, expected) << step;
        pairs += found.size();
        if (step % 200 != 199) continue;
        const auto rebuilt = create("hierarchy");
        const std::vector<std::uint32_t> all(scene.present.begin(), scene.present.end());
        for (const std::uint32_t slot : all) rebuilt->insert(slot);
        rebuilt->update(all, bounds, *serial);
        rebuilt->find_pairs(all, bounds, *serial, expected);
        updated->find_pairs(all, bounds, *executor, found);
        ASSERT_EQ(found, expected) << step;
    }
    EXPECT_GT(pairs, 5000u);
}

TEST(Hierarchy, Z_5_7_hier_groups_are_nodes_and_separated_groups_need_few_tests) {
    // 40 separated groups of 25 bodies, compared with the same bodies in mixed groups.
    const auto executor = make_serial_executor();
    std::uint64_t tests[2];
    for (const bool mixed : {false, true}) {
        Scene scene(72);
        const auto phase = create("hierarchy");
        for (int g = 0; g < 40; ++g) scene.add_group(kNoIndex);
        std::vector<std::uint32_t> all;
        for (std::uint32_t i = 0; i < 1000; ++i) {
            const std::uint32_t place = i % 40;
            const std::uint32_t slot = scene.add_body(mixed ? i / 25 : place);
            scene.place(slot,
                        Vec3d{20.0 * (place % 7), 20.0 * (place / 7), 0} + 2.0 * scene.random.unit_vector());
            scene.present.insert(slot);
            phase->insert(slot);
            all.push_back(slot);
        }
        const WorldBounds bounds = scene.bounds();
        std::vector<PairKey> found;
        phase->update(all, bounds, *executor);
        phase->find_pairs(all, bounds, *executor, found);
        tests[mixed] = phase->counts().node_tests;
        StructureView view;
        view.begin({1u << 20});
        phase->view(view);
        for (const Aabb& box : scene.group_boxes)
            EXPECT_EQ(std::ranges::count(view.boxes(), box, &ViewBox::box), 1) << "each group is a node";
    }
    EXPECT_LT(4 * tests[0], tests[1]);
}

TEST(Hierarchy, flat_scene_is_not_quadratic) {
    const auto executor = make_serial_executor();
    double per_body[2] = {};
    for (const int large : {0, 1}) {
        const std::uint32_t count = large ? 8000 : 1000;
        Scene scene(73);
        const auto phase = create("hierarchy");
        scene.add_group(kNoIndex);
        std::vector<std::uint32_t> all(count);
        std::iota(all.begin(), all.end(), 0u);
        const double side = large ? 20 : 10;
        for (const std::uint32_t slot : all) {
            scene.add_body(slot % 2 ? 0 : kNoIndex);
            scene.place(slot, {scene.random.uniform(0, side), scene.random.uniform(0, side),
                               scene.random.uniform(0, side)});
            scene.present.insert(slot);
            phase->insert(slot);
        }
        std::vector<PairKey> found;
        const WorldBounds bounds = scene.bounds();
        phase->update(all, bounds, *executor);
        phase->find_pairs(all, bounds, *executor, found);
        per_body[large] = static_cast<double>(phase->counts().node_tests) / count;
    }
    EXPECT_LT(per_body[1], 2 * per_body[0]);
}

}  // namespace
}  // namespace claybox::collision
