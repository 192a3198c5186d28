#include "tests/mass/reference.hpp"

#include "tests/mass/linear_program.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace claybox::test {

using collision::Matrix34f;
using collision::Vec3f;

namespace {

using Big =
    boost::multiprecision::number<boost::multiprecision::cpp_int_backend<512>, boost::multiprecision::et_off>;
using BigPoint = std::array<Big, 3>;

/// The maximum relative error of rounding to nearest.
constexpr double kHalfUlp = 0x1p-53;
/// Enlarges a bound for the roundings of its own few operations.
constexpr double kEnlarge = 1 + 0x1p-40;

constexpr std::size_t kTerms = 9;
using Terms = std::array<double, kTerms>;

/// The exact terms of one coordinate of a point relative to A's translation. Products of two floats are exact
/// in double unless they underflow; products of numbers above 2^-60 do not.
Terms terms(const PlacedPoints& side, bool moved, const Vec3f& p, std::size_t row, double origin) {
    const auto at = [&](std::size_t k) { return static_cast<double>(side.world_from_points.m[4 * row + k]); };
    Terms out{at(0) * p.x, at(1) * p.y, at(2) * p.z, at(3), -origin};
    if (moved)
        for (std::size_t i = 0; i < 2; ++i) {
            out[5 + i] = static_cast<double>(side.plus[i][row]);
            out[7 + i] = -static_cast<double>(side.minus[i][row]);
        }
    return out;
}

/// Calls visit(side, moved, point) for every point of A, then of B.
template <class Visit>
void each_point(const PlacedPoints& a, const PlacedPoints& b, Visit&& visit) {
    for (const PlacedPoints* side : {&a, &b})
        for (const bool moved : {false, true})
            if (!moved || side->swept)
                for (const Vec3f& p : side->points) visit(*side, moved, p);
}

/// The exponent of the lowest set bit.
int lowest_bit(double v) {
    int e;
    const double f = std::frexp(std::fabs(v), &e);
    return e - 53 + std::countr_zero(static_cast<std::uint64_t>(std::ldexp(f, 53)));
}

Big integer(double v, int grid) {
    if (v == 0) return 0;
    int e;
    const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(v, &e), 53));
    const int shift = e - 53 - grid;
    return shift >= 0 ? Big(mantissa) << static_cast<unsigned>(shift)
                      : Big(mantissa / (std::int64_t{1} << -shift));  // exact: v is on the grid
}

/// All points as integers times a common power of two.
std::vector<BigPoint> integers(const PlacedPoints& a, const PlacedPoints& b) {
    int grid = 1 << 20;
    const auto each = [&](auto&& visit) {
        each_point(a, b, [&](const PlacedPoints& side, bool moved, const Vec3f& p) {
            for (std::size_t k = 0; k < 3; ++k)
                visit(terms(side, moved, p, k, a.world_from_points.translation()[k]), k);
        });
    };
    each([&](const Terms& sum, std::size_t) {
        for (const double t : sum)
            if (t != 0) grid = std::min(grid, lowest_bit(t));
    });
    std::vector<BigPoint> out;
    each([&](const Terms& sum, std::size_t k) {
        if (k == 0) out.emplace_back();
        for (const double t : sum) out.back()[k] += integer(t, grid);
    });
    return out;
}

}  // namespace

void Reference::place(const PlacedPoints& a, const PlacedPoints& b) {
    points_.clear();
    count_a_ = a.points.size() * (a.swept ? 2 : 1);
    reach_ = {};
    error_ = 0;
    each_point(a, b, [&](const PlacedPoints& side, bool moved, const Vec3f& p) {
        Column c;
        for (std::size_t k = 0; k < 3; ++k) {
            const Terms t = terms(side, moved, p, k, a.world_from_points.translation()[k]);
            c[k] = t[0] + t[1] + t[2] + (t[3] + t[4]) + ((t[5] + t[7]) + (t[6] + t[8]));
            reach_[k] = std::max(reach_[k], std::fabs(c[k]));
            // Eight sums; each has a rounding error relative to at most the sum of all magnitudes.
            double size = 0;
            for (const double v : t) size += std::fabs(v);
            error_ = std::max(error_, kTerms * kHalfUlp * size);
        }
        points_.push_back(c);
    });
}

/// Proves n.a < n.b for all points. A value has three roundings per product and the errors of the
/// coordinates, together at most sum |n_k| (error + 4 u reach_k). The difference of two values has one more
/// rounding.
bool Reference::proves_apart(const std::array<double, 3>& n) const {
    double most_a = -HUGE_VAL, least_b = HUGE_VAL, bound = 0;
    for (std::size_t k = 0; k < 3; ++k) bound += std::fabs(n[k]) * (error_ + 5 * kHalfUlp * reach_[k]);
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const double v = n[0] * points_[i][0] + n[1] * points_[i][1] + n[2] * points_[i][2];
        if (i < count_a_)
            most_a = std::max(most_a, v);
        else
            least_b = std::min(least_b, v);
    }
    return least_b - most_a > 2 * bound * kEnlarge + 0x1p-1000;
}

/// Proves a common point by Radon's theorem: five points have an affine dependence whose weights are, with
/// alternating signs, the volumes of the other four points. If A's weights have one sign and B's weights the
/// other, both hulls contain the same point.
///
/// Bound. Each component of an edge vector has an error of at most d = 2 error + u D, where D is the largest
/// component. The six triple products of a volume change by at most 18 D^2 d (1 + 2 d / D) and have five
/// roundings each, together at most 31 u D^3.
bool Reference::proves_common_point(std::span<const std::uint32_t> basis) const {
    for (const std::uint32_t column : basis)
        if (column >= points_.size()) return false;  // a slack
    int want = 0;
    for (std::size_t out = 0; out < 5; ++out) {
        std::array<const Column*, 4> p{};
        for (std::size_t i = 0, k = 0; i < 5; ++i)
            if (i != out) p[k++] = &points_[basis[i]];
        double e[3][3], size = 0;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < 3; ++k) {
                e[i][k] = (*p[i + 1])[k] - (*p[0])[k];
                size = std::max(size, std::fabs(e[i][k]));
            }
        const double volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                              e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                              e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
        const double d = 2 * error_ + kHalfUlp * size;
        const double bound =
            (18 * size * size * d + 36 * size * d * d + 6 * d * d * d + 31 * kHalfUlp * size * size * size) *
                kEnlarge +
            0x1p-1000;
        if (!(std::fabs(volume) > bound)) return false;
        const bool of_a = basis[out] < count_a_;
        const int sign = ((volume > 0) == (out % 2 == 0)) == of_a ? 1 : -1;
        if (want == 0) want = sign;
        if (sign != want) return false;
    }
    return true;
}

ReferenceAnswer Reference::decide(const PlacedPoints& a, const PlacedPoints& b, bool pure) {
    place(a, b);
    LinearProgram<double> coarse(points_, count_a_, std::max({reach_[0], reach_[1], reach_[2]}));
    coarse.start();
    const bool solved = coarse.solve();
    if (solved && !pure) {
        const auto y = coarse.prices();
        if (proves_apart({y[0], y[1], y[2]})) return {};
        if (proves_common_point(coarse.basis())) return {true};
    }
    const std::vector<BigPoint> exact = integers(a, b);
    LinearProgram<Big> fine(exact, count_a_, 0);
    if (!solved || !fine.start_at(coarse.basis())) fine.start();
    fine.solve();
    return {fine.touching(), true, fine.steps()};
}

}  // namespace claybox::test
