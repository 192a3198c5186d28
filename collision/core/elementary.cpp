#include "collision/core/elementary.hpp"

#include <limits>

namespace claybox::collision {

namespace {

// log 2 as the sum of two parts: multiples of the first one up to 2^11 are exact.
constexpr double kLog2High = 6.93147180369123816490e-01;
constexpr double kLog2Low = 1.90821492927058770002e-10;

/// 1 / n of the odd numbers from 23 down to 3.
constexpr double kOddInverses[] = {1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                   1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3};

/// Binary, so that small powers of integers are exact.
double whole_power(double base, int exponent) {
    double out = 1;
    for (int left = exponent < 0 ? -exponent : exponent; left != 0; left /= 2, base *= base)
        if (left % 2 != 0) out *= base;
    return exponent < 0 ? 1 / out : out;
}

}  // namespace

double cube_root(double x) {
    if (!std::isfinite(x) || x == 0.0) return x;
    auto [m, exponent] = binary(std::fabs(x));
    while (exponent % 3 != 0) {  // m in [0.5, 4)
        m *= 2;
        --exponent;
    }
    double root = 0.7 + 0.25 * m;  // within 8 %; each step of Halley's method triples the digits
    for (int i = 0; i < 4; ++i) {
        const double cube = root * root * root;
        root -= root * (cube - m) / (2 * cube + m);
    }
    return std::copysign(std::ldexp(root, exponent / 3), x);
}

double exponential(double x) {
    if (x > 710) return std::numeric_limits<double>::infinity();
    if (x < -746) return 0;
    if (std::isnan(x)) return x;
    const double twos = std::nearbyint(x / kLog2High);
    const double r = (x - twos * kLog2High) - twos * kLog2Low;  // |r| <= log(2) / 2
    double sum = 0;  // of r^k / k!; the first omitted is below 2^-57
    for (int k = 14; k >= 2; --k) sum = (1 + sum) * r / k;
    return std::ldexp(1 + (r + r * sum), static_cast<int>(twos));
}

double logarithm(double x) {
    if (x == 0.0) return -std::numeric_limits<double>::infinity();
    if (!(x > 0.0)) return std::numeric_limits<double>::quiet_NaN();
    if (std::isinf(x)) return x;
    auto [m, twos] = binary(x);
    if (m < 0.70710678118654752440) {
        m *= 2;
        --twos;
    }
    // log m = 2 artanh s; the first omitted term is below 2^-60 of the result.
    const double s = (m - 1) / (m + 1), q = s * s;
    double sum = 0;
    for (const double inverse : kOddInverses) sum = (sum + inverse) * q;
    return twos * kLog2High + (2 * s + (2 * s * sum + twos * kLog2Low));
}

double power(double base, double exponent) {
    constexpr double kMostFactors = 64;
    if (std::fabs(exponent) <= kMostFactors && exponent == std::nearbyint(exponent))
        return whole_power(base, static_cast<int>(exponent));
    return exponential(exponent * logarithm(base));
}

}  // namespace claybox::collision
