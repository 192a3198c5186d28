#include "app/cli/cli.hpp"

#ifndef CLAYBOX_HEADLESS
#if __has_include("app/bridge/sandbox.hpp")
#include "app/bridge/offscreen.hpp"
#include "app/bridge/sandbox.hpp"
#define CLAYBOX_WINDOW
#endif
#endif

int main(int argc, char** argv) {
    claybox::app::Frontend frontend;
#ifdef CLAYBOX_WINDOW
    frontend.sandbox = claybox::app::run_sandbox;
    frontend.screenshot = claybox::app::write_screenshot;
#endif
    return claybox::app::run_command_line(argc, argv, frontend);
}
