#pragma once
// The two scalars of the exact layer: a double that carries a proven bound of its error, and integers without
// bound. Predicates are written once as templates and evaluated with the first; where its sign is not
// certain, with the second.

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

/// Integers of any size; 512 bits fit without allocation, which covers shapes whose numbers are of usual
/// size.
using Integer = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<512, 0, boost::multiprecision::signed_magnitude,
                                           boost::multiprecision::unchecked,
                                           std::allocator<boost::multiprecision::limb_type>>,
    boost::multiprecision::et_off>;

/// Half an ulp of 1: rounding to nearest changes a result by at most kRound times its magnitude.
inline constexpr double kRound = 0x1p-53;
/// Above every error that gradual underflow can add to the few products of one operation.
inline constexpr double kUnderflow = 0x1p-1070;

/// A double `v` with |exact - v| <= e. Running error analysis: a sum adds the bounds and kRound |v| for its
/// own rounding (in the model fl = exact + d, |d| <= kRound |fl|); a product adds |a| b.e + |b| a.e + a.e b.e
/// likewise. The bound's own arithmetic has at most seven roundings, each relative, so that the factor kUp
/// makes it an upper bound again.
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

/// The sign of the exact value, or kUnknownSign. Never decides on infinities or NaN.
inline int certain_sign(const Approx& a) {
    if (a.v > a.e) return std::isfinite(a.v) ? 1 : kUnknownSign;
    if (a.v < -a.e) return std::isfinite(a.v) ? -1 : kUnknownSign;
    return kUnknownSign;
}
inline int certain_sign(const Integer& a) {
    return a.sign();
}

/// A float as mantissa * 2^exponent with the sign in the mantissa.
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

/// An exponent above that of every finite float; what zero has, since it fits every grid.
inline constexpr int kNoExponent = 4096;

/// The largest e with f a multiple of 2^e.
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

/// The smallest exponent of a grid on which the linear part and the translation lie.
struct MatrixGrid {
    int linear = kNoExponent, translation = kNoExponent;
};
MatrixGrid grid_of(const Matrix34f& matrix);

/// The linear part of matrix * v in double with its error.
Vec3<Approx> approximate_linear(const Matrix34f& matrix, const Vec3f& v);

/// matrix * v as integers times 2^exponent; the exponent must be at most grid(matrix).linear + grid(v) and
/// grid(matrix).translation.
Vec3<Integer> exact_point(const Matrix34f& matrix, const Vec3f& v, int exponent);

/// A number as an integer times 2^exponent; the exponent must be at most grid_exponent(x).
Integer exact_number(double x, int exponent);

/// A finite vector as integers, up to a common power of two.
Vec3<Integer> exact_direction(const Vec3d& v);

/// The double nearest to value * 2^exponent up to a relative error below 2^-50.
double to_double(const Integer& value, int exponent);

}  // namespace claybox::collision
