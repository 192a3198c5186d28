#pragma once
// What the tests of experiments share.

#include "bench/experiments/experiment.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace claybox::bench {

/// A few queries of some rows; a refusal fails the test.
inline ExperimentReport quick(const char* experiment, const std::vector<std::string>& rows) {
    ExperimentOptions options;
    options.quick = true;
    options.rows = rows;
    const auto report = find_experiment(experiment)->run(options);
    EXPECT_TRUE(report.ok());
    return report.ok() ? report.value() : ExperimentReport{};
}

}  // namespace claybox::bench
