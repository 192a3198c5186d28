// The comparison of all algorithms for convex solids with each other and with the libraries that the
// distribution packages, on identical recorded streams in one run.

#include "bench/experiments/convex_report.hpp"

#include <algorithm>

namespace claybox::bench {

using namespace collision;

const Experiment& describe_convex();

namespace {

/// Largest numbers of steps are compared at this count (Chung and Wang, figure 4(iii)).
constexpr std::uint32_t kVerticesOfLargest = 1000;

Error unknown_algorithm(const std::string& id, const std::vector<Entry>& known) {
    std::string words;
    for (const Entry& entry : known) words += (words.empty() ? "" : ", ") + entry.id;
    for (const Library& library : libraries())
        if (!library.left_out.empty()) words += "; " + library.name + " is left out: " + library.left_out;
    return Error{"--algorithms " + id + ": unknown, expected some of " + words, {}, 0};
}

std::vector<Entry> all_entries() {
    std::vector<Entry> out = our_entries();
    for (const Library& library : libraries())
        out.insert(out.end(), library.entries.begin(), library.entries.end());
    return out;
}

Result<std::vector<Entry>> choose_entries(const std::vector<std::string>& ids) {
    const std::vector<Entry> all = all_entries();
    if (ids.empty()) return all;
    std::vector<Entry> out;
    for (const std::string& id : ids)
        if (std::none_of(all.begin(), all.end(), [&](const Entry& e) { return e.id == id; }))
            return unknown_algorithm(id, all);
    for (const Entry& entry : all)
        if (std::find(ids.begin(), ids.end(), entry.id) != ids.end()) out.push_back(entry);
    return out;
}

ConvexEffort effort_of(const ExperimentOptions& options) {
    ConvexEffort out;
    out.seed = options.seed;
    if (!options.quick) return out;
    out.bodies = 100;
    out.frames = 12;
    out.most_repeats = 3;
    out.fewest_repeats = 2;
    out.seconds = 0.02;
    return out;
}

/// Runs rows one after another with the entries; tells the progress.
Result<std::vector<ConvexRowResult>> run_rows(const std::vector<ConvexRow>& rows,
                                              const std::vector<Entry>& entries, const ConvexEffort& effort,
                                              const ExperimentOptions& options) {
    std::vector<ConvexRowResult> out;
    for (const ConvexRow& row : rows) {
        if (options.progress)
            options.progress("row " + std::to_string(out.size() + 1) + " of " + std::to_string(rows.size()) +
                             ": " + row.name());
        const auto stream = record_row(row, effort);
        if (!stream) return stream.error();
        out.push_back(measure_row(row, stream.value(), entries, effort));
    }
    return out;
}

/// The rows of separating_vector alone, once, when all rows are asked for.
Status run_largest(const ExperimentOptions& options, ConvexRun& run) {
    if (!options.rows.empty()) return Done{};
    for (const Entry& entry : run.entries)
        if (entry.id == "separating_vector") run.largest_entries.push_back(entry);
    if (run.largest_entries.empty()) return Done{};
    const auto rows = convex_rows({"*/" + std::to_string(kVerticesOfLargest) + "/5/10"}, false);
    if (!rows) return rows.error();
    ConvexEffort effort = run.effort;
    effort.fewest_repeats = effort.most_repeats = 1;
    effort.seconds = 60;
    auto results = run_rows(rows.value(), run.largest_entries, effort, options);
    if (!results) return results.error();
    run.largest = std::move(results.value());
    return Done{};
}

Result<ExperimentReport> run_convex(const ExperimentOptions& options) {
    const auto rows = convex_rows(options.rows, options.quick);
    if (!rows) return rows.error();
    auto entries = choose_entries(options.algorithms);
    if (!entries) return entries.error();
    ConvexRun run;
    run.effort = effort_of(options);
    run.entries = std::move(entries.value());
    for (const Library& library : libraries())
        if (!library.left_out.empty()) run.left_out.push_back(library.name + ": " + library.left_out);
    auto results = run_rows(rows.value(), run.entries, run.effort, options);
    if (!results) return results.error();
    run.rows = std::move(results.value());
    if (const Status largest = run_largest(options, run); !largest) return largest.error();
    return report_convex(run);
}

}  // namespace

const Experiment& describe_convex() {
    static const Experiment experiment{"convex",
                                       "Convex algorithms side by side, and against Bullet, FCL and libccd",
                                       kConvexRows, run_convex};
    return experiment;
}

}  // namespace claybox::bench
