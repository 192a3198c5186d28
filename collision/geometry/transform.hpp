#pragma once
/// \file
/// Placements. The exact shape of a body is its float32 vertices under its float32 3x4 matrix, evaluated in
/// rationals. A Pose is rounded once to such a matrix.

#include "collision/core/random.hpp"
#include "collision/core/result.hpp"
#include "collision/core/vec.hpp"

#include <array>

namespace claybox::collision {

/// The largest accepted magnitude of any number in shapes, poses, matrices and deformations.
inline constexpr double kMaxMagnitude = 0x1p60;

/// A rotation as a unit quaternion w + xi + yj + zk. The default is the identity.
struct Quat {
    double w = 1;  ///< real part: cosine of half the angle
    double x = 0;  ///< factor of i
    double y = 0;  ///< factor of j
    double z = 0;  ///< factor of k
    /// Whether all four numbers are equal; q and -q are different.
    friend bool operator==(const Quat&, const Quat&) = default;
};

/// The product: rotates by b, then by a.
Quat operator*(const Quat& a, const Quat& b);
/// q scaled to unit length; the identity if q is zero.
Quat normalized(const Quat& q);
/// The inverse rotation of a unit quaternion.
Quat conjugate(const Quat& q);
/// A rotation by `angle` radians about the unit vector `axis`.
Quat axis_angle(const Vec3d& axis, double angle);
/// A rotation by a random angle in [min_angle, max_angle) radians about a random axis. Prefer it to two draws
/// among the arguments of one call: the compiler chooses their order.
Quat random_rotation(Random& random, double min_angle, double max_angle);
/// Rotates v by the unit quaternion q.
Vec3d rotate(const Quat& q, const Vec3d& v);
/// Interpolates along the shorter arc between two unit quaternions; t in [0, 1].
Quat slerp(const Quat& from, const Quat& to, double t);

/// A rigid placement: p_w = rotate(rotation, p) + translation. Metres.
struct Pose {
    Quat rotation;      ///< applied first
    Vec3d translation;  ///< applied second, metres
    /// Whether rotation and translation are equal.
    friend bool operator==(const Pose&, const Pose&) = default;
};

/// Composition: returns a_from_c.
Pose operator*(const Pose& a_from_b, const Pose& b_from_c);
/// Returns b_from_a.
Pose inverse(const Pose& a_from_b);
/// The point p, given in frame B, in frame A.
Vec3d transform_point(const Pose& a_from_b, const Vec3d& p_b);

/// A 3x4 matrix, row-major: [m00 m01 m02 tx  m10 m11 m12 ty  m20 m21 m22 tz]. It need not be rigid: it may
/// scale, shear and mirror. The default is the identity.
template <class T>
struct Matrix34 {
    std::array<T, 12> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};  ///< row after row

    /// Entry (row, column); rows 0 to 2, columns 0 to 3.
    T operator()(int row, int column) const {
        return m[4 * static_cast<std::size_t>(row) + static_cast<std::size_t>(column)];
    }
    /// The last column, metres.
    Vec3<T> translation() const { return {m[3], m[7], m[11]}; }
    /// Whether all entries are equal.
    friend bool operator==(const Matrix34&, const Matrix34&) = default;
};

/// Where a body is, exactly.
using Matrix34f = Matrix34<float>;
/// For intermediate results.
using Matrix34d = Matrix34<double>;

/// The pose as a matrix, computed in double and rounded to float. This matrix defines where a body is.
Matrix34f to_matrix(const Pose& pose);
/// The same entries; nothing is rounded.
Matrix34d to_double(const Matrix34f& m);

/// The point p, given in frame B, in frame A.
template <class T, class U>
Vec3<T> transform_point(const Matrix34<T>& a_from_b, const Vec3<U>& p) {
    const auto& m = a_from_b.m;
    const Vec3<T> q = cast<T>(p);
    return {m[0] * q.x + m[1] * q.y + m[2] * q.z + m[3], m[4] * q.x + m[5] * q.y + m[6] * q.z + m[7],
            m[8] * q.x + m[9] * q.y + m[10] * q.z + m[11]};
}

/// Applies the linear part only.
template <class T, class U>
Vec3<T> transform_vector(const Matrix34<T>& a_from_b, const Vec3<U>& v) {
    const auto& m = a_from_b.m;
    const Vec3<T> q = cast<T>(v);
    return {m[0] * q.x + m[1] * q.y + m[2] * q.z, m[4] * q.x + m[5] * q.y + m[6] * q.z,
            m[8] * q.x + m[9] * q.y + m[10] * q.z};
}

/// Applies the transpose of the linear part. Transforms plane normals and support directions from frame A to
/// frame B.
template <class T, class U>
Vec3<T> transpose_vector(const Matrix34<T>& a_from_b, const Vec3<U>& v) {
    const auto& m = a_from_b.m;
    const Vec3<T> q = cast<T>(v);
    return {m[0] * q.x + m[4] * q.y + m[8] * q.z, m[1] * q.x + m[5] * q.y + m[9] * q.z,
            m[2] * q.x + m[6] * q.y + m[10] * q.z};
}

/// Computes a_from_b = inverse(world_from_a) * world_from_b in double, rounded to float. Returns false if A's
/// matrix has no usable inverse; then a_from_b is the identity, and the caller must work in the world frame.
bool relative_matrix(const Matrix34f& world_from_a, const Matrix34f& world_from_b, Matrix34f& a_from_b);

/// Validates a pose and returns it with a normalised rotation. Errors: a number that is not finite or larger
/// than kMaxMagnitude, or a rotation of zero length.
Result<Pose> checked(const Pose& pose);
/// Validates a matrix. Errors: an entry that is not finite or larger than kMaxMagnitude.
Status check(const Matrix34f& matrix);

/// A screw motion: a rotation by `angle` radians about the line through `point` along the unit vector `axis`,
/// and a translation of `pitch` metres along it.
struct Screw {
    Vec3d point;          ///< any point of the axis, metres
    Vec3d axis{0, 1, 0};  ///< unit vector
    double angle = 0;     ///< of the whole motion, radians
    double pitch = 0;     ///< of the whole motion, metres
};

/// The screw motion from pose `from` to pose `to`.
Screw screw_between(const Pose& from, const Pose& to);
/// The pose at t in [0, 1] along the screw motion that starts at `from`.
Pose advance(const Pose& from, const Screw& screw, double t);

}  // namespace claybox::collision
