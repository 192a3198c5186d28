#pragma once
// The physical sources of the sandbox and the logical devices over them: fed once a frame, before anything
// asks.

#include "app/devices/app_devices.hpp"
#include "app/devices/sources.hpp"
#include "engine/ui/ui_input.hpp"

namespace claybox::app {

class InputDevices {
  public:
    InputDevices();
    /// Opens track and port that the command line asks for, before a map is loaded. False with one sentence.
    bool open(const DeviceOptions& options, std::string& error);
    /// The map that was kept in the settings folder, and where changes go from now on. A broken one is told
    /// and left as it is; changes then are not kept.
    bool use_kept_map(const std::filesystem::path& file, std::string& error);
    /// A map in place of the one that was kept.
    bool load_map(const std::filesystem::path& file, std::string& error);
    /// Another mapping, kept in the file of use_kept_map(). False with one sentence.
    bool remap(std::string_view device, std::string_view mapping, std::string& error);

    /// The first half of a frame; `now` in seconds.
    void update(const engine::UiInput& window, int width, int height, double now);
    void feed_gamepad(const engine::GamepadState& state) { sources_.gamepad.feed(state); }
    /// A frame of a headset, for the next update().
    void feed_headset(const engine::HeadsetInput& headset);
    /// Writes the track that is recorded.
    bool finish_track(std::string& error);

    engine::LogicalDevices& logical() { return logical_; }
    const engine::LogicalDevices& logical() const { return logical_; }
    const engine::NetworkFigures& network() const { return sources_.network.figures(); }

  private:
    void record(double now);

    Sources sources_;
    engine::LogicalDevices logical_;
    engine::WindowInput window_;
    std::filesystem::path kept_, track_file_;
    engine::TrackRecorder recorder_;
    bool recording_ = false;
};

}  // namespace claybox::app
