#include "app/scenes/hands/grasp.hpp"

#include "collision/geometry/bounds/bounds.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <limits>

namespace claybox::app {

using collision::Pose;
using collision::Vec3d;

namespace {

constexpr int kThumbTip = 3;
// Lengths in metres at the size of the wearer's hand: a hand drawn at twice the size reaches twice as far in
// the scene.
constexpr double kPinchOn = 0.020, kPinchOff = 0.035;  // between the centres of the tips
constexpr double kReach = 0.012;                       // a pinch takes a body this close to both tips
constexpr double kOpened = 0.012;                      // opening of the tips that releases a thick body
constexpr double kPalmReach = 0.006;  // palm and fingers count as touching below this distance
constexpr float kGripOn = 0.35f, kGripOpened = 0.15f;  // grip that takes; decrease that releases
constexpr float kGripRests = 0.002f;  // grip per frame; a hand that closes more slowly is at rest
constexpr double kClosing = 0.0003;   // per frame; tips that approach faster are closing
constexpr int kFingersToHold = 3;
constexpr double kFar = std::numeric_limits<double>::infinity();

double opening(const HandInput& hand) {
    return length(tip_position(hand, kThumbTip) - tip_position(hand, kIndexTip)) /
           static_cast<double>(hand.scale);
}

/// A hand length in metres of the scene.
double scaled(double length, const HandInput& hand) {
    return length * static_cast<double>(hand.scale);
}

double clay_distance(const HandInput& hand, std::size_t part, const Graspable& body, double reach) {
    const Pose clay_from_world = collision::inverse(body.pose);
    const auto radius = static_cast<double>(hand.radius[part]);
    const Vec3d from = transform_point(clay_from_world, hand.part[part].translation),
                to = transform_point(clay_from_world, tip_position(hand, static_cast<int>(part)));
    return std::max(0.0, body.clay->distance(from, to, reach + radius) - radius);
}

}  // namespace

Vec3d tip_position(const HandInput& hand, int part) {
    const auto p = static_cast<std::size_t>(part);
    return hand.part[p].translation +
           collision::rotate(hand.part[p].rotation, {0, 0, -static_cast<double>(hand.length[p])});
}

bool PinchSwitch::update(const HandInput& hand) {
    if (!hand.present) closed_ = false;
    if (hand.present && !hand.held) closed_ = opening(hand) < (closed_ ? kPinchOff : kPinchOn);
    return closed_;
}

Pose Grasp::anchor(const HandInput& hand) const {
    Pose pose = hand.part[0];
    if (kind_ == Kind::pinch)
        pose.translation = (tip_position(hand, kThumbTip) + tip_position(hand, kIndexTip)) * 0.5;
    return pose;
}

double Grasp::distance(const HandInput& hand, const HandShapes& shapes, std::size_t part,
                       const Graspable& body, double reach) {
    static const collision::PairAlgorithm& algorithm = *collision::find_pair_algorithm("best");
    if (body.clay != nullptr) return clay_distance(hand, part, body, reach);
    const collision::Matrix34f world_from_part = collision::to_matrix(hand.part[part]),
                               world_from_body = collision::to_matrix(body.pose);
    collision::Aabb near = collision::transform_aabb(world_from_part, shapes[part]->geometry().box);
    const auto r = static_cast<float>(reach);
    near.min = near.min - collision::Vec3f{r, r, r};
    near.max = near.max + collision::Vec3f{r, r, r};
    if (!collision::overlap(near, collision::transform_aabb(world_from_body, body.shape->geometry().box)))
        return kFar;
    collision::PairQuery query =
        collision::make_pair_query(*shapes[part], world_from_part, *body.shape, world_from_body, scratch_);
    query.wants = collision::kWantDistance;
    collision::PairCache cache;
    const collision::PairResult result = collision::run_query(algorithm, query, cache);
    if (result.verdict == collision::Verdict::colliding) return 0;
    return result.distance <= reach ? result.distance : kFar;
}

bool Grasp::touches(const HandInput& hand, const HandShapes& shapes, const Graspable& body) {
    for (std::size_t part = 0; part < shapes.size(); ++part)
        if (distance(hand, shapes, part, body, 0) < kFar) return true;
    return false;
}

bool Grasp::in_palm(const HandInput& hand, const HandShapes& shapes, const Graspable& body) {
    if (distance(hand, shapes, 0, body, scaled(kPalmReach, hand)) == kFar) return false;
    int fingers = 0;
    for (std::size_t finger = 0; finger < 5; ++finger) {
        bool touches = false;
        for (std::size_t i = 0; i < 3 && !touches; ++i)
            touches = distance(hand, shapes, 1 + 3 * finger + i, body, scaled(kPalmReach, hand)) < kFar;
        fingers += touches ? 1 : 0;
    }
    return fingers >= kFingersToHold;
}

void Grasp::take(Kind kind, const Graspable& body, const HandInput& hand) {
    kind_ = kind;
    body_ = body.number;
    pose_ = body.pose;
    in_hand_ = collision::inverse(anchor(hand)) * body.pose;
    closed_at_ = kind == Kind::pinch ? opening(hand) : static_cast<double>(hand.grip);
    trail_count_ = 0;
}

bool Grasp::opens(const HandInput& hand) {
    if (kind_ == Kind::pinch) {
        closed_at_ = std::min(closed_at_, opening(hand));
        return opening(hand) > std::max(kPinchOff, closed_at_ + kOpened);
    }
    closed_at_ = std::max(closed_at_, static_cast<double>(hand.grip));
    return hand.grip < closed_at_ - static_cast<double>(kGripOpened);
}

Grasp::Change Grasp::drop() {
    kind_ = Kind::none;
    return Change::dropped;
}

Grasp::Change Grasp::carry(const HandInput& hand) {
    if (!hand.present) {
        trail_count_ = 0;
        return drop();
    }
    if (hand.held) return Change::none;
    const Pose now = anchor(hand) * in_hand_;
    trail_[trail_count_++ % kTrail] = now.translation - pose_.translation;
    pose_ = {collision::normalized(now.rotation), now.translation};
    return opens(hand) ? drop() : Change::none;
}

void Grasp::find(const HandInput& hand, const HandShapes& shapes, std::span<const Graspable> bodies,
                 bool pinched) {
    // A thick body keeps the tips apart: it is taken when both tips touch it while they close.
    const bool closes = opening(hand) < last_opening_ - kClosing;
    const Graspable* nearest = nullptr;
    double best = kFar;
    for (const Graspable& body : bodies) {
        if (!pinched && !closes) break;
        const double thumb = distance(hand, shapes, kThumbTip, body, scaled(kReach, hand));
        const double index =
            thumb == kFar ? kFar : distance(hand, shapes, kIndexTip, body, scaled(kReach, hand));
        const bool between = closes && thumb == 0 && index == 0;
        if (!(pinched || between) || !(thumb + index < best)) continue;
        best = thumb + index;
        nearest = &body;
    }
    if (nearest != nullptr) return take(Kind::pinch, *nearest, hand);
    // The palm takes a body only after the hand has closed by as much as it must open to release it. Fingers
    // that curl slightly in a pinch hold nothing.
    if (hand.grip < kGripOn || hand.grip < grip_from_ + kGripOpened) return;
    for (const Graspable& body : bodies)
        if (in_palm(hand, shapes, body)) return take(Kind::palm, body, hand);
}

Grasp::Change Grasp::update(const HandInput& hand, const HandShapes& shapes,
                            std::span<const Graspable> bodies) {
    const bool was_closed = pinch_.closed();
    const bool pinched = pinch_.update(hand) && !was_closed;
    if (kind_ != Kind::none) {
        grip_from_ = hand.grip;
        return carry(hand);
    }
    if (!hand.present || hand.held) {
        last_opening_ = 0;
        grip_from_ = 1;
        return Change::none;
    }
    grip_from_ = std::min(grip_from_ + kGripRests, hand.grip);
    find(hand, shapes, bodies, pinched);
    last_opening_ = opening(hand);
    return kind_ == Kind::none ? Change::none : Change::taken;
}

Pose Grasp::motion_with(const HandInput& newer) const {
    return kind_ == Kind::none ? Pose{} : anchor(newer) * in_hand_ * collision::inverse(pose_);
}

Vec3d Grasp::velocity() const {
    const std::size_t count = std::min(trail_count_, kTrail);
    Vec3d sum;
    for (std::size_t i = 0; i < count; ++i) sum = sum + trail_[i];
    return count == 0 ? sum : sum * (1.0 / static_cast<double>(count));
}

}  // namespace claybox::app
