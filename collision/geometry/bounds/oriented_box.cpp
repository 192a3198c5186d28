#include "collision/geometry/bounds/oriented_box.hpp"

#include "collision/core/assert.hpp"
#include "collision/geometry/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

constexpr double kUnit = 0x1p-53;  // relative error of one double operation

Vec3d absolute(const Vec3d& v) {
    return {std::abs(v.x), std::abs(v.y), std::abs(v.z)};
}

/// A box in double, for the separating axis test.
struct Frame {
    std::array<Vec3d, 3> axis;  ///< not scaled by the extents, which may be zero
    std::array<Vec3d, 3> half;  ///< half edges
    Vec3d sizes;                ///< sums of the half edges' magnitudes, per coordinate

    explicit Frame(const OrientedBox& box) {
        for (std::size_t i = 0; i < 3; ++i) {
            axis[i] = cast<double>(box.axis[i]);
            half[i] = axis[i] * static_cast<double>(box.extent[i]);  // exact
            sizes += absolute(half[i]);
        }
    }
    double reach(const Vec3d& direction) const {
        return std::abs(dot(half[0], direction)) + std::abs(dot(half[1], direction)) +
               std::abs(dot(half[2], direction));
    }
    Vec3d normal(std::size_t i) const { return cross(axis[(i + 1) % 3], axis[(i + 2) % 3]); }
};

}  // namespace

OrientedBox orient(const Matrix34f& world_from_local, const Aabb& local) {
    CLAYBOX_ASSERT(!local.empty());
    const Vec3d min = cast<double>(local.min), max = cast<double>(local.max);
    // The extents reach both ends from the rounded centre. The factor compensates for the rounding of the
    // difference.
    const Vec3d centre = 0.5 * min + 0.5 * max;
    OrientedBox out;
    for (std::size_t k = 0; k < 3; ++k)
        out.extent[k] = round_up(std::max(max[k] - centre[k], centre[k] - min[k]) * (1 + 4 * kUnit));
    double slack = 0;
    for (std::size_t row = 0; row < 3; ++row) {
        const float* const m = world_from_local.m.data() + 4 * row;
        const double x = m[0] * centre.x, y = m[1] * centre.y, z = m[2] * centre.z;
        const double at = m[3] + x + y + z;
        out.centre[row] = static_cast<float>(at);
        for (std::size_t k = 0; k < 3; ++k) out.axis[k][row] = m[k];
        // The difference of a double and its float is exact. The products and three sums have an error of at
        // most 4 units of the sum of magnitudes.
        const double error =
            std::abs(at - static_cast<double>(out.centre[row])) +
            5 * kUnit * (std::abs(static_cast<double>(m[3])) + std::abs(x) + std::abs(y) + std::abs(z));
        slack = std::max(slack, error);
    }
    out.slack = round_up(slack * (1 + 16 * kUnit));
    return out;
}

OrientedBox orient(const Aabb& box) {
    return orient(Matrix34f{}, box);
}

Aabb bound(const OrientedBox& box) {
    const Frame frame(box);
    const Vec3d centre = cast<double>(box.centre);
    Aabb out;
    for (std::size_t k = 0; k < 3; ++k) {
        const double reach = frame.sizes[k] + static_cast<double>(box.slack);
        const double error = 8 * kUnit * (std::abs(centre[k]) + reach);
        out.min[k] = round_down(centre[k] - reach - error);
        out.max[k] = round_up(centre[k] + reach + error);
    }
    return out;
}

// Error bound. A rounded axis is still a valid axis, as long as the projections on exactly that axis are
// separated. A dot product has an error of at most 3 units of the sum of its terms' magnitudes, the distance
// of the centres of 1, the sum of seven reaches of 7: together below 16 units of dot(size, sizes). The skin
// of slack s reaches s * |axis|_1. Exchanging the boxes changes at most the signs of terms, so the test is
// symmetric.
//
// False positives. Let e be the gap that the test tolerates on each of the 15 unit axes, P the difference of
// the two boxes without their skins, p its point nearest to the origin and u the direction from p to the
// origin. The cone of directions that support P in p is spanned by normals of P's faces. These are among the
// 15 axes and lie in one octant of the axes of one box; s is the middle of that octant. So u = sum l_i n_i
// with l_i >= 0 and n_i . s >= 1/sqrt(3), hence sum l_i <= sqrt(3) u . s <= sqrt(3), and the distance u .
// (origin - p) is at most sqrt(3) e. A box without thickness is a limit of thick boxes.
bool overlap(const OrientedBox& a, const OrientedBox& b) {
    const Frame fa(a), fb(b);
    const Vec3d between = cast<double>(b.centre) - cast<double>(a.centre);
    const double slack = static_cast<double>(a.slack) + static_cast<double>(b.slack);
    const Vec3d sizes = absolute(between) + ((fa.sizes + fb.sizes) + Vec3d{slack, slack, slack});
    const auto separates = [&](const Vec3d& axis) {
        const Vec3d size = absolute(axis);
        const double reach = (fa.reach(axis) + fb.reach(axis)) + slack * (size.x + size.y + size.z);
        return std::abs(dot(between, axis)) - reach > 32 * kUnit * dot(size, sizes);
    };
    for (std::size_t i = 0; i < 3; ++i)
        if (separates(fa.normal(i)) || separates(fb.normal(i))) return false;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k)
            if (separates(cross(fa.axis[i], fb.axis[k]))) return false;
    return true;
}

bool overlap(const OrientedBox& a, const Aabb& box) {
    return overlap(a, orient(box));
}

}  // namespace claybox::collision
