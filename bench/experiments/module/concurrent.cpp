// The experiment `concurrent`: cost of the concurrent mode for the producer, effect of passes on the frame
// times of the application, and a check that no body is lost. Latencies and frame times need a free core in
// addition to the core of the application; the tables also show the clock alone.

#include "bench/experiments/module/concurrent_report.hpp"
#include "bench/experiments/shared/tables.hpp"

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
            return Error{"--rows " + row + ": expected one or more of latency, frames, lost", {}, 0};
    if (!options.algorithms.empty())
        return Error{"--algorithms " + options.algorithms[0] +
                         ": this experiment has no contestants, expected no --algorithms",
                     {},
                     0};
    ExperimentReport report;
    for (const Part& part : kParts) {
        const bool wanted = options.rows.empty() || std::find(options.rows.begin(), options.rows.end(),
                                                              part.row) != options.rows.end();
        if (!wanted) continue;
        if (options.progress) options.progress(std::string("row ") + part.row);
        part.run(options, report);
    }
    report.markdown += build_warning();
    return report;
}

}  // namespace

const Experiment& describe_concurrent() {
    static const Experiment experiment{
        "concurrent", "Concurrent mode: cost for the application, and a check that nothing is lost",
        "latency, frames or lost", run_concurrent};
    return experiment;
}

}  // namespace claybox::bench
