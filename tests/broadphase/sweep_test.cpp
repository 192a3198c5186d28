// The sweep's own promises: few exchanges where motion is coherent, a sort where it is not, the axis that
// overlaps least.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/core/radix_sort.hpp"
#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace claybox::collision {
namespace {

constexpr double kOne = 0, kThree = 1;

std::unique_ptr<BroadPhase> make(const char* id, double first = 0) {
    const BroadPhaseDescriptor& descriptor = *find_broad_phase(id);
    ParameterValues values = default_values(descriptor.parameters);
    if (!descriptor.parameters.empty()) values[0] = first;
    return descriptor.create(values);
}

/// Boxes, a structure under test and the reference, side by side.
class Pair {
  public:
    explicit Pair(double axes) : tested_(make("sweep", axes)), reference_(make("all_pairs")) {}

    void add(const Vec3d& centre, double half) {
        const auto slot = static_cast<std::uint32_t>(boxes.size());
        const Vec3d h{half, half, half};
        boxes.push_back({cast<float>(centre - h), cast<float>(centre + h)});
        insert(slot);
    }
    void insert(std::uint32_t slot) {
        tested_->insert(slot);
        reference_->insert(slot);
    }
    void remove(std::uint32_t slot) {
        tested_->remove(slot);
        reference_->remove(slot);
    }
    void shift(std::uint32_t slot, const Vec3d& by) {
        boxes[slot].min += cast<float>(by);
        boxes[slot].max += cast<float>(by);
    }
    /// Both follow and must agree.
    void step(const std::vector<std::uint32_t>& moved) {
        tested_->update(moved, boxes, *executor_);
        tested_->find_pairs(moved, boxes, *executor_, found);
        reference_->update(moved, boxes, *executor_);
        reference_->find_pairs(moved, boxes, *executor_, expected_);
        ASSERT_EQ(found, expected_);
    }
    void step_all() {
        std::vector<std::uint32_t> all(boxes.size());
        std::iota(all.begin(), all.end(), 0u);
        step(all);
    }
    BroadPhaseCounts counts() const { return tested_->counts(); }
    const BroadPhase& tested() const { return *tested_; }

    std::vector<Aabb> boxes;
    std::vector<PairKey> found;

  private:
    std::unique_ptr<BroadPhase> tested_, reference_;
    std::unique_ptr<Executor> executor_ = make_serial_executor();
    std::vector<PairKey> expected_;
};

Vec3d random_point(Random& random, const Vec3d& extent) {
    return {random.uniform(0, extent.x), random.uniform(0, extent.y), random.uniform(0, extent.z)};
}

class Sweep : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Axes, Sweep, testing::Values(kOne, kThree),
                         [](const auto& row) { return row.param == kOne ? "one" : "three"; });

TEST_P(Sweep, Z_5_7_sweep_equals_brute_force_and_coherent_frames_need_few_exchanges) {
    Random random(21);
    Pair pair(GetParam());
    constexpr std::uint32_t kBodies = 1000;
    std::vector<Vec3d> velocity;
    for (std::uint32_t i = 0; i < kBodies; ++i) {
        pair.add(random_point(random, {16, 16, 16}), 0.5);
        velocity.push_back(0.01 * random.unit_vector());  // 1 % of a body a frame
    }
    pair.step_all();
    EXPECT_EQ(pair.counts().sorts, 1u);
    const std::size_t lists = GetParam() == kOne ? 1 : 6;
    std::uint64_t swaps = 0;
    for (int frame = 0; frame < 200; ++frame) {
        for (std::uint32_t i = 0; i < kBodies; ++i) pair.shift(i, velocity[i]);
        pair.step_all();
        if (HasFatalFailure()) return;
        EXPECT_EQ(pair.counts().sorts, 0u) << frame;
        // Sorting the list of a frame by exchanges from nothing takes a quarter of all pairs of its ends.
        EXPECT_LT(pair.counts().swaps, 2 * lists * kBodies) << frame;
        swaps += pair.counts().swaps;
    }
    EXPECT_GT(swaps, 200u * kBodies / 10) << "nothing has passed anything";
    pair.step_all();
    EXPECT_EQ(pair.counts().swaps, 0u) << "nothing has moved";
}

