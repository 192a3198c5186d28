#pragma once
// The parts of `claybox bench concurrent`.

#include "bench/experiments/experiment.hpp"

namespace claybox::bench {

/// Z-6.4-conc: how long the producer is kept when it enters a moved body, while passes run.
void measure_latency(const ExperimentOptions& options, ExperimentReport& report);
/// Frame times of a loop with 8 ms of work of its own, without collisions, serial and concurrent.
void measure_frames(const ExperimentOptions& options, ExperimentReport& report);
/// Z-7.4-swap: passes over 100 movers whose callbacks move them too; every event is checked with the poses
/// of the frames that it bears.
void check_lost(const ExperimentOptions& options, ExperimentReport& report);

}  // namespace claybox::bench
