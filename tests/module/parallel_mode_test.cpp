#include "collision/module/parallel_mode.hpp"

#include <gtest/gtest.h>

namespace claybox::collision {
namespace {

TEST(ParallelModes, text_of_every_set_of_switches_parses_back) {
    for (unsigned i = 0; i < 1u << kParallelModes; ++i) {
        const auto mode = ParallelMode(i);
        EXPECT_EQ(parallel_mode(to_string(mode)), mode) << to_string(mode);
    }
    EXPECT_EQ(to_string(ParallelMode::serial), "serial");
    EXPECT_EQ(to_string(ParallelMode::fine | ParallelMode::pairs), "pairs+fine");
    EXPECT_EQ(parallel_mode("dual+pairs"), ParallelMode::pairs | ParallelMode::dual);
}

TEST(ParallelModes, unknown_text_is_rejected) {
    for (const char* text : {"", "+", "pairs+", "+pairs", "serial+pairs", "twins", "pair", "pairs,dual"})
        EXPECT_EQ(parallel_mode(text), std::nullopt) << text;
}

}  // namespace
}  // namespace claybox::collision
