#pragma once
// One row of the comparison of broad phases.

#include "bench/contestants/contestant.hpp"
#include "bench/experiments/broad_rows.hpp"

namespace claybox::bench {

struct BroadEffort {
    std::uint32_t frames = 60;          ///< of a row
    std::uint32_t long_frames = 10000;  ///< of a long row
    /// Everyone plays so many frames before it is the next one's turn: the caches are then their own, as
    /// where nobody else works in between.
    std::uint32_t block = 10;
    double seconds = 4, long_seconds = 60;  ///< of one contestant, roughly; a slow one sees fewer frames
    std::uint64_t seed = 1;
};

struct BroadResult {
    const BroadEntry* entry = nullptr;
    bool fits = true;  ///< it takes so many bodies
    double insert_ms = 0;
    double update_ms = 0, find_ms = 0, frame_ms = 0;  ///< medians over the frames, and of their sums
    double early_ms = 0, late_ms = 0;                 ///< of the first and the last twentieth of the frames
    std::uint64_t frames = 0;                         ///< timed
    std::uint64_t asked = 0, wrong = 0;               ///< frames, those that are not timed among them
    std::uint64_t most_missing = 0, most_extra = 0;   ///< pairs of a wrong frame, by their number
};

struct BroadRowResult {
    BroadRow row;
    std::uint64_t moved = 0;
    double pairs = 0;     ///< of a frame, on average
    double plain_ms = 0;  ///< the referee's plain grid
    std::vector<BroadResult> results;
};

BroadRowResult measure_broad(const BroadRow& row, const std::vector<BroadEntry>& entries,
                             const BroadEffort& effort);

}  // namespace claybox::bench
