#pragma once
// The experiments of the papers, by the ids of the checklist. Each one has a line in list.def.

#include "bench/experiments/experiment.hpp"
#include "bench/papers/findings.hpp"

namespace claybox::bench {

struct PaperRow {
    const char* id;      ///< of the checklist: "CW-X1"
    const char* source;  ///< paper and place: "Chung and Wang 1996, figure 4(i)"
    const char* title;
    const char* setup;  ///< what is done, and where it departs from the paper
    /// Uses `quick`, `seed` and `progress` of the options only.
    collision::Result<Findings> (*run)(const ExperimentOptions& options);
};

/// In the order of list.def.
std::span<const PaperRow* const> paper_rows();
/// Null if no row has this id. Case, '-', '_' and '.' do not matter.
const PaperRow* find_paper_row(std::string_view id);

}  // namespace claybox::bench
