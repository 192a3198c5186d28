#pragma once
// Finds the largest dot product over an array of points. Uses the widest vectors that the processor has.

#include "collision/core/vec.hpp"

#include <cstdint>

namespace claybox::collision {

/// Array lengths must be a multiple of this, so that no target needs a remainder loop.
inline constexpr std::uint32_t kScanPadding = 16;

/// The index i < count of the largest dot(direction, (x[i], y[i], z[i])); the lowest index at ties.
/// `count` is a positive multiple of kScanPadding. Sums are (x + y) + z without fused operations, so every
/// target returns the same index. Returns a valid index, possibly 0, if a sum is NaN. Thread-safe; allocates
/// nothing.
std::uint32_t support_scan(const float* x, const float* y, const float* z, std::uint32_t count,
                           const Vec3f& direction);

/// The same as a plain loop. Reference for the tests and the benches.
std::uint32_t support_scan_scalar(const float* x, const float* y, const float* z, std::uint32_t count,
                                  const Vec3f& direction);

}  // namespace claybox::collision
