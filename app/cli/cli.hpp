#pragma once

#include "app/devices/app_devices.hpp"
#include "app/session/session.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace claybox::app {

/// Pictures of one turn of what the scene shapes.
struct TurntableOptions {
    std::filesystem::path target;  ///< animated GIF if it ends in ".gif", else a folder for PNG files
    int pictures = 72;
    int size = 640;  ///< pixels per side
    bool dark = false;
    bool is_new = false;  ///< a file that gets the name meanwhile is not replaced
};

/// Start options of the sandbox, from the command line.
struct SandboxOptions {
    SessionOptions session;
    bool scene_given = false;  ///< false: the settings file chooses the scene
    bool xr = false;
    int width = 0, height = 0;         ///< 0: from the settings file, or 1600 x 900
    float ui_scale = 0;                ///< 0: from the settings file, or the monitor's scale
    std::uint64_t frames = 0;          ///< close after this number of frames; 0: never
    std::filesystem::path screenshot;  ///< written after the last frame
    TurntableOptions turntable;        ///< the same; an empty target: none
    std::filesystem::path record;
    std::filesystem::path autosave;  ///< folder; empty: in the user's state folder
    std::filesystem::path
        report;  ///< JSON file with state, rectangles and labels of all widgets, rewritten several times a
                 ///< second, so that programs and tests can drive the window
    bool first_run_hint = true;
    DeviceOptions devices;
};

/// Arguments of `claybox bench`.
struct BenchArguments {
    std::string name;  ///< experiment, row of a paper, "papers" or "streams"; empty or "list": list all
    std::string json, markdown;
    std::vector<std::string> rows, algorithms;
    std::string meshes;  ///< folder of mesh files; empty: "meshes" in CLAYBOX_TRUTH_DIR, if that is set
    bool quick = false;
    std::uint64_t seed = 1;
    double minutes = 0;      ///< 0: the experiment's default
    std::string out, shard;  ///< of 'papers': folder of the findings; part of the rows, "i/n"
    std::string compare;     ///< of 'papers': folder of an earlier run
};

/// What a program adds to the command line. Functions that need graphics are empty in a headless build.
struct Frontend {
    std::function<int(const SandboxOptions&)> sandbox;
    /// Draws the session and its panels into a PNG, without a window.
    std::function<collision::Status(Session&, const std::filesystem::path&, int width, int height)>
        screenshot;
    std::function<collision::Status(Session&, const TurntableOptions&)> turntable;
    /// Runs an experiment and returns the exit status.
    std::function<int(const BenchArguments&)> bench;
};

/// Parses and runs the command line, whose words are UTF-8. Returns the exit status: 0 done, 1 a check
/// failed, 2 bad usage or bad input, 130 interrupted by Ctrl-C.
int run_command_line(int argc, char** argv, const Frontend& frontend);

}  // namespace claybox::app
