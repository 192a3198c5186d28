#pragma once
// One row of the comparison of broad phases.

#include "bench/contestants/contestant.hpp"
#include "bench/experiments/broad/broad_rows.hpp"

namespace claybox::bench {

struct BroadEffort {
    std::uint32_t frames = 60;          ///< per row
    std::uint32_t long_frames = 10000;  ///< per `long` row
    /// Frames that a contestant plays before the next one. Its data then stays in the processor's caches, as
    /// in a program that uses one contestant only.
    std::uint32_t block = 10;
    double seconds = 4, long_seconds = 60;  ///< approximate, per contestant; slow ones get fewer frames
    std::uint64_t seed = 1;
};

struct BroadResult {
    const BroadEntry* entry = nullptr;
    bool fits = true;  ///< within the contestant's limit of bodies
    double insert_ms = 0;
    double update_ms = 0, find_ms = 0, frame_ms = 0;  ///< medians over the frames; frame_ms: of the sums
    double spread = 0;                                ///< of the frames' times: see spread_of()
    double early_ms = 0, late_ms = 0;                 ///< medians of the first and the last 5 % of the frames
    std::uint64_t frames = 0;                         ///< timed
    std::uint64_t answered = 0, wrong = 0;            ///< frames, including untimed ones
    std::uint64_t max_missing = 0, max_extra = 0;     ///< maximum numbers of pairs in a wrong frame
};

struct BroadRowResult {
    BroadRow row;
    std::uint64_t moved = 0;
    double pairs = 0;     ///< per frame, on average
    double plain_ms = 0;  ///< time of the reference, PlainGrid
    std::vector<BroadResult> results;
};

BroadRowResult measure_broad(const BroadRow& row, const std::vector<BroadEntry>& entries,
                             const BroadEffort& effort);

}  // namespace claybox::bench
