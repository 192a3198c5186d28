#pragma once
/// \file
/// k-DOPs: volumes between parallel planes with fixed directions ("slabs"). Here k = 14: the three axes and
/// the four diagonals of a cube. Measured on rotated boxes, rods, plates and tetrahedra, the diagonals remove
/// a third to a half of the box's volume. The six extra directions of k = 18 would remove 5 % of the box
/// more, for half as many intervals again.

#include "collision/geometry/bounds/bounds.hpp"

#include <array>

namespace claybox::collision {

/// The diagonals (1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1), not of unit length.
inline constexpr std::size_t kDiagonals = 4;
/// The components of the diagonals.
inline constexpr std::array<std::array<int, 3>, kDiagonals> kDiagonalSigns{
    {{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}}};

/// The intervals of a body along the diagonals. The intervals along the axes are its Aabb. The default is
/// empty.
struct KDop {
    /// The smallest scalar product of a point of the body and each diagonal.
    std::array<float, kDiagonals> low;
    std::array<float, kDiagonals> high;  ///< the largest

    /// Empty: every interval has low > high.
    KDop() {
        low.fill(std::numeric_limits<float>::max());
        high.fill(std::numeric_limits<float>::lowest());
    }
    /// Whether all intervals are equal.
    friend bool operator==(const KDop&, const KDop&) = default;
};

/// Whether the diagonal intervals overlap. Touching counts. False only for disjoint sets. Two 14-DOPs overlap
/// if this and overlap() of their boxes hold.
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
/// The diagonal intervals of a local box under a matrix, rounded outward: they contain every exactly
/// transformed point.
KDop transform_k_dop(const Matrix34f& world_from_local, const Aabb& local);
/// The diagonal intervals of points under a matrix, rounded outward. Tighter than the box version.
KDop transform_k_dop(const Matrix34f& world_from_local, std::span<const Vec3f> points);

}  // namespace claybox::collision
