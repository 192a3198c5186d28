#include "app/scenes/hands/hand_bodies.hpp"

#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Done;
using collision::Pose;
using collision::Quat;
using collision::Status;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr int kSides = 14;
constexpr std::uint64_t kFramesASecond = 60;
constexpr double kGhostFrom = 0.005;  // metres between drawn and tracked hand from which the ghost is drawn
constexpr float kGhost = 0.22f, kUnused = 0.35f;  // opacity: of the ghost, of parts that the tool leaves out

bool is_tip(int part) {
    return part >= 3 && part % 3 == 0;
}

/// Balls whose hull is the palm, in units of its radius: position across, above and along the hand, and
/// radius.
struct Ball {
    double x, y, z, radius;
};
constexpr Ball kPalmBalls[] = {
    {-0.85, 0.10, 0.05, 0.86},   {0.95, 0.05, 0.05, 0.84},    // wrist
    {-1.45, -0.35, -1.30, 0.92}, {1.55, -0.30, -1.60, 0.86},  // heel
    {-1.75, -0.35, -2.60, 0.80}, {1.95, -0.25, -3.20, 0.74},  // ball of the thumb, outer edge
    {-1.95, 0.02, -6.05, 0.72},  {-0.57, 0.22, -6.30, 0.74},  // knuckles
    {0.86, 0.14, -6.05, 0.70},   {2.05, -0.14, -5.45, 0.62},
};

std::vector<Vec3f> palm_points(float radius, float length) {
    constexpr int kAround = 10;
    std::vector<Vec3f> out;
    const auto r = static_cast<double>(radius);
    const double stretch = static_cast<double>(length) / (6.28 * r);
    for (const Ball& ball : kPalmBalls) {
        const Vec3d centre{ball.x * r, ball.y * r, ball.z * r * stretch};
        // The poles give the palm and the back of the hand wide facets.
        for (const double pole : {-1.0, 1.0})
            out.push_back(collision::cast<float>(centre + Vec3d{0, pole * ball.radius * r, 0}));
        for (const double latitude : {-45.0, 0.0, 45.0}) {
            const collision::SinCos up = collision::sin_cos(latitude * collision::kPi / 180);
            for (int s = 0; s < kAround; ++s) {
                const collision::SinCos turn = collision::sin_cos(2 * collision::kPi * (s + 0.5) / kAround);
                const Vec3d side{up.cos * turn.cos, up.sin, up.cos * turn.sin};
                out.push_back(collision::cast<float>(centre + side * (ball.radius * r)));
            }
        }
    }
    return out;
}

void add_ring(std::vector<Vec3f>& out, double radius, double z) {
    for (int s = 0; s < kSides; ++s) {
        const collision::SinCos turn = collision::sin_cos(2 * collision::kPi * (s + 0.5) / kSides);
        out.push_back(collision::cast<float>(Vec3d{radius * turn.cos, radius * turn.sin, z}));
    }
}

}  // namespace

Quat looking(const Vec3d& forward, const Vec3d& up) {
    const Vec3d z = -normalized(forward, {0, 0, -1});
    const Vec3d x = normalized(cross(up, z));
    const Vec3d y = cross(z, x);
    // Shepperd's method: divides by the largest of the four components, never by a small number.
    const double trace = x.x + y.y + z.z;
    if (trace > 0) {
        const double s = 2 * std::sqrt(1 + trace);
        return {s / 4, (y.z - z.y) / s, (z.x - x.z) / s, (x.y - y.x) / s};
    }
    if (x.x > y.y && x.x > z.z) {
        const double s = 2 * std::sqrt(1 + x.x - y.y - z.z);
        return {(y.z - z.y) / s, s / 4, (y.x + x.y) / s, (z.x + x.z) / s};
    }
    if (y.y > z.z) {
        const double s = 2 * std::sqrt(1 + y.y - x.x - z.z);
        return {(z.x - x.z) / s, (y.x + x.y) / s, s / 4, (z.y + y.z) / s};
    }
    const double s = 2 * std::sqrt(1 + z.z - x.x - y.y);
    return {(x.y - y.x) / s, (z.x + x.z) / s, (z.y + y.z) / s, s / 4};
}

