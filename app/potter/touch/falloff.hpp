#pragma once
// How the effect of a touch fades with the distance from its centre.

#include <cmath>

namespace claybox::app {

enum class Falloff : unsigned char { smooth, dome, linear, sharp };
inline constexpr const char* kFalloffIds[] = {"smooth", "dome", "linear", "sharp"};

/// Weight at a distance whose square is `square` times the square of the radius: 1 at the centre, 0 from the
/// radius on.
inline float falloff_at(Falloff kind, float square) {
    const float t = 1 - square;
    if (t <= 0) return 0;
    switch (kind) {
        case Falloff::dome:
            return t * (2 - t);
        case Falloff::linear:
            return 1 - std::sqrt(square);
        case Falloff::sharp:
            return (1 - std::sqrt(square)) * (1 - std::sqrt(square));
        default:
            return t * t;
    }
}

/// Steepest slope, times the radius, relative to that of `smooth`; at least 1. A shift must be that much
/// smaller to keep the clay from folding.
inline double relative_slope(Falloff kind) {
    constexpr double kSmooth = 1.54;  // of (1 - r^2)^2, at r = 1 / sqrt(3)
    return kind == Falloff::dome ? 4 / kSmooth : kind == Falloff::sharp ? 2 / kSmooth : 1;
}

}  // namespace claybox::app
