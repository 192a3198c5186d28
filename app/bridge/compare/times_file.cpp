#include "app/bridge/compare/times_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <numeric>

namespace claybox::app {
namespace {

using Json = nlohmann::ordered_json;
using Entry = FrameHistory::Entry;

/// The first of the last frames that began within these seconds.
std::size_t first_exported(const FrameHistory& history, double seconds) {
    std::size_t first = history.stored();
    while (first > 0 && history.stored_at(first - 1).time > history.now() - seconds) --first;
    return first;
}

void append_number(double value, std::string& out) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    out.append(buffer, end);
}

std::string column_of(Stage stage) {
    std::string name = stage_title(stage);
    name[0] = static_cast<char>(name[0] - 'A' + 'a');
    return name + "_ms";
}

std::vector<double> values_of(const FrameHistory& history, Series series, std::size_t first) {
    std::vector<double> out;
    for (std::size_t i = first; i < history.stored(); ++i) {
        const Entry& entry = history.stored_at(i);
        if (is_of_pass(series) && !entry.passed) continue;
        out.push_back(value_of(series, entry));
    }
    std::sort(out.begin(), out.end());
    return out;
}

double at_rank(const std::vector<double>& sorted, double share) {
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
}

double mean_of(const std::vector<double>& values) {
    if (values.empty()) return 0;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Json context_of(const RunInfo& info) {
    Json out;
    const std::time_t now = std::time(nullptr);
    char date[32] = "";
    if (const std::tm* utc = std::gmtime(&now))
        std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S+00:00", utc);
    out["date"] = date;
    out["executable"] = "claybox";
#if defined(NDEBUG) && !defined(CLAYBOX_ASSERTIONS)
    out["library_build_type"] = "release";
#else
    out["library_build_type"] = "debug";
#endif
    out["times"] =
        "wall-clock time of frames in a window; cpu_time repeats real_time, because the format "
        "requires both";
    out["scene"] = info.scene;
    out["bodies"] = info.bodies;
    out["pair"] = info.settings.pair_algorithm->id;
    out["broad"] = info.settings.broad_phase->id;
    out["concurrent"] = info.settings.concurrent;
    out["workers"] = info.settings.workers;
    return out;
}

Json run_of(const std::string& name, std::size_t family, double seconds) {
    return {{"name", name},
            {"family_index", family},
            {"per_family_instance_index", 0},
            {"run_name", name},
            {"run_type", "iteration"},
            {"repetitions", 1},
            {"repetition_index", 0},
            {"threads", 1},
            {"iterations", 1},
            {"real_time", seconds * 1e3},
            {"cpu_time", seconds * 1e3},
            {"time_unit", "ms"}};
}

/// The run with the mean of a series, and its aggregates.
void add_series(const FrameHistory& history, Series series, std::size_t first, const std::string& name,
                std::size_t family, Json& out) {
    const std::vector<double> values = values_of(history, series, first);
    if (values.empty()) return;
    Json run = run_of(name, family, mean_of(values));
    run["iterations"] = values.size();
    if (series == Series::pass)
        for (std::size_t i = static_cast<std::size_t>(Series::candidates); i < kSeries; ++i) {
            std::string counter = series_title(static_cast<Series>(i));
            std::replace(counter.begin(), counter.end(), ' ', '_');
            counter[0] = static_cast<char>(counter[0] - 'A' + 'a');
            run[counter] = mean_of(values_of(history, static_cast<Series>(i), first));
        }
    out.push_back(std::move(run));
    struct Aggregate {
        const char* name;
        double share;
    };
    constexpr Aggregate kAggregates[] = {{"median", 0.5}, {"p95", 0.95}, {"p99", 0.99}, {"max", 1}};
    for (const Aggregate& aggregate : kAggregates) {
        Json entry = run_of(name, family, at_rank(values, aggregate.share));
        entry["name"] = name + "_" + aggregate.name;
        entry["run_type"] = "aggregate";
        entry["iterations"] = values.size();
        entry["aggregate_name"] = aggregate.name;
        entry["aggregate_unit"] = "time";
        out.push_back(std::move(entry));
    }
}

}  // namespace

std::string times_csv(const FrameHistory& history, double seconds) {
    std::string out = "time_s,frame_ms";
    for (std::size_t i = 0; i < kStages; ++i) out += "," + column_of(static_cast<Stage>(i));
    out +=
        ",pass,pass_ms,broad_ms,narrow_ms,candidates,tests,colliding,iterations,by_float,by_certificate,"
        "by_exact\n";
    for (std::size_t i = first_exported(history, seconds); i < history.stored(); ++i) {
        const Entry& entry = history.stored_at(i);
        append_number(entry.time - history.now(), out);
        const auto put = [&](double value) {
            out += ',';
            append_number(value, out);
        };
        const auto count = [&](std::uint64_t value) { out += "," + std::to_string(value); };
        put(entry.times.total * 1e3);
        for (const double stage : entry.times.stage) put(stage * 1e3);
        count(entry.counts.pass);
        for (const double value : {entry.times.pass, entry.times.broad, entry.times.narrow}) put(value * 1e3);
        count(entry.counts.candidates);
        count(entry.counts.tests);
        count(entry.counts.colliding);
        count(entry.counts.iterations);
        for (const std::uint64_t rung : entry.counts.rung) count(rung);
        out += '\n';
    }
    return out;
}

std::string times_json(const FrameHistory& history, double seconds, const RunInfo& info) {
    const std::size_t first = first_exported(history, seconds);
    Json benchmarks = Json::array();
    const std::string start =
        info.scene + "/" + info.settings.pair_algorithm->id + "/" + info.settings.broad_phase->id + "/";
    constexpr std::pair<Series, const char*> kExported[] = {{Series::frame, "frame"},
                                                            {Series::work, "work"},
                                                            {Series::pass, "pass"},
                                                            {Series::broad, "broad"},
                                                            {Series::narrow, "narrow"}};
    std::size_t family = 0;
    for (const auto& [series, name] : kExported)
        add_series(history, series, first, start + name, family++, benchmarks);
    return Json{{"context", context_of(info)}, {"benchmarks", std::move(benchmarks)}}.dump(2) + "\n";
}

}  // namespace claybox::app
