#include "app/cli/cli.hpp"
#include "app/cli/log.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommands.hpp"
#include "collision/version.hpp"

#include <CLI/CLI.hpp>

#include <new>

namespace claybox::app {

namespace {

const char* const kUsage =
    "Claybox: watch moving polytopes collide, dent a pot with a virtual hand, press virtual buttons.";

struct Arguments {
    Switches switches;
    std::string replay_file;
    bool replay_every = false;
    QueryArguments query;
    InspectArguments inspect;
    ListArguments list;
    BenchArguments bench;
    std::string log_level = "warning";
};

/// CLI11 would read -1 as the largest unsigned number.
const CLI::Validator kWhole(
    [](const std::string& text) {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        return digits ? std::string() : "'" + text + "' is not a whole number, 0 or larger";
    },
    "", "whole");

CLI::Option* add_assignments(CLI::App& app, std::vector<std::string>& target) {
    return app.add_option("--set", target, "Set a parameter: NAME=VALUE; can be repeated")
        ->allow_extra_args(false);
}

void add_switches(CLI::App& app, Switches& s, bool windowed) {
    app.add_option("--scene", s.scene, "Scene, by id or title; 'claybox list scene' shows all");
    app.add_option("--frames", s.frames, "Stop after this number of frames (default with --headless: 300)")
        ->check(kWhole);
    app.add_option("--seed", s.seed, "Seed of all random numbers")->check(kWhole);
    add_assignments(app, s.assignments);
    app.add_option("--pair", s.pair, "Pair algorithm, by id or title; 'claybox list pair' shows all");
    app.add_option("--broad", s.broad, "Broad phase, by id or title; 'claybox list broad' shows all");
    app.add_option("--continuous", s.continuous,
                   "Continuous algorithm, by id or title, or off; 'claybox list continuous' shows all");
    app.add_option("--parallel", s.parallel,
                   "Parallel mode: serial, or some of pairs, halves, dual, three, fine joined by '+'");
    app.add_option("--workers", s.workers,
                   "Workers of the parallel mode, 1 to 64 (default: 1, no parallel work)")
        ->check(kWhole);
    app.add_flag("--concurrent", s.concurrent, "Run collision passes on a thread of their own");
    app.add_option("--exactness", s.exactness, "exact or fast");
    app.add_flag("--solid", s.solid,
                 "Count a body inside another as a collision, also with algorithms that test surfaces");
    app.add_option("--ignore", s.ignore, "Pairs of interest groups that are not tested, for example 0-1,3-3");
    app.add_option("--screenshot", s.screenshot, "Write a PNG after the last frame");
    CLI::Option* turntable = app.add_option("--turntable", s.turntable,
                                            "Write one turn of the clay after the last frame: an animated "
                                            "GIF if the name ends in .gif, else a new folder of PNG files");
    app.add_option("--turntable-pictures", s.turntable_pictures,
                   "Pictures of the turn, 2 to 720 (default: 72)")
        ->check(kWhole)
        ->needs(turntable);
    app.add_option("--size", s.size, "Size of the window and the screenshot in pixels, for example 1600x900");
    if (!windowed) return;
    app.add_option("--record", s.record, "Write a recording for 'claybox replay'");
    app.add_option("--mesh", s.meshes,
                   "OBJ, STL, PLY, OFF, glTF or GLB file; its mesh flies in the cage, or is the clay of the "
                   "potter; can be repeated")
        ->allow_extra_args(false);
    app.add_option("--body", s.bodies,
                   "Body of the scene workbench in place of its own: \"SHAPE SIZE X Y Z\" and a rotation "
                   "\"W X Y Z\", or \"none\"; can be repeated")
        ->allow_extra_args(false);
    app.add_option("--autosave", s.autosave,
                   "Folder in which the potter saves the clay every 3 s (default in a window: the user's "
                   "state folder; with --headless: none)");
    app.add_option("--ui-scale", s.ui_scale, "Scale of the panels, 0.5 to 3");
    app.add_flag("--xr", s.xr, "Show the scene in a headset if one is there");
    app.add_option(
        "--devices", s.devices,
        "File that maps logical devices for this run, one 'class name = source' per line; 'claybox "
        "list device' shows names and sources");
    CLI::Option* osc =
        app.add_option(
               "--osc", s.osc,
               "Receive OSC and VMC over UDP at this port, from this machine only; 0 chooses a free port")
            ->check(CLI::Range(0, 65535));
    app.add_flag("--osc-any", s.osc_any, "Also receive OSC and VMC from other machines")->needs(osc);
    app.add_option("--track", s.track, "Play a recorded track of devices");
    app.add_option("--record-track", s.record_track, "Record the values of all logical devices as a track");
    app.add_flag("--no-hint", s.no_hint, "Do not show the first-run hint");
    app.add_option("--report", s.report,
                   "Write the state and all labels with their rectangles as JSON, several times a second");
}

void add_checks(CLI::App& app, Switches& s) {
    app.add_flag("--headless", s.headless,
                 "Run without window and graphics; requests of the scene that need a window (another scene, "
                 "pause, one step) are logged and ignored");
    CLI::Option* hash = app.add_flag("--hash", s.hash, "Print 'hash' and 16 hex digits as the last line");
    app.add_option("--json", s.json, "Write the results as JSON to a file, or to standard output with -")
        ->excludes(hash);
}

void add_query(CLI::App& app, QueryArguments& q) {
    app.add_option("file", q.file, "File with one JSON query per line, or - for standard input")->required();
    app.add_option(
        "--pair", q.pair,
        "Pair algorithm, by id or title, or 'all' for every algorithm that fits the bodies (default: the "
        "first that fits)");
    app.add_option(
        "--continuous", q.continuous,
        "Continuous algorithm, by id or title, or 'all' for every algorithm that fits the bodies and their "
        "motions (default for lines with a motion: the first that fits). Bodies of lines without a motion "
        "rest");
    app.add_option("--tolerance", q.tolerance,
                   "Distance in metres up to which continuous algorithms may report a hit (default: 1e-6)")
        ->check(CLI::PositiveNumber);
    app.add_option("--exactness", q.exactness, "exact or fast");
    app.add_flag("--solid", q.solid,
                 "Count a body inside another as a collision, also with algorithms that test surfaces");
    add_assignments(app, q.assignments);
    app.add_option("--seed", q.seed, "Seed of randomised algorithms")->check(kWhole);
    app.add_option("--repeat", q.repeat,
                   "Run each query this many times from a cold cache and report the median time in ns")
        ->check(kWhole);
}

void add_bench(CLI::App& app, BenchArguments& b) {
    app.add_option("name", b.name, "Experiment, by id or title, or 'list' to list all");
    app.add_option(
        "--json", b.json,
        "Write the results in Google Benchmark's JSON format to a file, or to standard output with -");
    app.add_option("--markdown", b.markdown,
                   "Write tables to a file, or to standard output with - (default without --json: -)");
    app.add_option(
           "--rows", b.rows,
           "Run only these rows, separated by commas; 'claybox bench list' shows the rows of each experiment")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--algorithms", b.algorithms,
                   "Run only these algorithms and libraries, separated by commas")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--meshes", b.meshes,
                   "Folder of mesh files to include (default: the folder 'meshes' in "
                   "CLAYBOX_TRUTH_DIR, if set)");
    app.add_flag("--quick", b.quick, "A run of less than a minute that checks answers; do not use its times");
    app.add_option("--seed", b.seed, "Seed of all random numbers")->check(kWhole);
    app.add_option("--minutes", b.minutes, "Duration of 'soak'")->check(CLI::PositiveNumber);
    app.add_option("--out", b.out, "Folder for the files of 'papers' and 'streams'");
    app.add_option("--shard", b.shard, "Run part i of n of 'papers', for example 2/8");
    app.add_option("--compare", b.compare, "Compare 'papers' with the findings in this folder");
}

