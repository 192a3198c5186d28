// The experiment `box_tree`: rows, tables, and agreement of all contestants. No check depends on times.

#include "tests/experiments/quick.hpp"

#include <gtest/gtest.h>

namespace claybox::bench {
namespace {

TEST(BoxTreeExperiment, Z_3_6_5_X4_threshold_is_printed_next_to_that_of_the_thesis) {
    const ExperimentReport report = quick("box_tree", {"crossover"});
    EXPECT_EQ(report.failure, "");
    EXPECT_EQ(report.measurements.size(), 3u * 3 * 2);
    for (const char* row : {"| sphere |", "| torus |", "| tetra-flake |", "faster above"})
        EXPECT_NE(report.markdown.find(row), std::string::npos) << row;
    std::size_t colliding = 0;
    for (const Measurement& m : report.measurements)
        for (const auto& [name, value] : m.counters)
            if (name == "colliding") colliding += value > 0 ? 1 : 0;
    EXPECT_GT(colliding, 9u);
}

TEST(BoxTreeExperiment, Z_3_6_5_X2_and_Z_3_6_5_X3_rows_and_variants_agree) {
    for (const char* row : {"parts", "parameters", "variants"}) {
        const ExperimentReport report = quick("box_tree", {row});
        EXPECT_EQ(report.failure, "") << row;
        EXPECT_FALSE(report.measurements.empty()) << row;
    }
}

TEST(BoxTreeExperiment, Z_3_6_3_leaf_pointers_are_between_1_and_16) {
    const ExperimentReport report = quick("box_tree", {"pointers"});
    for (const Measurement& m : report.measurements)
        for (const auto& [name, value] : m.counters) {
            EXPECT_GE(value, 1) << name;
            EXPECT_LE(value, 16) << name;
        }
}

}  // namespace
}  // namespace claybox::bench
