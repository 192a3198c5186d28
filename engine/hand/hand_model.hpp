#pragma once
// The virtual hand of 16 rigid parts: a palm and five fingers of three, moved by forward kinematics.

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <array>

namespace claybox::engine {

inline constexpr int kHandPartCount = 16;

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
};

/// What drives the model: the wrist's placement (fingers along -Z, back of the hand +Y) and the curl of each finger
/// from thumb to little finger, 0 straight .. 1 fist. `spread` fans the fingers, 0 .. 1.
struct HandPose {
    glm::dvec3 wrist{0};
    glm::dquat rotation{1, 0, 0, 0};
    std::array<float, 5> curl{};
    float spread = 0.3f;
    bool left = false;
};

/// Forward kinematics with an adult hand's measures (about 190 mm from wrist to middle fingertip).
HandState pose_hand(const HandPose& pose);

/// The resting parts at zero curl: what collision shapes are made from.
HandState rest_hand();

}  // namespace claybox::engine
