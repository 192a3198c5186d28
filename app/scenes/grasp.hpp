#pragma once
// What a hand takes, carries and lets go: by a pinch of thumb and forefinger, or by the palm and the fingers
// around it. Decided from the hand's input and exact distances alone, so that it is the same in every mode of
// the module and in every replay.

#include "app/potter/clay_surface.hpp"
#include "app/scenes/hand_stop.hpp"

namespace claybox::app {

/// Thumb and forefinger come together below 20 mm between their tips' middles and part above 35 mm: nobody
/// holds them still to the millimetre. A hand whose tracking is lost keeps what it had.
class PinchSwitch {
  public:
    bool update(const HandInput& hand);
    bool closed() const { return closed_; }

  private:
    bool closed_ = false;
};

/// The middle of a fingertip's ball.
collision::Vec3d tip_place(const HandInput& hand, int part);

/// A body that may be taken.
struct Graspable {
    std::uint32_t number = 0;                 ///< the scene's own
    const collision::Shape* shape = nullptr;  ///< convex; null: it is clay
    collision::Pose pose;
    const ClaySurface* clay = nullptr;  ///< measured to the capsules of the hand's parts
};

/// One hand.
class Grasp {
  public:
    enum class Kind : unsigned char { none, pinch, palm };
    enum class Change : unsigned char { none, taken, dropped };

    /// One frame: takes, carries or lets go. `bodies` without those that somebody else holds.
    Change update(const HandInput& hand, const HandShapes& shapes, std::span<const Graspable> bodies);

    /// Some part of the hand is in the body.
    bool touches(const HandInput& hand, const HandShapes& shapes, const Graspable& body);

    Kind kind() const { return kind_; }
    /// What it holds, or held when it was dropped in this frame.
    std::uint32_t body() const { return body_; }
    /// Where the held body is now.
    const collision::Pose& pose() const { return pose_; }
    /// How the held body moves on with a newer hand, in the world: to draw both as of now. Nothing is decided
    /// by it.
    collision::Pose way_with(const HandInput& newer) const;
    /// Metres a frame, of the mean of the last frames before it was let go. A hand that got lost throws
    /// nothing: zero.
    collision::Vec3d velocity() const;

  private:
    collision::Pose anchor(const HandInput& hand) const;
    void take(Kind kind, const Graspable& body, const HandInput& hand);
    Change carry(const HandInput& hand);
    Change drop();
    bool opens(const HandInput& hand);
    void find(const HandInput& hand, const HandShapes& shapes, std::span<const Graspable> bodies,
              bool pinched);
    /// Of a part to a body, metres; infinite beyond `reach`.
    double distance(const HandInput& hand, const HandShapes& shapes, std::size_t part, const Graspable& body,
                    double reach);
    bool in_palm(const HandInput& hand, const HandShapes& shapes, const Graspable& body);

    static constexpr std::size_t kTrail = 5;  ///< frames whose mean is the velocity
    Kind kind_ = Kind::none;
    std::uint32_t body_ = collision::kNoIndex;
    collision::Pose pose_, in_hand_;  ///< in the world; in the anchor's frame
    double closed_at_ = 0;            ///< opening between the tips when it was taken, metres; or the grip
    std::array<collision::Vec3d, kTrail> trail_;
    std::size_t trail_count_ = 0;
    PinchSwitch pinch_;
    double last_opening_ = 0;  ///< between the tips, metres
    float grip_from_ = 1;      ///< from which the hand closes
    collision::Scratch scratch_;
};

}  // namespace claybox::app
