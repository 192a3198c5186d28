#pragma once
// The sandbox in a headset: starts, runs and ends an OpenXR session while the scene continues.

#include "app/bridge/headset/room.hpp"
#include "app/bridge/sandbox/sandbox.hpp"
#include "engine/platform/window.hpp"
#include "engine/ui/offscreen_target.hpp"
#include "engine/xr/retry.hpp"
#include "engine/xr/session/xr_session.hpp"

namespace claybox::app {

/// Keeps frames on time by reducing the resolution, and restores it after a calm period. Changes are rare,
/// because each one is visible.
class ResolutionGovernor {
  public:
    /// Counts one frame; `late`: the headset had to show an older one. Returns the share of the full
    /// resolution.
    double update(bool late);
    double share() const;

    static constexpr int kWindow = 90;  ///< frames of one decision: about a second
    static constexpr int kTooMany = 5;  ///< late frames in the window that reduce the resolution
    static constexpr int kCalm = 450;   ///< frames on time in a row that restore a step

  private:
    int level_ = 0, seen_ = 0, late_ = 0, calm_ = 0;
};

/// Main thread, with the window's OpenGL context current.
class Headset {
  public:
    /// `window` and `sandbox` outlive it.
    Headset(engine::Window& window, Sandbox& sandbox) : window_(window), sandbox_(sandbox) {}

    /// One iteration of the main loop at `now` seconds. True when it has drawn the frame, including the
    /// window; false: the caller draws the window's own frame.
    bool frame(double now, int window_width, int window_height);
    const HeadsetFigures& figures() const { return figures_; }
    /// Position of the head in the scene.
    glm::dvec3 viewer() const { return place_.to_scene(frame_.head.position); }

  private:
    void open(double now);
    void close(const std::string& sentence);
    bool is_open(double now);
    void draw(const engine::XrFrame& frame, int window_width, int window_height);
    void place(const engine::XrFrame& frame);
    void take_hands(const engine::XrFrame& frame, HeadsetView& view);
    /// Counts late frames and adapts the resolution. Returns the seconds since the last frame.
    double count(const engine::XrFrame& frame);
    void buzz(const engine::XrFrame& frame, int clicking_hand);

    engine::Window& window_;
    Sandbox& sandbox_;
    std::unique_ptr<engine::XrSession> session_;
    std::unique_ptr<engine::OffscreenTarget> panels_;
    engine::XrRetry retry_;
    engine::XrFrame frame_;
    RoomPlace place_;
    Boards boards_;
    BoardPointer pointer_;
    ResolutionGovernor governor_;
    HeadsetFigures figures_;
    bool requested_ = false;    ///< the request for a session has been handled
    bool placed_ = false;       ///< the viewer has a place in the scene
    bool place_again_ = false;  ///< the runtime has moved its reference space
    std::string scene_;         ///< scene of the viewer's place
    double last_display_ = 0;
};

}  // namespace claybox::app
