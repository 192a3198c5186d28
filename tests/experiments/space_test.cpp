// The experiment `space`: tables, and values that do not depend on the machine. No check depends on times.

#include "tests/experiments/quick.hpp"

#include <gtest/gtest.h>

#include <map>

namespace claybox::bench {
namespace {

/// Counters by name of measurement and counter.
std::map<std::string, std::map<std::string, double>> counters_of(const ExperimentReport& report) {
    std::map<std::string, std::map<std::string, double>> out;
    for (const Measurement& m : report.measurements)
        for (const auto& [name, value] : m.counters) out[m.name][name] = value;
    return out;
}

TEST(SpaceExperiment, Z_5_4_4_X1_nearly_all_references_are_in_voxels) {
    auto counters = counters_of(quick("space", {"levels"}));
    ASSERT_EQ(counters.size(), 4u);
    for (const char* depth : {"2", "3", "4", "5"}) {
        auto& at = counters[std::string("space/levels/depth-") + depth + "/octree"];
        EXPECT_GT(at[std::string("percent_") + depth], 85) << depth;
        EXPECT_NEAR(at["percent_1"] + at["percent_2"] + at["percent_3"] + at["percent_4"] + at["percent_5"],
                    100, 1e-9);
    }
}

TEST(SpaceExperiment, Z_5_4_4_X2_and_Z_5_5_2_X1_memory_is_printed_next_to_the_thesis) {
    const ExperimentReport report = quick("space", {"memory"});
    auto counters = counters_of(report);
    ASSERT_EQ(counters.size(), 4u * 2 + 5 * 2);
    for (const char* depth : {"2", "3", "4"}) {
        auto& five = counters[std::string("space/memory/depth-") + depth + "-hysteresis-5/octree"];
        auto& ten = counters[std::string("space/memory/depth-") + depth + "-hysteresis-10/octree"];
        EXPECT_GT(five["made"], 0) << depth;
        EXPECT_EQ(five["made"], ten["made"]) << depth;
        EXPECT_GE(five["moved"], ten["moved"]) << depth;
    }
    EXPECT_GT(counters["space/memory/size-32/doubly_indexed"]["kilobytes"],
              counters["space/memory/size-4/doubly_indexed"]["kilobytes"]);
    for (const char* paper : {"(2264)", "(113.7)", "168/744"})
        EXPECT_NE(report.markdown.find(paper), std::string::npos) << paper;
}

TEST(SpaceExperiment, Z_5_4_4_X3_and_Z_5_5_2_X2_all_variants_find_the_same_pairs_as_all_pairs) {
    const ExperimentReport report = quick("space", {"octree", "grid"});
    EXPECT_EQ(report.failure, "");
    EXPECT_EQ(report.measurements.size(), 5u * 6 + 5 * 5);
    for (const Measurement& m : report.measurements) EXPECT_GT(m.ns, 0) << m.name;
}

}  // namespace
}  // namespace claybox::bench
