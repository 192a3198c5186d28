// What holds for every experiment.

#include "bench/experiments/experiment.hpp"

#include <gtest/gtest.h>

namespace claybox::bench {
namespace {

TEST(Experiments, all_refuse_rows_and_contestants_that_they_do_not_know) {
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