std::vector<Vec3f> hand_part_points(int part, float radius, float length) {
    if (part == 0) return palm_points(radius, length);
    std::vector<Vec3f> out;
    const auto r = static_cast<double>(radius), l = static_cast<double>(length);
    const double gap = 0.03 * l, tip = is_tip(part) ? 0.88 : 1.0;  // fingers narrow towards their tips
    const double far_cap = is_tip(part) ? 1.0 : 0.5;               // joints are blunt, fingertips round
    for (const double a : {90.0, 62.0, 34.0, 10.0}) {
        const auto [s, c] = collision::sin_cos(a * collision::kPi / 180);
        add_ring(out, r * std::max(c, 0.12), gap * (1 - s) + 0.5 * r * s - gap);
        add_ring(out, r * tip * std::max(c, 0.12), -(l - gap * (1 - s)) - far_cap * r * s);
    }
    return out;
}

bool HandBodies::differs(const Hand& hand, const HandInput& now) {
    const auto apart = [](float a, float b) {
        return !(std::abs(a - b) <= static_cast<float>(kSizeTolerance) * std::max(a, b));
    };
    for (std::size_t i = 0; i < kHandParts; ++i)
        if (apart(hand.radius[i], now.radius[i]) || apart(hand.length[i], now.length[i])) return true;
    return false;
}

Status HandBodies::make_shapes(Hand& hand, const HandInput& input, std::uint64_t frame) {
    const bool first = hand.shape[0] == nullptr;
    for (std::size_t i = 0; i < hand.shape.size(); ++i) {
        const std::vector<Vec3f> points =
            hand_part_points(static_cast<int>(i), input.radius[i], input.length[i]);
        auto shape = collision::Shape::from_hull(points, "hand part " + std::to_string(i));
        if (!shape.ok()) return shape.error();
        hand.shape[i] = std::move(shape).value();
        if (first)
            hand.mesh[i] = store_.add(hand.shape[i]);
        else
            store_.replace(hand.mesh[i], hand.shape[i]);
    }
    hand.radius = input.radius;
    hand.length = input.length;
    hand.made = frame;
    return Done{};
}

void HandBodies::use(HandTool tool) {
    if (tool == tool_) return;
    tool_ = std::move(tool);
    tool_changed_ = true;
    if (!tool_.object) return;
    if (object_mesh_ == 0)
        object_mesh_ = store_.add(tool_.object, true);
    else
        store_.replace(object_mesh_, tool_.object);
}

/// A tool in place of the index fingertip is around the end of the finger.
Pose HandBodies::pose_of(const HandInput& input, std::size_t part) const {
    Pose pose = input.part[part];
    if (static_cast<int>(part) == kIndexTip && tool_.object)
        pose.translation +=
            collision::rotate(pose.rotation, {0, 0, -static_cast<double>(input.length[part])});
    return pose;
}

Status HandBodies::appear(collision::World& world, std::size_t index) {
    Hand& hand = hands_[index];
    for (std::size_t i = 0; i < hand.body.size(); ++i) {
        if (!tool_.parts[i]) continue;
        const unsigned group = is_tip(static_cast<int>(i)) ? tip_group_ : part_group_;
        const collision::ShapePtr& shape =
            static_cast<int>(i) == kIndexTip && tool_.object ? tool_.object : hand.shape[i];
        auto id = world.add_body({shape, pose_of(hand.input, i), group, false, i});
        if (!id.ok()) return id.error();
        hand.body[i] = id.value();
        if (id.value().slot >= part_of_slot_.size())
            part_of_slot_.resize(id.value().slot + 1, collision::kNoIndex);
        part_of_slot_[id.value().slot] = static_cast<std::uint32_t>(index * kHandParts + i);
    }
    hand.present = true;
    return Done{};
}

Status HandBodies::vanish(collision::World& world, Hand& hand) {
    for (collision::BodyId& body : hand.body) {
        if (!body) continue;
        part_of_slot_[body.slot] = collision::kNoIndex;
        const Status removed = world.remove_body(body);
        if (!removed.ok()) return removed;
        body = {};
    }
    hand.present = false;
    return Done{};
}

