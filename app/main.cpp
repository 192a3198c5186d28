#include "app/cli/cli.hpp"
#include "app/cli/output.hpp"
#include "engine/files/paths.hpp"

#ifndef CLAYBOX_HEADLESS
#include "app/bridge/loop/run_sandbox.hpp"
#include "app/bridge/pictures/screenshot.hpp"
#include "app/bridge/pictures/turntable.hpp"
#endif

#ifndef _WIN32
#include <unistd.h>
#endif

namespace claybox::app {
namespace {

/// The experiments are a program of their own, so that the sandbox compiles without them: replaces this
/// program by that one. Returns only if it cannot.
int start_benches(char** arguments) {
    const std::string program = (engine::program_folder() / "claybox-bench").string();
#ifndef _WIN32
    execv(program.c_str(), arguments);
#endif
    return report_error("cannot start '" + program +
                        "', which runs the experiments: ./scripts/bench builds it");
}

}  // namespace
}  // namespace claybox::app

int main(int argc, char** argv) {
    claybox::app::Frontend frontend;
    frontend.bench = [argv](const auto&) { return claybox::app::start_benches(argv); };
#ifndef CLAYBOX_HEADLESS
    frontend.sandbox = claybox::app::run_sandbox;
    frontend.screenshot = claybox::app::write_screenshot;
    frontend.turntable = claybox::app::write_turntable;
#endif
    return claybox::app::run_command_line(argc, argv, frontend);
}
