#pragma once
// The experiment `potter`: what a frame costs while a hand shapes clay.

#include "bench/experiments/experiment.hpp"

namespace claybox::bench {

const Experiment& potter_experiment();

}  // namespace claybox::bench
