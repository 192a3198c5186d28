#pragma once
// A convex hull at one time of its motion, for support searches in double. Small hulls are placed as a whole
// and scanned two vertices at a time: that costs less than a climb, which must turn the direction into the
// hull's frame and place the vertex that it finds.

#include "collision/geometry/hull/hull.hpp"
#include "collision/geometry/transform.hpp"
#include "collision/pairwise/support/support.hpp"
#include "collision/simd/double4.hpp"

#include <bit>

namespace claybox::collision {

class PlacedHull {
  public:
    /// Hulls of up to this many vertices are scanned. ConvexHull pads its arrays to a multiple of 16.
    static constexpr std::uint32_t kMaxScanned = 32;

    explicit PlacedHull(const ConvexHull& hull)
        : hull_(hull), pairs_(hull.vertex_count <= kMaxScanned ? (hull.vertex_count + 1) / 2 : 0) {}

    const ConvexHull& hull() const { return hull_; }
    /// Positions are those of the matrix from now on.
    void place(const Matrix34d& from_hull) {
        from_hull_ = from_hull;
        const auto& m = from_hull.m;
        const auto row = [&](std::size_t k, const Double2& x, const Double2& y, const Double2& z) {
            return m[k] * x + m[k + 1] * y + m[k + 2] * z + m[k + 3];
        };
        for (std::uint32_t i = 0; i < pairs_; ++i) {
            const Double2 x = load_pair(&hull_.x[2 * i]), y = load_pair(&hull_.y[2 * i]),
                          z = load_pair(&hull_.z[2 * i]);
            x_[i] = row(0, x, y, z);
            y_[i] = row(4, x, y, z);
            z_[i] = row(8, x, y, z);
        }
    }
    Vec3d point(std::uint32_t v) const {
        if (pairs_ == 0) return transform_point(from_hull_, hull_.vertex(v));
        return {x_[v / 2][v % 2], y_[v / 2][v % 2], z_[v / 2][v % 2]};
    }
    /// The vertex that is furthest along d, as computed; the lowest of equal ones if scanned. A climb starts
    /// at `start`.
    std::uint32_t furthest(const Vec3d& d, std::uint32_t start) const {
        if (pairs_ == 0) return support_vertex(hull_, transpose_vector(from_hull_, d), start);
        Double2 value[kMaxScanned / 2];
        Double2 top{-HUGE_VAL, -HUGE_VAL};
        for (std::uint32_t i = 0; i < pairs_; ++i) {
            value[i] = d.x * x_[i] + d.y * y_[i] + d.z * z_[i];
            top = max2(top, value[i]);
        }
        const double highest = top[0] > top[1] ? top[0] : top[1];
        std::uint32_t winners = 0;
        for (std::uint32_t i = 0; i < pairs_; ++i) winners |= equal_bits2(value[i], highest) << 2 * i;
        return winners == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(winners));  // 0: NaN
    }

  private:
    static Double2 load_pair(const float* from) {
        return Double2{static_cast<double>(from[0]), static_cast<double>(from[1])};
    }

    const ConvexHull& hull_;
    const std::uint32_t pairs_;  ///< 0: climb
    Matrix34d from_hull_;
    Double2 x_[kMaxScanned / 2], y_[kMaxScanned / 2], z_[kMaxScanned / 2];
};

}  // namespace claybox::collision
