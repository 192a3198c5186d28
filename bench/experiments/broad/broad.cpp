// The experiment `broad`: compares all broad phases with each other and with other libraries on boxes in a
// cage. All boxes move, or 1 % of them.

#include "bench/experiments/broad/broad_report.hpp"
#include "bench/experiments/shared/choice.hpp"

namespace claybox::bench {

using namespace collision;

const Experiment& describe_broad();

namespace {

BroadEffort effort_of(const ExperimentOptions& options) {
    BroadEffort out;
    out.seed = options.seed;
    if (!options.quick) return out;
    out.frames = 12;
    out.long_frames = 60;
    out.block = 4;
    out.seconds = out.long_seconds = 0.5;
    return out;
}

Status choose(const ExperimentOptions& options, BroadRun& run) {
    run.entries = our_broad_entries();
    for (const Library& library : broad_libraries())
        run.entries.insert(run.entries.end(), library.broad.begin(), library.broad.end());
    std::vector<std::string> known;
    add_ids(run.entries, known);
    run.entries = select(options.algorithms, std::move(run.entries));
    run.missing_libraries = list_missing(broad_libraries());
    return check_ids(options.algorithms, known, broad_libraries());
}

Result<ExperimentReport> run_broad(const ExperimentOptions& options) {
    BroadRun run;
    run.effort = effort_of(options);
    const auto rows = broad_rows(options.rows, options.quick);
    if (!rows) return rows.error();
    if (const Status good = choose(options, run); !good) return good.error();
    std::size_t number = 0;
    for (const BroadRow& row : rows.value()) {
        if (options.progress)
            options.progress("row " + std::to_string(++number) + " of " +
                             std::to_string(rows.value().size()) + ": " + row.name());
        run.rows.push_back(measure_broad(row, run.entries, run.effort));
    }
    return report_broad(run);
}

}  // namespace

const Experiment& describe_broad() {
    static const Experiment experiment{
        "broad", "Broad phases, compared with each other and with Bullet, FCL, ODE and CGAL", kBroadRows,
        run_broad};
    return experiment;
}

}  // namespace claybox::bench
