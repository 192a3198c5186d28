#pragma once
// Steps that `run` and `replay` share.

#include "app/cli/cli.hpp"
#include "app/cli/run_report.hpp"
#include "app/cli/switches.hpp"

namespace claybox::app {

/// Switches that contradict each other, before anything runs.
collision::Status check_outputs(const Switches& switches);
collision::Status check_screenshot(const Switches& switches, const Frontend& frontend);
/// Does nothing when none was asked for.
collision::Status take_screenshot(const Switches& switches, const Frontend& frontend, Session& session);
/// The JSON or the hash; returns the exit status.
int write_results(const Switches& switches, const RunReport& report, Session& session);
/// At log level debug, what happened in the last frame.
void log_events(const Session& session);

}  // namespace claybox::app