CLI::App* add_subcommands(CLI::App& app, Arguments& a) {
    CLI::App* run = app.add_subcommand("run", "Run a scene, in a window or headless");
    add_switches(*run, a.switches, true);
    add_checks(*run, a.switches);
    CLI::App* replay =
        app.add_subcommand("replay", "Run a recording again and compare the hash of every frame");
    replay->add_option("file", a.replay_file, "Recording")->required();
    replay->add_flag("--every-algorithm", a.replay_every,
                     "Repeat the run with every pair algorithm; compare colliding pairs and times");
    add_switches(*replay, a.switches, false);
    add_checks(*replay, a.switches);
    add_query(*app.add_subcommand("query", "Answer collision queries, one JSON answer per line"), a.query);
    CLI::App* inspect = app.add_subcommand("inspect", "Describe a mesh and list its defects");
    inspect->add_option("mesh", a.inspect.file, "OBJ, STL, PLY, OFF, glTF or GLB file")->required();
    inspect->add_flag("--json", a.inspect.json, "Print JSON");
    add_bench(*app.add_subcommand("bench", "Run experiments: algorithms compared on recorded queries"),
              a.bench);
    CLI::App* list = app.add_subcommand("list", "List algorithms, broad phases, scenes or devices");
    list->add_option("what", a.list.what, "pair, continuous, broad, scene, tool or device")->required();
    CLI::Option* json = list->add_flag("--json", a.list.json, "Print JSON");
    list->add_flag("--markdown", a.list.markdown, "Print a Markdown table")->excludes(json);
    return run;
}

