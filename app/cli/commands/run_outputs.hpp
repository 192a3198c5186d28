#pragma once
// Checks and outputs that `run` and `replay` share.

#include "app/cli/cli.hpp"
#include "app/cli/commands/run_report.hpp"
#include "app/cli/switches.hpp"

namespace claybox::app {

/// Reports contradicting switches before anything runs.
collision::Status check_outputs(const Switches& switches);
collision::Status check_pictures(const Switches& switches, const Frontend& frontend);
TurntableOptions turntable_options(const Switches& switches);
/// Writes the screenshot, the turntable, and the JSON or the hash; a failure of one does not stop the other.
/// Returns the exit status.
int write_outputs(const Switches& switches, const Frontend& frontend, const RunReport& report,
                  Session& session);
/// Logs the events of the last frame at level debug.
void log_events(const Session& session);

}  // namespace claybox::app
