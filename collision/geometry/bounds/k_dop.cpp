#include "collision/geometry/bounds/k_dop.hpp"

#include "collision/geometry/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

// A coefficient has two sums of floats; a value has three products and three more sums. Together the error is
// below 8 units of the sum of all magnitudes.
constexpr double kError = 8 * 0x1p-53;

/// diagonal . (M p) = coefficient . p + offset.
struct Projection {
    Vec3d coefficient;
    double offset = 0;
};

std::array<Projection, kDiagonals> projections(const Matrix34f& world_from_local) {
    const auto& m = world_from_local.m;
    const auto entry = [&](std::size_t row, std::size_t column) {
        return static_cast<double>(m[4 * row + column]);
    };
    std::array<Projection, kDiagonals> out;
    for (std::size_t i = 0; i < kDiagonals; ++i) {
        const auto sum = [&](std::size_t column) {
            double s = 0;
            for (std::size_t row = 0; row < 3; ++row) s += kDiagonalSigns[i][row] * entry(row, column);
            return s;
        };
        out[i] = {{sum(0), sum(1), sum(2)}, sum(3)};
    }
    return out;
}

/// The sum of all magnitudes, for points with coordinates of at most `reach`. It is the same for all
/// diagonals.
double magnitude(const Matrix34f& world_from_local, const Vec3d& reach) {
    double sum = 0;
    for (std::size_t row = 0; row < 3; ++row) {
        const float* const m = world_from_local.m.data() + 4 * row;
        for (std::size_t k = 0; k < 3; ++k) sum += std::abs(static_cast<double>(m[k])) * reach[k];
        sum += std::abs(static_cast<double>(m[3]));
    }
    return sum * (1 + 0x1p-48);
}

Vec3d reach_of(const Aabb& box) {
    Vec3d out;
    for (std::size_t k = 0; k < 3; ++k)
        out[k] = static_cast<double>(std::max(std::abs(box.min[k]), std::abs(box.max[k])));
    return out;
}

}  // namespace

KDop diagonals_of(const Aabb& box) {
    return transform_k_dop(Matrix34f{}, box);
}

KDop transform_k_dop(const Matrix34f& world_from_local, const Aabb& local) {
    KDop out;
    if (local.empty()) return out;
    const auto rows = projections(world_from_local);
    const Vec3d min = cast<double>(local.min), max = cast<double>(local.max);
    const double error = kError * magnitude(world_from_local, reach_of(local));
    for (std::size_t i = 0; i < kDiagonals; ++i) {
        double low = rows[i].offset, high = rows[i].offset;
        for (std::size_t k = 0; k < 3; ++k) {
            const double from = rows[i].coefficient[k] * min[k], to = rows[i].coefficient[k] * max[k];
            low += std::min(from, to);
            high += std::max(from, to);
        }
        out.low[i] = round_down(low - error);
        out.high[i] = round_up(high + error);
    }
    return out;
}

KDop transform_k_dop(const Matrix34f& world_from_local, std::span<const Vec3f> points) {
    KDop out;
    if (points.empty()) return out;
    const auto rows = projections(world_from_local);
    const double error = kError * magnitude(world_from_local, reach_of(bound(points)));
    for (std::size_t i = 0; i < kDiagonals; ++i) {
        double low = std::numeric_limits<double>::max(), high = -low;
        for (const Vec3f& p : points) {
            const double v = dot(rows[i].coefficient, cast<double>(p)) + rows[i].offset;
            low = std::min(low, v);
            high = std::max(high, v);
        }
        out.low[i] = round_down(low - error);
        out.high[i] = round_up(high + error);
    }
    return out;
}

}  // namespace claybox::collision
