#include "app/cli/cli.hpp"
#include "app/cli/log.hpp"
#include "app/cli/manual.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/vector_choice.hpp"
#include "collision/version.hpp"
#include "engine/files/write_file.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string>

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
    std::optional<std::string> vectors;
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
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
}

/// Of runs that are not replays.
void add_run_switches(CLI::App& app, Switches& s) {
    app.add_option("--record", s.record, "Write a recording for 'claybox replay'")->type_name("FILE");
    app.add_option("--mesh", s.meshes,
                   "OBJ, STL, PLY, OFF, glTF or GLB file; its mesh flies in the cage, or is the clay of the "
                   "potter; can be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app.add_option("--body", s.bodies,
                   "Body of the scene workbench in place of its own: \"SHAPE SIZE X Y Z\" and a rotation "
                   "\"W X Y Z\", or \"none\"; can be repeated")
        ->type_name("BODY")
        ->allow_extra_args(false);
    app.add_option("--autosave", s.autosave,
                   "Folder in which the potter saves the clay every 3 s (default in a window: the user's "
                   "state folder; with --headless: none)")
        ->type_name("DIR");
    app.add_option("--ui-scale", s.ui_scale, "Scale of the panels, 0.5 to 3")->type_name("X");
    app.add_flag("--xr", s.xr, "Show the scene in a headset if one is there");
    app.add_option(
           "--devices", s.devices,
           "File that maps logical devices for this run, one 'class name = source' per line; 'claybox "
           "list device' shows names and sources")
        ->type_name("FILE");
    CLI::Option* osc =
        app.add_option(
               "--osc", s.osc,
               "Receive OSC and VMC over UDP at this port, from this machine only; 0 chooses a free port")
            ->type_name("PORT")
            ->check(CLI::Range(0, 65535));
    app.add_flag("--osc-any", s.osc_any, "Also receive OSC and VMC from other machines")->needs(osc);
    app.add_option("--track", s.track, "Play a recorded track of devices")->type_name("FILE");
    app.add_option("--record-track", s.record_track, "Record the values of all logical devices as a track")
        ->type_name("FILE");
    app.add_flag("--no-hint", s.no_hint, "Do not show the first-run hint");
    app.add_option("--report", s.report,
                   "Write the state and all labels with their rectangles as JSON, several times a second")
        ->type_name("FILE");
}

/// `fresh`: not a replay.
void add_switches(CLI::App& app, Switches& s, bool fresh) {
    app.add_option("--scene", s.scene, "Scene, by id or title; 'claybox list scene' shows all")
        ->type_name("SCENE");
    app.add_option("--frames", s.frames, "Stop after this number of frames (default with --headless: 300)")
        ->type_name("N")
        ->check(kWhole);
    app.add_option("--seed", s.seed, "Seed of all random numbers")->type_name("N")->check(kWhole);
    add_assignments(app, s.assignments);
    app.add_option("--pair", s.pair, "Pair algorithm, by id or title; 'claybox list pair' shows all")
        ->type_name("PAIR");
    app.add_option("--broad", s.broad, "Broad phase, by id or title; 'claybox list broad' shows all")
        ->type_name("BROAD");
    app.add_option("--continuous", s.continuous,
                   "Continuous algorithm, by id or title, or off; 'claybox list continuous' shows all")
        ->type_name("CONTINUOUS");
    app.add_option("--parallel", s.parallel,
                   "Parallel mode: serial, or some of pairs, halves, dual, three, fine joined by '+'")
        ->type_name("PARALLEL");
    app.add_option("--workers", s.workers,
                   "Workers of the parallel mode, 1 to 64 (default: 1, no parallel work)")
        ->type_name("N")
        ->check(kWhole);
    app.add_flag("--concurrent", s.concurrent, "Run collision passes on a thread of their own");
    app.add_option("--exactness", s.exactness, "exact or fast")->type_name("EXACTNESS");
    app.add_flag("--solid", s.solid,
                 "Count a body inside another as a collision, also with algorithms that test surfaces");
    app.add_option("--ignore", s.ignore, "Pairs of interest groups that are not tested, for example 0-1,3-3")
        ->type_name("PAIRS");
    app.add_option("--screenshot", s.screenshot, "Write a PNG after the last frame")->type_name("FILE");
    CLI::Option* turntable = app.add_option("--turntable", s.turntable,
                                            "Write one turn of the clay after the last frame: an animated "
                                            "GIF if the name ends in .gif, else a new folder of PNG files")
                                 ->type_name("PATH");
    app.add_option("--turntable-pictures", s.turntable_pictures,
                   "Pictures of the turn, 2 to 720 (default: 72)")
        ->type_name("N")
        ->check(kWhole)
        ->needs(turntable);
    app.add_option("--size", s.size, "Size of the window and the screenshot in pixels, for example 1600x900")
        ->type_name("WxH");
    if (fresh) add_run_switches(app, s);
}

