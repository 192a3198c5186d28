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
    /// The map that was kept in the settings folder, and where changes go from now on. Lines that cannot hold
    /// in this run, as they name a track that is not played, are told in `error`, each in a line of it, and
    /// written again with the others. False for what is no map: it is left as it is, and changes are not
    /// kept.
    bool use_kept_map(const std::filesystem::path& file, std::string& error);
    /// A map for this run, in place of the one that was kept: changes are not kept from now on.
    bool load_map(const std::filesystem::path& file, std::string& error);
    /// Another mapping, kept in the file of use_kept_map() where there is one. False with one sentence.
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
    /// A kept line that does not hold in this run.
    struct AsideLine {
        std::string device, text;
    };
    bool load_what_holds(std::string text, const std::filesystem::path& file, std::string& error);
    std::string text_to_keep() const;
    void record(double now);

    Sources sources_;
    engine::LogicalDevices logical_;
    engine::WindowInput window_;
    std::filesystem::path kept_, track_file_;  ///< kept_: empty where changes are not kept
    std::vector<AsideLine> aside_;
    engine::TrackRecorder recorder_;
    bool recording_ = false;
};

}  // namespace claybox::app
