#pragma once
// Detects presses of virtual buttons: a state machine over the paths of fingertips. A press comes from the
// front, and only one fires per poke. It is robust against fast fingers, resting fingers, jitter and lost
// tracking.
//
// A move is a straight segment. Everything on it is computed in time order: the touch by the exact swept
// test; firing, releasing and leaving from depth and position, which are linear along the segment. The result
// depends on neither the frame rate nor the speed of the finger.

#include "collision/core/vec.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::app {

/// Rules of pressing. The defaults follow the values of virtual-reality toolkits. Seconds, metres, shares of
/// the travel.
struct PressRules {
    double travel = 0.010;
    double fire_at = 0.60;     ///< share of the travel at which the button fires
    double release_at = 0.30;  ///< share of the travel below which it releases
    double rearm = 0.080;      ///< a released button cannot fire for this long
    double reacquire = 0.150;  ///< a finger that has just appeared cannot press for this long
    double side_margin = 1;    ///< finger radii that a holding finger may slide off the side
    double back_margin = 6;    ///< finger radii that a holding finger may go beyond the end of the travel
    /// The rule of Zachmann's thesis, chapter 9: pressed while finger and button collide, from any side.
    /// collide() then decides and frame() does nothing.
    bool plain = false;
};

/// Face of a control at rest: the rectangle |x| <= half_x, |y| <= half_y in the plane z = 0. +Z points to the
/// user.
struct PressPad {
    double half_x = 0.016, half_y = 0.016;
    bool fires = true;  ///< false: a control to drag or turn; a finger only touches and leaves it
};

enum class PressKind : unsigned char {
    touched,  ///< a finger has reached the face from the front
    fired,
    released,    ///< after firing
    left_early,  ///< the finger left before the button fired
    lost,        ///< tracking of the finger ended: neither released nor fired
};

struct PressEvent {
    PressKind kind;
    std::uint32_t button = 0, finger = 0;
    double time = 0;  ///< seconds; exact within the frame
};

/// One straight segment of a fingertip's path: centre of the ball in the button's frame, seconds.
struct FingerMove {
    std::uint32_t finger = 0, button = 0;
    collision::Vec3d from, to;
    double radius = 0.0075;
    double time_from = 0, time_to = 0;
};

/// All controls of a desk and the fingers above them. Has no clock: time comes with the moves. One thread.
class PressBoard {
  public:
    PressBoard(const std::vector<PressPad>& pads, std::uint32_t fingers);

    /// The finger has appeared, or is tracked again after a gap. A button that it still holds stays pressed
    /// if it has fired, and is lost otherwise.
    void appear(std::uint32_t finger, double time, std::vector<PressEvent>& out);
    /// The finger has disappeared. Its button comes up and reports `lost`.
    void lose(std::uint32_t finger, double time, std::vector<PressEvent>& out);
    /// Processes one frame: the moves of all fingers that hold a button or are near one, one move per finger
    /// and button, in the frame of the button. Events are ordered by time. Moves with non-finite coordinates
    /// are ignored.
    void frame(std::span<const FingerMove> moves, const PressRules& rules, std::vector<PressEvent>& out);
    /// Plain rule: the collision of a finger and a button begins or ends. A firing control is pressed while
    /// any finger collides with it; a dragged one is held by one of these fingers.
    void collide(std::uint32_t finger, std::uint32_t button, bool begins, double time,
                 std::vector<PressEvent>& out);
    /// Releases all controls with `lost` events, because the rules have changed.
    void release_all(double time, std::vector<PressEvent>& out);
    /// Moves the caps for `dt` seconds: they follow their fingers or spring back.
    void settle(double dt, const PressRules& rules);

    std::size_t size() const { return buttons_.size(); }
    /// Depth of the cap, metres. Slightly negative when it overshoots its rest position.
    double travel(std::uint32_t button) const { return buttons_[button].cap; }
    bool pressed(std::uint32_t button) const { return buttons_[button].fired; }
    /// The finger that holds the button, or kNoIndex.
    std::uint32_t holder(std::uint32_t button) const { return buttons_[button].finger; }

  private:
    struct Button {
        PressPad pad;
        std::array<collision::Vec3d, 4> face;
        std::uint32_t finger = 0xffffffffu;
        bool fired = false;
        bool used = false;     ///< has fired since the finger came: leaving is not early
        bool blocked = false;  ///< crossed the fire point while not armed: must come up first
        double depth = 0;      ///< of the holding finger
        double cap = 0, speed = 0;
        double released = -1e9;       ///< time of the last release
        std::uint32_t colliding = 0;  ///< plain rule: one bit per finger
    };
    struct Finger {
        std::uint32_t button = 0xffffffffu;  ///< one button per finger
        double since = -1e9;                 ///< time at which it appeared
        double at = 0;                       ///< processed part of its move in this frame, 0 .. 1
    };
    /// A finger touches a face.
    struct Touch {
        double time = 0, at = 0, off_middle = 0;
        std::uint32_t move = 0;
    };

    void find_touches(std::span<const FingerMove> moves);
    void follow_holds(std::span<const FingerMove> moves, const PressRules& rules, double until,
                      std::vector<PressEvent>& out);
    void follow(const FingerMove& move, const PressRules& rules, double until, std::vector<PressEvent>& out);
    bool advance(const FingerMove& move, const PressRules& rules, double until, std::vector<PressEvent>& out);
    void cross(const FingerMove& move, const PressRules& rules, double time, std::vector<PressEvent>& out);
    void pass_on(std::uint32_t button, double time, std::vector<PressEvent>& out);
    void release(std::uint32_t button, double time, bool lost, std::vector<PressEvent>& out);

    std::vector<Button> buttons_;
    std::vector<Finger> fingers_;
    std::vector<Touch> touches_;
};

}  // namespace claybox::app
