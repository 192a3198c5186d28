#pragma once
// Report of the experiment `broad`: measurements for JSON, and tables.

#include "bench/experiments/broad/broad_measure.hpp"
#include "bench/experiments/experiment.hpp"

namespace claybox::bench {

struct BroadRun {
    BroadEffort effort;
    std::vector<BroadEntry> entries;   ///< those of Claybox first
    std::vector<BroadRowResult> rows;  ///< results in the order of `entries`
    std::vector<std::string> missing_libraries;
};

/// Target: how many times faster than the fastest library `best` must be; 0: no target.
double broad_target(const BroadRow& row);

ExperimentReport report_broad(const BroadRun& run);

}  // namespace claybox::bench
