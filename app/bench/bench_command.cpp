#include "app/bench/bench_command.hpp"

#include "app/bench/papers_command.hpp"
#include "app/bench/run_context.hpp"
#include "app/bench/stream_files.hpp"
#include "app/cli/files/mesh_import.hpp"
#include "app/cli/log.hpp"
#include "app/cli/name_lookup.hpp"
#include "app/cli/output.hpp"
#include "bench/experiments/experiment.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/scenes/scene_experiments.hpp"
#include "collision/broadphase/broad_phase.hpp"
#include "collision/pairwise/registry.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/write_file.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace claybox::app {

using namespace collision;
using Json = nlohmann::ordered_json;

namespace {

/// Contestants are ids of pair algorithms, broad phases or libraries, which are all normalised names. A title
/// becomes its id.
std::vector<std::string> contestant_ids(const std::vector<std::string>& names) {
    std::vector<std::string> out;
    for (const std::string& name : names) {
        if (const auto pair = entry_by_name("pair algorithm", name, pair_algorithms()))
            out.emplace_back(pair.value()->id);
        else if (const auto broad = entry_by_name("broad phase", name, broad_phases()))
            out.emplace_back(broad.value()->id);
        else
            out.push_back(normalised_name(name));
    }
    return out;
}

std::vector<const bench::Experiment*> all_experiments() {
    const auto library = bench::experiments(), scenes = bench::scene_experiments();
    std::vector<const bench::Experiment*> out(library.begin(), library.end());
    out.insert(out.end(), scenes.begin(), scenes.end());
    return out;
}

Result<const bench::Experiment*> experiment_by_name(const std::string& name) {
    const std::vector<const bench::Experiment*> experiments = all_experiments();
    std::vector<NamedEntry> entries = named_entries(std::span<const bench::Experiment* const>(experiments));
    if (const auto found = find_name(name, entries)) return experiments[*found];
    for (const bench::PaperRow* row : bench::paper_rows()) entries.push_back({row->id, {}});
    entries.insert(entries.begin(), {{"list", {}}, {"papers", {}}, {"streams", {}}});
    return unknown_name("experiment", name, entries);
}

int list_experiments() {
    for (const bench::Experiment* experiment : all_experiments())
        print(std::string(experiment->id) + "  " + experiment->title + "\n    --rows " + experiment->rows +
              '\n');
    print("papers  All experiments of the papers and the comparisons with libraries, as a report\n");
    for (const bench::PaperRow* row : bench::paper_rows())
        print(std::string("    ") + row->id + "  " + row->title + " (" + row->source + ")\n");
    print("streams  Writes the recorded query streams to files, for other programs\n");
    return finish_output(kExitDone);
}

/// An experiment may run for minutes, so a missing folder is reported before it starts.
Status check_target(const char* option, const std::string& target) {
    if (target.empty() || target == "-") return Done{};
    const std::filesystem::path folder = engine::path_of(target).parent_path();
    std::error_code ignored;
    if (folder.empty() || std::filesystem::is_directory(folder, ignored)) return Done{};
    return Error{std::string(option) + ' ' + target + ": expected an existing folder, found no '" +
                     engine::text_of(folder) + "'",
                 {},
                 0};
}

Json context_of(const bench::ExperimentReport& report) {
    Json out;
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    char date[32] = "";
    if (const std::tm* utc = std::gmtime(&now))
        std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S+00:00", utc);
    out["date"] = date;
    out["executable"] = "claybox bench";
    out["times"] = "medians of wall-clock time; cpu_time repeats real_time, because the format requires both";
    out["spreads"] =
        "interquartile range of the repeats (or frames, or blocks) divided by the median; absent if not "
        "measured";
#if defined(__unix__) || defined(__APPLE__)
    double load[3] = {};
    const int samples = getloadavg(load, 3);
    out["load_avg"] = Json::array();
    for (int i = 0; i < samples; ++i) out["load_avg"].push_back(load[i]);
#endif
#ifdef NDEBUG
    out["library_build_type"] = "release";
#else
    out["library_build_type"] = "debug";
#endif
    for (const auto& [key, text] : report.context) {
        if (!out.contains(key))
            out[key] = text;
        else
            out[key] = out[key].get<std::string>() + "; " + text;
    }
    return out;
}

/// Google Benchmark's format, so that its compare tool reads it.
Json describe(const bench::ExperimentReport& report) {
    Json out{{"context", context_of(report)}, {"benchmarks", Json::array()}};
    std::size_t index = 0;
    for (const bench::Measurement& m : report.measurements) {
        Json entry{{"name", m.name},
                   {"family_index", index++},
                   {"per_family_instance_index", 0},
                   {"run_name", m.name},
                   {"run_type", "iteration"},
                   {"repetitions", 1},
                   {"repetition_index", 0},
                   {"threads", 1},
                   {"iterations", m.queries},
                   {"real_time", m.ns},
                   {"cpu_time", m.ns},
                   {"time_unit", "ns"}};
        if (m.spread > 0) entry["spread"] = m.spread;
        for (const auto& [name, value] : m.counters) entry[name] = value;
        out["benchmarks"].push_back(std::move(entry));
    }
    return out;
}

/// One line about the conditions of the run.
std::string conditions() {
    std::string list;
    for (const auto& [name, value] : run_context()) {
        if (!list.empty()) list += ", ";
        list.append(name).append(" ").append(value);
    }
    return "\nConditions: " + list + ".\n";
}

Status write_markdown(const std::string& target, const std::string& text) {
    if (target == "-") {
        print(text);
        return Done{};
    }
    std::string problem;
    if (!engine::write_file_atomically(engine::path_of(target), text, problem)) return Error{problem, {}, 0};
    return Done{};
}

Status check(const BenchArguments& a) {
    if (a.json == "-" && a.markdown == "-")
        return Error{
            "--json - and --markdown - both write to standard output, expected a file for one", {}, 0};
    if (const Status json = check_target("--json", a.json); !json) return json;
    return check_target("--markdown", a.markdown);
}

/// The folder of --meshes or CLAYBOX_TRUTH_DIR; empty without either.
std::filesystem::path folder_of_meshes(const BenchArguments& a) {
    if (!a.meshes.empty()) return engine::path_of(a.meshes);
    const std::filesystem::path truth = engine::path_in_variable("CLAYBOX_TRUTH_DIR");
    if (truth.empty()) return {};
    const std::filesystem::path folder = truth / "meshes";
    std::error_code ignored;
    return std::filesystem::is_directory(folder, ignored) ? folder : std::filesystem::path{};
}

/// Reads every mesh file of the folder, sorted by name. Skips triangulated copies ("name.tri.obj").
Result<std::vector<ShapePtr>> load_meshes(const std::filesystem::path& folder) {
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
        const std::string ending = engine::text_of(file.path().extension());
        const bool mesh = ending == ".obj" || ending == ".off" || ending == ".ply" || ending == ".stl";
        if (mesh && file.path().stem().extension().empty()) files.push_back(file.path());
    }
    if (error)
        return Error{"--meshes " + engine::text_of(folder) + ": expected a folder of mesh files", {}, 0};
    std::sort(files.begin(), files.end());
    std::vector<ShapePtr> out;
    for (const std::filesystem::path& file : files) {
        const auto polygons = import_polygons(file);
        if (!polygons) return polygons.error();
        auto shape = Shape::from_polygons(polygons.value(), engine::text_of(file.stem()));
        if (!shape) return shape.error();
        out.push_back(std::move(shape.value()));
    }
    return out;
}

