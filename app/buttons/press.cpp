#include "app/buttons/press.hpp"

#include "collision/continuous/swept_sphere.hpp"
#include "collision/core/assert.hpp"
#include "collision/core/elementary.hpp"
#include "collision/core/ids.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::kNoIndex;
using collision::Vec3d;

namespace {

constexpr std::uint32_t kMaxFingers = 32;  // bits of Button::colliding
// A slightly underdamped spring: back within 150 ms with one small overshoot.
constexpr double kSpringRate = 42;      // radians a second
constexpr double kSpringDamping = 0.7;  // of critical
constexpr double kSpringSteps = 480;    // per second; the step is well below the time constant of the spring
constexpr double kLongestSettle = 1;    // seconds; the spring is at rest after that
constexpr double kNever = 2;            // a place outside every move, which spans 0 .. 1

/// A value that is linear along a move.
struct Linear {
    double from, to;
    double at(double t) const { return t >= 1 ? to : from + (to - from) * t; }
    Linear operator+(double x) const { return {from + x, to + x}; }
};

/// First place on the move, from `start` on, where the value is below zero. Only the value at the end decides
/// whether there is one, because the next move starts with the same value.
double falls_below_zero(const Linear& value, double start) {
    if (!(value.to < 0)) return kNever;
    if (value.at(start) < 0) return start;
    return std::clamp(value.from / (value.from - value.to), start, 1.0);
}

/// The same for a value of at least zero.
double rises_to_zero(const Linear& value, double start) {
    if (!(value.to >= 0)) return kNever;
    if (value.at(start) >= 0) return start;
    return std::clamp(value.from / (value.from - value.to), start, 1.0);
}

/// Depth of the lowest point of the ball below the face at rest.
Linear depth_of(const FingerMove& move) {
    return {move.radius - move.from.z, move.radius - move.to.z};
}

/// Place on the move where a holding finger leaves the face: to the front, to the side or through it.
double leaving_place(const FingerMove& move, const PressPad& pad, const PressRules& rules, double start) {
    const Linear depth = depth_of(move), x{move.from.x, move.to.x}, y{move.from.y, move.to.y};
    const double limit_x = pad.half_x + rules.side_margin * move.radius,
                 limit_y = pad.half_y + rules.side_margin * move.radius,
                 deepest = rules.travel + rules.back_margin * move.radius;
    const auto headroom = [](double limit, const Linear& value) {
        return Linear{limit - value.from, limit - value.to};
    };
    double first = falls_below_zero(depth, start);
    for (const Linear& margin :
         {x + limit_x, headroom(limit_x, x), y + limit_y, headroom(limit_y, y), headroom(deepest, depth)})
        first = std::min(first, falls_below_zero(margin, start));
    return first;
}

double time_at(const FingerMove& move, double at) {
    return move.time_from + (move.time_to - move.time_from) * at;
}

/// Inverse of time_at(), clamped to the move.
double place_at(const FingerMove& move, double time) {
    const double duration = move.time_to - move.time_from;
    return time >= move.time_to || !(duration > 0) ? 1
                                                   : std::clamp((time - move.time_from) / duration, 0.0, 1.0);
}

}  // namespace

PressBoard::PressBoard(const std::vector<PressPad>& pads, std::uint32_t fingers) : fingers_(fingers) {
    CLAYBOX_ASSERT(fingers <= kMaxFingers);
    for (const PressPad& pad : pads) {
        Button button;
        button.pad = pad;
        button.face = {Vec3d{-pad.half_x, -pad.half_y, 0}, Vec3d{pad.half_x, -pad.half_y, 0},
                       Vec3d{pad.half_x, pad.half_y, 0}, Vec3d{-pad.half_x, pad.half_y, 0}};
        buttons_.push_back(button);
    }
}

void PressBoard::appear(std::uint32_t finger, double time, std::vector<PressEvent>& out) {
    const std::uint32_t button = fingers_[finger].button;
    fingers_[finger].since = time;
    if (button == kNoIndex || buttons_[button].fired) return;
    release(button, time, true, out);
    pass_on(button, time, out);
}

