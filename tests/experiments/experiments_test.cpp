// Properties of all experiments.

#include "bench/experiments/experiment.hpp"

#include <gtest/gtest.h>

namespace claybox::bench {
namespace {

TEST(Experiments, unknown_rows_and_contestants_are_errors) {
    for (const Experiment* experiment : experiments()) {
        ExperimentOptions options;
        options.quick = true;
        options.rows = {"kettle"};
        EXPECT_FALSE(experiment->run(options).ok()) << experiment->id;
        options.rows = {};
        options.algorithms = {"kettle"};
        EXPECT_FALSE(experiment->run(options).ok()) << experiment->id;
    }
}

}  // namespace
}  // namespace claybox::bench
