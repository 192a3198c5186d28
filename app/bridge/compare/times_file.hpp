#pragma once
// The stored frames as files: one row per frame as CSV, percentiles in the format of Google Benchmark.

#include "app/panels/history.hpp"
#include "collision/module/world.hpp"

#include <string>

namespace claybox::app {

/// What was measured.
struct RunInfo {
    std::string scene;
    collision::WorldSettings settings;
    std::size_t bodies = 0;
};

/// A head and a row for each of the last frames. Times in milliseconds, end of the frame in seconds before
/// the last frame's end.
std::string times_csv(const FrameHistory& history, double seconds);

/// Per series one run with the mean, and aggregates with median, p95, p99 and max, in milliseconds; counts
/// are counters of the run of the pass.
std::string times_json(const FrameHistory& history, double seconds, const RunInfo& info);

}  // namespace claybox::app
