#pragma once
// A report about repeated experiments: findings of all rows, as Markdown and as one HTML page.

#include "bench/papers/findings.hpp"

#include <array>

namespace claybox::bench {

struct ReportEntry {
    std::string id, source, title, setup;
    Findings findings;
};

struct Report {
    /// Conditions of the run: processor, compiler, load, seed ...
    std::vector<std::pair<std::string, std::string>> context;
    std::vector<ReportEntry> entries;
    std::vector<std::string> missing;  ///< ids of rows without findings
    std::vector<std::string> slower;   ///< sentences about values that have become worse; see compare()
};

/// Number of claims by judgement.
std::array<std::size_t, kJudgementCount> count_claims(const Report& report);

/// One entry as Markdown, without plots.
std::string entry_markdown(const ReportEntry& entry);
/// The report as a page of the documentation. Refers to plots as `PLOTS/ID-N.svg`, N from 1.
std::string report_markdown(const Report& report, const std::string& plots);
/// The report as one HTML page with its plots; needs no other file.
std::string report_html(const Report& report);

/// Values that are worse than in an earlier report by more than both spreads and 10 %, one sentence each.
std::vector<std::string> compare(const Report& now, const Report& before);

}  // namespace claybox::bench
