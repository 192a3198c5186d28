#pragma once
// Runs all experiments of the papers and the comparisons with libraries, one file of findings each.

#include "app/bench/findings_json.hpp"
#include "bench/experiments/experiment.hpp"

#include <functional>

namespace claybox::app {

/// One part of the report.
struct PapersSection {
    std::string id, source, title, setup;
    std::function<collision::Result<bench::Findings>(const bench::ExperimentOptions&)> run;
};

/// The rows of the papers, then the comparisons with other libraries.
std::vector<PapersSection> papers_sections();

/// Part i of n of a run that is split into processes, from 1; "1/1" is all.
struct Shard {
    std::size_t index = 1, count = 1;
};
/// Parses "i/n". An error says what was expected.
collision::Result<Shard> parse_shard(const std::string& text);

struct PapersPlan {
    std::filesystem::path folder;  ///< of the findings and the report
    PapersConditions conditions;
    std::vector<std::string> only;  ///< ids of rows; empty: all
    Shard shard;
};

enum class PapersEnd : unsigned char { done, interrupted };

/// Runs the sections of the plan that have no findings with the same conditions in the folder yet, and writes
/// each one's findings when it ends. After a signal it ends with the current section. `options` supplies
/// meshes.
collision::Result<PapersEnd> run_sections(const PapersPlan& plan, const bench::ExperimentOptions& options);

/// The findings in the folder with these conditions, in the order of the sections.
collision::Result<bench::Report> collect_report(const PapersPlan& plan);

}  // namespace claybox::app
