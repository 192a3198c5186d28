#pragma once
// Hands from the bones of the VMC protocol (Virtual Motion Capture), which many hand trackers send over OSC.
// Its bones are local poses of a humanoid in Unity's frame: left-handed, +Y up, +Z forward, metres; at rest
// the arms are stretched sideways with palms down.

#include "engine/hand/hand_joints.hpp"
#include "engine/input/network/osc_packet.hpp"

#include <optional>

namespace claybox::engine {

class VmcHands {
  public:
    static constexpr double kLostSeconds = 0.5;  ///< a hand without its wrist bone for this long is gone

    enum class Result : unsigned char { accepted, not_vmc, malformed };
    /// Checks a message without using it; `not_vmc`: not a VMC message.
    static Result check(const OscMessage& message);
    /// Uses a message; a malformed one changes nothing.
    Result receive(const OscMessage& message, double now);
    /// The joints from the messages so far, right-handed with +Y up; not active without a recent wrist.
    HandJoints joints(bool left, double now) const;

  private:
    struct Pose {
        glm::dvec3 position{0};
        glm::dquat rotation{1, 0, 0, 0};
    };
    static constexpr std::size_t kTrunk = 4, kArm = 4, kFingers = 15, kSide = kArm + kFingers,
                                 kBones = kTrunk + 2 * kSide;

    static std::size_t find_bone(std::string_view name);
    static std::optional<Pose> read_pose(const OscMessage& message);
    void store_bone(const OscMessage& message, double now);
    Pose wrist(bool left) const;
    void place_finger(HandJoints& out, const HandJoints& rest, std::size_t finger) const;

    Pose root_;
    std::array<Pose, kBones> bone_;
    std::array<double, 2> seen_{-1, -1};  ///< time of the last wrist message; negative: never
    bool loaded_ = true;
};

}  // namespace claybox::engine
