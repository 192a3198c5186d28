#pragma once
// What the window remembers between runs, as JSON in the user's configuration folder.

#include <filesystem>
#include <set>
#include <string>

namespace claybox::app {

struct Settings {
    std::string scene = "cage";
    std::string algorithm, broad_phase;  ///< ids; empty: the registry's first
    bool dark = false;
    bool sound = true;
    bool haptics = true, seated = false;  ///< in the headset
    double scale = 0;                     ///< 0: by the monitor
    int width = 1600, height = 900;
    std::set<std::string> hints_seen;  ///< scenes
    friend bool operator==(const Settings&, const Settings&) = default;
};

/// Reads the file; a missing one gives the defaults. False with one sentence in `error` when it is broken;
/// the defaults stand for what could not be read.
bool load_settings(const std::filesystem::path& file, Settings& settings, std::string& error);
bool save_settings(const std::filesystem::path& file, const Settings& settings, std::string& error);
/// In the configuration folder; empty when there is none.
std::filesystem::path settings_file();

}  // namespace claybox::app
