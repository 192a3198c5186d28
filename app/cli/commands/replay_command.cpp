#include "app/cli/commands/run_outputs.hpp"
#include "app/cli/commands/run_report.hpp"
#include "app/cli/files/input_file.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommands.hpp"
#include "app/session/recording_json.hpp"

#include <limits>

namespace claybox::app {

using namespace collision;

namespace {

/// Switches override the recorded settings, also after each change in the recording.
Replay::Adjust adjuster(const Switches& switches, const SessionOptions& recorded) {
    return [switches, recorded](WorldSettings& settings) {
        SessionOptions options = recorded;
        options.settings = settings;
        if (apply_switches(switches, options)) settings = options.settings;
    };
}

Status replay_frames(const Switches& switches, Replay& replay, RunReport& report) {
    const std::uint64_t limit = switches.frames.value_or(std::numeric_limits<std::uint64_t>::max());
    for (std::uint64_t frame = 0; frame < limit; ++frame) {
        const Result<bool> stepped = replay.step();
        if (!stepped) return stepped.error();
        if (!stepped.value()) break;
        report.add(replay.session());
        log_events(replay.session());
    }
    report.close(replay.session());
    return Done{};
}

}  // namespace

int replay_command(const std::string& file, bool every_algorithm, const Switches& switches,
                   const Frontend& frontend) {
    if (const Status good = check_outputs(switches); !good) return report_error(good.error());
    if (const Status able = check_pictures(switches, frontend); !able) return report_error(able.error());
    const Result<Recording> recording = read_recording(input_file(file));
    if (!recording) return report_error(recording.error());
    SessionOptions options = recording.value().options;
    if (const Status applied = apply_switches(switches, options); !applied)
        return report_error(applied.error());
    if (every_algorithm) return compare_replays(recording.value(), options, switches.frames, file);
    auto replay = Replay::start(recording.value(), options, adjuster(switches, options));
    if (!replay) return report_error(replay.error());

    RunReport report;
    if (const Status ran = replay_frames(switches, *replay.value(), report); !ran)
        return report_error(ran.error());
    Session& session = replay.value()->session();
    const std::optional<Difference>& difference = replay.value()->difference();
    if (!switches.hash && switches.json.empty()) {
        print(std::to_string(session.frame()) + " frames replayed" +
              (difference ? "\n" : ", all hashes equal\n"));
    }
    if (const int status = write_outputs(switches, frontend, report, session); status != kExitDone)
        return status;
    if (!difference) return kExitDone;
    report_error(Error{"frame " + std::to_string(difference->frame) +
                           " is the first that differs: expected hash " + hash_text(difference->recorded) +
                           ", found " + hash_text(difference->found),
                       file, 0});
    return kExitCheckFailed;
}

}  // namespace claybox::app
