#pragma once
// The main loop of the window, one picture at a time. A desktop runs it to its end; a browser asks for each
// picture.

#include "app/bridge/loop/desktop_parts.hpp"
#include "app/session/interrupt.hpp"
#include "engine/input/sources/gamepad_state.hpp"

#include <optional>

namespace claybox::app {

class SandboxLoop {
  public:
    /// Reads the settings and opens the window. Null with a sentence in `error`: no window, a bad scene or a
    /// file that cannot be written.
    static std::unique_ptr<SandboxLoop> open(const SandboxOptions& options, std::string& error);

    engine::Window& window() { return *desktop_.window; }
    /// Null only after the loop has ended.
    Sandbox* sandbox() { return desktop_.sandbox.get(); }
    /// Runs and draws one frame. False, without one, when the loop has ended: because the window is closed,
    /// by request, after the last frame, because a report cannot be written, or because the memory is
    /// exhausted. If a frame runs out of memory for the first time in a while, the scene starts again.
    bool frame();

    /// Whether the next frame would show the same. Then call begin_rest(), and rests() instead of frame()
    /// while it returns true; afterwards call wake().
    bool may_rest() const;
    void begin_rest();
    /// Waits for an input, at most for some seconds; a browser does not wait. False after an input and at the
    /// end. Saves the settings meanwhile.
    bool rests(double seconds);
    bool has_gamepad() const { return gamepad_before_rest_.present; }
    void wake();

    /// Finishes every output, whatever failed before. Returns the exit status.
    int finish();

  private:
    SandboxLoop(const SandboxOptions& options, const Settings& settings,
                const std::filesystem::path& settings_file);
    bool should_end() const;
    void draw_frame();
    bool remains_resting(double seconds);
    void start_again();
    void end_run();
    void open_contents_again();
    [[noreturn]] void end_without_display() noexcept;
    void save_final_pictures(int width, int height);

    const SandboxOptions options_;
    Desktop desktop_;
    SettingsKeeper keeper_;
    std::optional<Interrupt> interrupt_;             ///< from the first frame on
    double start_ = 0, last_ = 0, next_report_ = 0;  ///< seconds
    std::uint64_t frames_ = 0;
    bool ended_ = false;      ///< the last of --frames was drawn
    bool exhausted_ = false;  ///< the memory does not suffice
    bool refused_ = false;    ///< the contents could not be opened again
    bool cut_ = false;        ///< a run of so many frames, or a recording, was cut by exhausted memory
    bool finished_ = true;    ///< recordings were written
    double calm_from_ = 0;    ///< until then, exhausted memory ends the loop; seconds
    bool reports_ = true;     ///< reports can be written
    bool pictured_, turned_;  ///< nothing is left to do for --screenshot and --turntable
    std::string no_picture_ = "--screenshot: the window was closed before its last frame, expected --frames";
    std::string no_turn_ = "--turntable: the window was closed before its last frame, expected --frames";
    std::uint64_t events_before_rest_ = 0;
    engine::GamepadState gamepad_before_rest_;
};

}  // namespace claybox::app
