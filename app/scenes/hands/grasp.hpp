#pragma once
// A hand grasps, carries and releases bodies: with a pinch of thumb and forefinger, or with the palm and the
// fingers around it. The result depends only on the hand input and exact distances, so it is the same in
// every mode of the module and in every replay.

#include "app/potter/clay_surface.hpp"
#include "app/scenes/hands/hand_stop.hpp"

namespace claybox::app {

/// Pinch detection with hysteresis: closed below 20 mm between the centres of the two tips, open above 35 mm.
/// Keeps its state while tracking is lost.
class PinchSwitch {
  public:
    bool update(const HandInput& hand);
    bool closed() const { return closed_; }

  private:
    bool closed_ = false;
};

/// Centre of the ball at the end of a hand part, world frame.
collision::Vec3d tip_position(const HandInput& hand, int part);

/// A body that a hand may grasp.
struct Graspable {
    std::uint32_t number = 0;                 ///< assigned by the scene
    const collision::Shape* shape = nullptr;  ///< convex; null for clay
    collision::Pose pose;
    const ClaySurface* clay = nullptr;  ///< if set: distances are to the capsules of the hand parts
};

/// The grasp of one hand.
class Grasp {
  public:
    enum class Kind : unsigned char { none, pinch, palm };
    enum class Change : unsigned char { none, taken, dropped };

    /// Runs one frame: grasps, carries or releases. `bodies` excludes the bodies that another hand holds.
    Change update(const HandInput& hand, const HandShapes& shapes, std::span<const Graspable> bodies);

    /// True if a part of the hand touches the body.
    bool touches(const HandInput& hand, const HandShapes& shapes, const Graspable& body);

    Kind kind() const { return kind_; }
    /// The held body, or the body released in this frame.
    std::uint32_t body() const { return body_; }
    /// Pose of the held body.
    const collision::Pose& pose() const { return pose_; }
    /// World motion of the held body from its current pose to a newer pose of the hand. Only for drawing.
    collision::Pose motion_with(const HandInput& newer) const;
    /// Velocity of the body at release, metres per frame, averaged over the last frames. Zero if tracking was
    /// lost: a lost hand throws nothing.
    collision::Vec3d velocity() const;

  private:
    collision::Pose anchor(const HandInput& hand) const;
    void take(Kind kind, const Graspable& body, const HandInput& hand);
    Change carry(const HandInput& hand);
    Change drop();
    bool opens(const HandInput& hand);
    void find(const HandInput& hand, const HandShapes& shapes, std::span<const Graspable> bodies,
              bool pinched);
    /// Distance of a hand part to a body, metres; infinite beyond `reach`.
    double distance(const HandInput& hand, const HandShapes& shapes, std::size_t part, const Graspable& body,
                    double reach);
    bool in_palm(const HandInput& hand, const HandShapes& shapes, const Graspable& body);

    static constexpr std::size_t kTrail = 5;  ///< frames averaged for the velocity
    Kind kind_ = Kind::none;
    std::uint32_t body_ = collision::kNoIndex;
    collision::Pose pose_, in_hand_;  ///< world frame; anchor frame
    double closed_at_ = 0;            ///< tightest opening of the tips since the grasp, metres; or grip
    std::array<collision::Vec3d, kTrail> trail_;
    std::size_t trail_count_ = 0;
    PinchSwitch pinch_;
    double last_opening_ = 0;  ///< distance of the tips in the last frame, metres
    float grip_from_ = 1;      ///< grip from which the hand started to close
    collision::Scratch scratch_;
};

}  // namespace claybox::app
