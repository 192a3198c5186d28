#pragma once
// The sandbox in a headset: starts, runs and ends a session of OpenXR while the scene goes on.

#include "app/bridge/room.hpp"
#include "app/bridge/sandbox_app.hpp"
#include "engine/platform/window.hpp"
#include "engine/ui/offscreen_target.hpp"
#include "engine/xr/retry.hpp"
#include "engine/xr/xr_session.hpp"

namespace claybox::app {

/// Keeps pictures in time by making them coarser, and finer again once there is room. Steps are few and far
/// between, because each one is seen.
class PictureGovernor {
  public:
    /// One picture; `late`: the headset had to show an older one. The share of the full size to draw with.
    double update(bool late);
    double share() const;

    static constexpr int kWindow = 90;  ///< pictures that are looked at: about a second
    static constexpr int kTooMany = 5;  ///< late ones among them
    static constexpr int kCalm = 450;   ///< pictures in time before it becomes finer

  private:
    int level_ = 0, seen_ = 0, late_ = 0, calm_ = 0;
};

/// Main thread, with the window's OpenGL context current.
class Headset {
  public:
    /// `window` and `sandbox` outlive it.
    Headset(engine::Window& window, Sandbox& sandbox) : window_(window), sandbox_(sandbox) {}

    /// One turn of the loop at `now` seconds. True when it has drawn the frame, window included; false: the
    /// window's own frame is to be drawn.
    bool frame(double now, int window_width, int window_height);
    const HeadsetFigures& figures() const { return figures_; }
    /// Where the head is in the scene.
    glm::dvec3 viewer() const { return place_.to_scene(frame_.head.position); }

  private:
    void open(double now);
    void close(const std::string& sentence);
    bool is_open(double now);
    void draw(const engine::XrFrame& frame, int window_width, int window_height);
    void place(const engine::XrFrame& frame);
    void take_hands(const engine::XrFrame& frame, HeadsetView& view);
    /// Late pictures and what follows from them. Seconds from the last picture to this one.
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
    PictureGovernor governor_;
    HeadsetFigures figures_;
    bool asked_ = false;       ///< the wish to be in the headset has been seen
    bool placed_ = false;      ///< the viewer stands somewhere
    bool place_anew_ = false;  ///< the room is told from elsewhere
    std::string scene_;        ///< that the viewer was placed in
    double last_display_ = 0;
};

}  // namespace claybox::app
