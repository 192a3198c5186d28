#pragma once
// Doubles to floats with a known side.

#include <bit>
#include <cstdint>
#include <limits>

namespace claybox::collision {

/// The next float below; f finite and not at the end of the range. The standard's nextafter is a call, and
/// boxes of moved bodies ask six times each.
inline float next_below(float f) {
    if (f == 0) return -std::numeric_limits<float>::denorm_min();
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(f) + (f < 0 ? 1u : ~0u));
}
inline float next_above(float f) {
    return -next_below(-f);
}

/// The largest float not above v; v within the range of float.
inline float round_down(double v) {
    const float f = static_cast<float>(v);
    return static_cast<double>(f) <= v ? f : next_below(f);
}
/// The smallest float not below v; v within the range of float.
inline float round_up(double v) {
    const float f = static_cast<float>(v);
    return static_cast<double>(f) >= v ? f : next_above(f);
}

}  // namespace claybox::collision