void PressBoard::lose(std::uint32_t finger, double time, std::vector<PressEvent>& out) {
    if (fingers_[finger].button != kNoIndex) release(fingers_[finger].button, time, true, out);
    for (std::uint32_t b = 0; b < buttons_.size(); ++b) {
        Button& button = buttons_[b];
        if ((button.colliding >> finger & 1u) == 0) continue;
        button.colliding &= ~(1u << finger);
        if (!button.pad.fires) pass_on(b, time, out);
        if (button.colliding != 0 || !button.pad.fires) continue;
        button.fired = false;
        out.push_back({PressKind::lost, b, finger, time});
    }
}

void PressBoard::release(std::uint32_t button, double time, bool lost, std::vector<PressEvent>& out) {
    Button& b = buttons_[button];
    const PressKind kind = lost ? PressKind::lost : b.fired ? PressKind::released : PressKind::left_early;
    if (lost || b.fired || !b.used) out.push_back({kind, button, b.finger, time});
    if (b.fired) b.released = time;
    fingers_[b.finger].button = kNoIndex;
    b.finger = kNoIndex;
    b.fired = b.used = b.blocked = false;
    b.depth = 0;
}

void PressBoard::release_all(double time, std::vector<PressEvent>& out) {
    for (std::uint32_t f = 0; f < fingers_.size(); ++f) lose(f, time, out);
}

void PressBoard::find_touches(std::span<const FingerMove> moves) {
    touches_.clear();
    for (std::uint32_t i = 0; i < moves.size(); ++i) {
        const FingerMove& move = moves[i];
        const Button& button = buttons_[move.button];
        if (button.finger == move.finger) continue;
        const auto met = collision::sweep_ball({move.from, move.to, move.radius}, button.face,
                                               collision::SweptSide::front);
        // A finger that hits the rim comes from the side or slips by. A finger that touches at the start has
        // not come from the front.
        if (!met.hit || met.at_start || met.feature != collision::SweptFeature::face) continue;
        const Vec3d at = move.from + (move.to - move.from) * met.time;
        touches_.push_back({time_at(move, met.time), met.time, collision::hypotenuse(at.x, at.y), i});
    }
    // Of faces touched at the same time, the one with the nearest centre comes first and wins.
    std::sort(touches_.begin(), touches_.end(), [](const Touch& a, const Touch& b) {
        if (a.time != b.time) return a.time < b.time;
        return a.off_middle != b.off_middle ? a.off_middle < b.off_middle : a.move < b.move;
    });
}

void PressBoard::frame(std::span<const FingerMove> moves, const PressRules& rules,
                       std::vector<PressEvent>& out) {
    if (rules.plain) return;
    const std::size_t first_event = out.size();
    for (Finger& finger : fingers_) finger.at = 0;
    find_touches(moves);
    for (const Touch& touch : touches_) {
        const FingerMove& move = moves[touch.move];
        follow_holds(moves, rules, touch.time, out);
        Button& button = buttons_[move.button];
        Finger& finger = fingers_[move.finger];
        const bool free = button.finger == kNoIndex && finger.button == kNoIndex;
        if (!free || touch.time < finger.since + rules.reacquire) continue;
        button.finger = move.finger;
        finger.button = move.button;
        finger.at = touch.at;
        out.push_back({PressKind::touched, move.button, move.finger, touch.time});
    }
    follow_holds(moves, rules, INFINITY, out);
    std::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(first_event), out.end(),
                     [](const PressEvent& a, const PressEvent& b) { return a.time < b.time; });
}

void PressBoard::follow_holds(std::span<const FingerMove> moves, const PressRules& rules, double until,
                              std::vector<PressEvent>& out) {
    for (const FingerMove& move : moves) {
        if (buttons_[move.button].finger != move.finger) continue;
        if (is_finite(move.from) && is_finite(move.to)) follow(move, rules, place_at(move, until), out);
    }
}

void PressBoard::follow(const FingerMove& move, const PressRules& rules, double until,
                        std::vector<PressEvent>& out) {
    while (buttons_[move.button].finger == move.finger && advance(move, rules, until, out)) {
    }
    Finger& finger = fingers_[move.finger];
    if (finger.button == move.button) {
        finger.at = std::max(finger.at, until);
        buttons_[move.button].depth = std::clamp(depth_of(move).at(finger.at), 0.0, rules.travel);
    }
}

