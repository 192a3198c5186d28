#include "app/cli/cli.hpp"

#ifndef CLAYBOX_HEADLESS
#include "app/bridge/sandbox/run_sandbox.hpp"
#include "app/bridge/pictures/screenshot.hpp"
#include "app/bridge/pictures/turntable.hpp"
#endif

int main(int argc, char** argv) {
    claybox::app::Frontend frontend;
#ifndef CLAYBOX_HEADLESS
    frontend.sandbox = claybox::app::run_sandbox;
    frontend.screenshot = claybox::app::write_screenshot;
    frontend.turntable = claybox::app::write_turntable;
#endif
    return claybox::app::run_command_line(argc, argv, frontend);
}
