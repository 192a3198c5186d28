#pragma once
// A hand holds a point of the clay while it grabs: a fast finger does not slide off.

#include "app/potter/touch/touch_planner.hpp"
#include "app/scenes/step.hpp"

namespace claybox::app {

/// A hand that pinches pulls the clay wherever it goes, and lets go when the pinch opens. A finger without a
/// pinch drags the clay along, also inward, and lets go when it lifts off. Depends only on the hand input,
/// the contact and the pose of the clay, so every replay gives the same result.
class ClayHold {
  public:
    /// Takes hold. `contact` and `outward`, the unit normal there, are in the clay frame.
    void take(std::size_t part, const HandInput& hand, const collision::Pose& clay,
              const collision::Vec3d& contact, const collision::Vec3d& outward);
    void release() { active_ = false; }
    bool active() const { return active_; }
    std::size_t part() const { return part_; }  ///< of the hand, that holds the clay
    /// Where the held point of the clay is, clay frame.
    const collision::Vec3d& at() const { return at_; }
    /// The finger touches the clay there; the normal may have turned on the way.
    void turn_to(const collision::Vec3d& outward) { outward_ = outward; }

    /// Follows the hand for one frame, by `longest` at most; what is left of a longer way follows in the next
    /// frames. Returns the path of the held point in the clay frame; zero if the hand lets go.
    collision::Vec3d follow(const HandInput& hand, const collision::Pose& clay, double longest);

    static constexpr double kLiftOff = 0.006;  ///< metres from the held point along the normal
    static constexpr float kPinched = 0.7f;    ///< HandInput::pinch that holds the clay
    /// Decrease of the pinch from its highest value: the hand stops pulling, and lets go.
    static constexpr float kOpens = 0.02f, kOpen = 0.15f;

  private:
    collision::Vec3d target(const HandInput& hand, const collision::Pose& clay) const;

    bool active_ = false, pinched_ = false;
    std::size_t part_ = 0;
    collision::Vec3d in_part_;       ///< the contact in the frame of the part
    collision::Vec3d at_, outward_;  ///< clay frame
    float most_pinch_ = 0;
};

}  // namespace claybox::app
