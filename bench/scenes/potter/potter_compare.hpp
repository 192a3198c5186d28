#pragma once
// The rows `still` and `others` of the experiment `potter`.

#include "bench/scenes/potter/potter_report.hpp"

namespace claybox::bench {

collision::Result<StillResult> compare_still(const PotterRow& row, std::uint64_t frames, std::uint64_t seed);
/// Plays the recorded clay to the contestants, which take turns, each until it has spent `seconds`. The first
/// entry is ours.
collision::Result<OthersResult> compare_others(const PotterRow& row,
                                               const std::vector<DeformingEntry>& entries,
                                               const std::vector<SurfaceEntry>& surfaces,
                                               std::uint64_t frames, std::uint64_t seed, double seconds);

}  // namespace claybox::bench
