#pragma once
// One row of the comparison of convex algorithms.

#include "bench/experiments/convex_rows.hpp"
#include "bench/experiments/measure.hpp"

namespace claybox::bench {

struct ConvexEffort : Effort {
    std::uint32_t bodies = 250, frames = 61;
};

struct ConvexRowResult : StreamResult {
    ConvexRow row;
};

collision::Result<streams::JudgedStream> record_row(const ConvexRow& row, const ConvexEffort& effort);

/// Measures the entries on the stream, which is the row's.
ConvexRowResult measure_row(const ConvexRow& row, const streams::JudgedStream& stream,
                            const std::vector<Entry>& entries, const ConvexEffort& effort);

}  // namespace claybox::bench
