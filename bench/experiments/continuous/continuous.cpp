// The experiment `continuous`: first contact of moving bodies, by the continuous algorithms of Claybox and of
// other libraries, side by side on the same queries.

#include "bench/experiments/continuous/continuous_rows.hpp"
#include "bench/experiments/experiment.hpp"
#include "bench/experiments/shared/choice.hpp"
#include "bench/experiments/shared/measure.hpp"
#include "bench/experiments/shared/tables.hpp"

#include <cmath>

namespace claybox::bench {

using namespace collision;

const Experiment& describe_continuous();

namespace {

/// What the paper of screw_motion reports, on a Pentium 4 at 2.4 GHz, in microseconds (Buss 2004,
/// section 9.1).
constexpr const char* kPaper =
    "\nFor comparison, the figures of the paper of screw_motion, in microseconds on a Pentium 4 at 2.4 "
    "GHz:\n\n"
    "| bodies | 6 pixels | 12 pixels | 24 pixels |\n|---|---:|---:|---:|\n"
    "| cubes | 56 | 63 | 77 |\n| cars, 16 vertices | 109 | 128 | 170 |\n| tori, 300 faces | 2040 | 2560 | "
    "3480 |\n";

/// One contestant on one row.
struct Played {
    const ContinuousEntry* entry = nullptr;
    std::unique_ptr<ContinuousContestant> contestant;
    std::vector<double> ns;  ///< per query, of each repeat
    double median_ns = 0, worst_time = 0;
    std::uint64_t missed = 0, invented = 0, timed = 0;
};

struct Effort {
    std::size_t queries = 168;
    int repeats = 15;
};

void check_answers(const ContinuousRow& row, Played& played) {
    for (std::size_t i = 0; i < row.queries.size(); ++i) {
        const MovingQuery& q = row.queries[i];
        const MovingAnswer answer = played.contestant->answer(i);
        played.missed += q.hit && !answer.hit ? 1 : 0;
        played.invented += !q.hit && answer.hit ? 1 : 0;
        if (q.hit && answer.hit)
            played.worst_time = std::max(played.worst_time, std::abs(answer.time - q.time));
    }
}

std::vector<Played> play(const ContinuousRow& row, const std::vector<ContinuousEntry>& entries,
                         const Effort& effort) {
    std::vector<Played> out;
    for (const ContinuousEntry& entry : entries) {
        Played played;
        played.entry = &entry;
        played.contestant = entry.make();
        if (!played.contestant->prepare(row.shapes) || !played.contestant->load(row.queries)) continue;
        check_answers(row, played);
        out.push_back(std::move(played));
    }
    // Interleaved, so that a change of the machine's speed affects all alike.
    for (int repeat = 0; repeat < effort.repeats; ++repeat)
        for (Played& played : out) {
            constexpr double kLongPass = 3e8;  // ns: a slow contestant needs no more passes
            if (!played.ns.empty() && played.ns[0] * static_cast<double>(row.queries.size()) > kLongPass)
                continue;
            const double start = now_ns();
            for (std::size_t i = 0; i < row.queries.size(); ++i) played.contestant->answer(i);
            played.ns.push_back((now_ns() - start) / static_cast<double>(row.queries.size()));
            played.timed += row.queries.size();
        }
    for (Played& played : out) played.median_ns = median(played.ns);
    return out;
}

/// Of the libraries that miss no hit.
const Played* fastest_library(const std::vector<Played>& played) {
    const Played* best = nullptr;
    for (const Played& p : played)
        if (!p.entry->ours && p.missed == 0 && (best == nullptr || p.median_ns < best->median_ns)) best = &p;
    return best;
}

std::string table_of(const ContinuousRow& row, const std::vector<Played>& played) {
    std::size_t hits = 0;
    for (const MovingQuery& q : row.queries) hits += q.hit ? 1 : 0;
    std::string out = "\n## " + row.title + "\n\n" + std::to_string(row.queries.size()) + " queries, " +
                      std::to_string(hits) + " with a hit.\n\n";
    out +=
        table_head({"algorithm", "us a query", "times faster than the fastest library without a missed hit",
                    "largest error of time", "hits missed", "hits invented"},
                   1);
    const Played* library = fastest_library(played);
    for (const Played& p : played)
        out += table_row({p.entry->title, format_us(p.median_ns),
                          library == nullptr ? "" : format_number("%.1f", library->median_ns / p.median_ns),
                          format_number("%.1e", p.worst_time), std::to_string(p.missed),
                          std::to_string(p.invented)});
    return out;
}

Result<std::vector<ContinuousEntry>> choose_entries(const std::vector<std::string>& ids) {
    std::vector<ContinuousEntry> all = our_continuous_entries();
    for (const Library& library : continuous_libraries())
        all.insert(all.end(), library.continuous.begin(), library.continuous.end());
    std::vector<std::string> known;
    add_ids(all, known);
    if (const Status checked = check_ids(ids, known, continuous_libraries()); !checked)
        return checked.error();
    return select(ids, std::move(all));
}

void add_measurements(const ContinuousRow& row, const std::vector<Played>& played, ExperimentReport& report) {
    for (const Played& p : played)
        report.measurements.push_back({"continuous/" + row.name + '/' + p.entry->id,
                                       p.median_ns,
                                       p.timed,
                                       {{"asked", static_cast<double>(row.queries.size())},
                                        {"missed", static_cast<double>(p.missed)},
                                        {"invented", static_cast<double>(p.invented)},
                                        {"time_error", p.worst_time}},
                                       spread_of(p.ns)});
}

/// Algorithms without a promise may miss hits; the tables say how many.
void check_ours(const ContinuousRow& row, const std::vector<Played>& played, ExperimentReport& report) {
    constexpr double kMaxTimeError = 2e-3;  // of the tolerance, at slow approaches
    for (const Played& p : played) {
        const ContinuousAlgorithm* algorithm = find_continuous_algorithm(p.entry->id);
        if (algorithm == nullptr || algorithm->promise_otherwise == Promise::approximate ||
            !report.failure.empty())
            continue;
        if (p.missed + p.invented > 0 || p.worst_time > kMaxTimeError)
            report.failure = row.name + ": " + p.entry->id + " has " + std::to_string(p.missed) +
                             " missed and " + std::to_string(p.invented) +
                             " invented hits, and a time error of " + format_number("%.1e", p.worst_time);
    }
}

Result<ExperimentReport> run_continuous_experiment(const ExperimentOptions& options) {
    const auto names = continuous_row_names(options.rows);
    if (!names) return names.error();
    const auto entries = choose_entries(options.algorithms);
    if (!entries) return entries.error();
    Effort effort;
    if (options.quick) effort = {24, 2};
    ExperimentReport report;
    report.context = {{"seed", std::to_string(options.seed)}};
    report.markdown = "# Continuous collision\n" + std::string(build_warning());
    for (const std::string& missing : list_missing(continuous_libraries())) {
        report.context.emplace_back("missing", missing);
        report.markdown += "\nMissing: " + missing + ".\n";
    }
    for (const std::string& name : names.value()) {
        if (options.progress) options.progress("row " + name);
        const ContinuousRow row = make_continuous_row(name, effort.queries, options.seed);
        const std::vector<Played> played = play(row, entries.value(), effort);
        report.markdown += table_of(row, played);
        add_measurements(row, played, report);
        check_ours(row, played, report);
    }
    report.markdown += kPaper;
    return report;
}

}  // namespace

const Experiment& describe_continuous() {
    static const Experiment experiment{
        "continuous", "First contact of moving bodies, compared with Bullet's convex casts and FCL",
        kContinuousRows, run_continuous_experiment};
    return experiment;
}

}  // namespace claybox::bench
