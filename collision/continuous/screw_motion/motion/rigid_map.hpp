#pragma once
// Rigid and affine maps in double, for the motion of one body relative to another.

#include "collision/geometry/transform.hpp"

namespace claybox::collision {

/// p -> linear p + t, with the rows of the linear part. Rigid unless a caller says otherwise.
struct RigidMap {
    Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    Vec3d t;

    Vec3d turn(const Vec3d& v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
    Vec3d operator()(const Vec3d& p) const { return turn(p) + t; }
    /// The transpose of the linear part: the inverse rotation of a rigid map.
    Vec3d turn_back(const Vec3d& v) const { return v.x * x + v.y * y + v.z * z; }
    /// The inverse of a rigid map.
    Vec3d back(const Vec3d& p) const { return turn_back(p - t); }
};

/// The map a after b.
inline RigidMap operator*(const RigidMap& a, const RigidMap& b) {
    const Vec3d cx{b.x.x, b.y.x, b.z.x}, cy{b.x.y, b.y.y, b.z.y}, cz{b.x.z, b.y.z, b.z.z};
    return {{dot(a.x, cx), dot(a.x, cy), dot(a.x, cz)},
            {dot(a.y, cx), dot(a.y, cy), dot(a.y, cz)},
            {dot(a.z, cx), dot(a.z, cy), dot(a.z, cz)},
            a(b.t)};
}

/// The inverse of a rigid map.
inline RigidMap inverse(const RigidMap& m) {
    return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}, -m.turn_back(m.t)};
}

/// The map of a matrix, which need not be rigid.
template <class T>
RigidMap to_map(const Matrix34<T>& matrix) {
    const auto at = [&](int row, int column) { return static_cast<double>(matrix(row, column)); };
    return {{at(0, 0), at(0, 1), at(0, 2)},
            {at(1, 0), at(1, 1), at(1, 2)},
            {at(2, 0), at(2, 1), at(2, 2)},
            {at(0, 3), at(1, 3), at(2, 3)}};
}

/// The determinant of the linear part.
inline double determinant(const RigidMap& m) {
    return dot(m.x, cross(m.y, m.z));
}

}  // namespace claybox::collision