/// Switches before a subcommand belong to no subcommand and would be ignored silently.
bool has_stray_switches(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        if (option->count() > 0 && option->get_name() != "--log-level") return true;
    }
    return false;
}

int dispatch(CLI::App& app, const Arguments& a, const Frontend& frontend) {
    const auto level = log_level_by_name(a.log_level);
    if (!level) return report_error(level.error());
    set_log_level(level.value());
    if (app.get_subcommands().empty()) return sandbox_command(a.switches, frontend);
    if (has_stray_switches(app))
        return report_error("expected the switches after the subcommand: claybox run --scene cage");
    if (app.got_subcommand("run")) return run_command(a.switches, frontend);
    if (app.got_subcommand("replay"))
        return replay_command(a.replay_file, a.replay_every, a.switches, frontend);
    if (app.got_subcommand("query")) return query_command(a.query);
    if (app.got_subcommand("inspect")) return inspect_command(a.inspect);
    if (app.got_subcommand("bench"))
        return frontend.bench ? frontend.bench(a.bench) : report_error("this program has no benches");
    return list_command(a.list);
}

/// Unwinding removes temporary files, which ending the program at the exception would leave behind.
int dispatch_or_report(CLI::App& app, const Arguments& a, const Frontend& frontend) {
    try {
        return dispatch(app, a, frontend);
    } catch (const std::bad_alloc&) {
        return report_error("the memory is exhausted, expected a smaller input or more memory");
    } catch (const std::exception& e) {  // for example, the system has no more threads
        return report_error(std::string("the program cannot go on: ") + e.what());
    }
}

}  // namespace

int run_command_line(int argc, char** argv, const Frontend& frontend) {
    Arguments arguments;
    CLI::App app(kUsage, "claybox");
    app.set_version_flag("--version", std::string("claybox ") + CLAYBOX_VERSION);
    app.add_option("--log-level", arguments.log_level,
                   "Least severe messages on standard error: error, warning, info or debug");
    add_switches(app, arguments.switches, true);
    app.require_subcommand(0, 1);
    add_subcommands(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {  // --help and --version
        app.exit(success);
        return finish_output(kExitDone);
    } catch (const CLI::ParseError& e) {
        return report_error(std::string("claybox: ") + e.what() + "; 'claybox --help' lists all switches");
    }
    return dispatch_or_report(app, arguments, frontend);
}

}  // namespace claybox::app
