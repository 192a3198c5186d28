// Source: Buss 2004, 4.1 to 4.3. The quaternion of a matrix is by Shepperd 1978: its largest component comes
// from a square root of at least 1/4, so nothing cancels for any angle.

#include "collision/continuous/screw_motion/motion/relative_screw.hpp"

#include "collision/core/trig.hpp"

#include <cmath>

namespace claybox::collision {

namespace {

Quat quaternion_of(const RigidMap& m) {
    const double xx = m.x.x, yy = m.y.y, zz = m.z.z;
    Quat q{1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz};  // four times the squares
    if (q.w >= q.x && q.w >= q.y && q.w >= q.z)
        q = {q.w, m.z.y - m.y.z, m.x.z - m.z.x, m.y.x - m.x.y};
    else if (q.x >= q.y && q.x >= q.z)
        q = {m.z.y - m.y.z, q.x, m.y.x + m.x.y, m.x.z + m.z.x};
    else if (q.y >= q.z)
        q = {m.x.z - m.z.x, m.y.x + m.x.y, q.y, m.z.y + m.y.z};
    else
        q = {m.y.x - m.x.y, m.x.z + m.z.x, m.z.y + m.y.z, q.z};
    q = normalized(q);
    return q.w < 0 ? Quat{-q.w, -q.x, -q.y, -q.z} : q;
}

RigidMap rotation_map(const Vec3d& u, double angle) {
    const SinCos turn = sin_cos(angle), half = sin_cos(angle / 2);
    const double s = turn.sin, c = turn.cos, k = 2 * half.sin * half.sin;  // 1 - cos without cancellation
    return {{c + k * u.x * u.x, k * u.x * u.y - s * u.z, k * u.x * u.z + s * u.y},
            {k * u.y * u.x + s * u.z, c + k * u.y * u.y, k * u.y * u.z - s * u.x},
            {k * u.z * u.x - s * u.y, k * u.z * u.y + s * u.x, c + k * u.z * u.z},
            {}};
}

}  // namespace

RigidMap relative_map(const RigidMap& initial_a, const RigidMap& final_a, const RigidMap& initial_b,
                      const RigidMap& final_b) {
    return inverse(final_a) * final_b * inverse(initial_b) * initial_a;
}

Screw screw_of(const RigidMap& omega, double least_turn) {
    const Quat q = quaternion_of(omega);
    const Vec3d u{q.x, q.y, q.z};
    const double s = length(u), angle = 2 * arc_tangent(s, q.w);
    if (!(angle > least_turn)) return {{}, normalized(omega.t, Vec3d{0, 1, 0}), 0, length(omega.t)};
    const Vec3d axis = u / s;
    const double pitch = dot(omega.t, axis);
    const Vec3d across = omega.t - pitch * axis;
    // 1 / tan(angle / 2) = w / s.
    return {0.5 * (across + (q.w / s) * cross(axis, across)), axis, angle, pitch};
}

Screw screw_in_world(const RigidMap& initial_a, const RigidMap& final_a, const RigidMap& initial_b,
                     const RigidMap& final_b) {
    const auto motion = [](const RigidMap& from, const RigidMap& to) {  // to from^-1
        const double d = 1 / determinant(from);
        const RigidMap cofactors{cross(from.y, from.z), cross(from.z, from.x), cross(from.x, from.y), {}};
        const RigidMap columns = inverse(cofactors);  // the transpose
        RigidMap back{d * columns.x, d * columns.y, d * columns.z, {}};
        back.t = -back.turn(from.t);
        return to * back;
    };
    return screw_of(inverse(motion(initial_a, final_a)) * motion(initial_b, final_b));
}

RigidMap screw_map(const Screw& screw, double t) {
    RigidMap m = rotation_map(screw.axis, screw.angle * t);
    m.t = screw.point - m.turn(screw.point) + (screw.pitch * t) * screw.axis;
    return m;
}

Vec3d screw_velocity(const Screw& screw, const Vec3d& x) {
    return screw.angle * cross(screw.axis, x - screw.point) + screw.pitch * screw.axis;
}

double screw_error_estimate(double angle) {
    const double a = std::fabs(angle);
    if (!(a > 0)) return 0;
    const double quarter = sin_cos(a / 4).sin;
    return 2 * quarter * quarter / a;  // 1 - cos(a / 2) without cancellation
}

}  // namespace claybox::collision
