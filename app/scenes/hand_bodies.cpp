#include "app/scenes/hand_bodies.hpp"

#include "collision/core/trig.hpp"

#include <cmath>

namespace claybox::app {

using collision::Done;
using collision::Quat;
using collision::Status;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr int kSides = 14;

bool is_tip(int part) {
    return part >= 3 && part % 3 == 0;
}

/// The palm seen from above, in units of its radius: from the wrist's thumb side around the knuckles.
constexpr float kPalmOutline[][2] = {{-1.75f, 0.2f},  {-2.35f, -1.6f}, {-2.75f, -4.3f}, {-2.55f, -6.25f},
                                     {-0.6f, -6.75f}, {0.95f, -6.5f},  {2.45f, -5.85f}, {2.8f, -4.2f},
                                     {2.25f, -1.4f},  {1.7f, 0.25f}};

std::vector<Vec3f> palm_points(float radius, float length) {
    std::vector<Vec3f> out;
    const float stretch = length / (6.28f * radius);
    for (const auto& p : kPalmOutline) {
        const Vec3f rim{p[0] * radius, 0, p[1] * radius * stretch};
        out.push_back(rim + Vec3f{0, 0.25f * radius, 0});
        out.push_back(rim - Vec3f{0, 0.35f * radius, 0});
        // Thinner towards the knuckles, as hands are; the back and the palm itself are flat.
        const float thick = radius * (0.95f + 0.035f * p[1]);
        out.push_back({0.72f * rim.x, thick, 0.9f * rim.z - 0.15f * radius});
        out.push_back({0.78f * rim.x, -thick, 0.9f * rim.z - 0.15f * radius});
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
    // Shepperd's method with the largest of the four, so that no small number is divided by.
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

Status HandBodies::make_shapes(Hand& hand, const HandInput& input) {
    if (hand.shape[0] && hand.input.radius == input.radius && hand.input.length == input.length)
        return Done{};
    for (std::size_t i = 0; i < hand.shape.size(); ++i) {
        const std::vector<Vec3f> points =
            hand_part_points(static_cast<int>(i), input.radius[i], input.length[i]);
        auto shape = collision::Shape::from_hull(points, "hand part " + std::to_string(i));
        if (!shape.ok()) return shape.error();
        hand.shape[i] = std::move(shape).value();
        hand.mesh[i] = store_.add(hand.shape[i]);
    }
    return Done{};
}

Status HandBodies::appear(collision::World& world, std::size_t index) {
    Hand& hand = hands_[index];
    for (std::size_t i = 0; i < hand.body.size(); ++i) {
        const unsigned group = is_tip(static_cast<int>(i)) ? tip_group_ : part_group_;
        auto id = world.add_body({hand.shape[i], hand.input.part[i], group, false, i});
        if (!id.ok()) return id.error();
        hand.body[i] = id.value();
        if (id.value().slot >= part_of_slot_.size())
            part_of_slot_.resize(id.value().slot + 1, collision::kNoIndex);
        part_of_slot_[id.value().slot] = static_cast<std::uint32_t>(index * kHandParts + i);
    }
    hand.present = true;
    return Done{};
}

Status HandBodies::update(collision::World& world, const StepInput& input) {
    for (std::size_t h = 0; h < hands_.size(); ++h) {
        Hand& hand = hands_[h];
        const HandInput& now = input.hand[h];
        const bool other =
            hand.present && (hand.input.radius != now.radius || hand.input.length != now.length);
        if (hand.present && (!now.present || other)) {
            for (const collision::BodyId body : hand.body) {
                part_of_slot_[body.slot] = collision::kNoIndex;
                const Status removed = world.remove_body(body);
                if (!removed.ok()) return removed;
            }
            hand.present = false;
        }
        if (!now.present) continue;
        const Status made = make_shapes(hand, now);
        if (!made.ok()) return made;
        hand.input = now;
        if (!hand.present) {
            const Status appeared = appear(world, h);
            if (!appeared.ok()) return appeared;
            continue;
        }
        for (std::size_t i = 0; i < hand.body.size(); ++i) {
            const Status moved = world.move(hand.body[i], now.part[i]);
            if (!moved.ok()) return moved;
        }
    }
    return Done{};
}

std::optional<std::uint32_t> HandBodies::find(collision::BodyId body) const {
    if (body.slot >= part_of_slot_.size() || part_of_slot_[body.slot] == collision::kNoIndex)
        return std::nullopt;
    const std::uint32_t part = part_of_slot_[body.slot];
    if (hands_[part / kHandParts].body[part % kHandParts] != body) return std::nullopt;
    return part;
}

void HandBodies::view(const std::bitset<kTwoHands>& active, SceneView& out) const {
    for (std::size_t h = 0; h < hands_.size(); ++h) {
        const Hand& hand = hands_[h];
        if (!hand.present) continue;
        for (std::size_t i = 0; i < hand.body.size(); ++i) {
            Drawable d;
            d.mesh = hand.mesh[i];
            d.pose = hand.input.part[i];
            d.material = active[h * kHandParts + i] ? Material::hand_active : Material::hand;
            d.occluder_radius = hand.input.radius[i] * (i == 0 ? 2.0f : 1.0f);
            out.drawables.push_back(d);
        }
    }
}

}  // namespace claybox::app
