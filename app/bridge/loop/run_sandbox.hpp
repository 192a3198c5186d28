#pragma once

#include "app/cli/cli.hpp"

namespace claybox::app {

/// Opens the window and runs the main loop until it is closed. Returns the exit status: 0 closed, 2 no
/// window, a bad scene or a file that cannot be written.
int run_sandbox(const SandboxOptions& options);

}  // namespace claybox::app
