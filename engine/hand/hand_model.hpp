#pragma once
// The virtual hand of 16 rigid parts: a palm and five fingers of three parts, posed by forward kinematics.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <array>

namespace claybox::engine {

inline constexpr int kHandPartCount = 16;
/// Part 0 is the palm; then three parts each for thumb, fore-, middle, ring and little finger, base first.
inline constexpr int kThumbTipPart = 3;
inline constexpr int kIndexTipPart = 6;

/// A capsule from `position` along local -Z for `length`, metres.
struct HandPart {
    glm::dvec3 position{0};
    glm::dquat rotation{1, 0, 0, 0};
    float radius = 0, length = 0;
};

struct HandState {
    bool present = false;
    bool left = false;
    std::array<HandPart, kHandPartCount> part;
    float pinch = 0, grip = 0;
    float scale = 1;  ///< world size of the hand over its real size; scales all lengths but not `pinch`
};

/// Input of the model: the wrist's pose (fingers along -Z, back of the hand +Y) and the curl of each finger
/// from thumb to little finger, 0 straight .. 1 fist. `spread` fans the fingers, 0 .. 1.
struct HandPose {
    glm::dvec3 wrist{0};
    glm::dquat rotation{1, 0, 0, 0};
    std::array<float, 5> curl{};
    float spread = 0.3f;
    bool left = false;
};

/// The end of a part's axis; the surface is `radius` beyond it.
glm::dvec3 tip_of(const HandPart& part);

/// Closure of thumb and forefinger: 1 when their skins touch, 0 from a gap of 60 mm on. Arguments: the ends
/// of their axes, and the sum of their radii; metres.
double pinch_of(const glm::dvec3& thumb_tip, const glm::dvec3& index_tip, float both_radii);
/// The same for a hand made of parts.
float pinch_of(const HandState& state);

/// Forward kinematics for an adult hand (about 190 mm from wrist to middle fingertip).
HandState pose_hand(const HandPose& pose);

/// The hand at zero curl, in the wrist frame: the source of its collision shapes.
HandState rest_hand();

/// Finger curls of a relaxed hand.
std::array<float, 5> relaxed_curl();
/// The pose with thumb and forefinger brought together (amount 1: their tips touch); other fingers unchanged.
HandPose with_pinch(HandPose pose, float amount);
/// The pose with all fingers closed towards a fist.
HandPose with_grip(HandPose pose, float amount);

}  // namespace claybox::engine
