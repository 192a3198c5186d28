#include "app/cli/cli.hpp"
#include "app/cli/output.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/paths.hpp"
#include "engine/files/process/program.hpp"

#include <filesystem>

#ifndef CLAYBOX_HEADLESS
#include "app/bridge/loop/run_sandbox.hpp"
#include "app/bridge/pictures/screenshot.hpp"
#include "app/bridge/pictures/turntable.hpp"
#endif

namespace claybox::app {
namespace {

/// The experiments are a program of their own, so that the sandbox compiles without them: replaces this
/// program by that one. Returns only if it cannot.
int start_benches(char** arguments) {
#if defined(_WIN32)
    constexpr const char* kName = "claybox-bench.exe";
#else
    constexpr const char* kName = "claybox-bench";
#endif
    const std::filesystem::path program = engine::program_folder() / kName;
    engine::replace_program(program, arguments);
    return report_error("cannot start '" + engine::text_of(program) +
                        "', which runs the experiments: ./scripts/bench builds it");
}

}  // namespace
}  // namespace claybox::app

int main(int argc, char** argv) {
    claybox::engine::prepare_streams();
    const claybox::engine::ProgramArguments arguments = claybox::engine::program_arguments(argc, argv);
    claybox::app::Frontend frontend;
    frontend.bench = [&](const auto&) { return claybox::app::start_benches(arguments.list); };
#ifndef CLAYBOX_HEADLESS
    frontend.sandbox = claybox::app::run_sandbox;
    frontend.screenshot = claybox::app::write_screenshot;
    frontend.turntable = claybox::app::write_turntable;
#endif
    return claybox::app::run_command_line(arguments.count, arguments.list, frontend);
}
