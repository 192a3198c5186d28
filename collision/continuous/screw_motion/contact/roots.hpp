#pragma once
// All roots of a smooth function in an interval, by bounds of its second derivative.

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::collision {

/// Value and derivative of a function.
struct Slope {
    double value = 0, derivative = 0;
};

/// Roots, ascending.
struct Roots {
    static constexpr int kMax = 8;
    std::array<double, kMax> at{};
    int count = 0;
    int evaluations = 0;
    void add(double root) {
        if (count < kMax && (count == 0 || at[static_cast<std::size_t>(count - 1)] < root))
            at[static_cast<std::size_t>(count++)] = root;
    }
};

/// Newton's method inside a bracket [low, high] where the function changes sign, from where the chord crosses
/// zero. Ends below one rounding of the argument: `bend`, the bound of the second derivative, says what error
/// a step leaves.
template <class Function>
double newton_root(Function&& function, double low, double high, double at_low, double at_high, double bend,
                   Roots& out) {
    double x = low + (high - low) * (at_low / (at_low - at_high));
    for (int i = 0; i < 60; ++i) {
        const Slope f = function(x);
        ++out.evaluations;
        if (f.value == 0) return x;
        if ((f.value < 0) == (at_low < 0))
            low = x;
        else
            high = x;
        double next = f.derivative != 0 ? x - f.value / f.derivative : low - 1;
        if (!(next > low && next < high)) {
            if (std::fabs(next - x) <= 1e-15 || high - low <= 1e-15) return std::clamp(next, low, high);
            next = 0.5 * (low + high);
        }
        const double step = std::fabs(next - x);
        if (step <= 2e-15 || step * step * bend <= 1e-16 * std::fabs(f.derivative)) return next;
        x = next;
    }
    return x;
}

/// The roots of a function in [low, high]. `bend` bounds the magnitude of its second derivative; values below
/// `zero` are rounding. Intervals that the bound proves free of roots are dropped, monotonic ones are solved,
/// others are halved. A function that vanishes with its derivative at the middle of an interval has its only
/// root of that interval there. Otherwise nothing is missed, up to Roots::kMax roots.
template <class Function>
void find_roots(Function&& function, double low, double high, const Slope& f, double bend, double zero,
                Roots& out, int depth = 0);
template <class Function>
void find_roots(Function&& function, double low, double high, double bend, double zero, Roots& out,
                int depth = 0) {
    ++out.evaluations;
    find_roots(function, low, high, function(0.5 * (low + high)), bend, zero, out, depth);
}
/// The same if the function at the middle is known.
template <class Function>
void find_roots(Function&& function, double low, double high, const Slope& f, double bend, double zero,
                Roots& out, int depth) {
    const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
    const double size = std::fabs(f.value), slope = std::fabs(f.derivative);
    if (size > slope * half + 0.5 * bend * half * half + zero) return;
    if (slope > bend * half) {  // monotonic
        const double at_low = function(low).value, at_high = function(high).value;
        out.evaluations += 2;
        if (std::fabs(at_low) <= zero) return out.add(low);
        if (std::fabs(at_high) <= zero) return out.add(high);
        if ((at_low < 0) != (at_high < 0))
            out.add(newton_root(function, low, high, at_low, at_high, bend, out));
        return;
    }
    if ((size <= zero && slope <= zero) || depth >= 40 || out.evaluations > 400) {
        if (size <= zero + 0.5 * bend * half * half) out.add(middle);
        return;
    }
    find_roots(function, low, middle, bend, zero, out, depth + 1);
    find_roots(function, middle, high, bend, zero, out, depth + 1);
}

}  // namespace claybox::collision
