#include "collision/continuous/screw_motion/contact/moving_balls.hpp"

#include "collision/continuous/screw_motion/contact/roots.hpp"

#include <cmath>

namespace claybox::collision {

BallContact first_ball_contact(const RelativePath& path, const WorldSphere& a, const WorldSphere& b) {
    BallContact out;
    const double reach = a.radius + b.radius;
    const auto contact = [&](double t) {
        out.hit = true, out.time = t;
        out.normal = normalized(path.at(t)(b.centre) - a.centre, Vec3d{});
    };
    const Vec3d start = path.at(0)(b.centre) - a.centre;
    if (length(start) <= reach) {
        contact(0);
        return out;
    }
    // d(t)^2 - reach^2, with the derivatives 2 d . d' and 2 (d' . d' + d . d'').
    const auto function = [&](double t) {
        const MovingMap m = path.moving_at(t);
        const Vec3d d = m.map(b.centre) - a.centre, v = m.rate(b.centre);
        return Slope{dot(d, d) - reach * reach, 2 * dot(d, v)};
    };
    double speed = path.speed_bound(b.centre, 0), acceleration = path.acceleration_bound(b.centre, 0);
    if (path.is_screw()) {
        const Screw& s = path.screw();
        const double radius = length(cross(s.axis, b.centre - s.point));
        speed = std::sqrt(radius * radius * s.angle * s.angle + s.pitch * s.pitch);
        acceleration = radius * s.angle * s.angle;
    }
    const double farthest = length(start) + speed;
    const double bend = 2 * (speed * speed + farthest * acceleration);
    const double zero = 1e-14 * (farthest * farthest + reach * reach);
    // Quarter turns one after another: the list of roots has limited room.
    const int parts = static_cast<int>(std::fmin(std::ceil(path.turn_rate() / (kPi / 2)) + 1, 4096));
    for (int k = 0; k < parts && !out.hit; ++k) {
        Roots roots;
        find_roots(function, static_cast<double>(k) / parts, static_cast<double>(k + 1) / parts, bend, zero,
                   roots);
        if (roots.count > 0) contact(roots.at[0]);
    }
    return out;
}

}  // namespace claybox::collision
