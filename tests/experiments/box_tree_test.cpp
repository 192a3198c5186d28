// The experiment of box-trees: its rows, its tables, and that all its contestants agree. No timing decides.

#include "bench/experiments/experiment.hpp"

#include <gtest/gtest.h>

namespace claybox::bench {
namespace {

ExperimentReport quick(const std::vector<std::string>& rows) {
    ExperimentOptions options;
    options.quick = true;
    options.rows = rows;
    auto report = find_experiment("box_tree")->run(options);
    EXPECT_TRUE(report.ok());
    return report.ok() ? report.value() : ExperimentReport{};
}

TEST(BoxTreeExperiment, Z_3_6_5_X4_prints_the_threshold_beside_the_papers) {
    const ExperimentReport report = quick({"crossover"});
    EXPECT_EQ(report.failure, "");
    EXPECT_EQ(report.measurements.size(), 3u * 3 * 2);
    for (const char* row : {"| sphere |", "| torus |", "| tetra-flake |", "wins above"})
        EXPECT_NE(report.markdown.find(row), std::string::npos) << row;
    std::size_t colliding = 0;
    for (const Measurement& m : report.measurements)
        for (const auto& [name, value] : m.counters)
            if (name == "colliding") colliding += value > 0 ? 1 : 0;
    EXPECT_GT(colliding, 9u);
}

TEST(BoxTreeExperiment, Z_3_6_5_X2_and_Z_3_6_5_X3_and_the_variants_agree_with_each_other) {
    for (const char* row : {"parts", "parameters", "variants"}) {
        const ExperimentReport report = quick({row});
        EXPECT_EQ(report.failure, "") << row;
        EXPECT_FALSE(report.measurements.empty()) << row;
    }
}

TEST(BoxTreeExperiment, Z_3_6_3_leaf_pointers_are_printed_and_unknown_rows_are_refused) {
    const ExperimentReport report = quick({"pointers"});
    for (const Measurement& m : report.measurements)
        for (const auto& [name, value] : m.counters) {
            EXPECT_GE(value, 1) << name;
            EXPECT_LE(value, 16) << name;
        }
    ExperimentOptions options;
    options.rows = {"nothing"};
    EXPECT_FALSE(find_experiment("box_tree")->run(options).ok());
    options.rows = {};
    options.algorithms = {"gjk"};
    EXPECT_FALSE(find_experiment("box_tree")->run(options).ok());
}

}  // namespace
}  // namespace claybox::bench