TEST_P(Sweep, bodies_that_jump_across_the_world_are_sorted_anew_and_not_by_exchanges) {
    Random random(22);
    Pair pair(GetParam());
    constexpr std::uint32_t kBodies = 2000;
    for (std::uint32_t i = 0; i < kBodies; ++i) pair.add(random_point(random, {30, 30, 30}), 0.5);
    pair.step_all();
    for (int frame = 0; frame < 40; ++frame) {
        std::vector<std::uint32_t> moved;
        for (std::uint32_t i = 0; i < kBodies; ++i) {
            if (frame % 3 == 0 && random.below(8) != 0) continue;  // few, and then many
            pair.shift(i, random_point(random, {30, 30, 30}) - cast<double>(pair.boxes[i].min));
            moved.push_back(i);
        }
        pair.step(moved);
        if (HasFatalFailure()) return;
        EXPECT_EQ(pair.counts().sorts, 1u) << frame;
        // All exchanges would be half a million on one list and twelve on six.
        EXPECT_LT(pair.counts().swaps, 60000u) << frame;
    }
}

TEST_P(Sweep, sorts_by_the_axis_that_overlaps_least_and_changes_it_with_the_world) {
    Random random(23);
    Pair pair(GetParam());
    constexpr std::uint32_t kBodies = 600;
    for (std::uint32_t i = 0; i < kBodies; ++i) pair.add(random_point(random, {0, 0, 300}), 0.5);
    pair.add({1e15, 0, 0}, 0.5);  // far away, and no reason to sort by x
    pair.step_all();
    if (GetParam() == kOne) {
        EXPECT_LT(pair.counts().raw_candidates, 2000u);  // of 180,300
    }
    for (int frame = 0; frame < 80; ++frame) {
        for (std::uint32_t i = 0; i < kBodies; ++i) {
            const Vec3d at = cast<double>(pair.boxes[i].min);
            pair.shift(i, {0, 0.01 * (i - 0.5 * at.y), -0.05 * at.z});  // the line falls over, to y
        }
        pair.step_all();
        if (HasFatalFailure()) return;
    }
    if (GetParam() == kOne) {
        EXPECT_LT(pair.counts().raw_candidates, 20000u);
    }
}

TEST_P(Sweep, equal_and_turned_out_boxes_and_both_zeros) {
    Pair pair(GetParam());
    for (int i = 0; i < 30; ++i) pair.add({0, 0, 0}, 1);
    for (int i = 0; i < 10; ++i) pair.boxes[static_cast<std::size_t>(i)].min.x = i % 2 == 0 ? 0.0f : -0.0f;
    for (int i = 10; i < 20; ++i) pair.boxes[static_cast<std::size_t>(i)] = {{-0.0f, 0, 0}, {0, -0.0f, 0}};
    pair.boxes[20] = Aabb{};
    pair.boxes[21] = {{0.5f, -1, -1}, {-0.5f, 1, 1}};
    pair.step_all();
    EXPECT_GT(pair.found.size(), 300u);
    for (std::uint32_t i = 0; i < 30; ++i) {
        pair.shift(i, {0.1 * i, 0, -0.1 * i});
        pair.step({i});
        if (HasFatalFailure()) return;
    }
}

TEST_P(Sweep, batches_come_and_go_and_come_back_before_they_have_left) {
    Random random(24);
    Pair pair(GetParam());
    for (int i = 0; i < 400; ++i) pair.add(random_point(random, {8, 8, 8}), 0.5);
    pair.step_all();
    std::vector<std::uint32_t> out;
    for (int frame = 0; frame < 60; ++frame) {
        std::vector<std::uint32_t> moved;
        for (const std::uint32_t slot : out) {
            pair.boxes[slot] = {{1, 1, 1}, cast<float>(random_point(random, {7, 7, 7}) + Vec3d{1, 1, 1})};
            pair.insert(slot);
            moved.push_back(slot);
        }
        out.clear();
        for (std::size_t left = 1 + random.below(frame % 5 == 0 ? 200 : 6); left > 0; --left) {
            const auto slot = static_cast<std::uint32_t>(random.below(400));
            if (std::find(moved.begin(), moved.end(), slot) != moved.end()) continue;
            if (std::find(out.begin(), out.end(), slot) != out.end()) continue;
            pair.remove(slot);
            if (left % 2 == 0) {
                out.push_back(slot);
                continue;
            }
            pair.shift(slot, {1, 0, 0});
            pair.insert(slot);
            pair.remove(slot);
            pair.insert(slot);
            moved.push_back(slot);
        }
        pair.step(moved);
        if (HasFatalFailure()) return;
    }
}

