#include "collision/continuous/interframe_lp/extended_box.hpp"

#include <cmath>

namespace claybox::collision {

namespace {

/// The inverse of the linear part, or false. Its quality is checked by the caller.
bool invert(const Matrix34d& m, Matrix34d& out) {
    const Vec3d r[3] = {{m.m[0], m.m[1], m.m[2]}, {m.m[4], m.m[5], m.m[6]}, {m.m[8], m.m[9], m.m[10]}};
    const double det = dot(r[0], cross(r[1], r[2]));
    const double size = length(r[0]) * length(r[1]) * length(r[2]);
    if (!(std::abs(det) > 0x1p-20 * size)) return false;
    const Vec3d c[3] = {cross(r[1], r[2]) / det, cross(r[2], r[0]) / det, cross(r[0], r[1]) / det};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t k = 0; k < 3; ++k) out.m[4 * row + k] = c[k][row];
    return true;
}

}  // namespace

// The box of frame 1 is the box of `local` in the coordinates of frame 0, grown by more than the rounding of
// its corners: fewer than 64 roundings, each below 2^-53 of the magnitudes, amplified by the inverse by at
// most 2^20. A matrix that cannot be inverted that well gets the axis-aligned box of both frames.
OrientedBox extended_box(const Aabb& local, const Matrix34f& frame_0, const Matrix34f& frame_1) {
    if (frame_0 == frame_1) return orient(frame_0, local);
    Matrix34d inverse;
    const Matrix34d m0 = to_double(frame_0), m1 = to_double(frame_1);
    Aabb around = transform_aabb(frame_0, local);
    around.add(transform_aabb(frame_1, local));
    if (!invert(m0, inverse)) return orient(around);
    const Vec3d moved = m1.translation() - m0.translation();
    Aabb both = local;
    double largest = 0;
    Vec3d corners[8];
    for (std::size_t i = 0; i < 8; ++i) {
        const Vec3d corner{(i & 1) != 0 ? local.max.x : local.min.x, (i & 2) != 0 ? local.max.y : local.min.y,
                           (i & 4) != 0 ? local.max.z : local.min.z};
        corners[i] = transform_vector(inverse, transform_vector(m1, corner) + moved);
        for (std::size_t k = 0; k < 3; ++k) largest = std::max(largest, std::abs(corners[i][k]));
    }
    if (!(largest <= kMaxMagnitude)) return orient(around);
    for (const Vec3d& corner : corners) {
        const Vec3d skin{0x1p-22 * largest, 0x1p-22 * largest, 0x1p-22 * largest};
        both.add(cast<float>(corner - skin));
        both.add(cast<float>(corner + skin));
    }
    return orient(frame_0, both);
}

}  // namespace claybox::collision
