#include "app/cli/cli.hpp"
#include "app/cli/output.hpp"
#include "engine/files/paths.hpp"
#include "engine/files/replace_program.hpp"

#include <filesystem>

#if defined(_WIN32)
#include <cstdio>
#include <fcntl.h>
#include <io.h>
#endif

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
    return report_error("cannot start '" + program.string() +
                        "', which runs the experiments: ./scripts/bench builds it");
}

/// Windows would write "\r\n" for "\n". The bytes of reports and answers are the same on every system.
void keep_line_ends() {
#if defined(_WIN32)
    for (std::FILE* stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
#endif
}

}  // namespace
}  // namespace claybox::app

int main(int argc, char** argv) {
    claybox::app::keep_line_ends();
    claybox::app::Frontend frontend;
    frontend.bench = [argv](const auto&) { return claybox::app::start_benches(argv); };
#ifndef CLAYBOX_HEADLESS
    frontend.sandbox = claybox::app::run_sandbox;
    frontend.screenshot = claybox::app::write_screenshot;
    frontend.turntable = claybox::app::write_turntable;
#endif
    return claybox::app::run_command_line(argc, argv, frontend);
}
