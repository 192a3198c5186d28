#pragma once
// Shape of triangles.

#include "collision/core/vec.hpp"

#include <algorithm>

namespace claybox::app {

/// Cosine of the smallest angle: 0.5 for an equilateral triangle, 1 for a degenerate one.
inline double smallest_angle_cosine(const collision::Vec3d& a, const collision::Vec3d& b,
                                    const collision::Vec3d& c) {
    const double ab = length_squared(b - a), bc = length_squared(c - b), ca = length_squared(a - c);
    // The smallest angle is opposite the shortest edge.
    const double shortest = std::min({ab, bc, ca}), x = ab == shortest ? bc : ab,
                 y = ca == shortest && ab != shortest ? bc : ca;
    const double product = 2 * std::sqrt(x * y);
    return product > 0 ? (x + y - shortest) / product : 1;
}

}  // namespace claybox::app
