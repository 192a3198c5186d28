#include "collision/exact/number.hpp"

namespace claybox::collision {

namespace {

__extension__ using Int128 = __int128;

/// The product of two floats has 48 bits. The sum of four of them, shifted by this much, fits a signed
/// 128-bit integer.
constexpr int kMaxFastShift = 76;

struct Term {
    std::int64_t mantissa;
    int shift;
};

Term product(float a, float b, int exponent) {
    const FloatParts p = split(a), q = split(b);
    const std::int64_t m = std::int64_t{p.mantissa} * q.mantissa;
    const int shift = p.exponent + q.exponent - exponent;
    if (m == 0) return {0, 0};
    if (shift >= 0) return {m, shift};
    return {m >> -shift, 0};  // exact: the exponent's grid contains the product
}

Integer row(const std::array<float, 12>& m, int r, const Vec3f& v, int exponent) {
    const auto i = static_cast<std::size_t>(4 * r);
    const Term terms[4] = {product(m[i], v.x, exponent), product(m[i + 1], v.y, exponent),
                           product(m[i + 2], v.z, exponent), product(m[i + 3], 1.0f, exponent)};
    const int top = std::max({terms[0].shift, terms[1].shift, terms[2].shift, terms[3].shift});
    if (top <= kMaxFastShift) {
        Int128 sum = 0;
        for (const Term& t : terms)
            sum += static_cast<Int128>(t.mantissa) * (static_cast<Int128>(1) << t.shift);
        return Integer(sum);
    }
    Integer sum = 0;
    for (const Term& t : terms) sum += Integer(t.mantissa) << t.shift;
    return sum;
}

}  // namespace

MatrixGrid grid_of(const Matrix34f& matrix) {
    MatrixGrid out;
    for (std::size_t i = 0; i < 12; ++i) {
        int& e = i % 4 == 3 ? out.translation : out.linear;
        e = std::min(e, grid_exponent(matrix.m[i]));
    }
    return out;
}

Vec3<Approx> approximate_linear(const Matrix34f& matrix, const Vec3f& v) {
    const Vec3d p = cast<double>(v);
    const auto line = [&](int r) {  // a product of two floats is exact in double
        return Approx{matrix(r, 0) * p.x, 0} + Approx{matrix(r, 1) * p.y, 0} + Approx{matrix(r, 2) * p.z, 0};
    };
    return {line(0), line(1), line(2)};
}

Vec3<Integer> exact_point(const Matrix34f& matrix, const Vec3f& v, int exponent) {
    return {row(matrix.m, 0, v, exponent), row(matrix.m, 1, v, exponent), row(matrix.m, 2, v, exponent)};
}

double to_double(const Integer& value, int exponent) {
    if (value.is_zero()) return 0.0;
    const Integer magnitude = abs(value);
    const auto top = static_cast<int>(msb(magnitude));
    const int drop = std::max(0, top - 62);
    const double m = static_cast<double>(static_cast<std::uint64_t>(Integer(magnitude >> drop)));
    return std::ldexp(value.sign() < 0 ? -m : m, drop + exponent);
}

Integer exact_number(double x, int exponent) {
    if (x == 0) return 0;
    const int low = grid_exponent(x);
    return Integer(static_cast<std::int64_t>(std::ldexp(x, -low))) << (low - exponent);
}

Vec3<Integer> exact_direction(const Vec3d& v) {
    int exponent[3], lowest = 1 << 20;
    std::int64_t mantissa[3];
    for (std::size_t k = 0; k < 3; ++k) {
        mantissa[k] = static_cast<std::int64_t>(std::ldexp(std::frexp(v[k], &exponent[k]), 53));
        if (mantissa[k] != 0) lowest = std::min(lowest, exponent[k]);
    }
    Vec3<Integer> out;
    for (std::size_t k = 0; k < 3; ++k)
        if (mantissa[k] != 0) out[k] = Integer(mantissa[k]) << (exponent[k] - lowest);
    return out;
}

}  // namespace claybox::collision
