#pragma once
// Report of the experiment `potter`: measurements for JSON, and tables.

#include "bench/contestants/deforming.hpp"
#include "bench/experiments/experiment.hpp"
#include "bench/scenes/potter/potter_play.hpp"
#include "bench/scenes/potter/potter_surface.hpp"

#include <map>

namespace claybox::bench {

/// Medians over the touching frames of a run.
struct PotterResult {
    PotterRow row;
    PotterTimes ns;
    double p5 = 0, p95 = 0;  ///< nanoseconds of the whole frame
    double vertices = 0, polygons = 0, parts = 0, upload_bytes = 0;
    std::size_t frames = 0;      ///< touching ones
    double bytes_a_polygon = 0;  ///< 0: unknown
};
PotterResult summarise(const PotterPlayer& player);

/// The module's part of the frame (structure and collision), nanoseconds; medians.
struct StillResult {
    std::uint32_t polygons = 0;
    double turning = 0, still = 0;              ///< with the default boxes
    double tight_turning = 0, tight_still = 0;  ///< with boxes of world coordinates
};

struct OtherResult {
    std::string id, title;
    bool ours = false;
    double build_ms = 0;
    double update_ms = 0, query_ms = 0, frame_ms = 0;  ///< medians over the frames; frame_ms: of the sums
    double spread = 0;                                 ///< of the frames' times: see spread_of()
    double against_ours = 0;                           ///< frame_ms divided by ours in the same frames
    std::size_t frames = 0;
    std::uint64_t answers = 0, different = 0;  ///< from ours
};
struct OthersResult {
    std::uint32_t polygons = 0;
    double vertices = 0;  ///< moved per frame, median
    std::vector<OtherResult> results;
    std::vector<SurfaceResult> surfaces;
};

struct PotterRun {
    bool quick = false;
    std::uint64_t seed = 1, frames = 0;
    std::vector<PotterResult> rows;
    std::vector<StillResult> still;
    std::vector<OthersResult> others;
    std::vector<std::string> missing_libraries;
};

ExperimentReport report_potter(const PotterRun& run);

}  // namespace claybox::bench
