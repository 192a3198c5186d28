#include "bench/scenes/scene_experiments.hpp"

#include "bench/scenes/potter/potter.hpp"

namespace claybox::bench {

std::span<const Experiment* const> scene_experiments() {
    static const Experiment* const table[] = {&potter_experiment()};
    return table;
}

}  // namespace claybox::bench
