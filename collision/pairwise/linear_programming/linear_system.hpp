#pragma once
// Systems of linear inequalities in few variables, used to find a common point of two bodies.
// Source: Chong's notes on convexity-based methods, linear programming: a linear function is maximised under
// constraints of the form "at most", each a half-space. The intersection of all half-spaces is not empty if
// and only if the system can be satisfied.

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

/// Normals should have length about 1, points coordinates of about 1. A violation below this may be rounding
/// and counts as satisfied, so touching bodies have a common point.
inline constexpr double kSatisfied = 1e-12;
/// A shorter normal has no direction: its half-space is everything or nothing.
inline constexpr double kMinNormal = 1e-12;

/// A half-space of a contradiction and its multiplier. The weighted sum of all of them reads 0 <= negative.
/// Farkas: such multipliers exist if and only if the system cannot be satisfied.
struct FarkasTerm {
    /// of the system; the bounds of coordinate k are rows + 2 k (upper) and rows + 2 k + 1
    std::uint32_t row = 0;
    double multiplier = 0;
};

}  // namespace claybox::collision
