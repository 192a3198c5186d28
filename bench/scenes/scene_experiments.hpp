#pragma once
// Experiments that measure whole scenes. `claybox bench` lists them after those of bench/experiments.

#include "bench/experiments/experiment.hpp"

namespace claybox::bench {

std::span<const Experiment* const> scene_experiments();

}  // namespace claybox::bench
