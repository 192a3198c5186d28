#pragma once
// The comparison of convex algorithms in words: measurements for JSON, tables and a summary.

#include "bench/experiments/convex_measure.hpp"
#include "bench/experiments/experiment.hpp"
#include "bench/experiments/tables.hpp"

namespace claybox::bench {

struct ConvexRun {
    ConvexEffort effort;
    std::vector<Entry> entries;            ///< all contestants, ours first
    std::vector<ConvexRowResult> rows;     ///< results in the order of `entries`
    std::vector<Entry> largest_entries;    ///< separating_vector, or none
    std::vector<ConvexRowResult> largest;  ///< its rows, for its largest k
    std::vector<std::string> left_out;     ///< libraries that are not there, with the reason
};

/// The aim: how many times faster than the fastest library `best` is to be in a row.
double convex_target(const ConvexRow& row);

ExperimentReport report_convex(const ConvexRun& run);

/// Growth, shares and histograms beside those of the papers, as Markdown.
std::string summarise_convex(const ConvexRun& run);

}  // namespace claybox::bench
