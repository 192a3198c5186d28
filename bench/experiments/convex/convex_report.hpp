#pragma once
// Report of the experiment `convex`: measurements for JSON, tables and a summary.

#include "bench/experiments/convex/convex_measure.hpp"
#include "bench/experiments/experiment.hpp"
#include "bench/experiments/shared/tables.hpp"

namespace claybox::bench {

struct ConvexRun {
    ConvexEffort effort;
    std::vector<Entry> entries;                  ///< all contestants, those of Claybox first
    std::vector<ConvexRowResult> rows;           ///< results in the order of `entries`
    std::vector<Entry> largest_entries;          ///< separating_vector, or empty
    std::vector<ConvexRowResult> largest;        ///< its rows, for its largest step counts
    std::vector<std::string> missing_libraries;  ///< missing libraries, with the reason
};

/// Target: how many times faster than the fastest library `best` must be in a row.
double convex_target(const ConvexRow& row);

ExperimentReport report_convex(const ConvexRun& run);

/// Growth, shares and histograms next to the values of the papers, as Markdown.
std::string summarise_convex(const ConvexRun& run);

}  // namespace claybox::bench
