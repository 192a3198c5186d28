#pragma once
// The parts of `claybox bench concurrent`.

#include "bench/experiments/experiment.hpp"

namespace claybox::bench {

/// Z-6.4-conc: duration of World::move and other calls of the producer while passes run.
void measure_latency(const ExperimentOptions& options, ExperimentReport& report);
/// Frame times of a loop with 8 ms of work of its own: without collisions, serial, and concurrent.
void measure_frames(const ExperimentOptions& options, ExperimentReport& report);
/// Z-7.4-swap: passes over 100 bodies that the application and callbacks move. Every event is checked against
/// the poses of its frames.
void check_lost(const ExperimentOptions& options, ExperimentReport& report);

}  // namespace claybox::bench
