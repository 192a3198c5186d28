// Every registered broad phase over many frames, and with boxes that are difficult for cells, lists and
// trees.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <ostream>
#include <string>

namespace claybox::collision {
namespace {

struct Case {
    const BroadPhaseDescriptor* descriptor;
    double first;  ///< value of the first parameter if it is a choice, otherwise -1
};

std::vector<Case> cases() {
    std::vector<Case> out;
    for (const BroadPhaseDescriptor* descriptor : broad_phases()) {
        const auto table = descriptor->parameters;
        const bool choice = !table.empty() && table[0].kind == ParameterKind::choice;
        for (double first = 0; first <= (choice ? table[0].max : 0); ++first)
            out.push_back({descriptor, choice ? first : -1});
    }
    return out;
}

std::string name_of(const Case& c) {
    const std::string id = c.descriptor->id;
    return c.first < 0 ? id
                       : id + "_" + c.descriptor->parameters[0].choices[static_cast<std::size_t>(c.first)];
}

void PrintTo(const Case& c, std::ostream* out) {
    *out << name_of(c);
}

std::unique_ptr<BroadPhase> create(const Case& c) {
    ParameterValues values = default_values(c.descriptor->parameters);
    if (c.first >= 0) values[0] = c.first;
    return c.descriptor->create(values);
}

Aabb cube_box(const Vec3d& centre, double half) {
    const Vec3d h{half, half, half};
    return {cast<float>(centre - h), cast<float>(centre + h)};
}

/// The structure under test and the reference, with the same boxes.
class Comparison {
  public:
    explicit Comparison(const Case& c)
        : tested_(create(c)), reference_(create({find_broad_phase("all_pairs"), -1})) {}

    void insert(std::uint32_t slot, const Aabb& box) {
        if (slot >= boxes.size()) boxes.resize(slot + 1);
        boxes[slot] = box;
        tested_->insert(slot);
        reference_->insert(slot);
    }
    void remove(std::uint32_t slot) {
        tested_->remove(slot);
        reference_->remove(slot);
    }
    void update(const std::vector<std::uint32_t>& moved) {
        tested_->update(moved, boxes, *executor_);
        reference_->update(moved, boxes, *executor_);
    }
    std::size_t compare(const std::vector<std::uint32_t>& moved) {
        tested_->find_pairs(moved, boxes, *executor_, found_);
        reference_->find_pairs(moved, boxes, *executor_, expected_);
        EXPECT_EQ(found_, expected_);
        return found_.size();
    }
    std::size_t memory() const { return tested_->memory_bytes(); }

    std::vector<Aabb> boxes;

  private:
    std::unique_ptr<BroadPhase> tested_, reference_;
    std::unique_ptr<Executor> executor_ = make_serial_executor();
    std::vector<PairKey> found_, expected_;
};

class BroadPhaseEndurance : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Registry, BroadPhaseEndurance, testing::ValuesIn(cases()),
                         [](const auto& row) { return name_of(row.param); });

TEST_P(BroadPhaseEndurance, ten_thousand_frames_of_drift_lose_no_pair_and_do_not_grow_memory) {
    constexpr std::uint32_t kBodies = 80;
    Comparison compared(GetParam());
    Random random(51);
    std::vector<Vec3d> velocity;
    std::vector<std::uint32_t> all(kBodies);
    std::iota(all.begin(), all.end(), 0u);
    for (const std::uint32_t slot : all) {
        compared.insert(slot,
                        cube_box({random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)}, 0.5));
        velocity.push_back(0.04 * random.unit_vector());
    }
    std::size_t pairs = 0, memory = 0;
    for (int frame = 0; frame < 10000; ++frame) {
        for (const std::uint32_t slot : all) {
            Aabb& box = compared.boxes[slot];
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (std::abs(box.min[axis]) > 3 && box.min[axis] * velocity[slot][axis] > 0)
                    velocity[slot][axis] *= -1;
            box.min += cast<float>(velocity[slot]);
            box.max += cast<float>(velocity[slot]);
        }
        compared.update(all);
        if (frame % 10 == 0) pairs += compared.compare(all);
        if (HasFailure()) FAIL() << "frame " << frame;
        if (frame == 5000) memory = compared.memory();
    }
    EXPECT_GT(pairs, 10000u);
    EXPECT_LE(compared.memory(), memory + memory / 4);
}