void add_checks(CLI::App& app, Switches& s) {
    app.add_flag("--headless", s.headless,
                 "Run without window and graphics; requests of the scene that need a window (another scene, "
                 "pause, one step) are logged and ignored");
    CLI::Option* hash = app.add_flag("--hash", s.hash, "Print 'hash' and 16 hex digits as the last line");
    app.add_option("--json", s.json, "Write the results as JSON to a file, or to standard output with -")
        ->type_name("FILE")
        ->excludes(hash);
}

void add_query(CLI::App& app, QueryArguments& q) {
    app.add_option("file", q.file, "File with one JSON query per line, or - for standard input")
        ->type_name("FILE")
        ->required();
    app.add_option(
           "--pair", q.pair,
           "Pair algorithm, by id or title, or 'all' for every algorithm that fits the bodies (default: the "
           "first that fits)")
        ->type_name("PAIR");
    app.add_option(
           "--continuous", q.continuous,
           "Continuous algorithm, by id or title, or 'all' for every algorithm that fits the bodies and "
           "their motions (default for lines with a motion: the first that fits). Bodies of lines without a "
           "motion rest")
        ->type_name("CONTINUOUS");
    app.add_option("--tolerance", q.tolerance,
                   "Distance in metres up to which continuous algorithms may report a hit (default: 1e-6)")
        ->type_name("METRES")
        ->check(CLI::PositiveNumber);
    app.add_option("--exactness", q.exactness, "exact or fast")->type_name("EXACTNESS");
    app.add_flag("--solid", q.solid,
                 "Count a body inside another as a collision, also with algorithms that test surfaces");
    add_assignments(app, q.assignments);
    app.add_option("--seed", q.seed, "Seed of randomised algorithms")->type_name("N")->check(kWhole);
    CLI::Option* repeat =
        app.add_option("--repeat", q.repeat,
                       "Run each query this many times from a cold cache and report the median time in ns")
            ->type_name("N")
            ->check(kWhole);
    app.add_option("--workers", q.workers,
                   "Workers that answer lines; the answers keep their order (default: 1)")
        ->type_name("N")
        ->check(CLI::Range(1, 64))
        ->excludes(repeat);  // queries beside others take longer
}

void add_bench(CLI::App& app, BenchArguments& b) {
    app.add_option("name", b.name, "Experiment, by id or title, or 'list' to list all")->type_name("NAME");
    app.add_option(
           "--json", b.json,
           "Write the results in Google Benchmark's JSON format to a file, or to standard output with -")
        ->type_name("FILE");
    app.add_option("--markdown", b.markdown,
                   "Write tables to a file, or to standard output with - (default without --json: -)")
        ->type_name("FILE");
    app.add_option(
           "--rows", b.rows,
           "Run only these rows, separated by commas; 'claybox bench list' shows the rows of each experiment")
        ->type_name("ROWS")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--algorithms", b.algorithms,
                   "Run only these algorithms and libraries, separated by commas")
        ->type_name("NAMES")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--meshes", b.meshes,
                   "Folder of mesh files to include (default: the folder 'meshes' in "
                   "CLAYBOX_TRUTH_DIR, if set)")
        ->type_name("DIR");
    app.add_flag("--quick", b.quick, "A run of less than a minute that checks answers; do not use its times");
    app.add_option("--seed", b.seed, "Seed of all random numbers")->type_name("N")->check(kWhole);
    app.add_option("--minutes", b.minutes, "Duration of 'soak'")->type_name("N")->check(CLI::PositiveNumber);
    app.add_option("--out", b.out, "Folder for the files of 'papers' and 'streams'")->type_name("DIR");
    app.add_option("--shard", b.shard, "Run part i of n of 'papers', for example 2/8")->type_name("I/N");
    app.add_option("--compare", b.compare, "Compare 'papers' with the findings in this folder")
        ->type_name("DIR");
}

