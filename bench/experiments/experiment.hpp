#pragma once
// Experiments that `claybox bench` runs. Each one has a line in list.def.

#include "collision/core/result.hpp"
#include "collision/geometry/shape.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace claybox::bench {

struct ExperimentOptions {
    bool quick = false;                   ///< a small run for tests; its times are not usable
    std::vector<std::string> rows;        ///< rows to run; empty: the default rows
    std::vector<std::string> algorithms;  ///< contestants to run; empty: all
    std::uint64_t seed = 1;
    /// Loads mesh files, for comparisons with real meshes; each mesh has the name of its file. May be empty.
    std::function<collision::Result<std::vector<collision::ShapePtr>>()> load_meshes;
    /// Receives progress messages. May be empty.
    std::function<void(const std::string&)> progress;
    double minutes = 0;  ///< duration of an experiment without an end of its own; 0: its default
};

/// One line of the result: `experiment/row/algorithm`.
struct Measurement {
    std::string name;
    double ns = 0;              ///< per query
    std::uint64_t queries = 0;  ///< timed, sum over all repeats
    std::vector<std::pair<std::string, double>> counters;
    double spread = 0;  ///< interquartile range of the repeats divided by their median; 0: not measured
};

struct ExperimentReport {
    std::vector<Measurement> measurements;
    std::vector<std::pair<std::string, std::string>>
        context;           ///< conditions of the run: seed, missing libraries, ...
    std::string markdown;  ///< tables and a summary
    std::string failure;   ///< first wrong answer of Claybox; empty if none
};

struct Experiment {
    const char* id;
    const char* title;
    const char* rows;  ///< names of rows, for --help and errors
    /// An unknown row or algorithm is an error.
    collision::Result<ExperimentReport> (*run)(const ExperimentOptions& options);
};

/// In the order of list.def.
std::span<const Experiment* const> experiments();
/// Null if no experiment has this id.
const Experiment* find_experiment(std::string_view id);

}  // namespace claybox::bench
