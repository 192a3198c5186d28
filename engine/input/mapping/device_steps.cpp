#include "engine/input/mapping/device_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace claybox::engine {

namespace {

constexpr double kOn = 0.5;  // a value above this is a pressed button

const char* step_word(StepKind kind) {
    constexpr const char* kWords[] = {"scale", "offset", "rate",   "invert", "deadzone", "above",
                                      "below", "hold",   "toggle", "steps",  "axis"};
    return kWords[static_cast<std::size_t>(kind)];
}

bool is_place(DeviceClass type) {
    return type == DeviceClass::location || type == DeviceClass::space;
}

/// The rotation about one axis: that component of the rotation vector, radians.
double turn_about(const glm::dquat& q, int axis) {
    const glm::dquat shorter = q.w < 0 ? -q : q;
    const glm::dvec3 v(shorter.x, shorter.y, shorter.z);
    const double sine = glm::length(v);
    if (sine < 1e-12) return 2 * v[axis];
    return 2 * std::atan2(sine, shorter.w) * v[axis] / sine;
}

double without_deadzone(double value, double zone) {
    const double size = std::abs(value);
    return size <= zone ? 0 : std::copysign((size - zone) / (1 - zone), value);
}

/// Presses since the last frame.
int count_presses(const Reading& reading, StepState& state) {
    const bool edge = reading.down && !state.was_down;
    state.was_down = reading.down;
    if (std::exchange(state.fresh, false)) return 0;
    return reading.presses > 0 ? reading.presses : edge ? 1 : 0;
}

void button_step(const MapStep& step, DeviceClass after, double now, StepState& state, Reading& r) {
    if (step.kind == StepKind::invert) r.down = !r.down;
    if (step.kind == StepKind::toggle) {
        if (count_presses(r, state) % 2 == 1) state.on = !state.on;
        r.down = state.on;
    }
    if (step.kind == StepKind::hold) {
        if (r.down && !state.was_down) state.since = now;
        state.was_down = r.down;
        r.down = state.on = r.down && now - state.since >= step.number[0];
    }
    if (after == DeviceClass::choice) {
        const auto count = static_cast<int>(step.number[0]);
        state.choice = (state.choice + count_presses(r, state)) % count;
        r.choice = state.choice;
    }
    r.presses = 0;
}

void level_step(const MapStep& step, StepState& state, Reading& r) {
    const double v = r.number, reached = step.number[0], left = step.count == 2 ? step.number[1] : reached;
    if (step.kind == StepKind::above)
        state.on = state.on ? v >= left : v >= reached;
    else
        state.on = state.on ? v <= left : v <= reached;
    r.down = state.on;
    r.presses = 0;
}

void value_step(const MapStep& step, DeviceClass after, double dt, StepState& state, Reading& r) {
    const double n = step.number[0];
    switch (step.kind) {
        case StepKind::scale:
            r.number *= n;
            break;
        case StepKind::offset:
            r.number += n;
            break;
        case StepKind::rate:
            r.number *= n * dt;
            break;
        case StepKind::invert:
            r.number = -r.number;
            break;
        case StepKind::deadzone:
            r.number = without_deadzone(r.number, n);
            break;
        case StepKind::steps:
            if (after == DeviceClass::choice)
                r.choice = static_cast<int>(std::min(n - 1, std::floor(std::clamp(r.number, 0.0, 1.0) * n)));
            else
                r.number = std::round(r.number * (n - 1)) / (n - 1);
            break;
        default:
            level_step(step, state, r);
    }
}

}  // namespace

std::optional<DeviceClass> class_after(const MapStep& step, DeviceClass before, DeviceClass wanted,
                                       std::string& error) {
    const bool value = before == DeviceClass::value, button = before == DeviceClass::button;
    const auto expected = [&](const char* what) {
        error = std::string("expected ") + what + " before '" + step_word(step.kind) + "', not a " +
                to_string(before);
        return std::nullopt;
    };
    switch (step.kind) {
        case StepKind::scale:
        case StepKind::offset: {
            const bool three = step.kind == StepKind::offset && step.count == 3;
            if ((value && !three) || (is_place(before) && (three || step.kind == StepKind::scale)))
                return before;
            return expected(three                           ? "a location or space"
                            : step.kind == StepKind::offset ? "a value"
                                                            : "a value, location or space");
        }
        case StepKind::rate:
        case StepKind::deadzone:
            return value ? std::optional(before) : expected("a value");
        case StepKind::invert:
            return value || button ? std::optional(before) : expected("a value or button");
        case StepKind::above:
        case StepKind::below:
            return value ? std::optional(DeviceClass::button) : expected("a value");
        case StepKind::hold:
        case StepKind::toggle:
            return button ? std::optional(before) : expected("a button");
        case StepKind::steps:
            if (value) return wanted == DeviceClass::choice ? DeviceClass::choice : before;
            return button ? std::optional(DeviceClass::choice) : expected("a value or button");
        case StepKind::axis:
            if (is_place(before) || before == DeviceClass::orientation) return DeviceClass::value;
            return expected("a location, orientation or space");
    }
    return std::nullopt;
}

bool converts(DeviceClass from, DeviceClass to) {
    if (from == to) return true;
    const bool to_button = to == DeviceClass::button && from == DeviceClass::value;
    const bool to_value =
        to == DeviceClass::value && (from == DeviceClass::button || from == DeviceClass::choice);
    const bool part =
        from == DeviceClass::space && (to == DeviceClass::location || to == DeviceClass::orientation);
    return to_button || to_value || part;
}

Reading converted(const Reading& r, DeviceClass from, DeviceClass to) {
    Reading out;  // only the members that the class uses
    out.valid = r.valid;
    out.source = r.source;
    switch (to) {
        case DeviceClass::button:
            out.down = from == DeviceClass::value ? r.number > kOn : r.down;
            out.presses = r.presses;
            break;
        case DeviceClass::choice:
            out.choice = r.choice;
            break;
        case DeviceClass::value:
            out.number = from == DeviceClass::button   ? (r.down ? 1 : 0)
                         : from == DeviceClass::choice ? r.choice
                                                       : r.number;
            break;
        case DeviceClass::hand:
            out.hand = r.hand;
            break;
        default:
            if (to != DeviceClass::orientation) out.position = r.position;
            if (to != DeviceClass::location) out.rotation = r.rotation;
    }
    return out;
}

void apply_step(const MapStep& step, DeviceClass before, DeviceClass after, double now, double dt,
                StepState& state, Reading& reading) {
    if (!reading.valid) {
        // After a loss the hold time starts again, unless it had already elapsed.
        if (step.kind == StepKind::hold) state.was_down = state.on;
        return;
    }
    if (before == DeviceClass::button) return button_step(step, after, now, state, reading);
    if (before == DeviceClass::value) return value_step(step, after, dt, state, reading);
    const glm::dvec3 n(step.number[0], step.number[1], step.number[2]);
    const auto axis = static_cast<int>(n.x);
    if (step.kind == StepKind::scale) reading.position *= n.x;
    if (step.kind == StepKind::offset) reading.position += n;
    if (step.kind != StepKind::axis) return;
    reading.number =
        before == DeviceClass::orientation ? turn_about(reading.rotation, axis) : reading.position[axis];
}

}  // namespace claybox::engine
