#include "app/buttons/widgets.hpp"

#include "collision/core/elementary.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Vec3d;

namespace {

constexpr double kGlowReach = 0.060;    // metres at which a control starts to glow
constexpr double kTiltSeconds = 0.120;  // duration of a flip
constexpr double kSpeedWindow =
    0.080;                       // seconds before the release over which the speed of a flick is measured
constexpr double kCoast = 0.25;  // seconds; a flicked drum travels this times its speed
constexpr double kMaxTapMove = 0.004;  // metres; a finger that moves less has tapped the drum
constexpr double kSnapRate = 18;       // per second; how fast a drum approaches its entry
constexpr double kOvershoot = 0.4;     // entries by which a drum can roll past its ends

double at_detent(double share, int detents) {
    return detents < 2 ? share : std::round(share * (detents - 1)) / (detents - 1);
}

/// Angle from a to b as seen from the centre, radians counter-clockwise.
double angle_between(const FacePoint& a, const FacePoint& b) {
    return collision::arc_tangent(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y);
}

}  // namespace

double hover_glow(double distance) {
    const double nearness = std::clamp(1 - distance / kGlowReach, 0.0, 1.0);
    return nearness * nearness;
}

double distance_to_face(const Vec3d& centre, double radius, double half_x, double half_y) {
    const Vec3d gap{std::max(0.0, std::abs(centre.x) - half_x), std::max(0.0, std::abs(centre.y) - half_y),
                    centre.z};
    return std::max(0.0, length(gap) - radius);
}

void Toggle::settle(double dt) {
    const double step = 2 * std::max(0.0, dt) / kTiltSeconds;
    tilt_ = on_ ? std::min(1.0, tilt_ + step) : std::max(-1.0, tilt_ - step);
}

void Slider::begin(double x) {
    held_ = true;
    offset_ = std::abs(x - place()) <= knob_half_ ? place() - x : 0;
    drag(x);
}

void Slider::drag(double x) {
    if (!held_ || !std::isfinite(x)) return;
    share_ = at_detent(std::clamp((x + offset_) / (2 * half_length_) + 0.5, 0.0, 1.0), detents_);
}

void Slider::follow(double share) {
    if (!held_ && std::isfinite(share)) share_ = std::clamp(share, 0.0, 1.0);
}

void Dial::circle(const FacePoint& from, const FacePoint& to) {
    if (!held_) return;
    // Counts only the parts of the segment outside the dead zone. Their angles add up, however frames split
    // the segment.
    const double dx = to.x - from.x, dy = to.y - from.y, a = dx * dx + dy * dy;
    const double b = from.x * dx + from.y * dy, c = from.x * from.x + from.y * from.y - dead_ * dead_;
    double in = 1, out = 1;  // places where the segment enters and leaves the dead zone
    if (a > 0 && b * b - a * c > 0) {
        const double root = std::sqrt(b * b - a * c);
        in = std::clamp((-b - root) / a, 0.0, 1.0);
        out = std::clamp((-b + root) / a, 0.0, 1.0);
    }
    const auto at = [&](double t) { return FacePoint{from.x + dx * t, from.y + dy * t}; };
    double angle = 0;
    if (in > 0) angle += angle_between(from, at(in));
    if (out < 1) angle += angle_between(at(out), to);
    twist(-angle);
}

void Dial::twist(double angle) {
    if (held_ && std::isfinite(angle)) raw_ = std::clamp(raw_ + angle / turn_, 0.0, 1.0);
}

void Dial::end() {
    held_ = false;
    raw_ = share();
}

void Dial::follow(double share) {
    if (!held_ && std::isfinite(share)) raw_ = std::clamp(share, 0.0, 1.0);
}

double Dial::share() const {
    return at_detent(raw_, detents_);
}

double ChoiceWheel::inside(double position) const {
    return std::clamp(position, -kOvershoot, entries_ - 1 + kOvershoot);
}

void ChoiceWheel::begin(double y, double time) {
    held_ = true;
    first_y_ = last_y_ = y;
    moved_ = 0;
    count_ = 0;
    samples_[count_++] = {time, position_};
}

void ChoiceWheel::drag(double y, double time) {
    if (!held_ || !std::isfinite(y)) return;
    position_ = inside(position_ + (y - last_y_) / pitch_);
    moved_ = std::max(moved_, std::abs(y - first_y_));
    last_y_ = y;
    if (count_ == samples_.size()) {
        std::move(samples_.begin() + 1, samples_.end(), samples_.begin());
        --count_;
    }
    samples_[count_++] = {time, position_};
}

/// Entries per second during the last kSpeedWindow.
double ChoiceWheel::speed(double time) const {
    std::size_t first = count_ - 1;
    while (first > 0 && samples_[first].time > time - kSpeedWindow) --first;
    const double duration = time - samples_[first].time;
    return duration > 0 ? (position_ - samples_[first].position) / duration : 0;
}

void ChoiceWheel::end(double time) {
    if (!held_) return;
    held_ = false;
    const double stop =
        moved_ < kMaxTapMove ? std::round(position_) - first_y_ / pitch_ : position_ + kCoast * speed(time);
    chosen_ = static_cast<int>(std::clamp(std::round(stop), 0.0, entries_ - 1.0));
}

void ChoiceWheel::follow(int entry) {
    if (!held_) chosen_ = std::clamp(entry, 0, entries_ - 1);
}

void ChoiceWheel::settle(double dt) {
    if (!held_)
        position_ = chosen_ + (position_ - chosen_) * collision::exponential(-kSnapRate * std::max(0.0, dt));
}

}  // namespace claybox::app
