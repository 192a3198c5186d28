#pragma once

#include "app/devices/app_devices.hpp"
#include "app/session/session.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace claybox::app {

/// How the sandbox starts, from the command line.
struct SandboxOptions {
    SessionOptions session;
    bool scene_given = false;  ///< else the settings file says which scene
    bool xr = false;
    int width = 0, height = 0;         ///< 0: from the settings file, or 1600 x 900
    float ui_scale = 0;                ///< 0: from the settings file, or the monitor's
    std::uint64_t frames = 0;          ///< close after so many frames; 0: never
    std::filesystem::path screenshot;  ///< written after the last frame
    std::filesystem::path record;
    std::filesystem::path
        report;  ///< `--report FILE`: after each second writes rectangles and labels of all widgets and
                 ///< the state as JSON, so that programs and tests can drive the window
    bool first_run_hint = true;
    DeviceOptions devices;
};

/// What only a build with graphics can do; empty functions in a headless build.
struct Frontend {
    std::function<int(const SandboxOptions&)> sandbox;
    /// Draws the session's scene as it is with panels, without a window, into a PNG.
    std::function<collision::Status(Session&, const std::filesystem::path&, int width, int height)>
        screenshot;
};

/// The whole command line; returns the exit status: 0 done, 1 a check failed, 2 bad usage or bad
/// input, 130 ended by Ctrl-C.
int run_command_line(int argc, char** argv, const Frontend& frontend);

}  // namespace claybox::app
