#pragma once
// Doubles to floats with a known side.

#include <bit>
#include <cstdint>

namespace claybox::collision {

/// The largest float not above v; v within the range of float. Without branches: which side a number is
/// rounded to is chance. A zero that v was rounded to has its sign.
inline float round_down(double v) {
    const float f = static_cast<float>(v);
    const auto bits = std::bit_cast<std::int32_t>(f);
    const std::int32_t away = bits >> 31 | 1;  // from zero, one step
    return std::bit_cast<float>(bits - away * static_cast<std::int32_t>(static_cast<double>(f) > v));
}
/// The smallest float not below v; v within the range of float.
inline float round_up(double v) {
    return -round_down(-v);
}

}  // namespace claybox::collision
