// The experiment `convex`: compares all algorithms for convex solids with each other and with other
// libraries, on identical recorded streams in one run.

#include "bench/experiments/convex/convex_report.hpp"
#include "bench/experiments/shared/choice.hpp"

namespace claybox::bench {

using namespace collision;

const Experiment& describe_convex();

namespace {

/// Number of vertices at which the largest step counts are measured (Chung and Wang, figure 4(iii)).
constexpr std::uint32_t kLargestStepVertices = 1000;

Result<std::vector<Entry>> choose_entries(const std::vector<std::string>& ids) {
    std::vector<Entry> all = our_entries();
    for (const Library& library : convex_libraries())
        all.insert(all.end(), library.entries.begin(), library.entries.end());
    std::vector<std::string> known;
    add_ids(all, known);
    if (const Status checked = check_ids(ids, known, convex_libraries()); !checked) return checked.error();
    return select(ids, std::move(all));
}

ConvexEffort effort_of(const ExperimentOptions& options) {
    ConvexEffort out;
    out.seed = options.seed;
    if (!options.quick) return out;
    out.bodies = 100;
    out.frames = 12;
    out.max_repeats = 3;
    out.min_repeats = 2;
    out.seconds = 0.02;
    return out;
}

/// Measures the entries on all rows and reports progress.
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

/// Measures the largest step counts of separating_vector, in one repeat. Only in runs of all rows.
Status run_largest(const ExperimentOptions& options, ConvexRun& run) {
    if (!options.rows.empty()) return Done{};
    for (const Entry& entry : run.entries)
        if (entry.id == "separating_vector") run.largest_entries.push_back(entry);
    if (run.largest_entries.empty()) return Done{};
    const auto rows = convex_rows({"*/" + std::to_string(kLargestStepVertices) + "/5/10"}, false);
    if (!rows) return rows.error();
    ConvexEffort effort = run.effort;
    effort.min_repeats = effort.max_repeats = 1;
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
    run.missing_libraries = list_missing(convex_libraries());
    auto results = run_rows(rows.value(), run.entries, run.effort, options);
    if (!results) return results.error();
    run.rows = std::move(results.value());
    if (const Status largest = run_largest(options, run); !largest) return largest.error();
    return report_convex(run);
}

}  // namespace

const Experiment& describe_convex() {
    static const Experiment experiment{
        "convex", "Convex algorithms, compared with each other and with Bullet, FCL and libccd", kConvexRows,
        run_convex};
    return experiment;
}

}  // namespace claybox::bench