Status HandBodies::follow(collision::World& world, std::size_t index, const StepInput& input) {
    Hand& hand = hands_[index];
    const HandInput& now = input.hand[index];
    const bool settled = hand.present && input.frame < hand.made + kFramesASecond;
    if (tool_changed_ && hand.present) {
        const Status gone = vanish(world, hand);
        if (!gone.ok()) return gone;
    }
    if (hand.shape[0] == nullptr || (!settled && differs(hand, now))) {
        if (hand.present) {
            const Status gone = vanish(world, hand);
            if (!gone.ok()) return gone;
        }
        const Status made = make_shapes(hand, now, input.frame);
        if (!made.ok()) return made;
    }
    hand.input = now;
    hand.strength = 1;
    if (!hand.present) return appear(world, index);
    for (std::size_t i = 0; i < hand.body.size(); ++i) {
        if (!tool_.parts[i]) continue;
        const Status moved = world.move(hand.body[i], pose_of(now, i));
        if (!moved.ok()) return moved;
    }
    return Done{};
}

Status HandBodies::update(collision::World& world, const StepInput& input) {
    for (std::size_t h = 0; h < hands_.size(); ++h) {
        Hand& hand = hands_[h];
        Status done = Done{};
        if (input.hand[h].present) {
            done = follow(world, h, input);
        } else {
            hand.strength = std::max(0.0, hand.strength - input.dt / kFadeSeconds);
            hand.stop.reset();
            if (hand.present) done = vanish(world, hand);
        }
        if (!done.ok()) return done;
    }
    tool_changed_ = false;
    return Done{};
}

void HandBodies::stop_at(std::size_t index, std::span<const HandWall> walls) {
    Hand& hand = hands_[index];
    if (hand.present) hand.offset = hand.stop.offset(hand.input, hand.shape, walls);
}

std::optional<std::uint32_t> HandBodies::find(collision::BodyId body) const {
    if (body.slot >= part_of_slot_.size() || part_of_slot_[body.slot] == collision::kNoIndex)
        return std::nullopt;
    const std::uint32_t part = part_of_slot_[body.slot];
    if (hands_[part / kHandParts].body[part % kHandParts] != body) return std::nullopt;
    return part;
}

void HandBodies::view_parts(const Hand& hand, const Look& look, const std::bitset<kTwoHands>& active,
                            std::size_t first, SceneView& out) const {
    for (std::size_t i = 0; i < hand.body.size(); ++i) {
        const bool object = static_cast<int>(i) == kIndexTip && tool_.object;
        Drawable d;
        d.mesh = object ? object_mesh_ : hand.mesh[i];
        d.pose = pose_of(look.input, i);
        d.pose.translation = d.pose.translation + look.offset;
        d.material = active[first + i] ? Material::hand_active : Material::hand;
        d.opacity = tool_.parts[i] ? look.opacity : std::min(look.opacity, kUnused);
        d.casts_shadow = d.opacity == 1;
        const float r = look.input.radius[i], l = look.input.length[i];
        if (d.opacity < 1 || object)
            d.outlined = d.opacity == 1;
        else if (i == 0)
            d.occluders = {{{{0, -0.3f * r, -0.28f * l}, 1.5f * r}, {{0, 0, -0.75f * l}, 1.6f * r}}};
        else
            d.occluders = {{{{0, 0, -0.2f * l}, 0.95f * r}, {{0, 0, -0.85f * l}, 0.95f * r}}};
        out.drawables.push_back(d);
    }
}

void HandBodies::view(const std::bitset<kTwoHands>& active, const std::array<HandInput, 2>* newest,
                      SceneView& out, bool ghosts) const {
    for (std::size_t h = 0; h < hands_.size(); ++h) {
        const Hand& hand = hands_[h];
        if (!(hand.strength > 0)) continue;
        const bool newer = hand.present && newest != nullptr && (*newest)[h].present;
        const HandInput& input = newer ? (*newest)[h] : hand.input;
        const auto strength = static_cast<float>(hand.strength);
        view_parts(hand, {input, hand.offset, strength}, active, h * kHandParts, out);
        if (ghosts && hand.present && length(hand.offset) > kGhostFrom)
            view_parts(hand, {input, {}, kGhost}, {}, h * kHandParts, out);
    }
}

}  // namespace claybox::app
