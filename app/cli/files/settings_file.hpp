#pragma once
// Settings that the window keeps between runs, as JSON in the user's configuration folder.

#include "collision/core/result.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace claybox::app {

struct Settings {
    std::string scene = "cage";
    std::string algorithm, broad_phase;  ///< ids; empty: the defaults
    bool dark = false;
    bool sound = true;
    bool haptics = true, seated = false;      ///< in the headset
    double hand_filter = 0, stroke_lead = 0;  ///< percent, millimetres
    int pressure_from = 0;                    ///< PressureFrom
    double scale = 0;                         ///< 0: the monitor's scale
    int width = 1600, height = 900;
    std::set<std::string> hints_seen;  ///< ids of scenes whose hint was shown
    friend bool operator==(const Settings&, const Settings&) = default;
};

/// Missing members keep their defaults, unknown ones are ignored, numbers are clamped to their ranges. An
/// error names the member, or the line of text that is not JSON, and what was expected.
collision::Result<Settings> read_settings_text(std::string_view text);
/// JSON that read_settings_text() reads as the same settings. Bytes of a string that are not UTF-8 are
/// replaced.
std::string settings_text(const Settings& settings);

/// Reads the file; a missing file means defaults. For an unreadable file it returns defaults, one sentence in
/// `error`, and false.
bool load_settings(const std::filesystem::path& file, Settings& settings, std::string& error);
/// Renames an unreadable settings file instead of overwriting it, because it may have been edited by hand.
/// Replaces no file. Returns the new name; empty if the file cannot be renamed.
std::filesystem::path set_aside(const std::filesystem::path& file);
bool save_settings(const std::filesystem::path& file, const Settings& settings, std::string& error);
/// The file in the configuration folder; empty without such a folder.
std::filesystem::path settings_file();

/// Saves changed settings, at most every two seconds.
class SettingsKeeper {
  public:
    SettingsKeeper(std::filesystem::path file, const Settings& saved)
        : file_(std::move(file)), saved_(saved) {}
    /// Call every frame, and with `at_once` at the end. `now` in seconds. A failed save is repeated. Returns
    /// the sentence to report: empty except for the first failure.
    std::string keep(const Settings& current, double now, bool at_once);

  private:
    std::filesystem::path file_;
    Settings saved_;  ///< as in the file
    double next_ = 0;
    bool reported_ = false;
};

}  // namespace claybox::app
