#include "collision/geometry/transform.hpp"

#include "collision/core/trig.hpp"

#include <cmath>

namespace claybox::collision {

Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

Quat normalized(const Quat& q) {
    // Scale first: squares of entries near the limits of double would overflow or underflow.
    const double largest =
        std::fmax(std::fmax(std::fabs(q.w), std::fabs(q.x)), std::fmax(std::fabs(q.y), std::fabs(q.z)));
    if (!(largest > 0.0)) return {};
    const double w = q.w / largest, x = q.x / largest, y = q.y / largest, z = q.z / largest;
    const double l = std::sqrt(w * w + x * x + y * y + z * z);
    return {w / l, x / l, y / l, z / l};
}

Quat conjugate(const Quat& q) {
    return {q.w, -q.x, -q.y, -q.z};
}

Quat axis_angle(const Vec3d& axis, double angle) {
    const SinCos half = sin_cos(0.5 * angle);
    return {half.cos, half.sin * axis.x, half.sin * axis.y, half.sin * axis.z};
}

Quat random_rotation(Random& random, double min_angle, double max_angle) {
    const double angle = random.uniform(min_angle, max_angle);
    return axis_angle(random.unit_vector(), angle);
}

Vec3d rotate(const Quat& q, const Vec3d& v) {
    const Vec3d u{q.x, q.y, q.z};
    const Vec3d t = 2.0 * cross(u, v);
    return v + q.w * t + cross(u, t);
}

Quat slerp(const Quat& from, const Quat& to, double t) {
    double d = from.w * to.w + from.x * to.x + from.y * to.y + from.z * to.z;
    const double sign = d < 0 ? -1.0 : 1.0;
    d = std::fmin(d * sign, 1.0);
    double a = 1.0 - t, b = t;
    // For smaller angles the quotient of the sines equals the linear weights to double precision.
    constexpr double kSameDirection = 1.0 - 1e-12;
    if (d < kSameDirection) {
        const double angle = arc_tangent(std::sqrt(1.0 - d * d), d);
        const double s = sin_cos(angle).sin;
        a = sin_cos(a * angle).sin / s;
        b = sin_cos(b * angle).sin / s;
    }
    b *= sign;
    return normalized(
        Quat{a * from.w + b * to.w, a * from.x + b * to.x, a * from.y + b * to.y, a * from.z + b * to.z});
}

Pose operator*(const Pose& a_from_b, const Pose& b_from_c) {
    return {normalized(a_from_b.rotation * b_from_c.rotation),
            transform_point(a_from_b, b_from_c.translation)};
}

Pose inverse(const Pose& a_from_b) {
    const Quat r = conjugate(a_from_b.rotation);
    return {r, -rotate(r, a_from_b.translation)};
}

Vec3d transform_point(const Pose& a_from_b, const Vec3d& p_b) {
    return rotate(a_from_b.rotation, p_b) + a_from_b.translation;
}

Matrix34f to_matrix(const Pose& pose) {
    const auto& [w, x, y, z] = pose.rotation;
    const Vec3d& t = pose.translation;
    const std::array<double, 12> m{
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),     t.x,
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),     t.y,
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y), t.z};
    Matrix34f out;
    for (std::size_t i = 0; i < 12; ++i) out.m[i] = static_cast<float>(m[i]);
    return out;
}

Matrix34d to_double(const Matrix34f& m) {
    Matrix34d out;
    for (std::size_t i = 0; i < 12; ++i) out.m[i] = static_cast<double>(m.m[i]);
    return out;
}

bool relative_matrix(const Matrix34f& world_from_a, const Matrix34f& world_from_b, Matrix34f& a_from_b) {
    const auto &a = world_from_a.m, &b = world_from_b.m;
    const Vec3d r0{a[0], a[1], a[2]}, r1{a[4], a[5], a[6]}, r2{a[8], a[9], a[10]};
    // Columns of the adjugate; the inverse is their matrix over the determinant.
    const Vec3d c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
    const double determinant = dot(r0, c0);
    const double scale = std::sqrt(length_squared(r0) * length_squared(r1) * length_squared(r2));
    // The inverse of a matrix closer to singular would have no correct digits in float.
    constexpr double kUsable = 1e-6;
    a_from_b = {};
    if (!(std::fabs(determinant) > kUsable * scale)) return false;
    const double inverse = 1.0 / determinant;
    Matrix34f out;
    for (std::size_t column = 0; column < 4; ++column) {
        Vec3d v{b[column], b[4 + column], b[8 + column]};
        if (column == 3) v -= Vec3d{a[3], a[7], a[11]};
        const Vec3d q = (c0 * v.x + c1 * v.y + c2 * v.z) * inverse;
        if (!(std::fabs(q.x) <= kMaxMagnitude && std::fabs(q.y) <= kMaxMagnitude &&
              std::fabs(q.z) <= kMaxMagnitude))
            return false;
        out.m[column] = static_cast<float>(q.x);
        out.m[4 + column] = static_cast<float>(q.y);
        out.m[8 + column] = static_cast<float>(q.z);
    }
    a_from_b = out;
    return true;
}

Result<Pose> checked(const Pose& pose) {
    const auto& [w, x, y, z] = pose.rotation;
    const Vec3d& t = pose.translation;
    for (const double v : {w, x, y, z, t.x, t.y, t.z}) {
        if (!std::isfinite(v)) return Error{"a pose has an entry that is not finite", {}, 0};
        if (std::fabs(v) > kMaxMagnitude) return Error{"a pose has an entry of magnitude above 2^60", {}, 0};
    }
    if (w == 0 && x == 0 && y == 0 && z == 0) return Error{"a pose has a rotation of zero length", {}, 0};
    return Pose{normalized(pose.rotation), t};
}

Status check(const Matrix34f& matrix) {
    for (const float v : matrix.m) {
        if (!std::isfinite(v)) return Error{"a matrix has an entry that is not finite", {}, 0};
        if (std::fabs(static_cast<double>(v)) > kMaxMagnitude)
            return Error{"a matrix has an entry of magnitude above 2^60", {}, 0};
    }
    return Done{};
}

Screw screw_between(const Pose& from, const Pose& to) {
    Quat q = normalized(to.rotation * conjugate(from.rotation));
    if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
    const Vec3d u{q.x, q.y, q.z};
    const double s = length(u);
    const Vec3d d = to.translation - from.translation;
    // A smaller rotation is below the rounding of the poses; its axis would be at a meaningless distance.
    constexpr double kNoTurn = 1e-12;
    if (s < kNoTurn) return {from.translation, normalized(d, Vec3d{0, 1, 0}), 0.0, length(d)};
    const Vec3d axis = u / s;
    const double pitch = dot(d, axis);
    const Vec3d across = d - pitch * axis;
    // The axis passes at a distance of half the chord over tan(angle / 2) from the middle of the chord.
    const Vec3d point = from.translation + 0.5 * (across + (q.w / s) * cross(axis, across));
    return {point, axis, 2.0 * arc_tangent(s, q.w), pitch};
}

Pose advance(const Pose& from, const Screw& screw, double t) {
    const Quat turn = axis_angle(screw.axis, t * screw.angle);
    const Vec3d p =
        rotate(turn, from.translation - screw.point) + screw.point + (t * screw.pitch) * screw.axis;
    return {normalized(turn * from.rotation), p};
}

}  // namespace claybox::collision
