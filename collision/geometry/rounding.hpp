#pragma once
// Directed rounding from double to float.

#include <bit>
#include <cstdint>

namespace claybox::collision {

/// The largest float not above v. v must be in the range of float. Branch-free, because the rounding
/// direction is unpredictable. A v that rounds to zero keeps its sign.
inline float round_down(double v) {
    const float f = static_cast<float>(v);
    const auto bits = std::bit_cast<std::int32_t>(f);
    const std::int32_t away = bits >> 31 | 1;  // one step away from zero
    return std::bit_cast<float>(bits - away * static_cast<std::int32_t>(static_cast<double>(f) > v));
}
/// The smallest float not below v. v must be in the range of float.
inline float round_up(double v) {
    return -round_down(-v);
}

}  // namespace claybox::collision
