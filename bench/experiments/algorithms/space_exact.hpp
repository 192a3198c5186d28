#pragma once

#include "bench/experiments/experiment.hpp"

namespace claybox::bench {

/// Z-5.5.2-X3 to X5: broad phase and pair tests together, in a world.
void measure_space_exact(const ExperimentOptions& options, ExperimentReport& report);

}  // namespace claybox::bench
