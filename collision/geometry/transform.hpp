#pragma once
// Placements. The exact shape of a body is its float32 vertices under its float32 3x4 matrix, in rationals;
// a Pose is where such a matrix comes from, rounded once.

#include "collision/core/random.hpp"
#include "collision/core/result.hpp"
#include "collision/core/vec.hpp"

#include <array>

namespace claybox::collision {

/// Numbers of larger magnitude are refused when shapes, poses and deformations enter.
inline constexpr double kMaxMagnitude = 0x1p60;

/// A rotation; unit length is restored by whoever makes a Pose.
struct Quat {
    double w = 1, x = 0, y = 0, z = 0;
    friend bool operator==(const Quat&, const Quat&) = default;
};

Quat operator*(const Quat& a, const Quat& b);
Quat normalized(const Quat& q);
Quat conjugate(const Quat& q);
/// A rotation by `angle` radians about the unit vector `axis`.
Quat axis_angle(const Vec3d& axis, double angle);
/// A rotation by a random angle in [least, most) radians about a random axis. Use it where both are drawn:
/// two draws among the arguments of one call come in an order of the compiler's choice.
Quat random_rotation(Random& random, double least, double most);
Vec3d rotate(const Quat& q, const Vec3d& v);
/// The shorter arc between two unit quaternions; t in [0, 1].
Quat slerp(const Quat& from, const Quat& to, double t);

/// A rigid placement, metres: p_w = rotate(rotation, p) + translation.
struct Pose {
    Quat rotation;
    Vec3d translation;
    friend bool operator==(const Pose&, const Pose&) = default;
};

Pose operator*(const Pose& a_from_b, const Pose& b_from_c);
Pose inverse(const Pose& a_from_b);
Vec3d transform_point(const Pose& a_from_b, const Vec3d& p_b);

/// A 3x4 matrix, row-major [m00 m01 m02 tx  m10 ...]; need not be rigid (query lines scale, shear, mirror).
template <class T>
struct Matrix34 {
    std::array<T, 12> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

    T operator()(int row, int column) const { return m[static_cast<std::size_t>(row * 4 + column)]; }
    Vec3<T> translation() const { return {m[3], m[7], m[11]}; }
    friend bool operator==(const Matrix34&, const Matrix34&) = default;
};

using Matrix34f = Matrix34<float>;
using Matrix34d = Matrix34<double>;

/// Rounded once from double; this is the definition of where the body is.
Matrix34f to_matrix(const Pose& pose);
Matrix34d to_double(const Matrix34f& m);

template <class T, class U>
Vec3<T> transform_point(const Matrix34<T>& a_from_b, const Vec3<U>& p) {
    const auto& m = a_from_b.m;
    const Vec3<T> q = cast<T>(p);
    return {m[0] * q.x + m[1] * q.y + m[2] * q.z + m[3], m[4] * q.x + m[5] * q.y + m[6] * q.z + m[7],
            m[8] * q.x + m[9] * q.y + m[10] * q.z + m[11]};
}

/// The linear part only.
template <class T, class U>
Vec3<T> transform_vector(const Matrix34<T>& a_from_b, const Vec3<U>& v) {
    const auto& m = a_from_b.m;
    const Vec3<T> q = cast<T>(v);
    return {m[0] * q.x + m[1] * q.y + m[2] * q.z, m[4] * q.x + m[5] * q.y + m[6] * q.z,
            m[8] * q.x + m[9] * q.y + m[10] * q.z};
}

/// The transpose of the linear part: takes plane normals and support directions from frame A to frame B.
template <class T, class U>
Vec3<T> transpose_vector(const Matrix34<T>& a_from_b, const Vec3<U>& v) {
    const auto& m = a_from_b.m;
    const Vec3<T> q = cast<T>(v);
    return {m[0] * q.x + m[4] * q.y + m[8] * q.z, m[1] * q.x + m[5] * q.y + m[9] * q.z,
            m[2] * q.x + m[6] * q.y + m[10] * q.z};
}

/// inverse(world_from_a) * world_from_b in double, rounded. False when A's matrix has no usable inverse;
/// a_from_b is then the identity and kernels must work in the world frame.
bool relative_matrix(const Matrix34f& world_from_a, const Matrix34f& world_from_b, Matrix34f& a_from_b);

/// Refuses what is not finite, too large, or a rotation of zero length; normalises the rotation.
Result<Pose> checked(const Pose& pose);
Status check(const Matrix34f& matrix);

/// A screw motion: rotation by `angle` radians about the line (point, axis) and a translation of `pitch`
/// metres along it.
struct Screw {
    Vec3d point;
    Vec3d axis{0, 1, 0};
    double angle = 0;
    double pitch = 0;
};

/// The screw that takes `from` to `to`, and the pose at t in [0, 1] along it.
Screw screw_between(const Pose& from, const Pose& to);
Pose advance(const Pose& from, const Screw& screw, double t);

}  // namespace claybox::collision
