#include "app/cli/cli.hpp"
#include "app/cli/log.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommands.hpp"
#include "collision/version.hpp"

#include <CLI/CLI.hpp>

namespace claybox::app {

namespace {

const char* const kUsage =
    "Claybox: watch moving polytopes collide, dent a pot with a virtual hand, press virtual buttons.";

struct Arguments {
    Switches switches;
    std::string replay_file;
    QueryArguments query;
    InspectArguments inspect;
    ListArguments list;
    BenchArguments bench;
    std::string log_level = "warning";
};

/// The library would read -1 as the largest number.
const CLI::Validator kWhole(
    [](const std::string& text) {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        return digits ? std::string() : "'" + text + "' is not a whole number from 0";
    },
    "", "whole");

CLI::Option* add_assignments(CLI::App& app, std::vector<std::string>& target) {
    return app.add_option("--set", target, "Set a parameter, name=value; may be repeated")
        ->allow_extra_args(false);
}

void add_switches(CLI::App& app, Switches& s, bool windowed) {
    app.add_option("--scene", s.scene, "Scene; 'claybox list scene' shows them");
    app.add_option("--frames", s.frames, "End after so many frames (headless: 300 when not given)")
        ->check(kWhole);
    app.add_option("--seed", s.seed, "Seed of everything random")->check(kWhole);
    add_assignments(app, s.assignments);
    app.add_option("--pair", s.pair, "Pair algorithm; 'claybox list pair' shows them");
    app.add_option("--broad", s.broad, "Broad phase; 'claybox list broad' shows them");
    app.add_option("--parallel", s.parallel,
                   "Parallel mode: serial, or some of pairs, halves, dual, three, fine joined by '+'");
    app.add_option("--workers", s.workers,
                   "Workers of the parallel mode, 1 to 64 (1 when not given, which shares nothing)")
        ->check(kWhole);
    app.add_flag("--concurrent", s.concurrent, "Run passes on a thread of the module's own");
    app.add_option("--exactness", s.exactness, "exact or fast");
    app.add_flag("--solid", s.solid, "A body inside another collides, whatever the algorithm decides");
    app.add_option("--screenshot", s.screenshot, "Write a PNG after the last frame");
    app.add_option("--record", s.record, "Write a recording for 'claybox replay'");
    app.add_option("--size", s.size, "Size of window and screenshot in pixels, like 1600x900");
    if (!windowed) return;
    app.add_option("--mesh", s.meshes,
                   "OBJ, STL, PLY or OFF file whose mesh flies in the cage; may be repeated")
        ->allow_extra_args(false);
    app.add_option("--ui-scale", s.ui_scale, "Scale of the panels, 0.5 to 3");
    app.add_flag("--xr", s.xr, "Use a headset when there is one");
    app.add_option("--devices", s.devices,
                   "Map of logical devices for this run, one 'class name = source' a line; 'claybox list "
                   "device' shows both");
    CLI::Option* osc =
        app.add_option("--osc", s.osc,
                       "Receive OSC and VMC over UDP at this port, from this machine only; 0 for a free one")
            ->check(CLI::Range(0, 65535));
    app.add_flag("--osc-any", s.osc_any, "Receive them from other machines, too")->needs(osc);
    app.add_option("--track", s.track, "Play a track of recorded devices");
    app.add_option("--record-track", s.record_track, "Write what every logical device says as a track");
    app.add_flag("--no-hint", s.no_hint, "Leave out the hint at the first start");
    app.add_option("--report", s.report, "Write labels, rectangles and state as JSON every second");
}

void add_checks(CLI::App& app, Switches& s) {
    app.add_flag(
        "--headless", s.headless,
        "No window and no graphics; what a scene asks of a window (another scene, pause, one step) is "
        "reported and left out");
    CLI::Option* hash = app.add_flag("--hash", s.hash, "Print 'hash' and 16 hex digits as the last line");
    app.add_option("--json", s.json, "Write the figures as JSON to a file, or to standard output with -")
        ->excludes(hash);
}

void add_query(CLI::App& app, QueryArguments& q) {
    app.add_option("file", q.file, "File with one JSON query a line, or - for standard input")->required();
    app.add_option("--pair", q.pair,
                   "Pair algorithm, or 'all' for every one that fits; else the first that fits");
    app.add_option("--exactness", q.exactness, "exact or fast");
    app.add_flag("--solid", q.solid,
                 "Surface algorithms too answer about solids: one inside the other collides");
    add_assignments(app, q.assignments);
    app.add_option("--seed", q.seed, "Seed of random algorithms")->check(kWhole);
    app.add_option("--repeat", q.repeat,
                   "Ask each query so often and give the median time in ns, from a cold cache")
        ->check(kWhole);
}

void add_bench(CLI::App& app, BenchArguments& b) {
    app.add_option("name", b.name, "Experiment, or 'list' for all of them");
    app.add_option("--json", b.json,
                   "Write the figures in Google Benchmark's shape to a file, or to standard output with -");
    app.add_option("--markdown", b.markdown,
                   "Write tables to a file, or to standard output with - (or without --json)");
    app.add_option("--rows", b.rows, "Only these rows, separated by commas; 'claybox bench list' says how")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--algorithms", b.algorithms, "Only these contestants, separated by commas")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option(
        "--meshes", b.meshes,
        "Folder of OBJ, OFF, PLY or STL files to compare with too; else the folder 'meshes' of the one "
        "that CLAYBOX_TRUTH_DIR names");
    app.add_flag("--quick", b.quick, "Little of everything in under a minute: a check, no figures");
    app.add_option("--seed", b.seed, "Seed of everything random")->check(kWhole);
    app.add_option("--minutes", b.minutes, "How long 'soak' goes on")->check(CLI::PositiveNumber);
}

CLI::App* add_subcommands(CLI::App& app, Arguments& a) {
    CLI::App* run = app.add_subcommand("run", "Run a scene, in a window or headless");
    add_switches(*run, a.switches, true);
    add_checks(*run, a.switches);
    CLI::App* replay =
        app.add_subcommand("replay", "Run a recording again and compare the state of each frame");
    replay->add_option("file", a.replay_file, "Recording")->required();
    add_switches(*replay, a.switches, false);
    add_checks(*replay, a.switches);
    add_query(*app.add_subcommand("query", "Answer collision queries, one JSON answer a line"), a.query);
    CLI::App* inspect = app.add_subcommand("inspect", "Say what a mesh is and what is wrong with it");
    inspect->add_option("mesh", a.inspect.file, "OBJ, STL, PLY or OFF file")->required();
    inspect->add_flag("--json", a.inspect.json, "As JSON");
    add_bench(*app.add_subcommand("bench", "Run experiments: comparisons on recorded queries"), a.bench);
    CLI::App* list = app.add_subcommand("list", "List what is built in");
    list->add_option("what", a.list.what,
                     "pair, continuous, broad, scene, tool or device (no tool is built in yet)")
        ->required();
    CLI::Option* json = list->add_flag("--json", a.list.json, "As JSON");
    list->add_flag("--markdown", a.list.markdown, "As a Markdown table")->excludes(json);
    return run;
}

/// Switches before a subcommand would be lost without a word.
bool has_stray_switches(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        if (option->count() > 0 && option->get_name() != "--log-level") return true;
    }
    return false;
}

