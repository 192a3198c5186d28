#pragma once
// Trigonometric functions that return the same bits on every machine. The C library's functions choose their
// code by processor and do not.

namespace claybox::collision {

struct SinCos {
    double sin = 0, cos = 1;
};

/// Sine and cosine of `angle` radians, error below 4e-16 for |angle| up to 1e5.
SinCos sin_cos(double angle);

/// The angle of (x, y) in radians, in [-pi, pi]. Error below 4e-16 relative to pi. Returns 0 for (0, 0).
double arc_tangent(double y, double x);

inline constexpr double kPi = 3.14159265358979323846;

}  // namespace claybox::collision
