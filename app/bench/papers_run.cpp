#include "app/bench/papers_run.hpp"

#include "app/bench/run_context.hpp"
#include "app/cli/log.hpp"
#include "app/cli/name_lookup.hpp"
#include "app/cli/output.hpp"
#include "app/session/interrupt.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/papers/shared/from_experiment.hpp"
#include "bench/scenes/scene_experiments.hpp"
#include "engine/files/path_text.hpp"

#include <algorithm>
#include <chrono>
#include <map>

namespace claybox::app {

using namespace collision;

namespace {

/// Answers that differ from the exact ones, by contestant.
bench::FindingsTable wrong_answers(const std::vector<bench::Measurement>& measurements) {
    constexpr const char* kCounters[] = {"wrong", "undecided", "missed", "invented"};
    std::map<std::string, std::map<std::string, double>> sums;
    std::map<std::string, double> answered;
    for (const bench::Measurement& m : measurements) {
        const std::string contestant = m.name.substr(m.name.rfind('/') + 1);
        for (const auto& [name, value] : m.counters) {
            if (std::find(std::begin(kCounters), std::end(kCounters), name) != std::end(kCounters))
                sums[contestant][name] += value;
            if (name == "asked") answered[contestant] += value;
        }
    }
    bench::FindingsTable out{"Answers that differ from exact arithmetic, all rows",
                             1,
                             {"contestant", "answers", "wrong", "undecided", "missed", "invented"},
                             {}};
    for (const auto& [contestant, counters] : sums) {
        std::vector<std::string> cells{contestant,
                                       answered.contains(contestant)
                                           ? std::to_string(static_cast<std::uint64_t>(answered[contestant]))
                                           : ""};
        for (const char* counter : kCounters)
            cells.push_back(counters.contains(counter)
                                ? std::to_string(static_cast<std::uint64_t>(counters.at(counter)))
                                : "");
        out.rows.push_back(std::move(cells));
    }
    return out;
}

Result<bench::Findings> compare_libraries(const bench::Experiment& experiment,
                                          const bench::ExperimentOptions& options) {
    const auto report = experiment.run(options);
    if (!report) return report.error();
    bench::Findings out;
    if (bench::FindingsTable wrong = wrong_answers(report.value().measurements); !wrong.rows.empty())
        out.tables.push_back(std::move(wrong));
    for (bench::FindingsTable& table : bench::tables_of(report.value().markdown))
        out.tables.push_back(std::move(table));
    for (const bench::Measurement& m : report.value().measurements)
        if (m.ns > 0) out.values.push_back({m.name, m.ns, "ns", m.spread});
    for (const auto& [name, text] : report.value().context)
        out.notes.push_back(std::string(name).append(": ").append(text).append("."));
    out.failure = report.value().failure;
    return out;
}

struct Comparison {
    const char *id, *title, *setup;
};
constexpr Comparison kComparisons[] = {
    {"convex", "Convex bodies: Claybox, Bullet, FCL and libccd",
     "All contestants answer yes or no to the same recorded queries. Claybox's answers are exact, with a "
     "proof; "
     "those of the libraries are floating point."},
    {"mesh", "Meshes: Claybox, FCL, Bullet, CGAL, ODE and Embree",
     "All contestants answer whether two surfaces intersect, on the same recorded queries."},
    {"broad", "Broad phases: Claybox, Bullet, FCL, ODE and CGAL",
     "All contestants report the pairs of overlapping boxes of the same moving bodies. Their pairs are "
     "compared "
     "with those of a plain grid."},
    {"continuous", "Continuous collision: Claybox, Bullet and FCL",
     "All contestants find the first time of contact of the same motions. The referee is a slow conservative "
     "advancement. Claybox returns time, place, normal and features; FCL and Bullet return the time and a "
     "transform."},
    {"potter", "A hand in clay: Claybox, FCL, Bullet and Embree",
     "The stages of a frame while a hand shapes clay; the libraries update their trees and find the touched "
     "polygons of the same clay."},
    {"concurrent", "The cost of concurrent mode for the application",
     "Frame times with and without collision "
     "detection; no event may be lost."}};

const bench::Experiment* experiment_of(std::string_view id) {
    for (const bench::Experiment* experiment : bench::scene_experiments())
        if (id == experiment->id) return experiment;
    return bench::find_experiment(id);
}

std::filesystem::path file_of(const PapersPlan& plan, const std::string& id) {
    return plan.folder / (id + ".json");
}

/// The stored findings of a section, if they have the plan's conditions.
std::optional<StoredEntry> stored_for(const PapersPlan& plan, const std::string& id) {
    auto stored = read_stored_entry(file_of(plan, id));
    if (!stored || stored.value().entry.id != id || stored.value().conditions != plan.conditions)
        return std::nullopt;
    return std::move(stored.value());
}

/// The sections of the plan's rows and shard.
std::vector<PapersSection> chosen(const PapersPlan& plan) {
    std::vector<PapersSection> out;
    std::size_t number = 0;
    for (PapersSection& section : papers_sections()) {
        const auto wanted = [&](const std::string& name) {
            return normalised_name(name) == normalised_name(section.id);
        };
        if (!plan.only.empty() && std::none_of(plan.only.begin(), plan.only.end(), wanted)) continue;
        if (number++ % plan.shard.count + 1 == plan.shard.index) out.push_back(std::move(section));
    }
    return out;
}

/// "[######----] 12 of 50, CW-X5, about 3 min left".
std::string progress_text(std::size_t done, std::size_t all, const std::string& id, double seconds) {
    constexpr std::size_t kCells = 24;
    const std::size_t full = kCells * done / all;
    std::string out = "[" + std::string(full, '#') + std::string(kCells - full, '-') + "] " +
                      std::to_string(done) + " of " + std::to_string(all) + ", " + id;
    if (done == 0) return out;
    const double left = seconds / static_cast<double>(done) * static_cast<double>(all - done);
    return out + ", about " +
           (left < 90 ? std::to_string(static_cast<int>(left + 0.5)) + " s"
                      : std::to_string(static_cast<int>(left / 60 + 0.5)) + " min") +
           " left";
}

Result<StoredEntry> run_section(const PapersPlan& plan, const PapersSection& section,
                                bench::ExperimentOptions options) {
    const auto start = std::chrono::steady_clock::now();
    options.quick = plan.conditions.quick;
    options.seed = plan.conditions.seed;
    options.rows.clear();
    options.algorithms.clear();
    options.progress = [&](const std::string& text) { log(LogLevel::info, section.id + ": " + text); };
    auto findings = section.run(options);
    if (!findings) return Error{section.id + ": " + findings.error().text(), {}, 0};
    if (const Status finite = check_numbers(findings.value()); !finite)
        return Error{section.id + ": " + finite.error().text(), {}, 0};
    StoredEntry out;
    out.entry = {section.id, section.source, section.title, section.setup, std::move(findings.value())};
    out.conditions = plan.conditions;
    out.context = run_context();
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
}

}  // namespace

std::vector<PapersSection> papers_sections() {
    std::vector<PapersSection> out;
    for (const bench::PaperRow* row : bench::paper_rows())
        out.push_back({row->id, row->source, row->title, row->setup, row->run});
    for (const Comparison& comparison : kComparisons) {
        const bench::Experiment* const experiment = experiment_of(comparison.id);
        out.push_back(
            {comparison.id, "Comparison with other libraries, claybox bench " + std::string(comparison.id),
             comparison.title, comparison.setup, [experiment](const bench::ExperimentOptions& options) {
                 return compare_libraries(*experiment, options);
             }});
    }
    return out;
}

Result<Shard> parse_shard(const std::string& text) {
    Shard out;
    char rest = 0;
    unsigned long index = 0, count = 0;
    const bool read = std::sscanf(text.c_str(), "%9lu/%9lu%c", &index, &count, &rest) == 2;
    if (!read || index < 1 || index > count || count > 10000)
        return Error{"--shard " + text + ": expected i/n with i from 1 to n, for example 2/8", {}, 0};
    out.index = index;
    out.count = count;
    return out;
}

Result<PapersEnd> run_sections(const PapersPlan& plan, const bench::ExperimentOptions& options) {
    const Interrupt interrupt;
    std::vector<PapersSection> open = chosen(plan);
    std::erase_if(open, [&](const PapersSection& s) { return stored_for(plan, s.id).has_value(); });
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < open.size(); ++i) {
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        print_problem(progress_text(i, open.size(), open[i].id, seconds));
        const auto stored = run_section(plan, open[i], options);
        if (!stored) return stored.error();
        if (const Status written = write_json(file_of(plan, open[i].id), to_json(stored.value())); !written)
            return written.error();
        if (Interrupt::requested()) return PapersEnd::interrupted;
    }
    return PapersEnd::done;
}

Result<bench::Report> collect_report(const PapersPlan& plan) {
    bench::Report out;
    double seconds = 0;
    for (const PapersSection& section : papers_sections()) {
        auto stored = stored_for(plan, section.id);
        if (!stored) {
            out.missing.push_back(section.id);
            continue;
        }
        seconds += stored->seconds;
        if (out.context.empty()) out.context = stored->context;
        out.entries.push_back(std::move(stored->entry));
    }
    if (out.entries.empty())
        return Error{
            "the folder " + engine::text_of(plan.folder) + " has no findings with these conditions", {}, 0};
    char text[64];
    std::snprintf(text, sizeof text, "%.1f minutes", seconds / 60);
    out.context.emplace_back("duration", text);
    out.context.emplace_back("seed", std::to_string(plan.conditions.seed));
    if (plan.conditions.quick) out.context.emplace_back("warning", "quick run: its times are not usable");
    if (!plan.conditions.release)
        out.context.emplace_back("warning", "not a release build: its times are not usable");
    return out;
}

}  // namespace claybox::app
