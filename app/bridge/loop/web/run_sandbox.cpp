#include "app/bridge/loop/run_sandbox.hpp"

#include "app/bridge/loop/sandbox_loop.hpp"
#include "app/cli/log.hpp"

#include <emscripten/emscripten.h>

namespace claybox::app {
namespace {

std::unique_ptr<SandboxLoop> page_loop;  // the page's only one, while it runs
bool resting = false;

/// The browser calls it before each picture. While nothing happens, the last picture stays.
void draw_page() {
    if (resting && page_loop->rests(0)) return;
    if (resting) page_loop->wake();
    resting = false;
    if (page_loop->frame()) {
        resting = page_loop->may_rest();
        if (resting) page_loop->begin_rest();
        return;
    }
    emscripten_cancel_main_loop();
    page_loop->finish();
    page_loop.reset();
}

}  // namespace

/// Returns at once: the page goes on to run.
int run_sandbox(const SandboxOptions& options) {
    std::string error;
    page_loop = SandboxLoop::open(options, error);
    if (!page_loop) {
        print_problem(error);
        return 2;
    }
    emscripten_set_main_loop(draw_page, 0, 0);
    return 0;
}

}  // namespace claybox::app

extern "C" {

/// The report of --report at this moment, for tests of the page; null once it has ended. Valid until the next
/// call.
EMSCRIPTEN_KEEPALIVE const char* claybox_report() {
    static std::string text;
    claybox::app::Sandbox* const sandbox =
        claybox::app::page_loop ? claybox::app::page_loop->sandbox() : nullptr;
    if (sandbox == nullptr) return nullptr;
    text = sandbox->report();
    return text.c_str();
}

/// Ends the program as a closed window does: recordings are finished.
EMSCRIPTEN_KEEPALIVE void claybox_close() {
    if (claybox::app::page_loop) claybox::app::page_loop->window().request_close();
}
}
