#pragma once
// When is a virtual button pressed? A state machine over the ways of fingertips: from the front only, once
// per press, robust against fast fingers, resting fingers, jitter and tracking that comes and goes. A way is
// a straight segment, and what happens on it is computed in the order in which it happens: the touch by the
// exact swept test, the points of firing, releasing and leaving from the linear functions that depth and
// place are. So neither the frame rate nor the finger's speed decides anything.

#include "collision/core/vec.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::app {

/// Defaults from the table of numbers in use in virtual-reality toolkits; seconds, metres, shares of the
/// travel.
struct PressRules {
    double travel = 0.010;
    double fire_at = 0.60;     ///< share of the travel at which it fires
    double release_at = 0.30;  ///< share below which it releases
    double rearm = 0.080;      ///< after a release nothing fires for this long
    double reacquire = 0.150;  ///< a finger that has just appeared presses nothing for this long
    double beside = 1;         ///< finger radii beside the face that a finger which holds it may slide
    double behind = 6;         ///< finger radii behind the travel's end that it may go through
    /// The rule of Zachmann's thesis, chapter 9: pressed while finger and button collide, from any side.
    /// Then collide() counts and frame() does nothing.
    bool plain = false;
};

/// A control's face at rest: the rectangle |x| <= half_x, |y| <= half_y of the plane z = 0; +Z points to the
/// user.
struct PressPad {
    double half_x = 0.016, half_y = 0.016;
    bool fires = true;  ///< false: it is dragged or turned; a finger only touches and leaves it
};

enum class PressKind : unsigned char {
    touched,  ///< a finger has come to the face from its front
    fired,
    released,    ///< after firing
    left_early,  ///< gone without having fired
    lost,        ///< the finger's tracking ended: neither released nor fired
};

struct PressEvent {
    PressKind kind;
    std::uint32_t button = 0, finger = 0;
    double time = 0;  ///< seconds; within the frame, where it happened
};

/// One straight piece of a fingertip's way, in the button's frame: the centre of its ball, seconds.
struct FingerMove {
    std::uint32_t finger = 0, button = 0;
    collision::Vec3d from, to;
    double radius = 0.0075;
    double time_from = 0, time_to = 0;
};

/// All controls of a desk and the fingers over them. Knows no clock: time comes with the moves. One thread.
class PressBoard {
  public:
    PressBoard(std::vector<PressPad> pads, std::uint32_t fingers);

    /// The finger is there: for the first time, or after it was gone or not seen for a while. What it still
    /// holds stays as it was if it has fired, and is lost otherwise.
    void appear(std::uint32_t finger, double time, std::vector<PressEvent>& out);
    /// The finger is gone for good; what it held comes up silently.
    void lose(std::uint32_t finger, double time, std::vector<PressEvent>& out);
    /// One frame of all fingers that are near a button, or hold one; a finger's moves for several buttons
    /// are the same way in their frames. Events come in the order of their times. Moves that are not finite
    /// do nothing.
    void frame(std::span<const FingerMove> moves, const PressRules& rules, std::vector<PressEvent>& out);
    /// The collision of a finger and a button begins or ends; for the plain rule. A control that fires is
    /// pressed while any finger collides; one that is dragged is held by one of them.
    void collide(std::uint32_t finger, std::uint32_t button, bool begins, double time,
                 std::vector<PressEvent>& out);
    /// Everything comes up silently: the rules have changed.
    void let_all_go(double time, std::vector<PressEvent>& out);
    /// Lets the caps follow their fingers or spring back, for `dt` seconds.
    void settle(double dt, const PressRules& rules);

    std::size_t size() const { return buttons_.size(); }
    /// How deep the cap stands, metres; may swing a little beyond its rest (negative) when it comes back.
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
        bool used = false;     ///< has fired since the finger came: leaving is no early leaving
        bool blocked = false;  ///< crossed the fire point while not armed: must come back first
        double depth = 0;      ///< of the finger that holds it
        double cap = 0, speed = 0;
        double released = -1e9;       ///< time of the last release
        std::uint32_t colliding = 0;  ///< of the plain rule: a bit for each finger
    };
    struct Finger {
        std::uint32_t button = 0xffffffffu;  ///< one button per finger
        double since = -1e9;                 ///< time at which it appeared
        double at = 0;                       ///< how far along its way of this frame it has been followed
    };
    /// Where on its way a finger comes to a face.
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
    void let_go(std::uint32_t button, double time, bool lost, std::vector<PressEvent>& out);

    std::vector<Button> buttons_;
    std::vector<Finger> fingers_;
    std::vector<Touch> touches_;
};

}  // namespace claybox::app
