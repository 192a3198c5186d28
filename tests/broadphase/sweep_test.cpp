// Properties of the sweep: few exchanges for coherent motion, a sort otherwise, and the axis with least
// overlap.
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

/// The structure under test and the reference, with the same boxes.
class Comparison {
  public:
    explicit Comparison(double axes) : tested_(make("sweep", axes)), reference_(make("all_pairs")) {}

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
    /// Updates both and expects equal pairs.
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
    Comparison test(GetParam());
    constexpr std::uint32_t kBodies = 1000;
    std::vector<Vec3d> velocity;
    for (std::uint32_t i = 0; i < kBodies; ++i) {
        test.add(random_point(random, {16, 16, 16}), 0.5);
        velocity.push_back(0.01 * random.unit_vector());  // 1 % of a body per frame
    }
    test.step_all();
    EXPECT_EQ(test.counts().sorts, 1u);
    const std::size_t lists = GetParam() == kOne ? 1 : 6;
    std::uint64_t swaps = 0;
    for (int frame = 0; frame < 200; ++frame) {
        for (std::uint32_t i = 0; i < kBodies; ++i) test.shift(i, velocity[i]);
        test.step_all();
        if (HasFatalFailure()) return;
        EXPECT_EQ(test.counts().sorts, 0u) << frame;
        // For comparison: insertion sort from a random order exchanges a quarter of all pairs of endpoints.
        EXPECT_LT(test.counts().swaps, 2 * lists * kBodies) << frame;
        swaps += test.counts().swaps;
    }
    EXPECT_GT(swaps, 200u * kBodies / 10) << "expected exchanges";
    test.step_all();
    EXPECT_EQ(test.counts().swaps, 0u) << "nothing moved";
}

TEST_P(Sweep, bodies_that_jump_are_sorted_again_instead_of_exchanged) {
    Random random(22);
    Comparison test(GetParam());
    constexpr std::uint32_t kBodies = 2000;
    for (std::uint32_t i = 0; i < kBodies; ++i) test.add(random_point(random, {30, 30, 30}), 0.5);
    test.step_all();
    for (int frame = 0; frame < 40; ++frame) {
        std::vector<std::uint32_t> moved;
        for (std::uint32_t i = 0; i < kBodies; ++i) {
            if (frame % 3 == 0 && random.below(8) != 0) continue;  // few bodies in every third frame
            test.shift(i, random_point(random, {30, 30, 30}) - cast<double>(test.boxes[i].min));
            moved.push_back(i);
        }
        test.step(moved);
        if (HasFatalFailure()) return;
        EXPECT_EQ(test.counts().sorts, 1u) << frame;
        // Exchanges alone would take half a million on one list, twelve million on six.
        EXPECT_LT(test.counts().swaps, 60000u) << frame;
    }
}

TEST_P(Sweep, sorts_by_the_axis_with_least_overlap_and_changes_it_when_needed) {
    Random random(23);
    Comparison test(GetParam());
    constexpr std::uint32_t kBodies = 600;
    for (std::uint32_t i = 0; i < kBodies; ++i) test.add(random_point(random, {0, 0, 300}), 0.5);
    test.add({1e15, 0, 0}, 0.5);  // a distant body is no reason to sort by x
    test.step_all();
    if (GetParam() == kOne) {
        EXPECT_LT(test.counts().raw_candidates, 2000u);  // all pairs: 180,300
    }
    for (int frame = 0; frame < 80; ++frame) {
        for (std::uint32_t i = 0; i < kBodies; ++i) {
            const Vec3d at = cast<double>(test.boxes[i].min);
            test.shift(i, {0, 0.01 * (i - 0.5 * at.y), -0.05 * at.z});  // the row of bodies turns towards y
        }
        test.step_all();
        if (HasFatalFailure()) return;
    }
    if (GetParam() == kOne) {
        EXPECT_LT(test.counts().raw_candidates, 20000u);
    }
}

TEST_P(Sweep, handles_equal_boxes_inverted_boxes_and_signed_zeros) {
    Comparison test(GetParam());
    for (int i = 0; i < 30; ++i) test.add({0, 0, 0}, 1);
    for (int i = 0; i < 10; ++i) test.boxes[static_cast<std::size_t>(i)].min.x = i % 2 == 0 ? 0.0f : -0.0f;
    for (int i = 10; i < 20; ++i) test.boxes[static_cast<std::size_t>(i)] = {{-0.0f, 0, 0}, {0, -0.0f, 0}};
    test.boxes[20] = Aabb{};
    test.boxes[21] = {{0.5f, -1, -1}, {-0.5f, 1, 1}};
    test.step_all();
    EXPECT_GT(test.found.size(), 300u);
    for (std::uint32_t i = 0; i < 30; ++i) {
        test.shift(i, {0.1 * i, 0, -0.1 * i});
        test.step({i});
        if (HasFatalFailure()) return;
    }
}

