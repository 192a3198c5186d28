#pragma once
// One session with an OpenXR runtime: from the instance to the frame, with every way it can end.

#include "engine/hand/hand_joints.hpp"
#include "engine/xr/graphics.hpp"

#include <memory>
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
    /// To draw sRGB bytes into until end_frame(), with GL_FRAMEBUFFER_SRGB off, and to blit from for a
    /// mirror; 0 when nothing is to be drawn.
    unsigned framebuffer = 0;
    unsigned depth_format = 0;  ///< OpenGL's name for its depth, which the runtime may want as well
    int width = 0, height = 0;
};

struct XrController {
    bool active = false;
    XrPose grip, aim;
    float trigger = 0, squeeze = 0;  ///< 0 .. 1
    glm::vec2 stick{0};              ///< each -1 .. 1, +y away from the user
    bool primary = false, secondary = false, menu = false;
    const char* profile = "";  ///< what it is, "Touch"; empty when there is none
};

struct XrFrame {
    bool should_draw = false;
    bool focused = false;  ///< input counts only then
    bool worn = true;      ///< false when the runtime says that nobody wears the headset
    double display_time = 0, period = 1.0 / 90;  ///< seconds of the runtime's clock
    XrPose head;
    std::array<XrEye, 2> eye;
    std::array<HandJoints, 2> hand;  ///< left 0, right 1, as in OpenXR
    std::array<XrController, 2> controller;
    bool space_changed = false;  ///< positions are told from elsewhere than in the last frame: recentred
    double waited = 0;           ///< seconds of this call in which the runtime held the program back
};

enum class XrPhase : unsigned char {
    waiting,  ///< a session is there and idle: frames come later
    running,  ///< call begin_frame() and end_frame()
    ended,    ///< the runtime or request_exit() ended it in order
    lost,     ///< instance or session lost; another one may be tried later
};

struct XrOptions {
    bool seated = false;   ///< LOCAL space instead of the floor's; see set_seated()
    float resolution = 1;  ///< share of the recommended width and height, 0.25 .. 2
    /// Metres of the room: what the pictures' depth is told to the runtime with, so they must be drawn with
    /// it.
    float near_plane = 0.02f, far_plane = 60;
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

    /// Takes the runtime's events; once a frame, before begin_frame(). Once it says ended or lost all of
    /// OpenXR is destroyed, and only sentence() still has an answer.
    XrPhase poll();
    /// Waits until the runtime wants a frame and says where everything will be when it is seen. False when
    /// there is no frame this time: poll() says why. Allocates nothing.
    bool begin_frame(XrFrame& frame);
    /// Hands over what was drawn, if anything was to be. A frame that was begun must be ended.
    void end_frame();
    /// Asks the runtime for the end: frames go on until poll() says ended. Whoever cannot wait destroys the
    /// session.
    void request_exit();
    /// Whether heights count from the head (LOCAL space) and not from the floor, from the next frame on; that
    /// frame tells space_changed. Costs nothing while it stays the same.
    void set_seated(bool seated);
    /// A short buzz of a controller (0 left, 1 right); without one nothing happens.
    void buzz(int side, double seconds, float amplitude);

    /// For people: "Monado: focused, 90 Hz, hands and controllers", "The runtime was lost; ..."
    const std::string& sentence() const;
    bool has_hand_tracking() const;
    /// Whether height 0 is the floor; otherwise it is about where the head was at the start.
    bool has_floor() const;

  private:
    XrSession();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace claybox::engine
