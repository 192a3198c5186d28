#pragma once
// Volumes between parallel planes of fixed directions ("slabs", k-DOPs), here k = 14: the three axes and the
// four diagonals of a cube. Measured on turned boxes, rods, plates and tetrahedra, the diagonals take a third
// to a half of the box's volume away; the six directions of k = 18 take 5 % of the box more and are half as
// many intervals again.

#include "collision/geometry/bounds.hpp"

#include <array>

namespace claybox::collision {

/// The diagonals (1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1), not of unit length.
inline constexpr std::size_t kDiagonals = 4;
inline constexpr std::array<std::array<int, 3>, kDiagonals> kDiagonalSigns{
    {{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}}};

/// The intervals of a body along the diagonals; those along the axes are its box. The default is empty.
struct KDop {
    std::array<float, kDiagonals> low, high;

    KDop() {
        low.fill(std::numeric_limits<float>::max());
        high.fill(std::numeric_limits<float>::lowest());
    }
    friend bool operator==(const KDop&, const KDop&) = default;
};

/// Closed; with the boxes' own overlap it is that of two 14-DOPs. False only for disjoint sets.
inline bool overlap(const KDop& a, const KDop& b) {
    bool apart = false;
    for (std::size_t i = 0; i < kDiagonals; ++i) {
        apart |= a.high[i] < b.low[i];
        apart |= b.high[i] < a.low[i];
    }
    return !apart;
}

/// The diagonal intervals of a box, rounded outward.
KDop diagonals_of(const Aabb& box);
/// Those of every exactly transformed point of a local box, rounded outward.
KDop transform_k_dop(const Matrix34f& world_from_local, const Aabb& local);
/// Those of every exactly transformed point, rounded outward.
KDop transform_k_dop(const Matrix34f& world_from_local, std::span<const Vec3f> points);

}  // namespace claybox::collision