TEST_P(Sweep, bodies_can_be_removed_and_inserted_again_between_updates) {
    Random random(24);
    Comparison test(GetParam());
    for (int i = 0; i < 400; ++i) test.add(random_point(random, {8, 8, 8}), 0.5);
    test.step_all();
    std::vector<std::uint32_t> out;
    for (int frame = 0; frame < 60; ++frame) {
        std::vector<std::uint32_t> moved;
        for (const std::uint32_t slot : out) {
            test.boxes[slot] = {{1, 1, 1}, cast<float>(random_point(random, {7, 7, 7}) + Vec3d{1, 1, 1})};
            test.insert(slot);
            moved.push_back(slot);
        }
        out.clear();
        for (std::size_t left = 1 + random.below(frame % 5 == 0 ? 200 : 6); left > 0; --left) {
            const auto slot = static_cast<std::uint32_t>(random.below(400));
            if (std::find(moved.begin(), moved.end(), slot) != moved.end()) continue;
            if (std::find(out.begin(), out.end(), slot) != out.end()) continue;
            test.remove(slot);
            if (left % 2 == 0) {
                out.push_back(slot);
                continue;
            }
            test.shift(slot, {1, 0, 0});
            test.insert(slot);
            test.remove(slot);
            test.insert(slot);
            moved.push_back(slot);
        }
        test.step(moved);
        if (HasFatalFailure()) return;
    }
}

TEST_P(Sweep, boxes_on_a_lattice_touch_and_separate_again) {
    Random random(27);
    Comparison test(GetParam());
    const auto step = [&] { return static_cast<double>(random.below(3)) - 1; };
    for (int i = 0; i < 120; ++i) {
        const auto at = [&] { return static_cast<double>(random.below(12)); };
        test.add({at(), at(), at()}, i % 3 == 0 ? 0.0 : 1.0);
    }
    test.step_all();
    for (int frame = 0; frame < 300; ++frame) {
        std::vector<std::uint32_t> moved;
        for (std::uint32_t i = 0; i < 120; ++i) {
            if (frame % 2 == 0 && random.below(10) != 0) continue;
            test.shift(i, {step(), step(), step()});
            moved.push_back(i);
        }
        test.step(moved);
        if (HasFatalFailure()) return;
    }
}

TEST_P(Sweep, long_body_is_found_behind_many_short_ones) {
    Comparison test(GetParam());
    test.add({500, 0, 0}, 500.5);
    for (int i = 0; i < 1000; ++i) test.add({1.0 * i, 2000, 0}, 0.2);
    test.add({600, -100, 0}, 0.3);
    test.step_all();
    for (const std::uint32_t slot : {1001u, 0u, 700u}) {
        test.shift(slot, {0.25, 0, 0});
        test.step({slot});
        EXPECT_EQ(test.found.size(), slot == 700 ? 0u : 1u);
    }
}

TEST_P(Sweep, view_contains_an_interval_per_box_and_axis) {
    Random random(25);
    Comparison test(GetParam());
    for (int i = 0; i < 50; ++i) test.add(random_point(random, {9, 9, 9}), 0.5);
    test.step_all();
    StructureView lines;
    lines.begin({1000});
    test.tested().view(lines);
    ASSERT_EQ(lines.boxes().size(), GetParam() == kOne ? 50u : 150u);
    for (const auto& [line, axis] : lines.boxes()) {
        EXPECT_NEAR(line.max[axis] - line.min[axis], 1, 1e-5);
        const Vec3f size = line.max - line.min;
        EXPECT_NEAR(size.x + size.y + size.z, 1, 1e-5);
        EXPECT_EQ((size.x == 0) + (size.y == 0) + (size.z == 0), 2);
    }
    lines.begin({7});
    test.tested().view(lines);
    EXPECT_GE(lines.boxes().size(), 4u);
    EXPECT_LE(lines.boxes().size(), 7u);
}

TEST(SweepThree, counts_begun_and_ended_pairs) {
    Comparison test(kThree);
    test.add({0, 0, 0}, 1);
    test.add({1, 0, 0}, 1);
    test.add({9, 0, 0}, 1);
    test.step_all();
    EXPECT_EQ(test.counts().pairs_begun, 1u);
    test.shift(1, {7, 0, 0});
    test.step({1});
    EXPECT_EQ(test.counts().pairs_begun, 1u);
    EXPECT_EQ(test.counts().pairs_ended, 1u);
    EXPECT_EQ(test.counts().swaps, 2u);  // its low end passes the first box, its high end the third
    test.shift(1, {0, 5, 0});
    test.step({1});
    EXPECT_EQ(test.counts().pairs_begun, 0u);
    EXPECT_EQ(test.counts().pairs_ended, 1u);
    EXPECT_EQ(test.tested().counts().raw_candidates, 0u);
}

TEST(RadixSort, sorts_floats_of_every_size_and_is_stable) {
    Random random(26);
    const float inf = std::numeric_limits<float>::infinity();
    std::vector<float> values{0.0f, -0.0f, inf, -inf, 1e-45f, -1e-45f, 3e38f, -3e38f};
    for (int i = 0; i < 3000; ++i) {
        const int exponent = static_cast<int>(random.below(200)) - 100;
        values.push_back(static_cast<float>(std::ldexp(random.uniform(-1, 1), exponent)));
    }
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
