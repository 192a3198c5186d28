#pragma once
// Controls that a finger flips, drags, turns or flicks. Each is a state machine driven by the touches of a
// press board. They have no clock and no frames: fingers move in straight segments. Positions are in the
// plane of the control, metres.

#include "collision/core/vec.hpp"

#include <array>
#include <cstddef>

namespace claybox::app {

/// A point in the plane of a control's face.
struct FacePoint {
    double x = 0, y = 0;
};

/// Glow of a control with a fingertip at this distance from its face: 0 far away .. 1 touching.
double hover_glow(double distance);
/// Distance from a ball to the rectangle with half sizes `half_x`, `half_y`, in the face's frame; 0 if they
/// overlap.
double distance_to_face(const collision::Vec3d& centre, double radius, double half_x, double half_y);

/// A rocker switch.
class Toggle {
  public:
    /// Switches after a press; returns the new state.
    bool flip() { return on_ = !on_; }
    /// Adopts a state that was changed elsewhere.
    void follow(bool on) { on_ = on; }
    bool on() const { return on_; }
    /// -1 off .. 1 on; settle() animates it.
    double tilt() const { return tilt_; }
    void settle(double dt);

  private:
    bool on_ = false;
    double tilt_ = -1;
};

/// A knob on a rail along x.
class Slider {
  public:
    /// `detents`: number of evenly spaced positions of the knob, at least two; 0 for any position.
    void shape(double half_length, double knob_half, int detents) {
        half_length_ = half_length;
        knob_half_ = knob_half;
        detents_ = detents;
    }
    /// A finger has touched at `x`. On the knob, the knob keeps its place under the finger; on the rail, the
    /// knob jumps to the finger.
    void begin(double x);
    void drag(double x);
    void end() { held_ = false; }
    bool held() const { return held_; }
    /// Adopts a value that was changed elsewhere; ignored while a finger holds the knob.
    void follow(double share);
    double share() const { return share_; }  ///< 0 .. 1
    double place() const { return (2 * share_ - 1) * half_length_; }

  private:
    double half_length_ = 0.05, knob_half_ = 0.008;
    int detents_ = 0;
    double share_ = 0, offset_ = 0;
    bool held_ = false;
};

/// A knob turned by a circling finger or a twisting pinch.
class Dial {
  public:
    /// `turn`: radians between the ends, clockwise. `dead`: radius of the dead zone in the middle.
    void shape(double turn, double dead, int detents) {
        turn_ = turn;
        dead_ = dead;
        detents_ = detents;
    }
    void begin() { held_ = true; }
    /// The finger moves straight between two points.
    void circle(const FacePoint& from, const FacePoint& to);
    /// Turns by an angle: radians, clockwise seen from the front.
    void twist(double angle);
    void end();
    bool held() const { return held_; }
    void follow(double share);
    double share() const;  ///< 0 .. 1, rounded to a detent if there are any
    /// Current angle, without detents: radians clockwise from the middle of the range.
    double angle() const { return (raw_ - 0.5) * turn_; }

  private:
    double turn_ = 4.7, dead_ = 0.004, raw_ = 0;
    int detents_ = 0;
    bool held_ = false;
};

/// A drum of entries that a fingertip rolls, flicks or taps. It always stops at an entry.
class ChoiceWheel {
  public:
    /// `pitch`: metres per entry on the surface of the drum.
    void shape(int entries, double pitch) {
        entries_ = entries;
        pitch_ = pitch;
    }
    void begin(double y, double time);
    void drag(double y, double time);
    /// The finger leaves. The drum rolls on with its last speed and chooses the entry at which it will stop.
    /// A tap chooses the tapped entry.
    void end(double time);
    /// Tracking of the finger ended. The drum returns to the entry that was chosen before.
    void lose() { held_ = false; }
    bool held() const { return held_; }
    /// Adopts an entry that was chosen elsewhere; ignored while a finger holds the drum.
    void follow(int entry);
    int chosen() const { return chosen_; }
    /// Current entry in the middle; fractional while the drum rolls.
    double position() const { return position_; }
    void settle(double dt);

  private:
    struct Sample {
        double time = 0, position = 0;
    };
    double inside(double position) const;
    double speed(double time) const;

    int entries_ = 1, chosen_ = 0;
    double pitch_ = 0.0135, position_ = 0;
    double first_y_ = 0, last_y_ = 0, moved_ = 0;
    bool held_ = false;
    std::array<Sample, 8> samples_{};
    std::size_t count_ = 0;
};

}  // namespace claybox::app
