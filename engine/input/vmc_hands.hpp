#pragma once
// Both hands from the bones of the VMC protocol (Virtual Motion Capture), which hand trackers of any machine
// send over OSC. Its bones are local poses of a humanoid in Unity's frame: left-handed, +Y up, +Z forward,
// metres, in rest with arms stretched to the sides and palms down.

#include "engine/hand/hand_joints.hpp"
#include "engine/input/osc_packet.hpp"

#include <optional>

namespace claybox::engine {

class VmcHands {
  public:
    static constexpr double kLostSeconds = 0.5;  ///< without its bone a hand is gone after that

    enum class Taken : unsigned char { yes, no, malformed };
    /// What take() will say of a message, and nothing else; `no`: not a message of VMC.
    static Taken check(const OscMessage& message);
    /// A message that check() found malformed changes nothing.
    Taken take(const OscMessage& message, double now);
    /// The joints, right-handed and +Y up, with what came until now; not active when its wrist was not heard
    /// of.
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
    void take_bone(const OscMessage& message, double now);
    Pose wrist(bool left) const;
    void place_finger(HandJoints& out, const HandJoints& rest, std::size_t finger) const;

    Pose root_;
    std::array<Pose, kBones> bone_;
    std::array<double, 2> heard_{-1, -1};  ///< when the wrist last came; negative for never
    bool loaded_ = true;
};

}  // namespace claybox::engine
