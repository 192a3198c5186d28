// The default broad phase: choice of grids, wrapping, leaving and filling cells.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace claybox::collision {
namespace {

using Boxes = std::vector<Aabb>;

Aabb cube(const Vec3d& low, double size) {
    Aabb box;
    box.add(cast<float>(low));
    box.add(cast<float>(low + Vec3d{size, size, size}));
    return box;
}

Vec3d place_in(Random& random, const Vec3d& extent) {
    return {random.uniform(0, extent.x), random.uniform(0, extent.y), random.uniform(0, extent.z)};
}

/// The broad phase and the reference, both containing all boxes.
struct Both {
    std::unique_ptr<BroadPhase> best = find_broad_phase("best")->create({});
    std::unique_ptr<BroadPhase> reference = find_broad_phase("all_pairs")->create({});
    std::unique_ptr<Executor> executor = make_serial_executor();
    std::vector<PairKey> found, expected;

    explicit Both(const Boxes& boxes) {
        for (std::uint32_t i = 0; i < boxes.size(); ++i) {
            best->insert(i);
            reference->insert(i);
        }
    }
    ::testing::AssertionResult agree(const std::vector<std::uint32_t>& moved, const Boxes& boxes) {
        best->update(moved, boxes, *executor);
        best->find_pairs(moved, boxes, *executor, found);
        reference->update(moved, boxes, *executor);
        reference->find_pairs(moved, boxes, *executor, expected);
        if (found == expected) return ::testing::AssertionSuccess();
        return ::testing::AssertionFailure() << found.size() << " pairs, expected " << expected.size();
    }
};

std::vector<std::uint32_t> all_of(const Boxes& boxes) {
    std::vector<std::uint32_t> out(boxes.size());
    std::iota(out.begin(), out.end(), 0u);
    return out;
}

void shift(Aabb& box, const Vec3d& by) {
    const Vec3f step = cast<float>(by);
    box.min += step;
    box.max += step;
}

/// Candidates per body when all move.
double candidates(const Boxes& boxes) {
    Both both(boxes);
    EXPECT_TRUE(both.agree(all_of(boxes), boxes));
    return static_cast<double>(both.best->counts().raw_candidates) / static_cast<double>(boxes.size());
}

TEST(BestBroadPhase, is_the_default) {
    EXPECT_EQ(std::string(broad_phases().front()->id), "best");
}

TEST(BestBroadPhase, few_moved_bodies_over_ten_thousand_frames_find_all_pairs_without_memory_growth) {
    Random random(4);
    Boxes boxes;
    for (int i = 0; i < 400; ++i) {
        const double size = random.uniform(0.5, 1.5);
        boxes.push_back(cube(place_in(random, {10, 10, 10}), size));
    }
    Both both(boxes);
    ASSERT_TRUE(both.agree(all_of(boxes), boxes));
    std::size_t memory = 0;
    std::uint64_t cells_changed = 0;
    for (int frame = 0; frame < 10000; ++frame) {
        std::vector<std::uint32_t> moved;
        for (std::uint32_t i = static_cast<std::uint32_t>(random.below(100)); i < 400; i += 100) {
            moved.push_back(i);
            const Vec3d to_middle = Vec3d{5, 5, 5} - cast<double>(boxes[i].min);
            shift(boxes[i], 0.3 * random.unit_vector() + 0.01 * to_middle);
        }
        if (frame % 20 == 0) {
            ASSERT_TRUE(both.agree(moved, boxes)) << frame;
        } else {
            both.best->update(moved, boxes, *both.executor);
            both.reference->update(moved, boxes, *both.executor);
        }
        cells_changed += both.best->counts().cells_changed;
        if (frame == 2000) memory = both.best->memory_bytes();
    }
    EXPECT_GT(cells_changed, 1000u);
    EXPECT_LE(both.best->memory_bytes(), memory + memory / 4);
}

TEST(BestBroadPhase, sizes_over_twelve_orders_of_magnitude_are_cheap_and_exact) {
    Random random(9);
    Boxes boxes;
    for (int i = 0; i < 2000; ++i) {
        const double size = std::pow(10, random.uniform(-9, 3));
        boxes.push_back(cube(place_in(random, {1000, 1000, 1000}), size));
        if (i % 2 == 0) boxes.back() = cube(1e-3 * cast<double>(boxes[boxes.size() / 2].min), size);
    }
    EXPECT_LT(candidates(boxes), 400) << "all pairs would be 1000 per body";
    Both both(boxes);
    ASSERT_TRUE(both.agree(all_of(boxes), boxes));
    for (int frame = 0; frame < 60; ++frame) {
        std::vector<std::uint32_t> moved;
        for (int i = 0; i < 20; ++i) moved.push_back(static_cast<std::uint32_t>(100 * i + frame));
        for (const std::uint32_t i : moved)
            shift(boxes[i], (boxes[i].max.x - boxes[i].min.x) * random.unit_vector());
        ASSERT_TRUE(both.agree(moved, boxes)) << frame;
    }
}

TEST(BestBroadPhase, distant_bodies_do_not_slow_down_the_others) {
    Random random(2);
    for (const Vec3d extent : {Vec3d{20, 20, 20}, Vec3d{150, 1, 150}, Vec3d{2000, 1, 1}}) {
        Boxes boxes;
        for (int i = 0; i < 4000; ++i) {
            const double size = random.uniform(0.6, 1);
            boxes.push_back(cube(place_in(random, extent), size));
        }
        const double before = candidates(boxes);
        EXPECT_LT(before, 40);
        for (std::size_t i = 0; i < 3; ++i) shift(boxes[1000 * i], {1e7, -1e7, 1e7});
        boxes[3] = cube({-1e30, 1e30, 1e30}, 1e25);
        boxes[4] = cube({-1e5, -1e5, -1e5}, 2e5);
        EXPECT_LT(candidates(boxes), before + 7) << "five bodies are compared with all";
    }
}

TEST(BestBroadPhase, memory_for_bodies_in_one_place_is_proportional_to_bodies_and_pairs) {
    Boxes boxes;
    for (int i = 0; i < 3000; ++i) {
        const double z = 1e-4 * i;
        boxes.push_back({{0, 0, static_cast<float>(z)}, {1, 1, static_cast<float>(z + 0.5e-4)}});
    }
    Both both(boxes);
    ASSERT_TRUE(both.agree(all_of(boxes), boxes));
    EXPECT_TRUE(both.found.empty());
    EXPECT_LT(both.best->memory_bytes(), 3000u * 400);
    ASSERT_TRUE(both.agree({5, 2999, 17}, boxes));
    EXPECT_LT(both.best->memory_bytes(), 3000u * 400);
}

TEST(BestBroadPhase, groups_and_comparisons_do_not_depend_on_workers) {
    const auto threads = make_thread_executor(3);
    Random random(12);
    for (const double largest : {1.0, 40.0})
        for (const Vec3d extent : {Vec3d{24, 24, 24}, Vec3d{300, 2, 8}, Vec3d{2, 2, 500}}) {
            Boxes boxes;
            for (int i = 0; i < 5000; ++i) {
                const double size = std::pow(largest, random.uniform()) * 0.6;
                boxes.push_back(cube(place_in(random, extent), size));
            }
            Both both(boxes), shared(boxes);
            ASSERT_TRUE(both.agree(all_of(boxes), boxes));
            shared.best->update(all_of(boxes), boxes, *threads);
            shared.best->find_pairs(all_of(boxes), boxes, *threads, shared.found);
            EXPECT_EQ(shared.found, both.expected);
            EXPECT_EQ(shared.best->counts().raw_candidates, both.best->counts().raw_candidates);
        }
}

TEST(BestBroadPhase, points_empty_boxes_and_infinite_boxes_are_handled_correctly) {
    constexpr float kInfinite = std::numeric_limits<float>::infinity(),
                    kLargest = std::numeric_limits<float>::max();
    Random random(6);
    Boxes boxes;
    for (int i = 0; i < 200; ++i) boxes.push_back(cube(place_in(random, {3, 3, 3}), i % 3 == 0 ? 0 : 0.4));
    for (int i = 0; i < 100; ++i) boxes.push_back(boxes[static_cast<std::size_t>(2 * i)]);
    boxes[10] = {};
    boxes[20] = {{-kInfinite, 0, 0}, {kInfinite, 1, 1}};
    boxes[30] = {{-kLargest, -kLargest, -kLargest}, {kLargest, kLargest, kLargest}};
    boxes[40] = {{kInfinite, kInfinite, kInfinite}, {kInfinite, kInfinite, kInfinite}};
    boxes[50] = {{1, 0, 0}, {-1, 500, 500}};
    boxes[60] = {{0, 0, 0}, {0, 0, 0}};
    boxes[70] = {{-0.0f, -0.0f, -1e-40f}, {0, 0, 1e-40f}};
    Both both(boxes);
    ASSERT_TRUE(both.agree(all_of(boxes), boxes));
    for (std::uint32_t i = 0; i < boxes.size(); ++i) ASSERT_TRUE(both.agree({i}, boxes)) << i;
}

TEST(BestBroadPhase, bodies_that_outgrow_their_grid_and_shrink_again_are_found) {
    Random random(3);
    Boxes boxes;
    for (int i = 0; i < 600; ++i) {
        const double size = random.uniform(0.6, 1);
        boxes.push_back(cube(place_in(random, {12, 12, 12}), size));
    }
    Both both(boxes);
    ASSERT_TRUE(both.agree(all_of(boxes), boxes));
    for (int frame = 0; frame < 200; ++frame) {
        std::vector<std::uint32_t> moved;
        for (int k = 0; k < 7; ++k) {
            const auto i = static_cast<std::uint32_t>(random.below(600));
            if (std::find(moved.begin(), moved.end(), i) != moved.end()) continue;
            moved.push_back(i);
            const double size = std::pow(10, random.uniform(-2, frame < 100 ? 1.2 : 0));
            boxes[i] = cube(place_in(random, {12, 12, 12}), size);
        }
        ASSERT_TRUE(both.agree(moved, boxes)) << frame;
    }
}

}  // namespace
}  // namespace claybox::collision
