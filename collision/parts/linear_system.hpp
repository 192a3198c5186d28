#pragma once
// Systems of linear inequalities in few variables: the form in which two bodies are asked for a common point.
// Source: Chong's notes on convexity-based methods, linear programming: a linear function is maximised under
// constraints of the form "at most", each a half-space, and the bodies of all half-spaces together intersect
// when the system can be satisfied.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace claybox::collision {

template <std::size_t D>
using Coordinates = std::array<double, D>;

/// { x | n . x <= d }.
template <std::size_t D>
struct HalfSpace {
    Coordinates<D> n{};
    double d = 0;

    double excess(const Coordinates<D>& x) const {
        double sum = -d;
        for (std::size_t i = 0; i < D; ++i) sum += n[i] * x[i];
        return sum;
    }
};

/// Half-spaces are expected with normals of length about 1 and points with coordinates of about 1. Where less
/// than this is missing, rounding may be to blame: it counts as satisfied, so touching bodies have a common
/// point.
inline constexpr double kSatisfied = 1e-12;
/// A normal shorter than this has no direction: its half-space is everything or nothing.
inline constexpr double kNoNormal = 1e-12;

/// A half-space of a contradiction and its multiplier: all of them multiplied and summed read 0 <= negative.
/// Farkas: such multipliers exist exactly when a system cannot be satisfied.
struct FarkasTerm {
    std::uint32_t row = 0;  ///< of the system; the bounds of coordinate k are at rows + 2 k (upper) and + 1
    double multiplier = 0;
};

}  // namespace claybox::collision