Status write_report(const BenchArguments& a, const bench::ExperimentReport& report) {
    if (!a.json.empty()) {
        if (const Status written = write_json(engine::path_of(a.json), describe(report)); !written)
            return written;
    }
    if (!a.markdown.empty() || a.json.empty())
        return write_markdown(a.markdown.empty() ? "-" : a.markdown, report.markdown + conditions());
    return Done{};
}

bench::ExperimentOptions options_of(const BenchArguments& a) {
    bench::ExperimentOptions out{a.quick, a.rows, contestant_ids(a.algorithms), a.seed, {}, {}};
    if (const std::filesystem::path folder = folder_of_meshes(a); !folder.empty())
        out.load_meshes = [folder] { return load_meshes(folder); };
    out.minutes = a.minutes;
    out.progress = [](const std::string& text) { log(LogLevel::info, text); };
    return out;
}

}  // namespace

int bench_command(const BenchArguments& arguments) {
    if (arguments.name.empty() || normalised_name(arguments.name) == "list") {
        const bool bare = arguments.json.empty() && arguments.markdown.empty() && arguments.rows.empty() &&
                          arguments.algorithms.empty() && arguments.meshes.empty() && !arguments.quick;
        return bare ? list_experiments() : report_error("bench list: expected no switches");
    }
    if (const Status checked = check(arguments); !checked) return report_error(checked.error());
    const bench::ExperimentOptions options = options_of(arguments);
    const std::string name = normalised_name(arguments.name);
    if (name == "papers") return papers_command(arguments, options);
    if (name == "streams") return streams_command(arguments);
    if (!arguments.out.empty() || !arguments.shard.empty() || !arguments.compare.empty())
        return report_error("bench " + arguments.name +
                            ": expected --out, --shard and --compare with 'papers' or 'streams' only");
    if (bench::find_paper_row(arguments.name) != nullptr) return paper_row_command(arguments, options);
    const auto experiment = experiment_by_name(arguments.name);
    if (!experiment) return report_error(experiment.error());
    const auto report = experiment.value()->run(options);
    if (!report) return report_error(report.error());
    if (const Status written = write_report(arguments, report.value()); !written)
        return report_error(written.error());
    if (report.value().failure.empty()) return finish_output(kExitDone);
    report_error(report.value().failure);
    return finish_output(kExitCheckFailed);
}

}  // namespace claybox::app
