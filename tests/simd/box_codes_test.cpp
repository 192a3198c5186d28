#include "collision/simd/box_codes.hpp"

#include "collision/core/random.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace claybox::collision {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Collects the pairs; flushes them whenever the capacity is exhausted.
struct Collected : NearPairs {
    std::array<std::uint32_t, kCodeBlock + kCodePadding> queries{}, others{};
    Pairs pairs;
    std::size_t flushes = 0;

    Collected() {
        query = queries.data();
        other = others.data();
        capacity = kCodeBlock;
        flush = [](NearPairs& near) { static_cast<Collected&>(near).collect(); };
    }
    void collect() {
        for (std::size_t i = 0; i < count; ++i) pairs.emplace_back(query[i], other[i]);
        count = 0;
        ++flushes;
    }
    Pairs sorted() {
        collect();
        std::sort(pairs.begin(), pairs.end());
        return pairs;
    }
};

std::uint32_t field(int steps, unsigned axis) {
    return (static_cast<std::uint32_t>(steps) & kCodeValues) << (kCodeField * axis);
}

struct StepBox {
    std::array<int, 3> low, high;
    BoxCode code() const {
        BoxCode out;
        for (unsigned k = 0; k < 3; ++k) {
            out.upper |= field(high[k], k);
            out.lower |= field(-low[k], k);
        }
        return out;
    }
};

bool overlapping(const StepBox& a, const StepBox& b) {
    for (std::size_t k = 0; k < 3; ++k)
        if (a.low[k] > b.high[k] || b.low[k] > a.high[k]) return false;
    return true;
}

struct Columns {
    std::vector<std::uint32_t> upper, lower;
    void add(const BoxCode& code) {
        upper.push_back(code.upper);
        lower.push_back(code.lower);
    }
    /// The padding behind the end overlaps every box and must not be reported.
    CodeColumns padded() {
        upper.resize(upper.size() + kCodePadding, 0);
        lower.resize(lower.size() + kCodePadding, 0);
        return {upper.data(), lower.data()};
    }
};

std::vector<StepBox> random_boxes(Random& random, std::size_t count, int extent) {
    std::vector<StepBox> out(count);
    for (StepBox& box : out)
        for (std::size_t k = 0; k < 3; ++k) {
            box.low[k] = static_cast<int>(random.below(static_cast<std::uint64_t>(extent))) - extent / 2;
            box.high[k] = box.low[k] + static_cast<int>(random.below(40));
        }
    return out;
}

/// Calls `check` once per vector target that this processor supports, then enables all targets again.
template <class Check>
void for_each_target(Check&& check) {
    for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
        hwy::SetSupportedTargetsForTest(left & -left);
        check(hwy::TargetName(left & -left));
    }
    hwy::SetSupportedTargetsForTest(0);
}

TEST(BoxCodes, every_target_equals_the_plain_loop_for_any_run_length_and_capacity) {
    Random random(3);
    Columns columns;
    constexpr std::uint32_t kCount = 1500;
    for (const StepBox& box : random_boxes(random, kCount, 120)) columns.add(box.code());
    for (std::uint32_t i = 0; i < kCount; i += 37) columns.upper[i] = kCodeNothing;
    const CodeColumns codes = columns.padded();
    std::vector<CodeTask> tasks;
    std::vector<CodeRun> runs;
    for (int i = 0; i < 120; ++i) {
        const auto first = static_cast<std::uint32_t>(random.below(kCount));
        const auto last = std::min(kCount, first + 1 + static_cast<std::uint32_t>(random.below(9)));
        const auto length = static_cast<std::uint32_t>(random.below(i % 10 == 0 ? 1200 : 20));
        CodeTask task{first, last, i % 3 == 0 ? 0 : std::min(kCount, last + length), 0};
        task.all = i % 7 == 0;
        task.given = i % 5 == 0;
        task.code = {columns.upper[static_cast<std::size_t>(i)] & ~kCodeNothing,
                     columns.lower[static_cast<std::size_t>(i)]};
        for (task.runs = 0; task.runs < static_cast<std::uint32_t>(i % 6); ++task.runs) {
            const auto begin = static_cast<std::uint32_t>(random.below(kCount));
            runs.push_back({begin, std::min(kCount, begin + static_cast<std::uint32_t>(
                                                                random.below(i % 11 == 0 ? 1400 : 12)))});
        }
        tasks.push_back(task);
    }
    Collected plain;
    find_near_pairs_scalar(codes, tasks, runs.data(), plain);
    const Pairs expected = plain.sorted();
    ASSERT_GT(expected.size(), 5000u);
    for_each_target([&](const char* target) {
        Collected near;
        find_near_pairs(codes, tasks, runs.data(), near);
        EXPECT_EQ(near.sorted(), expected) << target;
        EXPECT_EQ(near.compared, plain.compared) << target;
        EXPECT_GT(near.flushes, 5u);
    });
}

TEST(BoxCodes, overlapping_boxes_are_near_and_boxes_one_step_apart_are_not) {
    Random random(8);
    for (int round = 0; round < 20; ++round) {
        std::vector<StepBox> boxes = random_boxes(random, 60, 90);
        for (StepBox& box : boxes)
            for (std::size_t k = 0; k < 3; ++k) {
                box.low[k] += 97 * round;
                box.high[k] += 97 * round;
            }
        Columns columns;
        for (const StepBox& box : boxes) columns.add(box.code());
        const CodeColumns codes = columns.padded();
        Collected near;
        const CodeTask task{0, 60, 60, 0};
        find_near_pairs(codes, {&task, 1}, nullptr, near);
        Pairs expected;
        for (std::uint32_t i = 0; i < 60; ++i)
            for (std::uint32_t k = i + 1; k < 60; ++k)
                if (overlapping(boxes[i], boxes[k])) expected.emplace_back(i, k);
        EXPECT_EQ(near.sorted(), expected);
    }
}

}  // namespace
}  // namespace claybox::collision
