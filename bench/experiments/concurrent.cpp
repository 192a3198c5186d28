// The concurrent loop beside its application: what entering a body costs the producer, what a loop that draws
// notices of collision work, and whether any body is lost. Latencies and frame times need a free core beside
// the one of the loop; the tables say what the clock alone would show.

#include "bench/experiments/concurrent_report.hpp"
#include "bench/experiments/tables.hpp"

#include <algorithm>

namespace claybox::bench {

using namespace collision;

const Experiment& describe_concurrent();

namespace {

struct Part {
    const char* row;
    void (*run)(const ExperimentOptions&, ExperimentReport&);
};
constexpr Part kParts[] = {{"latency", measure_latency}, {"frames", measure_frames}, {"lost", check_lost}};

Result<ExperimentReport> run_concurrent(const ExperimentOptions& options) {
    for (const std::string& row : options.rows)
        if (std::none_of(std::begin(kParts), std::end(kParts), [&](const Part& p) { return p.row == row; }))
            return Error{"--rows " + row + ": expected some of latency, frames, lost", {}, 0};
    if (!options.algorithms.empty())
        return Error{"--algorithms " + options.algorithms[0] + ": this experiment has no contestants", {}, 0};
    ExperimentReport report;
    for (const Part& part : kParts) {
        const bool wanted = options.rows.empty() || std::find(options.rows.begin(), options.rows.end(),
                                                              part.row) != options.rows.end();
        if (!wanted) continue;
        if (options.progress) options.progress(std::string("row ") + part.row);
        part.run(options, report);
    }
    report.markdown += warning_of_build();
    return report;
}

}  // namespace

const Experiment& describe_concurrent() {
    static const Experiment experiment{
        "concurrent", "The concurrent loop: what the producer notices, and that nothing is lost",
        "latency, frames or lost", run_concurrent};
    return experiment;
}

}  // namespace claybox::bench
