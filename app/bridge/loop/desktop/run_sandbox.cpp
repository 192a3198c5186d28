#include "app/bridge/loop/run_sandbox.hpp"

#include "app/bridge/loop/sandbox_loop.hpp"
#include "app/cli/log.hpp"

namespace claybox::app {
namespace {

/// Waits for the next event or a moved gamepad.
void rest(SandboxLoop& loop) {
    constexpr double kNap = 0.25, kGamepadNap = 0.02;  // seconds; nothing announces a gamepad's input
    loop.begin_rest();
    while (loop.rests(loop.has_gamepad() ? kGamepadNap : kNap)) {
    }
    loop.wake();
}

}  // namespace

int run_sandbox(const SandboxOptions& options) {
    std::string error;
    const std::unique_ptr<SandboxLoop> loop = SandboxLoop::open(options, error);
    if (!loop) {
        print_problem(error);
        return 2;
    }
    while (loop->frame())
        if (loop->may_rest()) rest(*loop);
    return loop->finish();
}

}  // namespace claybox::app