int dispatch(CLI::App& app, const Arguments& a, const Frontend& frontend) {
    LogLevel level = LogLevel::warning;
    if (!parse_log_level(a.log_level, level)) {
        return report_error("--log-level " + a.log_level + ": expected error, warning, info or debug");
    }
    set_log_level(level);
    if (app.get_subcommands().empty()) return sandbox_command(a.switches, frontend);
    if (has_stray_switches(app))
        return report_error("switches of a subcommand stand behind it: claybox run --scene cage");
    if (app.got_subcommand("run")) return run_command(a.switches, frontend);
    if (app.got_subcommand("replay")) return replay_command(a.replay_file, a.switches, frontend);
    if (app.got_subcommand("query")) return query_command(a.query);
    if (app.got_subcommand("inspect")) return inspect_command(a.inspect);
    if (app.got_subcommand("bench")) return bench_command(a.bench);
    return list_command(a.list);
}

}  // namespace

int run_command_line(int argc, char** argv, const Frontend& frontend) {
    Arguments arguments;
    CLI::App app(kUsage, "claybox");
    app.set_version_flag("--version", std::string("claybox ") + CLAYBOX_VERSION);
    app.add_option("--log-level", arguments.log_level,
                   "What goes to standard error: error, warning, info or debug");
    add_switches(app, arguments.switches, true);
    app.require_subcommand(0, 1);
    add_subcommands(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help and --version
        app.exit(asked);
        return finish_output(kExitDone);
    } catch (const CLI::ParseError& e) {
        return report_error(std::string("claybox: ") + e.what() + "; claybox --help shows what there is");
    }
    return dispatch(app, arguments, frontend);
}

}  // namespace claybox::app
