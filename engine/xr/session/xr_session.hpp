#pragma once
// One session with an OpenXR runtime: frames, input, haptics, and every way in which it can end.

#include "engine/hand/hand_joints.hpp"
#include "engine/xr/graphics/graphics.hpp"

#include <memory>
#include <string>

namespace claybox::engine {

/// A pose in the runtime's reference space: metres, +Y up, floor at 0 if the runtime knows the floor.
struct XrPose {
    glm::dvec3 position{0};
    glm::dquat rotation{1, 0, 0, 0};
    bool valid = false;
};

/// One eye: its pose, its field of view and its render target. Angles in radians as in OpenXR: left and down
/// are negative.
struct XrEye {
    XrPose pose;
    float left = 0, right = 0, up = 0, down = 0;
    /// Draw sRGB bytes into it until end_frame(), with GL_FRAMEBUFFER_SRGB off; blit from it for a mirror
    /// view. 0 when nothing is to be drawn.
    unsigned framebuffer = 0;
    unsigned depth_format = 0;  ///< OpenGL format of its depth, which the runtime may also use
    int width = 0, height = 0;
};

struct XrController {
    bool active = false;
    XrPose grip, aim;
    float trigger = 0, squeeze = 0;  ///< 0 .. 1
    glm::vec2 stick{0};              ///< each -1 .. 1, +y away from the user
    bool primary = false, secondary = false, menu = false;
    const char* profile = "";  ///< for example "Touch"; empty when there is none
};

struct XrFrame {
    bool should_draw = false;
    bool focused = false;  ///< input counts only when true
    bool worn = true;      ///< false when the runtime reports that nobody wears the headset
    double display_time = 0, period = 1.0 / 90;  ///< seconds, on the runtime's clock
    XrPose head;
    std::array<XrEye, 2> eye;
    std::array<HandJoints, 2> hand;  ///< left 0, right 1, with OpenXR's joints
    std::array<XrController, 2> controller;
    bool space_changed = false;  ///< the reference space moved since the last frame (recentred)
    double waited = 0;           ///< seconds that begin_frame() spent waiting for the runtime
};

enum class XrPhase : unsigned char {
    waiting,  ///< the session is idle: frames come later
    running,  ///< call begin_frame() and end_frame()
    ended,    ///< ended regularly, by the runtime or request_exit()
    lost,     ///< instance or session lost; a new session may be tried later
};

struct XrOptions {
    bool seated = false;   ///< LOCAL space instead of a floor space; see set_seated()
    float resolution = 1;  ///< share of the recommended width and height, 0.25 .. 2
    /// Metres in the room. The runtime gets them with the depth image, so the pictures must be drawn with
    /// them.
    float near_plane = 0.02f, far_plane = 60;
};

/// Main thread only, the thread of the OpenGL context. Every member leaves that context current and restores
/// its state.
class XrSession {
  public:
    /// Keeps the loader quiet where no runtime is installed. Call it before the program has other threads: it
    /// sets an environment variable.
    static void silence_loader();
    /// Null with one sentence in `error`: what is missing and where to set it.
    static std::unique_ptr<XrSession> open(const XrGraphics& graphics, const XrOptions& options,
                                           std::string& error);
    ~XrSession();
    XrSession(const XrSession&) = delete;
    XrSession& operator=(const XrSession&) = delete;

    /// Handles the runtime's events; call once per frame, before begin_frame(). When it returns ended or
    /// lost, all OpenXR objects are destroyed and only sentence() is still valid.
    XrPhase poll();
    /// Waits until the runtime wants a frame and fills in the predicted poses. False when there is no frame
    /// this time; poll() returns the reason. Allocates nothing.
    bool begin_frame(XrFrame& frame);
    /// Submits the drawing, if any. Every begun frame must be ended.
    void end_frame();
    /// Requests the end of the session: frames go on until poll() returns ended. To end at once, destroy the
    /// session.
    void request_exit();
    /// Seated: heights are relative to the head (LOCAL space), otherwise to the floor. Takes effect in the
    /// next frame, which sets space_changed. No cost while unchanged.
    void set_seated(bool seated);
    /// Vibrates a controller (0 left, 1 right) briefly; no effect without one.
    void buzz(int side, double seconds, float amplitude);

    /// Status for the user: "Monado: focused, 90 Hz, hands and controllers", "Monado was lost ..."
    const std::string& sentence() const;
    bool has_hand_tracking() const;
    /// Whether height 0 is the floor; otherwise it is about the head's height at the start.
    bool has_floor() const;

  private:
    XrSession();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace claybox::engine
