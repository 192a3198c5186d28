#include "collision/simd/overlap_run.hpp"

#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

namespace claybox::collision {
namespace {

using Hits = std::vector<std::uint32_t>;

TEST(OverlapRun, equals_the_plain_loop_at_every_begin_and_end) {
    Random random(11);
    constexpr std::uint32_t kCount = 90;
    std::array<std::vector<float>, 5> columns;
    for (auto& column : columns)
        for (std::uint32_t i = 0; i < kCount + kRunPadding; ++i)
            // Few distinct values, so many boxes touch. The padding overlaps everything and must not be
            // reported.
            column.push_back(i < kCount ? static_cast<float>(random.below(7)) : 3.0f);
    const RunColumns run{columns[0].data(), columns[1].data(), columns[2].data(), columns[3].data(),
                         columns[4].data()};
    std::size_t found = 0;
    for (std::uint32_t begin = 0; begin <= kCount; begin += 3)
        for (std::uint32_t end = begin; end <= kCount; ++end) {
            const auto value = [&] { return static_cast<float>(random.below(7)); };
            const RunBox box{value(), value(), value(), value(), value()};
            Hits fast(kCount + kRunPadding), plain(kCount + kRunPadding);
            fast.resize(overlap_run(run, box, begin, end, fast.data()));
            plain.resize(overlap_run_scalar(run, box, begin, end, plain.data()));
            ASSERT_EQ(fast, plain) << begin << " " << end;
            found += fast.size();
        }
    EXPECT_GT(found, 1000u);
}

TEST(OverlapRun, infinite_ends_and_signed_zeros_compare_correctly) {
    const float inf = std::numeric_limits<float>::infinity();
    std::array<std::vector<float>, 5> columns;
    for (auto& column : columns) column.assign(3 + kRunPadding, 0.0f);
    columns[0] = {-0.0f, inf, -inf};
    columns[0].resize(3 + kRunPadding);
    columns[1][1] = -inf;
    columns[2][1] = inf;
    const RunColumns run{columns[0].data(), columns[1].data(), columns[2].data(), columns[3].data(),
                         columns[4].data()};
    Hits hits(3 + kRunPadding);
    hits.resize(overlap_run(run, {0, -0.0f, 0, 0, -0.0f}, 0, 3, hits.data()));
    EXPECT_EQ(hits, (Hits{0, 1}));
}

}  // namespace
}  // namespace claybox::collision
