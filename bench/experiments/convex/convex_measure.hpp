#pragma once
// Records and measures one row of the experiment `convex`.

#include "bench/experiments/convex/convex_rows.hpp"
#include "bench/experiments/shared/measure.hpp"

namespace claybox::bench {

struct ConvexEffort : Effort {
    std::uint32_t bodies = 250, frames = 61;
};

struct ConvexRowResult : StreamResult {
    ConvexRow row;
};

/// Records the row's stream. An error if no boxes overlap.
collision::Result<streams::JudgedStream> record_row(const ConvexRow& row, const ConvexEffort& effort);

/// Measures the entries on the row's stream.
ConvexRowResult measure_row(const ConvexRow& row, const streams::JudgedStream& stream,
                            const std::vector<Entry>& entries, const ConvexEffort& effort);

}  // namespace claybox::bench
