#pragma once
// Selects the source that drives a hand, and bridges lost tracking.

#include "engine/hand/hand_model.hpp"

#include <array>
#include <optional>
#include <span>

namespace claybox::engine {

enum class HandSource : unsigned char {
    tracked,     ///< OpenXR joints
    controller,  ///< controller in the hand: pose, trigger and grip
    network,     ///< bones from another program
    track,       ///< a recorded track
    mouse,       ///< pointer and keys
};
inline constexpr std::size_t kHandSourceCount = 5;

struct HandSourceInfo {
    HandSource source;
    const char* id;
    const char* title;
};

/// In priority order.
std::span<const HandSourceInfo> hand_sources();

/// This frame's hand of every source, indexed by HandSource; empty where a source has none.
using HandOffers = std::array<std::optional<HandState>, kHandSourceCount>;

/// One side's hand over time. Reads no clock.
///
/// The first source with a hand drives it. When that source loses its hand, the last pose is *held* for
/// kHandGrace: long enough for one or two dropped camera frames, too short for a visibly frozen hand. Then
/// the hand is gone; another source takes over after the fade. Each change of source inserts a frame without
/// a hand, so nothing mistakes the jump for a motion.
class HandSelector {
  public:
    /// This frame's hand, `dt` seconds after the previous one.
    const HandState& update(const HandOffers& offers, double dt);
    /// All tracked positions have jumped (recentred): the next frame has no hand, as when the source changes.
    void note_jump() { jumped_ = true; }
    /// Tracking is lost; the pose is the last known one.
    bool held() const { return held_; }
    /// Null while no source has a hand.
    const HandSourceInfo* source() const;

  private:
    const HandState& switch_to(std::size_t source, const HandOffers& offers);
    const HandState& without(const HandOffers& offers, double dt);

    HandState state_;
    std::optional<std::size_t> source_;
    bool held_ = false, jumped_ = false;
    double lost_ = 0;  ///< seconds since the source had a hand
};

/// Seconds. kHandReturnDelay: a hand that has come back presses nothing for this long.
inline constexpr double kHandGrace = 0.150, kHandFade = 0.200, kHandReturnDelay = 0.150;

/// A held controller: OpenXR's grip pose in the world frame, metres; trigger and squeeze 0 .. 1.
struct ControllerGrip {
    glm::dvec3 position{0};
    glm::dquat rotation{1, 0, 0, 0};
    float trigger = 0, squeeze = 0;
    bool left = false;
};

/// The hand around a controller. Squeeze closes the last three fingers. The trigger pinches, or bends the
/// forefinger while squeezed; squeezed without trigger, the hand points.
HandPose pose_of_controller(const ControllerGrip& grip);

}  // namespace claybox::engine
