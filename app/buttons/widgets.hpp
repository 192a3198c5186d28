#pragma once
// What a finger can do beside pressing: flip, drag, turn and flick. Each is a state machine that a press
// board tells of touches; none knows a clock or a frame: ways come as the straight pieces that fingers go.
// Places are in the control's own plane, metres.

#include "collision/core/vec.hpp"

#include <array>
#include <cstddef>

namespace claybox::app {

/// A place in the plane of a control's face.
struct FacePoint {
    double x = 0, y = 0;
};

/// How much a control glows under a fingertip whose ball is this far from its face: 0 away .. 1 touching.
double hover_glow(double distance);
/// From a ball to the rectangle of half sizes `half_x`, `half_y`, in the face's frame; 0 where they meet.
double distance_to_face(const collision::Vec3d& centre, double radius, double half_x, double half_y);

/// A switch that tips from one side to the other.
class Toggle {
  public:
    /// A press: the new state.
    bool flip() { return on_ = !on_; }
    /// What it switches was switched elsewhere.
    void follow(bool on) { on_ = on; }
    bool on() const { return on_; }
    /// -1 off .. 1 on; `settle` lets it tip over.
    double tilt() const { return tilt_; }
    void settle(double dt);

  private:
    bool on_ = false;
    double tilt_ = -1;
};

/// A knob on a rail along x.
class Slider {
  public:
    /// `detents`: places at which the knob stays, two or more, evenly spaced; 0 for anywhere.
    void shape(double half_length, double knob_half, int detents) {
        half_length_ = half_length;
        knob_half_ = knob_half;
        detents_ = detents;
    }
    /// A finger has touched: the knob, which then keeps its place under it, or the rail, to which it comes.
    void begin(double x);
    void drag(double x);
    void end() { held_ = false; }
    bool held() const { return held_; }
    /// The value was changed elsewhere; does nothing while a finger has the knob.
    void follow(double share);
    double share() const { return share_; }  ///< 0 .. 1
    double place() const { return (2 * share_ - 1) * half_length_; }

  private:
    double half_length_ = 0.05, knob_half_ = 0.008;
    int detents_ = 0;
    double share_ = 0, offset_ = 0;
    bool held_ = false;
};

/// A knob that a finger turns by circling on it, or a pinch by twisting.
class Dial {
  public:
    /// `turn`: radians between its ends, clockwise; `dead`: about the middle, where a way turns nothing.
    void shape(double turn, double dead, int detents) {
        turn_ = turn;
        dead_ = dead;
        detents_ = detents;
    }
    void begin() { held_ = true; }
    /// The finger goes straight from here to there.
    void circle(const FacePoint& from, const FacePoint& to);
    /// Radians, clockwise as seen from the front.
    void twist(double angle);
    void end();
    bool held() const { return held_; }
    void follow(double share);
    double share() const;  ///< 0 .. 1, at a detent where it has any
    /// Radians clockwise from the middle of its range, as it stands under the finger.
    double angle() const { return (raw_ - 0.5) * turn_; }

  private:
    double turn_ = 4.7, dead_ = 0.004, raw_ = 0;
    int detents_ = 0;
    bool held_ = false;
};

/// A drum of entries that a fingertip rolls, flicks or taps; it always stops at one.
class ChoiceWheel {
  public:
    /// `pitch`: metres of the drum's skin an entry.
    void shape(int entries, double pitch) {
        entries_ = entries;
        pitch_ = pitch;
    }
    void begin(double y, double time);
    void drag(double y, double time);
    /// Lets go: it rolls on as fast as it was moved in the last moment and chooses where it will stop; a
    /// finger that did not move it chooses what it touched.
    void end(double time);
    /// The finger is gone, nobody let go: what was chosen before stays, and the drum comes back to it.
    void lose() { held_ = false; }
    bool held() const { return held_; }
    /// Chosen elsewhere.
    void follow(int entry);
    int chosen() const { return chosen_; }
    /// The entry in the middle, as the drum stands: between entries while it rolls.
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
