#pragma once
// What `claybox bench` can run: one file and one line in list.def each.

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
    bool quick = false;                   ///< little of everything: for tests, not for figures
    std::vector<std::string> rows;        ///< which of its rows; empty: its own choice
    std::vector<std::string> algorithms;  ///< which contestants; empty: all
    std::uint64_t seed = 1;
    /// Meshes of files, named after them, for comparisons that ask about real ones; empty when there are
    /// none.
    std::function<collision::Result<std::vector<collision::ShapePtr>>()> load_meshes;
    /// Is told what is done next, for people who wait; may be empty.
    std::function<void(const std::string&)> progress;
    double minutes = 0;  ///< how long an experiment that has no end of its own goes on; 0: its own choice
};

/// One line of the result: `experiment/row/algorithm`.
struct Measurement {
    std::string name;
    double ns = 0;              ///< per query
    std::uint64_t queries = 0;  ///< timed, all repeats together
    std::vector<std::pair<std::string, double>> counters;
};

struct ExperimentReport {
    std::vector<Measurement> measurements;
    std::vector<std::pair<std::string, std::string>> context;  ///< what a reader must know
    std::string markdown;                                      ///< tables and a summary
    std::string failure;  ///< what is wrong with an answer of ours; empty when nothing is
};

struct Experiment {
    const char* id;
    const char* title;
    const char* rows;  ///< how a row is named, for --help and errors
    /// Fails for rows and algorithms that it does not know.
    collision::Result<ExperimentReport> (*run)(const ExperimentOptions& options);
};

/// In the order of list.def.
std::span<const Experiment* const> experiments();
/// Null when there is none of that id.
const Experiment* find_experiment(std::string_view id);

}  // namespace claybox::bench