TEST_P(Sweep, boxes_on_a_lattice_that_come_to_touch_and_part_again) {
    Random random(27);
    Pair pair(GetParam());
    const auto step = [&] { return static_cast<double>(random.below(3)) - 1; };
    for (int i = 0; i < 120; ++i) {
        const auto at = [&] { return static_cast<double>(random.below(12)); };
        pair.add({at(), at(), at()}, i % 3 == 0 ? 0.0 : 1.0);
    }
    pair.step_all();
    for (int frame = 0; frame < 300; ++frame) {
        std::vector<std::uint32_t> moved;
        for (std::uint32_t i = 0; i < 120; ++i) {
            if (frame % 2 == 0 && random.below(10) != 0) continue;
            pair.shift(i, {step(), step(), step()});
            moved.push_back(i);
        }
        pair.step(moved);
        if (HasFatalFailure()) return;
    }
}

TEST_P(Sweep, a_long_body_is_found_behind_many_short_ones) {
    Pair pair(GetParam());
    pair.add({500, 0, 0}, 500.5);
    for (int i = 0; i < 1000; ++i) pair.add({1.0 * i, 2000, 0}, 0.2);
    pair.add({600, -100, 0}, 0.3);
    pair.step_all();
    for (const std::uint32_t slot : {1001u, 0u, 700u}) {
        pair.shift(slot, {0.25, 0, 0});
        pair.step({slot});
        EXPECT_EQ(pair.found.size(), slot == 700 ? 0u : 1u);
    }
}

TEST_P(Sweep, shows_an_interval_of_every_box_on_its_axes) {
    Random random(25);
    Pair pair(GetParam());
    for (int i = 0; i < 50; ++i) pair.add(random_point(random, {9, 9, 9}), 0.5);
    pair.step_all();
    StructureView lines;
    lines.begin({1000});
    pair.tested().view(lines);
    ASSERT_EQ(lines.boxes().size(), GetParam() == kOne ? 50u : 150u);
    for (const auto& [line, axis] : lines.boxes()) {
        EXPECT_NEAR(line.max[axis] - line.min[axis], 1, 1e-5);
        const Vec3f size = line.max - line.min;
        EXPECT_NEAR(size.x + size.y + size.z, 1, 1e-5);
        EXPECT_EQ((size.x == 0) + (size.y == 0) + (size.z == 0), 2);
    }
    lines.begin({7});
    pair.tested().view(lines);
    EXPECT_GE(lines.boxes().size(), 4u);
    EXPECT_LE(lines.boxes().size(), 7u);
}

TEST(SweepThree, counts_the_pairs_that_begin_and_end) {
    Pair pair(kThree);
    pair.add({0, 0, 0}, 1);
    pair.add({1, 0, 0}, 1);
    pair.add({9, 0, 0}, 1);
    pair.step_all();
    EXPECT_EQ(pair.counts().pairs_begun, 1u);
    pair.shift(1, {7, 0, 0});
    pair.step({1});
    EXPECT_EQ(pair.counts().pairs_begun, 1u);
    EXPECT_EQ(pair.counts().pairs_ended, 1u);
    EXPECT_EQ(pair.counts().swaps, 2u);  // its low end passes the first, its high end reaches the third
    pair.shift(1, {0, 5, 0});
    pair.step({1});
    EXPECT_EQ(pair.counts().pairs_begun, 0u);
    EXPECT_EQ(pair.counts().pairs_ended, 1u);
    EXPECT_EQ(pair.tested().counts().raw_candidates, 0u);
}

TEST(RadixSort, orders_floats_of_every_size_and_keeps_the_order_of_equal_ones) {
    Random random(26);
    const float inf = std::numeric_limits<float>::infinity();
    std::vector<float> values{0.0f, -0.0f, inf, -inf, 1e-45f, -1e-45f, 3e38f, -3e38f};
    for (int i = 0; i < 3000; ++i)
        values.push_back(
            static_cast<float>(std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(200)) - 100)));
    for (int i = 0; i < 500; ++i) values.push_back(static_cast<float>(random.below(5)));
    std::vector<std::uint64_t> keys, scratch;
    for (std::uint32_t i = 0; i < values.size(); ++i)
        keys.push_back(std::uint64_t{ordered_bits(values[i])} << 32 | i);
    radix_sort_upper(keys, scratch);
    ASSERT_EQ(keys.size(), values.size());
    for (std::size_t i = 1; i < keys.size(); ++i) {
        const auto a = static_cast<std::uint32_t>(keys[i - 1]), b = static_cast<std::uint32_t>(keys[i]);
        ASSERT_TRUE(values[a] < values[b] || (values[a] == values[b] && a < b))
            << values[a] << " " << values[b];
    }
    keys.clear();
    radix_sort_upper(keys, scratch);
    EXPECT_TRUE(keys.empty());
}

}  // namespace
}  // namespace claybox::collision
