#include "engine/input/network/vmc_hands.hpp"

#include "engine/input/hand_features.hpp"

#include <cmath>

namespace claybox::engine {

namespace {

constexpr const char* kTrunkNames[] = {"Hips", "Spine", "Chest", "UpperChest"};
constexpr const char* kArmNames[] = {"Shoulder", "UpperArm", "LowerArm", "Hand"};
constexpr const char* kFingerNames[] = {"Thumb", "Index", "Middle", "Ring", "Little"};
constexpr const char* kBoneNames[] = {"Proximal", "Intermediate", "Distal"};

// Plausible lengths between two joints of a hand, metres. Otherwise the modelled hand's length is used.
constexpr double kShortest = 0.005, kLongest = 0.15;
constexpr double kHalf = 0.7071067811865476;

/// Rotation from the modelled hand's frame (fingers along -Z) to a humanoid's hand at rest, whose fingers
/// point sideways.
glm::dquat rest_rotation(bool left) {
    return {kHalf, 0, left ? kHalf : -kHalf, 0};
}

const HandJoints& rest_joints(bool left) {
    const auto make = [](bool is_left) {
        HandPose pose;
        pose.left = is_left;
        return joints_from_pose(pose);
    };
    static const HandJoints kLeft = make(true), kRight = make(false);
    return left ? kLeft : kRight;
}

/// Subject of a VMC message; `other`: faces, cameras and trackers, which are ignored.
enum class Topic : unsigned char { none, root, bone, ok, time, other };

Topic topic_of(std::string_view address) {
    if (!address.starts_with("/VMC/")) return Topic::none;
    if (address == "/VMC/Ext/Root/Pos") return Topic::root;
    if (address == "/VMC/Ext/Bone/Pos") return Topic::bone;
    if (address == "/VMC/Ext/OK") return Topic::ok;
    return address == "/VMC/Ext/T" ? Topic::time : Topic::other;
}

bool plausible(const glm::dvec3& offset) {
    const double length = glm::length(offset);
    return length > kShortest && length < kLongest;
}

}  // namespace

std::size_t VmcHands::find_bone(std::string_view name) {
    for (std::size_t i = 0; i < kTrunk; ++i)
        if (name == kTrunkNames[i]) return i;
    const bool left = name.starts_with("Left");
    if (!left && !name.starts_with("Right")) return kBones;
    name.remove_prefix(left ? 4 : 5);
    const std::size_t first = kTrunk + (left ? 0 : kSide);
    for (std::size_t i = 0; i < kArm; ++i)
        if (name == kArmNames[i]) return first + i;
    for (std::size_t f = 0; f < 5; ++f) {
        if (!name.starts_with(kFingerNames[f])) continue;
        name.remove_prefix(std::string_view(kFingerNames[f]).size());
        for (std::size_t i = 0; i < 3; ++i)
            if (name == kBoneNames[i]) return first + kArm + 3 * f + i;
        return kBones;
    }
    return kBones;
}

VmcHands::Result VmcHands::check(const OscMessage& message) {
    const auto good = [](bool is_good) { return is_good ? Result::accepted : Result::malformed; };
    const OscArgument& first = message.argument[0];
    switch (topic_of(message.address)) {
        case Topic::none:
            return Result::not_vmc;
        case Topic::root:
        case Topic::bone:
            return good(read_pose(message).has_value());
        case Topic::ok:
        case Topic::time:
            return good(message.count > 0 && first.kind == OscArgument::Kind::number &&
                        std::isfinite(first.number));
        case Topic::other:
            break;
    }
    return Result::accepted;
}

VmcHands::Result VmcHands::receive(const OscMessage& message, double now) {
    const Result result = check(message);
    if (result != Result::accepted) return result;
    const Topic topic = topic_of(message.address);
    if (topic == Topic::root) root_ = *read_pose(message);
    if (topic == Topic::bone) store_bone(message, now);
    if (topic == Topic::ok) loaded_ = message.argument[0].number != 0;
    return result;
}

std::optional<VmcHands::Pose> VmcHands::read_pose(const OscMessage& message) {
    if (message.count < 8 || message.argument[0].kind != OscArgument::Kind::text) return std::nullopt;
    double n[7];
    for (std::size_t i = 0; i < 7; ++i) {
        if (message.argument[i + 1].kind != OscArgument::Kind::number) return std::nullopt;
        n[i] = message.argument[i + 1].number;
    }
    // Left-handed to right-handed: flip Z.
    const Pose pose{{n[0], n[1], -n[2]}, {n[6], -n[3], -n[4], n[5]}};
    constexpr double kFar = 1e4;  // metres; nobody is that far away
    if (!(glm::length(pose.position) < kFar) || !is_rotation(pose.rotation)) return std::nullopt;
    return Pose{pose.position, glm::normalize(pose.rotation)};
}

void VmcHands::store_bone(const OscMessage& message, double now) {
    const std::string_view name = message.argument[0].text;
    const std::size_t found = find_bone(name);
    if (found == kBones) return;  // legs and head are ignored
    bone_[found] = *read_pose(message);
    if (name == "LeftHand") seen_[0] = now;
    if (name == "RightHand") seen_[1] = now;
}

VmcHands::Pose VmcHands::wrist(bool left) const {
    Pose at = root_;
    const auto add = [&](const Pose& bone) {
        at.position += at.rotation * bone.position;
        at.rotation = at.rotation * bone.rotation;
    };
    for (std::size_t i = 0; i < kTrunk; ++i) add(bone_[i]);
    for (std::size_t i = 0; i < kArm; ++i) add(bone_[kTrunk + (left ? 0 : kSide) + i]);
    at.rotation = glm::normalize(at.rotation);
    return at;
}

/// `finger`: 0 thumb .. 4 little finger. Requires the wrist to be placed.
void VmcHands::place_finger(HandJoints& out, const HandJoints& rest, std::size_t finger) const {
    const glm::dquat to_rest = rest_rotation(out.left);
    const HandJoint& hand = out.joint[joint::kWrist];
    const std::size_t root =
        finger == 0 ? joint::kThumbMetacarpal : joint::kIndexMetacarpal + 5 * (finger - 1) + 1;
    const Pose* bone = &bone_[kTrunk + (out.left ? 0 : kSide) + kArm + 3 * finger];
    // Offsets from joint to joint at rest. The tip has no bone: its offset continues the last one.
    glm::dvec3 offset[4];
    glm::dvec3 before = rest.joint[joint::kWrist].position;
    for (std::size_t i = 0; i < 4; ++i) {
        const glm::dvec3 ours = to_rest * (rest.joint[root + i].position - before);
        before = rest.joint[root + i].position;
        if (i < 3)
            offset[i] = plausible(bone[i].position) ? bone[i].position : ours;
        else
            offset[i] = glm::normalize(offset[2]) * glm::length(ours);
    }
    glm::dvec3 position = hand.position;
    glm::dquat rotation = hand.rotation * glm::conjugate(to_rest);
    for (std::size_t i = 0; i < 4; ++i) {
        position += rotation * offset[i];
        if (i < 3) rotation = glm::normalize(rotation * bone[i].rotation);
        const glm::dvec3 ahead = glm::normalize(rotation * offset[i < 3 ? i + 1 : i]);
        out.joint[root + i] = {position, aimed(rotation * to_rest, ahead), rest.joint[root + i].radius, true};
    }
    if (finger == 0) return;
    // VMC has no metacarpal bone: it follows the wrist.
    const glm::dvec3 base = hand.position + hand.rotation * rest.joint[root - 1].position;
    const glm::dvec3 ahead = out.joint[root].position - base;
    out.joint[root - 1] = {base, aimed(hand.rotation, ahead), rest.joint[root - 1].radius, true};
}

HandJoints VmcHands::joints(bool left, double now) const {
    HandJoints out;
    out.left = left;
    const double seen = seen_[left ? 0 : 1];
    out.active = loaded_ && seen >= 0 && now - seen <= kLostSeconds;
    if (!out.active) return out;
    const HandJoints& rest = rest_joints(left);
    const Pose at = wrist(left);
    const glm::dquat rotation = glm::normalize(at.rotation * rest_rotation(left));
    out.joint[joint::kWrist] = {at.position, rotation, rest.joint[joint::kWrist].radius, true};
    for (std::size_t f = 0; f < 5; ++f) place_finger(out, rest, f);
    const glm::dvec3 knuckle = out.joint[joint::kMiddleMetacarpal + 1].position;
    out.joint[joint::kPalm] = {0.5 * (at.position + knuckle), rotation, rest.joint[joint::kPalm].radius,
                               true};
    return out;
}

}  // namespace claybox::engine
