#include "bench/experiments/experiment.hpp"

namespace claybox::bench {

#define EXPERIMENT(id) const Experiment& describe_##id();
#include "bench/experiments/list.def"
#undef EXPERIMENT

std::span<const Experiment* const> experiments() {
    static const Experiment* const table[] = {
#define EXPERIMENT(id) &describe_##id(),
#include "bench/experiments/list.def"
#undef EXPERIMENT
    };
    return table;
}

const Experiment* find_experiment(std::string_view id) {
    for (const Experiment* experiment : experiments())
        if (id == experiment->id) return experiment;
    return nullptr;
}

}  // namespace claybox::bench
