#include "collision/core/trig.hpp"

#include <cmath>

namespace claybox::collision {

namespace {

// pi/2 as the sum of three parts of at most 33 bits: multiples of the first two up to 2^20 are exact.
constexpr double kHalfPi1 = 1.57079632673412561417e+00;
constexpr double kHalfPi2 = 6.07710050630396597660e-11;
constexpr double kHalfPi3 = 2.02226624879595063154e-21;

// Taylor series on [-pi/4, pi/4]: the first omitted term is below 2^-57 of the result.
SinCos small_sin_cos(double r) {
    const double q = r * r;
    double s = 0, c = 0;
    for (int k = 17; k >= 3; k -= 2) s = (1.0 - s) * q / static_cast<double>(k * (k - 1));
    for (int k = 18; k >= 2; k -= 2) c = (1.0 - c) * q / static_cast<double>(k * (k - 1));
    return {r - r * s, 1.0 - c};
}

}  // namespace

SinCos sin_cos(double angle) {
    const double turns = std::nearbyint(angle / (kHalfPi1 + kHalfPi2));
    const SinCos a = small_sin_cos(((angle - turns * kHalfPi1) - turns * kHalfPi2) - turns * kHalfPi3);
    const double quadrant = turns - 4.0 * std::floor(turns / 4.0);
    if (quadrant == 0.0) return a;
    if (quadrant == 1.0) return {a.cos, -a.sin};
    if (quadrant == 2.0) return {-a.sin, -a.cos};
    return {-a.cos, a.sin};
}

double arc_tangent(double y, double x) {
    const double largest = std::fmax(std::fabs(x), std::fabs(y));
    if (!(largest > 0.0)) return 0.0;
    const double u = x / largest, v = y / largest;
    const bool steep = std::fabs(v) > std::fabs(u);
    const double t = steep ? u / v : v / u;
    double angle = t * (1.0584 - 0.273 * std::fabs(t));  // within 0.004 of the arc tangent of t
    if (steep) angle = (v > 0 ? kPi / 2 : -kPi / 2) - angle;
    if (!steep && u < 0) angle += v < 0 ? -kPi : kPi;
    for (int i = 0; i < 2; ++i) {  // cubic convergence: 0.004, 2e-8, below one ulp
        const SinCos a = sin_cos(angle);
        angle += (v * a.cos - u * a.sin) / (u * a.cos + v * a.sin);
    }
    return angle;
}

}  // namespace claybox::collision
