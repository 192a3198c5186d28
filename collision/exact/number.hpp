#pragma once
// The two scalars of the exact layer: doubles with a proven error bound, and integers of any size. Predicates
// are templates over the scalar. They are evaluated in doubles first, and in integers if the sign is not
// certain.

#include "collision/core/vec.hpp"
#include "collision/geometry/transform.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <memory>

namespace claybox::collision {

static_assert(FLT_EVAL_METHOD == 0, "the error bounds count one rounding to double per operation");

/// Integers of any size. Up to 512 bits need no allocation, enough for shapes with coordinates of usual size.
using Integer = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<512, 0, boost::multiprecision::signed_magnitude,
                                           boost::multiprecision::unchecked,
                                           std::allocator<boost::multiprecision::limb_type>>,
    boost::multiprecision::et_off>;

/// Half an ulp of 1: rounding to nearest changes a result by at most kRound times its magnitude.
inline constexpr double kRound = 0x1p-53;
/// Above every error that gradual underflow can add to the products of one operation.
inline constexpr double kUnderflow = 0x1p-1070;

/// A double v with an error bound e: |exact - v| <= e. Running error analysis in the model fl = exact + d,
/// |d| <= kRound |fl|: a sum adds both bounds and kRound |v| for its own rounding; a product adds
/// |a| b.e + |b| a.e + a.e b.e and kRound |v|. Computing the bound has at most seven roundings, all relative;
/// the factor kUp compensates for them.
struct Approx {
    static constexpr double kUp = 1 + 16 * kRound;

    double v = 0, e = 0;

    friend Approx operator+(const Approx& a, const Approx& b) {
        const double value = a.v + b.v;
        return {value, (a.e + b.e + kRound * std::abs(value)) * kUp + kUnderflow};
    }
    friend Approx operator-(const Approx& a, const Approx& b) {
        const double value = a.v - b.v;
        return {value, (a.e + b.e + kRound * std::abs(value)) * kUp + kUnderflow};
    }
    friend Approx operator-(const Approx& a) { return {-a.v, a.e}; }
    friend Approx operator*(const Approx& a, const Approx& b) {
        const double value = a.v * b.v;
        return {value,
                (std::abs(a.v) * b.e + std::abs(b.v) * a.e + a.e * b.e + kRound * std::abs(value)) * kUp +
                    kUnderflow};
    }
};

inline constexpr int kUnknownSign = 2;

/// The sign of the exact value, or kUnknownSign. Infinities and NaN give kUnknownSign.
inline int certain_sign(const Approx& a) {
    if (a.v > a.e) return std::isfinite(a.v) ? 1 : kUnknownSign;
    if (a.v < -a.e) return std::isfinite(a.v) ? -1 : kUnknownSign;
    return kUnknownSign;
}
inline int certain_sign(const Integer& a) {
    return a.sign();
}

/// A float as mantissa * 2^exponent; the mantissa has the sign.
struct FloatParts {
    std::int32_t mantissa = 0;
    int exponent = 0;
};
inline FloatParts split(float f) {
    const auto bits = std::bit_cast<std::uint32_t>(f);
    const int field = static_cast<int>(bits >> 23 & 0xff);
    auto mantissa = static_cast<std::int32_t>(bits & 0x7fffff);
    if (field != 0) mantissa |= 0x800000;
    return {bits >> 31 != 0 ? -mantissa : mantissa, std::max(field, 1) - 150};
}

/// An exponent above those of all finite floats. grid_exponent(0) returns it, as 0 lies on every grid.
inline constexpr int kNoExponent = 4096;

/// The largest e for which f is a multiple of 2^e.
inline int grid_exponent(float f) {
    const FloatParts p = split(f);
    return p.mantissa == 0 ? kNoExponent
                           : p.exponent + std::countr_zero(static_cast<std::uint32_t>(p.mantissa));
}

inline int grid_exponent(double x) {
    if (x == 0) return kNoExponent;
    int exponent;
    const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
    return exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(mantissa));
}

/// The grid exponents of a matrix: all entries of the linear part are multiples of 2^linear, those of the
/// translation multiples of 2^translation.
struct MatrixGrid {
    int linear = kNoExponent, translation = kNoExponent;
};
MatrixGrid grid_of(const Matrix34f& matrix);

/// The linear part of matrix * v in double, with its error.
Vec3<Approx> approximate_linear(const Matrix34f& matrix, const Vec3f& v);

/// matrix * v as integers times 2^exponent. The exponent must be at most grid_of(matrix).translation, and at
/// most grid_of(matrix).linear plus the grid exponent of v.
Vec3<Integer> exact_point(const Matrix34f& matrix, const Vec3f& v, int exponent);

/// x as an integer times 2^exponent. The exponent must be at most grid_exponent(x).
Integer exact_number(double x, int exponent);

/// A finite vector as integers, up to a common factor that is a power of two.
Vec3<Integer> exact_direction(const Vec3d& v);

/// value * 2^exponent in double, with a relative error below 2^-50.
double to_double(const Integer& value, int exponent);

}  // namespace claybox::collision
