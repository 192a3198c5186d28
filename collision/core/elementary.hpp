#pragma once
// Roots, exponentials and logarithms that return the same bits on every machine. Those of the C library
// differ in their last bits between libraries, and within one library between processors. Sine and cosine:
// trig.hpp.

#include <bit>
#include <cmath>
#include <cstdint>

namespace claybox::collision {

/// Error below 1e-15 of the result. Keeps the sign, infinity and NaN.
double cube_root(double x);

/// e^x, error below 1e-15 of the result where that is a normal number.
double exponential(double x);

inline constexpr double kLog2 = 0.69314718055994530942;

/// The factor m and the exponent of a positive, finite x = m * 2^twos, with m in [0.5, 1). The same as
/// std::frexp, but inline.
struct Binary {
    double m;
    int twos;
};
inline Binary binary(double x) {
    constexpr std::uint64_t kExponent = 0x7ff0000000000000, kOfHalf = 0x3fe0000000000000;
    int twos = -1022;
    std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    if ((bits & kExponent) == 0) {  // subnormal
        bits = std::bit_cast<std::uint64_t>(x * 0x1p54);
        twos -= 54;
    }
    twos += static_cast<int>(bits >> 52);
    return {std::bit_cast<double>((bits & ~kExponent) | kOfHalf), twos};
}

/// The natural logarithm, error below 4e-16, or below 1e-15 of the result. Minus infinity for 0, NaN below.
double logarithm(double x);

/// base^exponent of a positive base. Whole exponents up to 64 multiply, so that powers of small integers are
/// exact. Otherwise the error is below 1e-15 times the result and (1 + |log result|).
double power(double base, double exponent);

/// The longest side of a triangle with a right angle. std::hypot would also take sides beyond 1e150 or below
/// 1e-150.
inline double hypotenuse(double a, double b) {
    return std::sqrt(a * a + b * b);
}

}  // namespace claybox::collision
