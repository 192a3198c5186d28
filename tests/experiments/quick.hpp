#pragma once
// Shared by the tests of experiments.

#include "bench/experiments/experiment.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace claybox::bench {

/// A quick run of these rows. An error fails the test.
inline ExperimentReport quick(const char* experiment, const std::vector<std::string>& rows,
                              std::uint64_t seed = 1) {
    ExperimentOptions options;
    options.quick = true;
    options.rows = rows;
    options.seed = seed;
    const auto report = find_experiment(experiment)->run(options);
    EXPECT_TRUE(report.ok());
    return report.ok() ? report.value() : ExperimentReport{};
}

}  // namespace claybox::bench
