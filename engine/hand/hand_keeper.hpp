#pragma once
// Who drives a hand, and what becomes of it when tracking is lost.

#include "engine/hand/hand_model.hpp"

#include <array>
#include <optional>
#include <span>

namespace claybox::engine {

enum class HandSource : unsigned char {
    override_hand,  ///< a script, a replay or a test
    tracked,        ///< joints of OpenXR
    controller,     ///< a controller in the hand: its pose, trigger and grip
    network,        ///< bones from another program
    track,          ///< a recorded track
    mouse,          ///< pointer and keys
};
inline constexpr std::size_t kHandSourceCount = 6;

struct HandSourceInfo {
    HandSource source;
    const char* id;
    const char* title;
};

/// In priority order.
std::span<const HandSourceInfo> hand_sources();

/// What every source offers this frame, indexed by HandSource; empty where it has no hand.
using HandOffers = std::array<std::optional<HandState>, kHandSourceCount>;

/// One side's hand over time. Knows no clock.
///
/// The first source that has a hand drives it. When that source loses its hand, the last pose is *held* for
/// kHandGrace: enough for a dropped frame or two of a camera, and short enough that nobody sees a hand stand
/// still. Then the hand is gone, and another source takes over once it has had time to fade. Where the source
/// changes there is a frame without a hand, so that nobody takes the leap for a motion.
class HandKeeper {
  public:
    /// The hand of this frame, `dt` seconds after the last one.
    const HandState& update(const HandOffers& offers, double dt);
    /// All that is tracked was put elsewhere: the next frame has no hand, as where the source changes.
    void leap() { leaps_ = true; }
    /// Tracking is lost and the pose is the last one known.
    bool held() const { return held_; }
    /// Null while no source has a hand.
    const HandSourceInfo* source() const;

  private:
    const HandState& switch_to(std::size_t source, const HandOffers& offers);
    const HandState& without(const HandOffers& offers, double dt);

    HandState state_;
    std::optional<std::size_t> source_;
    bool held_ = false, leaps_ = false;
    double lost_ = 0;  ///< seconds since the source had a hand
};

/// Seconds; kHandBack: a hand that has come back presses nothing for so long.
inline constexpr double kHandGrace = 0.150, kHandFade = 0.200, kHandBack = 0.150;

/// A controller as a hand holds it: OpenXR's grip pose, world frame, metres; trigger and squeeze 0 .. 1.
struct ControllerGrip {
    glm::dvec3 position{0};
    glm::dquat rotation{1, 0, 0, 0};
    float trigger = 0, squeeze = 0;
    bool left = false;
};

/// The hand about a controller: the squeeze closes the last three fingers, the trigger bends the forefinger,
/// or pinches while nothing is squeezed; squeezed without the trigger it points.
HandPose pose_of_controller(const ControllerGrip& grip);

}  // namespace claybox::engine
