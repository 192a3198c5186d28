#include "app/cli/commands/run_outputs.hpp"
#include "app/cli/log.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommands.hpp"
#include "app/session/autosave/autosave.hpp"
#include "app/session/interrupt.hpp"
#include "app/session/recording_json.hpp"
#include "engine/files/path_text.hpp"

#include <algorithm>

namespace claybox::app {

using namespace collision;

namespace {

constexpr std::uint64_t kHeadlessFrames = 300;
constexpr int kWidth = 1600, kHeight = 900;

Result<SessionOptions> session_options(const Switches& switches) {
    SessionOptions options;
    if (const SceneDescriptor* scene = find_scene(options.scene))
        options.scene_parameters = default_values(scene->parameters);
    if (const Status applied = apply_switches(switches, options); !applied) return applied.error();
    return options;
}

}  // namespace

Status check_outputs(const Switches& s) {
    if (s.hash && !s.json.empty())
        return Error{"expected --hash or --json, not both: the JSON contains the hash", {}, 0};
    if (!s.size.empty()) {
        int width = 0, height = 0;
        return parse_size(s.size, width, height);
    }
    return Done{};
}

namespace {

/// Does nothing without --screenshot.
Status take_screenshot(const Switches& switches, const Frontend& frontend, Session& session) {
    if (switches.screenshot.empty()) return Done{};
    int width = kWidth, height = kHeight;
    if (!switches.size.empty()) {
        if (const Status size = parse_size(switches.size, width, height); !size) return size;
    }
    return frontend.screenshot(session, engine::path_of(switches.screenshot), width, height);
}

/// Does nothing without --turntable.
Status take_turntable(const Switches& switches, const Frontend& frontend, Session& session) {
    return switches.turntable.empty() ? Status(Done{})
                                      : frontend.turntable(session, turntable_options(switches));
}

}  // namespace

TurntableOptions turntable_options(const Switches& switches) {
    TurntableOptions out;
    out.target = engine::path_of(switches.turntable);
    // Numbers beyond the limits of Turntable stay beyond them.
    constexpr std::uint64_t kMost = 1'000'000;
    if (switches.turntable_pictures)
        out.pictures = static_cast<int>(std::min(*switches.turntable_pictures, kMost));
    return out;
}

Status check_pictures(const Switches& switches, const Frontend& frontend) {
    const bool shot = switches.screenshot.empty() || frontend.screenshot;
    if (shot && (switches.turntable.empty() || frontend.turntable)) return Done{};
    return Error{std::string(shot ? "--turntable" : "--screenshot") +
                     ": this build has no graphics, expected a build without CLAYBOX_HEADLESS",
                 {},
                 0};
}

int write_outputs(const Switches& switches, const Frontend& frontend, const RunReport& report,
                  Session& session) {
    const Status shot = take_screenshot(switches, frontend, session);
    if (!shot) report_error(shot.error());
    const Status turned = take_turntable(switches, frontend, session);
    if (!turned) report_error(turned.error());
    if (!switches.json.empty()) {
        const Status written = write_json(engine::path_of(switches.json), report.describe(session));
        if (!written) return report_error(written.error());
    }
    if (switches.hash) print("hash " + hash_text(report.hash()) + '\n');
    return finish_output(shot && turned ? kExitDone : kExitBadInput);
}

void log_events(const Session& session) {
    if (!log_enabled(LogLevel::debug)) return;
    for (const SceneEvent& event : session.output().events) {
        log(LogLevel::debug,
            "frame " + std::to_string(event.frame) + ": " + event_word(event.kind) + ": " + event.text);
    }
}

namespace {

std::string requested(const Command& command) {
    switch (command.kind) {
        case Command::Kind::scene:
            return "the scene '" + command.text + "'";
        case Command::Kind::pause:
            return "a pause";
        case Command::Kind::step:
            return "one step";
        case Command::Kind::restart:
            return "a restart";
        default:
            return "'" + command.text + "'";
    }
}

/// A headless run has one scene and a fixed number of frames. Requests for another scene or a pause are
/// logged.
void log_commands(const Session& session) {
    for (const Command& command : session.output().commands) {
        log(LogLevel::warning, "frame " + std::to_string(session.frame()) + ": request for " +
                                   requested(command) + " ignored, because the run is headless");
    }
}

void keep_clay(Autosave& autosave, const Session& session, double time) {
    autosave.frame(session, time);
    if (const std::string problem = autosave.take_problem(); !problem.empty()) print_problem(problem);
}

Status run_frames(const Switches& switches, Session& session, RunReport& report) {
    std::unique_ptr<Recorder> recorder;
    if (!switches.record.empty()) {
        auto started = Recorder::start(engine::path_of(switches.record), session);
        if (!started) return started.error();
        recorder = std::move(started).value();
    }
    std::unique_ptr<Autosave> autosave;
    if (!switches.autosave.empty()) autosave = std::make_unique<Autosave>(switches.autosave, true);
    const std::uint64_t frames = switches.frames.value_or(kHeadlessFrames);
    for (std::uint64_t frame = 1; frame <= frames && !Interrupt::requested(); ++frame) {
        StepInput input;
        input.hand[0] = scripted_hand(session.scene(), frame);
        if (recorder) recorder->before_step(session, input);
        session.step(input);
        if (recorder) recorder->after_step(session);
        if (autosave) keep_clay(*autosave, session, static_cast<double>(frame) * input.dt);
        report.add(session);
        log_events(session);
        log_commands(session);
    }
    if (autosave && !Interrupt::requested()) autosave->finish();
    report.close(session);
    return recorder ? recorder->finish(session) : Status(Done{});
}

int run_headless(const Switches& switches, const SessionOptions& options, const Frontend& frontend) {
    for (const char* field :
         {switches.report.empty() ? nullptr : "--report", switches.xr ? "--xr" : nullptr,
          switches.devices.empty() ? nullptr : "--devices", switches.osc ? "--osc" : nullptr,
          switches.track.empty() ? nullptr : "--track",
          switches.record_track.empty() ? nullptr : "--record-track",
          switches.ui_scale ? "--ui-scale" : nullptr, switches.no_hint ? "--no-hint" : nullptr}) {
        if (field != nullptr)
            return report_error(std::string(field) + " needs a window, expected a run without --headless");
    }
    if (const Status able = check_pictures(switches, frontend); !able) return report_error(able.error());
    auto created = Session::create(options);
    if (!created) return report_error(created.error());
    Session& session = *created.value();
    log(LogLevel::info, "scene " + options.scene + ", seed " + std::to_string(options.seed) + ", " +
                            std::to_string(session.world().body_count()) + " bodies, " +
                            session.settings().pair_algorithm->id + " and " +
                            session.settings().broad_phase->id);
    RunReport report;
    const Interrupt interrupt;
    if (const Status ran = run_frames(switches, session, report); !ran) return report_error(ran.error());
    const int status = write_outputs(switches, frontend, report, session);
    return Interrupt::requested() && status == kExitDone ? kExitInterrupted : status;
}

}  // namespace

int run_command(const Switches& switches, const Frontend& frontend) {
    if (const Status good = check_outputs(switches); !good) return report_error(good.error());
    if (!switches.headless) {
        if (switches.hash || !switches.json.empty()) return report_error("--hash and --json need --headless");
        return sandbox_command(switches, frontend);
    }
    const auto options = session_options(switches);
    if (!options) return report_error(options.error());
    return run_headless(switches, options.value(), frontend);
}

int sandbox_command(const Switches& switches, const Frontend& frontend) {
    SandboxOptions sandbox;
    if (!switches.size.empty()) {
        if (const Status size = parse_size(switches.size, sandbox.width, sandbox.height); !size)
            return report_error(size.error());
    }
    if (switches.ui_scale) {
        if (!(*switches.ui_scale >= 0.5f && *switches.ui_scale <= 3))
            return report_error("--ui-scale: expected 0.5 to 3");
        sandbox.ui_scale = *switches.ui_scale;
    }
    const auto options = session_options(switches);
    if (!options) return report_error(options.error());
    if (!frontend.sandbox) {
        return report_error(
            "this build has no window, expected 'claybox run --headless' or a build without "
            "CLAYBOX_HEADLESS");
    }
    sandbox.session = options.value();
    sandbox.scene_given = switches.scene.has_value();
    sandbox.xr = switches.xr;
    sandbox.frames = switches.frames.value_or(0);
    sandbox.screenshot = engine::path_of(switches.screenshot);
    sandbox.turntable = turntable_options(switches);
    sandbox.record = engine::path_of(switches.record);
    sandbox.autosave = engine::path_of(switches.autosave);
    sandbox.report = engine::path_of(switches.report);
    sandbox.first_run_hint = !switches.no_hint;
    sandbox.devices.map = engine::path_of(switches.devices);
    sandbox.devices.track = engine::path_of(switches.track);
    sandbox.devices.record_track = engine::path_of(switches.record_track);
    if (switches.osc) sandbox.devices.osc_port = static_cast<int>(*switches.osc);
    sandbox.devices.osc_any = switches.osc_any;
    return frontend.sandbox(sandbox);
}

}  // namespace claybox::app