TEST_P(BroadPhaseEndurance, all_bodies_in_one_place_and_spread_out_again) {
    constexpr std::uint32_t kBodies = 250;
    Comparison compared(GetParam());
    std::vector<std::uint32_t> all(kBodies);
    std::iota(all.begin(), all.end(), 0u);
    for (const std::uint32_t slot : all) compared.insert(slot, cube_box({1, 2, 3}, 0.5));
    for (const double apart : {0.0, 0.0, 1e-7, 0.01, 3.0, 0.01, 0.0}) {
        for (const std::uint32_t slot : all)
            compared.boxes[slot] =
                cube_box({1 + apart * (slot % 7), 2 + apart * (slot % 5), 3 + apart * slot}, 0.5);
        compared.update(all);
        const std::size_t pairs = compared.compare(all);
        if (apart == 0) {
            EXPECT_EQ(pairs, kBodies * (kBodies - 1) / 2);
        }
        compared.compare({3, 200});
    }
    EXPECT_LT(compared.memory(), 8u << 20) << "memory for all pairs";
}

TEST_P(BroadPhaseEndurance, sizes_over_twelve_orders_of_magnitude) {
    constexpr std::uint32_t kBodies = 240;
    Comparison compared(GetParam());
    Random random(52);
    std::vector<std::uint32_t> all(kBodies), some;
    std::iota(all.begin(), all.end(), 0u);
    std::vector<double> size(kBodies);
    const auto place = [&](std::uint32_t slot) {
        return cube_box(size[slot] * random.vector(0, 4), size[slot]);
    };
    for (const std::uint32_t slot : all) {
        size[slot] = std::pow(10.0, random.uniform(-6, 6));
        compared.insert(slot, place(slot));
    }
    compared.update(all);
    std::size_t pairs = compared.compare(all);
    for (int frame = 0; frame < 100; ++frame) {
        some.clear();
        for (const std::uint32_t slot : all)
            if (random.below(frame % 2 == 0 ? 20 : 2) == 0) {
                compared.boxes[slot] = place(slot);
                some.push_back(slot);
            }
        compared.update(some);
        pairs += compared.compare(some);
    }
    EXPECT_GT(pairs, 10000u);
}

TEST_P(BroadPhaseEndurance, sparse_slots_can_be_reused_many_times) {
    Comparison compared(GetParam());
    Random random(53);
    const std::vector<std::uint32_t> slots{5, 70000, 6, 70001, 12, 40000, 0, 33};
    std::vector<bool> here(slots.size(), false);
    std::size_t pairs = 0, memory = 0;
    for (int frame = 0; frame < 1000; ++frame) {
        std::vector<std::uint32_t> moved;
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const bool stays = random.below(3) != 0;
            if (here[i] && !stays) compared.remove(slots[i]);
            const Vec3d at{random.uniform(0, 2), random.uniform(0, 2), random.uniform(0, 2)};
            // Sometimes removed and inserted again in one frame, as another body.
            if ((here[i] && !stays && random.below(2) == 0) || (!here[i] && stays)) {
                compared.insert(slots[i], cube_box(at, 0.5));
                moved.push_back(slots[i]);
                here[i] = true;
            } else if (here[i] && stays) {
                compared.boxes[slots[i]] = cube_box(at, 0.5);
                moved.push_back(slots[i]);
            } else {
                here[i] = false;
            }
        }
        compared.update(moved);
        pairs += compared.compare(moved);
        if (HasFailure()) FAIL() << "frame " << frame;
        if (frame == 500) memory = compared.memory();
    }
    EXPECT_GT(pairs, 1000u);
    EXPECT_LE(compared.memory(), memory + memory / 4);
}

}  // namespace
}  // namespace claybox::collision
