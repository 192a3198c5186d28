#pragma once
// The main loop of the window, one picture at a time. A desktop runs it to its end; a browser asks for each
// picture.

#include "app/bridge/headset/headset.hpp"
#include "app/bridge/sandbox/sandbox.hpp"
#include "app/session/interrupt.hpp"
#include "collision/pairwise/raster/raster_device.hpp"
#include "engine/input/sources/gamepad_state.hpp"
#include "engine/platform/window.hpp"

#include <optional>

namespace claybox::app {

/// Everything that lives as long as the window, created in this order.
struct Desktop {
    std::unique_ptr<engine::Window> window;
    std::unique_ptr<engine::Renderer> renderer;
    std::unique_ptr<engine::Ui> ui;
    std::unique_ptr<collision::RasterDevice> raster;  ///< for queries on this thread; null without one
    std::optional<collision::RasterDeviceScope> raster_scope;
    std::unique_ptr<Sandbox> sandbox;
    std::unique_ptr<Headset> headset;
};

class SandboxLoop {
  public:
    /// Reads the settings and opens the window. Null with a sentence in `error`: no window, a bad scene or a
    /// file that cannot be written.
    static std::unique_ptr<SandboxLoop> open(const SandboxOptions& options, std::string& error);

    engine::Window& window() { return *desktop_.window; }
    Sandbox& sandbox() { return *desktop_.sandbox; }
    /// Runs and draws one frame. False, without one, when the loop has ended: because the window is closed,
    /// by request, after the last frame, because a report cannot be written, or because the memory is
    /// exhausted.
    bool frame();

    /// Whether the next frame would show the same. Then call begin_rest() and, while rests() is true, wait
    /// instead of calling frame(); afterwards call wake().
    bool may_rest() const;
    void begin_rest();
    /// False after an input and at the end. Saves the settings meanwhile.
    bool rests();
    bool has_gamepad() const { return gamepad_before_rest_.present; }
    void wake();

    /// Finishes every output, whatever failed before. Returns the exit status.
    int finish();

  private:
    SandboxLoop(const SandboxOptions& options, const Settings& settings,
                const std::filesystem::path& settings_file);
    bool should_end() const;
    void draw_frame();
    void save_final_pictures(int width, int height);

    const SandboxOptions options_;
    Desktop desktop_;
    SettingsKeeper keeper_;
    std::optional<Interrupt> interrupt_;             ///< from the first frame on
    double start_ = 0, last_ = 0, next_report_ = 0;  ///< seconds
    std::uint64_t frames_ = 0;
    bool ended_ = false;      ///< the last of --frames was drawn
    bool exhausted_ = false;  ///< a frame ran out of memory
    bool reports_ = true;     ///< reports can be written
    bool pictured_, turned_;  ///< nothing is left to do for --screenshot and --turntable
    std::string no_picture_ = "--screenshot: the window was closed before its last frame, expected --frames";
    std::string no_turn_ = "--turntable: the window was closed before its last frame, expected --frames";
    std::uint64_t events_before_rest_ = 0;
    engine::GamepadState gamepad_before_rest_;
};

}  // namespace claybox::app
