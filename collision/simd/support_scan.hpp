#pragma once
// The largest dot product over an array of points, with the widest vectors that the processor has.

#include "collision/core/vec.hpp"

#include <cstdint>

namespace claybox::collision {

/// Arrays that are scanned have a length that is a multiple of this, so that no target needs a remainder
/// loop.
inline constexpr std::uint32_t kScanPadding = 16;

/// The index of the largest dot(direction, (x[i], y[i], z[i])), i < count, and the lowest such index at ties.
/// `count` is a positive multiple of kScanPadding. The products are summed as (x + y) + z without fused
/// operations, so every target gives the same index. Index 0 when a sum is not a number. Thread-safe;
/// allocates nothing.
std::uint32_t support_scan(const float* x, const float* y, const float* z, std::uint32_t count,
                           const Vec3f& direction);

/// The same by a plain loop: the reference of the tests and of the bench.
std::uint32_t support_scan_scalar(const float* x, const float* y, const float* z, std::uint32_t count,
                                  const Vec3f& direction);

}  // namespace claybox::collision
