#pragma once
// Trigonometric functions that return the same bits on every machine. The C library's functions choose their
// code by processor and do not.

#include <cmath>

namespace claybox::collision {

struct SinCos {
    double sin = 0, cos = 1;
};

/// Sine and cosine of `angle` radians, error below 4e-16 for |angle| up to 1e5.
SinCos sin_cos(double angle);

/// The angle of (x, y) in radians, in [-pi, pi]. Error below 4e-16 relative to pi. Returns 0 for (0, 0).
double arc_tangent(double y, double x);

inline constexpr double kPi = 3.14159265358979323846;

// For inner loops: several times faster, and inline because they are called per point.

/// Error below 4e-16 for |angle| <= 0.8. Sums in pairs: the processor computes them at the same time.
inline SinCos quick_small_sin_cos(double a) {
    const double q = a * a, q2 = q * q, q4 = q2 * q2;
    const double s_low = (-1.0 / 6 + q * (1.0 / 120)) + q2 * (-1.0 / 5040 + q * (1.0 / 362880));
    const double s_high = (-1.0 / 39916800.0 + q * (1.0 / 6227020800.0)) +
                          q2 * (-1.0 / 1307674368000.0 + q * (1.0 / 355687428096000.0));
    const double c_low = (-0.5 + q * (1.0 / 24)) + q2 * (-1.0 / 720 + q * (1.0 / 40320));
    const double c_high = (-1.0 / 3628800 + q * (1.0 / 479001600.0)) +
                          q2 * (-1.0 / 87178291200.0 + q * (1.0 / 20922789888000.0));
    return {a + a * q * (s_low + q4 * s_high), 1 + q * (c_low + q4 * c_high)};
}

/// Error below 4e-16 for |angle| up to 1e5. Fast up to 4.
inline SinCos quick_sin_cos(double angle) {
    if (std::fabs(angle) < 0.78) return quick_small_sin_cos(angle);  // no turns to take off
    if (!(std::fabs(angle) <= 4)) return sin_cos(angle);
    const double turns = std::nearbyint(angle * (2 / kPi));
    const auto [s, c] = quick_small_sin_cos((angle - turns * 1.57079632679489655800e+00) -
                                            turns * 6.12323399573676603587e-17);
    const int quadrant = static_cast<int>(turns) & 3;
    if (quadrant == 0) return {s, c};
    if (quadrant == 1) return {c, -s};
    if (quadrant == 2) return {-s, -c};
    return {-c, s};
}

/// The angle of (x, z) from the z-axis towards the x-axis in [-pi, pi], error below 1e-8. A negative zero x
/// with z < 0 gives -pi, so that a cut along that half-plane has two sides.
template <class Real>
inline Real quick_angle(Real x, Real z) {
    const Real ax = std::fabs(x), az = std::fabs(z);
    const bool steep = ax > az;
    const Real high = steep ? ax : az, low = steep ? az : ax;
    if (!(high > 0)) return 0;
    // tan(pi / 8) halves the range: atan(u) = pi/4 + atan((u - 1) / (u + 1)).
    const bool upper = low > Real(0.41421356) * high;
    const Real u = upper ? (low - high) / (low + high) : low / high, q = u * u;
    Real p = Real(-1.0 / 15) + q * Real(1.0 / 17);
    p = Real(-1.0 / 11) + q * (Real(1.0 / 13) + q * p);
    p = Real(-1.0 / 7) + q * (Real(1.0 / 9) + q * p);
    p = u + u * q * (Real(-1.0 / 3) + q * (Real(1.0 / 5) + q * p));
    Real angle = upper ? Real(kPi / 4) + p : p;
    if (steep) angle = Real(kPi / 2) - angle;
    if (z < 0) angle = Real(kPi) - angle;
    return std::signbit(x) ? -angle : angle;
}

}  // namespace claybox::collision
