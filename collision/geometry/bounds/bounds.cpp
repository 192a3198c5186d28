#include "collision/geometry/bounds/bounds.hpp"

#include "collision/geometry/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

Aabb bound(std::span<const Vec3f> points) {
    Aabb box;
    for (const Vec3f& p : points) box.add(p);
    return box;
}

Sphere bounding_sphere(std::span<const Vec3f> points) {
    if (points.empty()) return {};
    const Vec3f centre = bound(points).centre();
    const Vec3d c = cast<double>(centre);
    double largest = 0;
    for (const Vec3f& p : points) {
        const double d = length_squared(cast<double>(p) - c);
        if (d > largest) largest = d;
    }
    // Relative errors: one rounding per difference, doubled by the square; three more for squares and sums;
    // the root halves them all and adds one. Together below 4 units of 2^-53. Squares of differences of
    // floats do not underflow in double.
    constexpr double kOutward = 1.0 + 0x1p-50;
    return {centre, round_up(std::sqrt(largest) * kOutward)};
}

Aabb transform_aabb(const Matrix34f& world_from_local, const Aabb& local) {
    if (local.empty()) return {};
    // Each coordinate's extremes are sums of the smaller and of the larger ends of m * [min, max]. Products
    // of two floats are exact in double. The three additions have an error of at most 3 * 2^-53 of the sum of
    // magnitudes: each partial sum is below that sum times 1 + 2^-51. Widening by 4 * 2^-53 of it and
    // rounding outward to float contains every exactly transformed point. Source of the idea: Zachmann, box
    // transforms by |M|.
    constexpr double kError = 4 * 0x1p-53;
    const Vec3d min = cast<double>(local.min), max = cast<double>(local.max);
    float low[3], high[3];
    for (std::size_t row = 0; row < 3; ++row) {
        const float* const m = world_from_local.m.data() + 4 * row;
        // Unrolled for speed: this runs for every moved body.
        const double x0 = m[0] * min.x, x1 = m[0] * max.x, y0 = m[1] * min.y, y1 = m[1] * max.y,
                     z0 = m[2] * min.z, z1 = m[2] * max.z;
        const double least = m[3] + std::min(x0, x1) + std::min(y0, y1) + std::min(z0, z1);
        const double most = m[3] + std::max(x0, x1) + std::max(y0, y1) + std::max(z0, z1);
        const double magnitude = std::abs(static_cast<double>(m[3])) + std::max(std::abs(x0), std::abs(x1)) +
                                 std::max(std::abs(y0), std::abs(y1)) + std::max(std::abs(z0), std::abs(z1));
        low[row] = round_down(least - magnitude * kError);
        high[row] = round_up(most + magnitude * kError);
    }
    return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

Aabb grown(const Aabb& box, float margin) {
    if (box.empty()) return box;
    Aabb out;
    for (std::size_t k = 0; k < 3; ++k) {
        // The rounded sum is at most one float step too far inward.
        const float low = box.min[k] - margin, high = box.max[k] + margin;
        out.min[k] = margin == 0.0f ? box.min[k] : std::nextafter(low, std::numeric_limits<float>::lowest());
        out.max[k] = margin == 0.0f ? box.max[k] : std::nextafter(high, std::numeric_limits<float>::max());
    }
    return out;
}

}  // namespace claybox::collision