CLI::App* add_subcommands(CLI::App& app, Arguments& a) {
    CLI::App* run = app.add_subcommand("run", "Run a scene, in a window or headless");
    add_switches(*run, a.switches, true);
    add_checks(*run, a.switches);
    CLI::App* replay =
        app.add_subcommand("replay", "Run a recording again and compare the hash of every frame");
    replay->add_option("file", a.replay_file, "Recording")->type_name("FILE")->required();
    replay->add_flag("--every-algorithm", a.replay_every,
                     "Repeat the run with every pair algorithm; compare colliding pairs and times");
    add_switches(*replay, a.switches, false);
    add_checks(*replay, a.switches);
    add_query(*app.add_subcommand("query", "Answer collision queries, one JSON answer per line"), a.query);
    CLI::App* inspect = app.add_subcommand("inspect", "Describe a mesh and list its defects");
    inspect->add_option("mesh", a.inspect.file, "OBJ, STL, PLY, OFF, glTF or GLB file")
        ->type_name("MESH")
        ->required();
    inspect->add_flag("--json", a.inspect.json, "Print JSON");
    add_bench(*app.add_subcommand("bench", "Run experiments: algorithms compared on recorded queries"),
              a.bench);
    CLI::App* list =
        app.add_subcommand("list", "List algorithms, broad phases, scenes, devices or vector instructions");
    list->add_option("what", a.list.what, "pair, continuous, broad, scene, tool, device or vectors")
        ->type_name("WHAT")
        ->required();
    CLI::Option* json = list->add_flag("--json", a.list.json, "Print JSON");
    list->add_flag("--markdown", a.list.markdown, "Print a Markdown table")->excludes(json);
    app.add_subcommand("completion", "Print the completion for bash, which a shell reads with 'source'");
    app.add_subcommand("manual", "Print this manual as a page for man");
    return run;
}

/// Switches of the program itself, which stand before a subcommand.
bool belongs_to_all(const CLI::Option& option) {
    return option.get_name() == "--log-level" || option.get_name() == "--vectors";
}

/// Other switches before a subcommand belong to no subcommand and would be ignored silently.
bool has_stray_switches(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        if (option->count() > 0 && !belongs_to_all(*option)) return true;
    }
    return false;
}

int dispatch(CLI::App& app, const Arguments& a, const Frontend& frontend) {
    const auto level = log_level_by_name(a.log_level);
    if (!level) return report_error(level.error());
    set_log_level(level.value());
    if (a.vectors) {
        if (const auto chosen = choose_vectors(*a.vectors); !chosen) return report_error(chosen.error());
    }
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
    if (app.got_subcommand("list")) return list_command(a.list);
    print(app.got_subcommand("manual") ? manual_page(app) : bash_completion(app));
    return finish_output(kExitDone);
}

int parse_and_run(int argc, char** argv, const Frontend& frontend) {
    Arguments arguments;
    CLI::App app(kUsage, "claybox");
    app.allow_windows_style_options(false);  // a path may begin with a slash there, too
    app.set_version_flag("--version", std::string("claybox ") + CLAYBOX_VERSION);
    app.add_option("--log-level", arguments.log_level,
                   "Least severe messages on standard error: error, warning, info or debug")
        ->type_name("LEVEL");
    app.add_option(
           "--vectors", arguments.vectors,
           "Vector instructions of the collision library, for comparisons (default: the best); 'claybox "
           "list vectors' shows those of this processor")
        ->type_name("VECTORS");
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
    return dispatch(app, arguments, frontend);
}

/// For exceptions that cannot reach run_command_line: those of other threads and of destructors.
[[noreturn]] void end_without_unwinding() {
    engine::FileWriter::remove_all_temporaries();
    try {
        if (const std::exception_ptr exception = std::current_exception()) std::rethrow_exception(exception);
    } catch (const std::bad_alloc&) {
        std::_Exit(report_exhausted_memory());
    } catch (...) {
        std::fputs("the program cannot go on: an unexpected exception\n", stderr);
    }
    std::abort();
}

/// Installs end_without_unwinding() while the command line runs.
class TerminateHandler {
  public:
    TerminateHandler() : before_(std::set_terminate(end_without_unwinding)) {}
    ~TerminateHandler() { std::set_terminate(before_); }
    TerminateHandler(const TerminateHandler&) = delete;
    TerminateHandler& operator=(const TerminateHandler&) = delete;

  private:
    std::terminate_handler before_;
};

}  // namespace

int run_command_line(int argc, char** argv, const Frontend& frontend) {
    const TerminateHandler handler;
    // Unwinding removes temporary files, which ending the program at the exception would leave behind.
    try {
        return parse_and_run(argc, argv, frontend);
    } catch (const std::bad_alloc&) {
        return report_exhausted_memory();
    } catch (const std::exception& e) {  // for example, the system has no more threads
        return report_error(std::string("the program cannot go on: ") + e.what());
    }
}

}  // namespace claybox::app
