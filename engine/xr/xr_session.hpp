#pragma once
// One session with an OpenXR runtime: from the instance to the frame, with every way it can end.

#include "engine/hand/hand_joints.hpp"

#include <memory>
#include <optional>
#include <string>

namespace claybox::engine {

/// A placement in the space that the runtime gives: metres, +Y up, floor at 0 where the runtime knows it.
struct XrPose {
    glm::dvec3 position{0};
    glm::dquat rotation{1, 0, 0, 0};
    bool valid = false;
};

/// Where one eye looks from and what it draws into. Angles in radians as the runtime gives them: left and
/// down are negative.
struct XrEye {
    XrPose pose;
    float left = 0, right = 0, up = 0, down = 0;
    unsigned framebuffer = 0;  ///< to draw into until end_frame(); 0 when nothing is to be drawn
    int width = 0, height = 0;
};

struct XrController {
    bool active = false;
    XrPose grip, aim;
    float trigger = 0, squeeze = 0;
    glm::vec2 stick{0};
    bool primary = false, secondary = false, menu = false;
};

struct XrFrame {
    bool should_draw = false;
    bool focused = false;                        ///< input counts only then
    double display_time = 0, period = 1.0 / 90;  ///< seconds of the runtime's clock
    XrPose head;
    std::array<XrEye, 2> eye;
    std::array<HandJoints, 2> hand;  ///< left 0, right 1, as in OpenXR
    std::array<XrController, 2> controller;
    bool space_changed = false;  ///< the runtime has recentred since the last frame
};

enum class XrPhase : unsigned char {
    waiting,  ///< a session is there and idle: frames come later
    running,  ///< call begin_frame() and end_frame()
    ended,    ///< the runtime or request_exit() ended it in order
    lost,     ///< instance or session lost; another one may be tried later
};

/// The OpenGL context that the window made current; asked from GLFW by the one who opens the session.
struct XrGraphics;

struct XrOptions {
    bool seated = false;                       ///< LOCAL space instead of the floor's
    float resolution = 1;                      ///< share of the recommended width and height
    float near_plane = 0.02f, far_plane = 60;  ///< for the depth layer
};

/// Main thread only, the thread of the OpenGL context. Every member leaves that context current, with the
/// state that it found.
class XrSession {
  public:
    /// Null with one sentence in `error`: what is missing and where to set it.
    static std::unique_ptr<XrSession> open(const XrGraphics& graphics, const XrOptions& options,
                                           std::string& error);
    ~XrSession();
    XrSession(const XrSession&) = delete;
    XrSession& operator=(const XrSession&) = delete;

    /// Takes the runtime's events; once a frame, before begin_frame().
    XrPhase poll();
    /// Waits until the runtime wants a frame and says where everything will be when it is seen. False when
    /// there is no frame this time: poll() says why.
    bool begin_frame(XrFrame& frame);
    /// Hands over what was drawn. A frame that was begun must be ended.
    void end_frame();
    void request_exit();
    /// A short buzz of a controller (0 left, 1 right); without one nothing happens.
    void buzz(int side, double seconds, float amplitude);

    /// For people: "Monado: focused, 90 Hz, hands and controllers", "The runtime was lost; ..."
    const std::string& sentence() const;
    bool has_hand_tracking() const;

  private:
    XrSession();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace claybox::engine