/// Advances to the next event up to `until`; false if there is none.
bool PressBoard::advance(const FingerMove& move, const PressRules& rules, double until,
                         std::vector<PressEvent>& out) {
    const Button& b = buttons_[move.button];
    double& at = fingers_[move.finger].at;
    const Linear depth = depth_of(move);
    const bool comes_back = b.fired || b.blocked;
    double next = kNever;
    if (b.pad.fires)
        next = comes_back ? falls_below_zero(depth + -rules.release_at * rules.travel, at)
                          : rises_to_zero(depth + -rules.fire_at * rules.travel, at);
    const double leave = leaving_place(move, b.pad, rules, at);
    if (std::min(next, leave) > until) return false;
    at = std::min(next, leave);
    if (next <= leave)
        cross(move, rules, time_at(move, at), out);
    else
        release(move.button, time_at(move, at), false, out);
    return true;
}

/// Handles crossing the fire point on the way down or the release point on the way up.
void PressBoard::cross(const FingerMove& move, const PressRules& rules, double time,
                       std::vector<PressEvent>& out) {
    Button& b = buttons_[move.button];
    if (b.blocked) {
        b.blocked = false;
    } else if (b.fired) {
        b.fired = false;
        b.released = time;
        out.push_back({PressKind::released, move.button, move.finger, time});
    } else if (time < b.released + rules.rearm || time < fingers_[move.finger].since + rules.reacquire) {
        b.blocked = true;
    } else {
        b.fired = b.used = true;
        b.cap = std::max(b.cap, rules.fire_at * rules.travel);  // even if the finger leaves within the frame
        out.push_back({PressKind::fired, move.button, move.finger, time});
    }
}

void PressBoard::collide(std::uint32_t finger, std::uint32_t button, bool begins, double time,
                         std::vector<PressEvent>& out) {
    Button& b = buttons_[button];
    const std::uint32_t before = b.colliding, bit = 1u << finger;
    b.colliding = begins ? before | bit : before & ~bit;
    if (!b.pad.fires) {
        if (!begins && b.finger == finger) release(button, time, false, out);
        return pass_on(button, time, out);
    }
    if ((before != 0) == (b.colliding != 0)) return;
    b.fired = b.colliding != 0;
    out.push_back({b.fired ? PressKind::fired : PressKind::released, button, finger, time});
}

/// Plain rule: the first colliding finger holds a dragged control until its collision ends or it is lost;
/// then the next colliding finger takes over.
void PressBoard::pass_on(std::uint32_t button, double time, std::vector<PressEvent>& out) {
    Button& b = buttons_[button];
    for (std::uint32_t f = 0; f < fingers_.size() && b.finger == kNoIndex; ++f) {
        if ((b.colliding >> f & 1u) == 0 || fingers_[f].button != kNoIndex) continue;
        b.finger = f;
        fingers_[f].button = button;
        out.push_back({PressKind::touched, button, f, time});
    }
}

void PressBoard::settle(double dt, const PressRules& rules) {
    dt = std::clamp(dt, 0.0, kLongestSettle);
    const int steps = std::max(1, static_cast<int>(std::lround(dt * kSpringSteps)));
    const double h = dt / steps;
    for (Button& b : buttons_) {
        for (int i = 0; i < steps; ++i) {
            b.speed += h * (-kSpringRate * kSpringRate * b.cap - 2 * kSpringDamping * kSpringRate * b.speed);
            b.cap += h * b.speed;
        }
        const bool held = b.finger != kNoIndex || b.colliding != 0;
        const double floor = b.colliding != 0 ? rules.travel : held ? b.depth : -rules.travel;
        if (b.cap < floor || held) {  // a finger holds the cap down
            b.cap = std::max(b.cap, floor);
            if (b.cap == floor) b.speed = 0;
        }
        b.cap = std::min(b.cap, rules.travel);
    }
}

}  // namespace claybox::app
