#pragma once
// The support scan of a small hull, inlined: for few vertices, choosing a target at run time costs more than
// the work.

#include "collision/geometry/hull/hull.hpp"
#include "collision/simd/float4.hpp"

#include <bit>

namespace claybox::collision {

inline constexpr std::uint32_t kSmallScan = 32;

/// The vertex furthest along d, like support_scan(), of a hull with at most kSmallScan vertices. The hull's
/// arrays are padded with vertex 0, which wins ties.
inline std::uint32_t scan_small(const ConvexHull& hull, const Vec3f& d) {
    const Float4 dx = splat4(d.x), dy = splat4(d.y), dz = splat4(d.z);
    const float *const x = hull.x.data(), *const y = hull.y.data(), *const z = hull.z.data();
    const std::uint32_t blocks = (hull.vertex_count + 3) / 4;
    Float4 height[kSmallScan / 4];
    Float4 top = height[0] = load4(x) * dx + load4(y) * dy + load4(z) * dz;
    for (std::uint32_t i = 1; i < blocks; ++i) {
        height[i] = load4(x + 4 * i) * dx + load4(y + 4 * i) * dy + load4(z + 4 * i) * dz;
        top = max4(top, height[i]);
    }
    top = largest4(top);
    std::uint32_t winners = 0;
    for (std::uint32_t i = 0; i < blocks; ++i) winners |= mask_bits4(height[i] == top) << 4 * i;
    return winners == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(winners));  // 0: NaN
}

}  // namespace claybox::collision
