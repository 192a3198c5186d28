#pragma once
// The comparison of broad phases in words: measurements for JSON, and tables.

#include "bench/experiments/broad_measure.hpp"
#include "bench/experiments/experiment.hpp"

namespace claybox::bench {

struct BroadRun {
    BroadEffort effort;
    std::vector<BroadEntry> entries;   ///< ours first
    std::vector<BroadRowResult> rows;  ///< results in the order of `entries`
    std::vector<std::string> left_out;
};

/// The aim: how many times faster than the fastest library `best` is to be; 0 when there is none.
double broad_target(const BroadRow& row);

ExperimentReport report_broad(const BroadRun& run);

}  // namespace claybox::bench
