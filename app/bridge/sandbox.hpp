#pragma once

#include "app/cli/cli.hpp"

namespace claybox::app {

/// Opens the window and runs until it is closed. Exit status: 0 closed, 2 no window or a bad scene.
int run_sandbox(const SandboxOptions& options);

}  // namespace claybox::app
