#pragma once
// The virtual hand of 16 rigid parts: a palm and five fingers of three, moved by forward kinematics.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <array>

namespace claybox::engine {

inline constexpr int kHandPartCount = 16;
/// Parts are the palm (0), then thumb, forefinger, middle, ring and little finger with three each, base
/// first.
inline constexpr int kThumbTipPart = 3;
inline constexpr int kIndexTipPart = 6;

/// A part's placement: its capsule runs from the origin along local -Z for `length`, metres.
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
    float scale = 1;  ///< how many times its own size the hand is here: all lengths have it, pinch has not
};

/// What drives the model: the wrist's placement (fingers along -Z, back of the hand +Y) and the curl of each
/// finger from thumb to little finger, 0 straight .. 1 fist. `spread` fans the fingers, 0 .. 1.
struct HandPose {
    glm::dvec3 wrist{0};
    glm::dquat rotation{1, 0, 0, 0};
    std::array<float, 5> curl{};
    float spread = 0.3f;
    bool left = false;
};

/// The end of a part's axis; the surface lies `radius` beyond it.
glm::dvec3 tip_of(const HandPart& part);

/// How far thumb and forefinger are closed: 1 where their skins touch, 0 from 60 mm between them on. The ends
/// of their axes in metres, and how thick both are together.
double pinch_of(const glm::dvec3& thumb_tip, const glm::dvec3& index_tip, float both_radii);
/// Of a hand made of parts.
float pinch_of(const HandState& state);

/// Forward kinematics with an adult hand's measures (about 190 mm from wrist to middle fingertip).
HandState pose_hand(const HandPose& pose);

/// The resting parts at zero curl: what collision shapes are made from.
HandState rest_hand();

/// The curl of a hand that nobody moves.
std::array<float, 5> relaxed_curl();
/// The pose with thumb and forefinger brought together (amount 1: their tips touch), other fingers as they
/// are.
HandPose with_pinch(HandPose pose, float amount);
/// The pose with all fingers closed towards a fist.
HandPose with_grip(HandPose pose, float amount);

}  // namespace claybox::engine
