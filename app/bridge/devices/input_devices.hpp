#pragma once
// The physical sources of the sandbox and its logical devices, updated once at the start of a frame.

#include "app/devices/app_devices.hpp"
#include "app/devices/sources.hpp"
#include "app/devices/valid_lines.hpp"
#include "engine/ui/ui_input.hpp"

namespace claybox::app {

class InputDevices {
  public:
    InputDevices();
    /// Opens the track and the port of the command line. Call it before a map is loaded. False with one
    /// sentence in `error`.
    bool open(const DeviceOptions& options, std::string& error);
    /// Loads the map of the settings folder and saves later changes to it. Lines that are not valid in this
    /// run, for example because they name a track that is not played, are reported in `error`, one per line,
    /// and stay in the file. False if the file is not a map: it is left unchanged, and changes are not saved.
    bool use_saved_map(const std::filesystem::path& file, std::string& error);
    /// Loads a map for this run instead of the saved one; changes are not saved from now on.
    bool load_map(const std::filesystem::path& file, std::string& error);
    /// Changes a mapping and saves it in the file of use_saved_map(), if there is one. False with one
    /// sentence in `error`.
    bool remap(std::string_view device, std::string_view mapping, std::string& error);

    /// Updates all sources and devices at the start of a frame; `now` in seconds.
    void update(const engine::UiInput& window, int width, int height, double now);
    void feed_gamepad(const engine::GamepadState& state) { sources_.gamepad.feed(state); }
    /// Input of a headset for the next update().
    void feed_headset(const engine::HeadsetInput& headset);
    /// Whether a device may move something without an event of the window or a gamepad's button: a network
    /// port, a track, a SpaceMouse.
    bool live() const;
    /// Writes the recorded track. Returns false with one sentence in `error` when that fails, or when the
    /// track had reached its maximum size and is incomplete.
    bool finish_track(std::string& error);

    engine::LogicalDevices& logical() { return logical_; }
    const engine::LogicalDevices& logical() const { return logical_; }
    const engine::NetworkFigures& network() const { return sources_.network.figures(); }

  private:
    std::string text_to_save() const;
    void record(double now);

    Sources sources_;
    engine::LogicalDevices logical_;
    engine::WindowInput window_;
    std::filesystem::path saved_map_, track_file_;  ///< saved_map_: empty while changes are not saved
    std::vector<UnusedLine> unused_;
    engine::TrackRecorder recorder_;
    bool recording_ = false;
};

}  // namespace claybox::app
