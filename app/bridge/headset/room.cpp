#include "app/bridge/headset/room.hpp"

#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

namespace {

// A scene whose camera is farther away than this is shown as a model in front of the viewer instead of
// life-size.
constexpr double kLifeSize = 1.2, kModelDistance = 0.9;  // metres

// Positions of the boards around the viewer's eyes: metres and radians. Scenes are below the eyes, where
// hands work; the bar is above, out of the way of the hands.
constexpr double kSideHeight = -0.06, kBarHeight = 0.20, kRailYaw = 0.62, kCardsYaw = -0.66;

// Poking, metres.
constexpr double kHover = 0.10;  // a fingertip closer than this drives the pointer
constexpr double kLock =
    0.012;  // closer than this, the pointer is locked, so that pressing does not shift it
constexpr double kRelease = 0.004;  // in front of the board by this: release
constexpr double kThrough = 0.08;   // behind the board by this: no longer on it
constexpr float kDragPixels = 14;   // a pressing finger that moves farther drags
constexpr float kPull = 0.6f, kLetGo = 0.4f;

glm::dquat about_up(double angle) {
    return glm::angleAxis(angle, glm::dvec3(0, 1, 0));
}

glm::dvec3 to_double(const collision::Vec3f& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

}  // namespace

double yaw_of(const glm::dquat& rotation) {
    const glm::dvec3 forward = rotation * glm::dvec3(0, 0, -1);
    // When looking up or down, the top of the head defines the yaw.
    const bool level = std::hypot(forward.x, forward.z) > 0.2;
    const glm::dvec3 ahead =
        level ? forward : (forward.y > 0 ? -1.0 : 1.0) * (rotation * glm::dvec3(0, 1, 0));
    return std::hypot(ahead.x, ahead.z) > 1e-9 ? std::atan2(-ahead.x, -ahead.z) : 0;
}

void RoomPlace::place_viewer(const RoomPose& head, const ViewCamera& camera, Recentre what, double zoom) {
    const glm::dvec3 eye = to_double(camera.position), target = to_double(camera.target);
    const double distance = glm::distance(eye, target);
    const double scale = (distance > kLifeSize ? distance / kModelDistance : 1) / std::clamp(zoom, 0.1, 10.0);
    // Changing only the direction must not move the viewer.
    const glm::dvec3 stays = to_scene(head.position);
    if (what != Recentre::direction) scale_ = scale;
    anchor_ = head.position;
    origin_ = stays;
    if (what != Recentre::direction) {
        // The scene is scaled about the camera's target, which stays in front of the viewer.
        const double away = distance > kLifeSize ? scale_ * kModelDistance : scale_ * distance;
        origin_ = target + (eye - target) * (distance > 0 ? away / distance : 0);
    }
    if (what != Recentre::position) {
        yaw_room_ = yaw_of(head.rotation);
        yaw_scene_ = std::atan2(-(target.x - eye.x), -(target.z - eye.z));
    }
    turn_ = about_up(yaw_scene_ - yaw_room_);
}

glm::dvec3 RoomPlace::to_scene(const glm::dvec3& room) const {
    return origin_ + turn_ * ((room - anchor_) * scale_);
}

engine::HandState RoomPlace::to_scene(engine::HandState hand) const {
    const auto scale = static_cast<float>(scale_);
    for (engine::HandPart& part : hand.part) {
        part.position = to_scene(part.position);
        part.rotation = glm::normalize(to_scene(part.rotation));
        part.radius *= scale;
        part.length *= scale;
    }
    hand.scale *= scale;
    return hand;
}

std::array<BoardPart, 3> board_parts(int width, int height, float ui_scale) {
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    const float rail = 80 * ui_scale, cards = 336 * ui_scale, bar = 56 * ui_scale;
    return {{{0, 0, rail, h - bar, kRailYaw, kSideHeight},
             {w - cards, 0, w, h - bar, kCardsYaw, kSideHeight},
             {0, h - bar, w, h, 0, kBarHeight}}};
}

void Boards::place_around(const glm::dvec3& anchor, double yaw_room) {
    anchor_ = anchor;
    yaw_ = yaw_room;
}

BoardPlace Boards::find(const glm::dvec3& room) const {
    const glm::dvec3 p = about_up(-yaw_) * (room - anchor_);
    const double yaw = std::atan2(-p.x, -p.z);
    BoardPlace out;
    out.depth = kBoardRadius - std::hypot(p.x, p.z);
    for (const BoardPart& part : parts_) {
        const double right = -std::remainder(yaw - part.yaw, 2 * collision::kPi) * kBoardRadius / kBoardPixel;
        const double down = (part.height - p.y) / kBoardPixel;
        const auto x = static_cast<float>(0.5 * static_cast<double>(part.x0 + part.x1) + right);
        const auto y = static_cast<float>(0.5 * static_cast<double>(part.y0 + part.y1) + down);
        if (x < part.x0 || x >= part.x1 || y < part.y0 || y >= part.y1) continue;
        out.x = x;
        out.y = y;
        out.inside = true;
        return out;
    }
    return out;
}

std::optional<BoardPlace> Boards::intersect(const RoomPose& ray) const {
    const glm::dvec3 o = ray.position - anchor_, d = ray.rotation * glm::dvec3(0, 0, -1);
    // |o + t d| = radius, measured across the axis; from inside, the larger root is in front.
    const double a = d.x * d.x + d.z * d.z, b = o.x * d.x + o.z * d.z;
    const double c = o.x * o.x + o.z * o.z - kBoardRadius * kBoardRadius;
    if (!(a > 1e-9) || !(c < 0)) return std::nullopt;
    const double t = (-b + std::sqrt(b * b - a * c)) / a;
    BoardPlace place = find(ray.position + d * t);
    if (!place.inside) return std::nullopt;
    place.depth = t;
    return place;
}

RoomPose Boards::pose(const BoardPart& part) const {
    const glm::dquat turn = about_up(yaw_ + part.yaw);
    return {anchor_ + turn * glm::dvec3(0, part.height, -kBoardRadius), turn};
}

/// True when the finger drives the pointer.
bool BoardPointer::poke(Finger& finger, const BoardPlace& place, double depth) {
    const bool was_before = finger.known && finger.last.depth > 0;
    if (!finger.pressing && finger.may_press() && place.inside && depth <= 0 && was_before) {
        finger.pressing = true;
        finger.dragging = false;
    }
    if (finger.pressing && (depth > kRelease || depth < -kThrough)) finger.pressing = false;
    const bool near = place.inside && depth < kHover && depth > -kThrough;
    if (!finger.pressing && (!near || (depth <= 0 && !was_before))) return false;
    const bool locked = depth < kLock && finger.known && finger.last.inside;
    const float moved = std::hypot(place.x - state_.x, place.y - state_.y);
    if (finger.pressing && place.inside && moved > kDragPixels) finger.dragging = true;
    if (place.inside && (!locked || finger.dragging)) {
        state_.x = place.x;
        state_.y = place.y;
    }
    return true;
}

bool BoardPointer::point(std::size_t index, const Boards& boards, const BoardFinger& now) {
    Finger& finger = fingers_[index];
    const bool pulled = now.trigger > (finger.pulled ? kLetGo : kPull);
    const bool pull = pulled && !finger.pulled;
    finger.pulled = pulled;
    const auto place = now.ray ? boards.intersect(*now.ray) : std::nullopt;
    // A trigger that was pulled off the boards must not press when the ray moves over them.
    if (pull) finger.pulled_on_board = finger.may_press() && place.has_value();
    if (!pulled) finger.pulled_on_board = false;
    if (!place) return false;
    state_.on_board = true;
    state_.x = place->x;
    state_.y = place->y;
    state_.distance = place->depth;
    state_.down = finger.pulled_on_board;
    state_.hand = static_cast<int>(index);
    return true;
}

bool BoardPointer::follow(Finger& finger, const BoardFinger& now, double dt) {
    if (now.present) {
        if (finger.known && finger.source != now.source) finger = {};
        if (finger.known) finger.seen += dt;
        finger.source = now.source;
        finger.lost = 0;
        return true;
    }
    finger.lost += dt;
    if (!finger.known || finger.lost > engine::kHandGrace) finger = {};
    return finger.known;
}

const BoardPointer::State& BoardPointer::update(const Boards& boards,
                                                const std::array<BoardFinger, 2>& fingers, double dt) {
    const State before = state_;
    for (std::size_t i = 0; i < fingers.size(); ++i) {
        const bool has_pointer = before.hand == static_cast<int>(i);
        if (follow(fingers_[i], fingers[i], dt) && !fingers[i].present && has_pointer) return state_;
    }
    state_ = {false, before.x, before.y, false, -1, 0, false};
    double nearest = kHover;
    for (std::size_t i = 0; i < fingers.size(); ++i) {
        if (!fingers[i].present) continue;
        Finger& finger = fingers_[i];
        BoardPlace place = boards.find(fingers[i].tip);
        const double depth = place.depth - fingers[i].radius;
        // Only one finger points: a pressing one, else the nearest.
        const bool first = !state_.down && (finger.pressing || std::abs(depth) < nearest);
        if (first && poke(finger, place, depth)) {
            nearest = std::abs(depth);
            state_.on_board = state_.poking = true;
            state_.down = finger.pressing;
            state_.hand = static_cast<int>(i);
        }
        place.depth = depth;
        finger.last = place;
        finger.known = true;
    }
    for (std::size_t i = 0; i < fingers.size() && !state_.on_board; ++i)
        if (fingers[i].present) point(i, boards, fingers[i]);
    return state_;
}

}  // namespace claybox::app
