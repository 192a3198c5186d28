#pragma once
// When is a virtual button pressed? A state machine over fingertip paths: from the front only, once per
// press, robust against fast fingers, resting fingers, jitter and tracking that comes and goes.

#include "collision/core/vec.hpp"

#include <cstdint>
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
    double behind = 6;         ///< finger radii behind the travel's end that a finger may go through
};

/// A button's face at rest: the rectangle |x| <= half_x, |y| <= half_y of the plane z = 0; +Z points to the
/// user.
struct PressPad {
    double half_x = 0.016, half_y = 0.016;
};

enum class PressKind : unsigned char { touched, fired, released, left_early };

struct PressEvent {
    PressKind kind;
    std::uint32_t button = 0, finger = 0;
    double time = 0;
};

/// One straight piece of a fingertip's way, in the button's frame: the centre of its ball, seconds.
struct FingerMove {
    collision::Vec3d from, to;
    double radius = 0.0075;
    double time_from = 0, time_to = 0;
};

/// All buttons of a desk and the fingers over them. Knows no clock: time comes with the moves. One thread.
class PressBoard {
  public:
    PressBoard(std::vector<PressPad> pads, std::uint32_t fingers);

    /// The finger is there again (or for the first time).
    void appear(std::uint32_t finger, double time);
    /// The finger is gone; what it held is released.
    void vanish(std::uint32_t finger, double time, std::vector<PressEvent>& out);
    /// The finger has moved near a button.
    void move(std::uint32_t finger, std::uint32_t button, const FingerMove& way, const PressRules& rules,
              std::vector<PressEvent>& out);
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
        std::uint32_t finger = 0xffffffffu;
        bool fired = false;
        bool used = false;     ///< has fired since the finger came: leaving is no early leaving
        bool blocked = false;  ///< crossed the fire point while not armed: must come back first
        double depth = 0;      ///< of the finger that holds it
        double cap = 0, speed = 0;
        double released = -1e9;  ///< time of the last release
    };
    struct Finger {
        std::uint32_t button = 0xffffffffu;  ///< one button per finger
        double since = -1e9;                 ///< time at which it appeared
    };

    void sample(std::uint32_t finger, std::uint32_t button, const collision::Vec3d& before,
                const collision::Vec3d& now, double radius, double time, const PressRules& rules,
                std::vector<PressEvent>& out);
    void press(Button& b, std::uint32_t button, double time, const PressRules& rules,
               std::vector<PressEvent>& out);
    void let_go(std::uint32_t button, double time, std::vector<PressEvent>& out);

    std::vector<Button> buttons_;
    std::vector<Finger> fingers_;
};

}  // namespace claybox::app
