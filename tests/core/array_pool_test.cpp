#include "collision/core/array_pool.hpp"

#include "collision/core/random.hpp"

#include <gtest/gtest.h>

namespace claybox::collision {
namespace {

using Pool = ArrayPool<std::uint32_t>;

TEST(ArrayPool, arrays_keep_their_values_and_freed_memory_is_reused) {
    for (const std::uint32_t hysteresis : {1u, 5u, 10u}) {
        Pool pool(hysteresis);
        std::vector<Pool::Array> arrays(40);
        std::vector<std::vector<std::uint32_t>> expected(arrays.size());
        Random random(16);
        std::size_t memory = 0;
        for (int step = 0; step < 200000; ++step) {
            const std::size_t i = random.below(arrays.size());
            // Each array grows and shrinks alternately.
            const bool grow = ((static_cast<std::size_t>(step) / 5000 + i) % 2) == 0;
            if (random.below(3) != 0 ? grow : !grow) {
                pool.push(arrays[i], static_cast<std::uint32_t>(step));
                expected[i].push_back(static_cast<std::uint32_t>(step));
            } else if (!expected[i].empty()) {
                const std::size_t at = random.below(expected[i].size());
                pool.remove_at(arrays[i], static_cast<std::uint32_t>(at));
                expected[i][at] = expected[i].back();
                expected[i].pop_back();
            }
            const auto values = pool.values(arrays[i]);
            ASSERT_TRUE(std::equal(values.begin(), values.end(), expected[i].begin(), expected[i].end()));
            ASSERT_LE(pool.capacity(arrays[i]), 2 * values.size() + 4 * hysteresis);
            if (step == 100000) memory = pool.memory_bytes();
        }
        EXPECT_LE(pool.memory_bytes(), 2 * memory);
        for (Pool::Array& array : arrays) pool.free(array);
        EXPECT_EQ(pool.counts().made, pool.counts().freed);
    }
}

TEST(ArrayPool, Z_5_4_backbone_counts_that_oscillate_within_the_hysteresis_move_nothing) {
    for (const std::uint32_t hysteresis : {5u, 10u})
        for (std::uint32_t least = 1; least < 8 * hysteresis; ++least) {
            Pool pool(hysteresis);
            Pool::Array array;
            while (array.count < least + hysteresis - 1) pool.push(array, array.count);
            const std::uint64_t moved = pool.counts().moved;
            for (int swing = 0; swing < 20; ++swing) {
                while (array.count > least) pool.remove_at(array, 0);
                while (array.count < least + hysteresis - 1) pool.push(array, array.count);
            }
            EXPECT_LE(pool.counts().moved, moved + 2) << hysteresis << " " << least;
            while (array.count > 1) pool.remove_at(array, 0);
            EXPECT_LE(pool.capacity(array), 2 * hysteresis) << "the array must shrink";
        }
}

}  // namespace
}  // namespace claybox::collision
