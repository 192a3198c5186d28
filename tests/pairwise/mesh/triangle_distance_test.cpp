// Closest points of triangles, compared with a different reference: all pairs of features, each a linear
// system in rationals.

#include "collision/pairwise/mesh/triangle_distance.hpp"

#include "collision/core/random.hpp"
#include "tests/support/rational.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace claybox::collision {
namespace {

using test::Rational;
using test::Vec3r;
using Corners = TriangleCorners<double>;

/// Solves m x = y by elimination; none if m is singular.
std::optional<std::vector<Rational>> solve(std::vector<std::vector<Rational>> m, std::vector<Rational> y) {
    const std::size_t n = y.size();
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t pivot = c;
        while (pivot < n && m[pivot][c] == 0) ++pivot;
        if (pivot == n) return std::nullopt;
        std::swap(m[c], m[pivot]);
        std::swap(y[c], y[pivot]);
        for (std::size_t r = 0; r < n; ++r) {
            if (r == c) continue;
            const Rational f = m[r][c] / m[c][c];
            for (std::size_t k = c; k < n; ++k) m[r][k] -= f * m[c][k];
            y[r] -= f * y[c];
        }
    }
    for (std::size_t c = 0; c < n; ++c) y[c] /= m[c][c];
    return y;
}

/// The corners selected by the bits of `mask`.
std::vector<Vec3r> feature(const Corners& t, int mask) {
    std::vector<Vec3r> out;
    for (int i = 0; i < 3; ++i)
        if ((mask >> i & 1) != 0) out.push_back(test::exact(t.p[i]));
    return out;
}

/// Squared distance of the affine hulls of both features, a + D x = b + E y, if the closest points lie in the
/// features.
std::optional<Rational> closest_in_hulls(const std::vector<Vec3r>& a, const std::vector<Vec3r>& b) {
    std::vector<Vec3r> step;
    for (std::size_t i = 1; i < a.size(); ++i) step.push_back(a[i] - a[0]);
    for (std::size_t i = 1; i < b.size(); ++i) step.push_back(b[0] - b[i]);
    const Vec3r r = b[0] - a[0];
    std::vector<std::vector<Rational>> gram;
    std::vector<Rational> right;
    for (const Vec3r& row : step) {
        gram.emplace_back();
        for (const Vec3r& column : step) gram.back().push_back(dot(row, column));
        right.push_back(dot(row, r));
    }
    const auto weight = solve(gram, right);
    if (!weight) return std::nullopt;
    Rational sum_a = 0, sum_b = 0;
    Vec3r gap = Vec3r{} - r;
    for (std::size_t i = 0; i < step.size(); ++i) {
        if ((*weight)[i] < 0) return std::nullopt;
        (i + 1 < a.size() ? sum_a : sum_b) += (*weight)[i];
        gap += step[i] * (*weight)[i];
    }
    if (sum_a > 1 || sum_b > 1) return std::nullopt;
    return dot(gap, gap);
}

double reference(const Corners& a, const Corners& b) {
    std::optional<Rational> best;
    for (int i = 1; i < 8; ++i)
        for (int k = 1; k < 8; ++k)
            if (const auto squared = closest_in_hulls(feature(a, i), feature(b, k)))
                if (!best || *squared < *best) best = squared;
    // The root in extended precision: the square of a small gap may leave the range of double.
    return static_cast<double>(sqrt(static_cast<Wide>(numerator(*best)) / Wide(denominator(*best))));
}

template <class T>
double measured(const Corners& a, const Corners& b) {
    TriangleCorners<T> x, y;
    for (int i = 0; i < 3; ++i) {
        x.p[i] = cast<T>(a.p[i]);
        y.p[i] = cast<T>(b.p[i]);
    }
    using std::sqrt;
    const ClosestPair<T> pair = closest_of_triangles<T>(x, y, std::numeric_limits<T>::infinity());
    const T gap = sqrt(length_squared<T>(pair.a - pair.b));
    const double distance = static_cast<double>(T(sqrt(pair.squared)));
    EXPECT_NEAR(distance, static_cast<double>(gap), 1e-12 * distance);
    return distance;
}

struct Pair {
    Corners a, b;
};

Vec3d any_point(Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

Corners any_triangle(Random& random, double size) {
    return {{any_point(random, size), any_point(random, size), any_point(random, size)}};
}

Pair generic(Random& random) {
    Pair out{any_triangle(random, 1), any_triangle(random, 1)};
    const Vec3d shift = any_point(random, 2);
    for (Vec3d& p : out.b.p) p += shift;
    return out;
}

/// A needle or a flat cap: two corners, and a third within `width` of the line through them.
Corners sliver(Random& random, double width) {
    const Vec3d p = any_point(random, 1), q = any_point(random, 1);
    return {{p, p + (q - p) * random.uniform(-0.2, 1.2) + any_point(random, width), q}};
}

Pair slivers(Random& random) {
    const double width = std::pow(10.0, random.uniform(-14, -1));
    Pair out{sliver(random, width), random.below(2) == 0 ? sliver(random, width) : any_triangle(random, 1)};
    const double length = std::pow(10.0, random.uniform(-6, 0));
    const Vec3d offset = length * random.unit_vector();
    for (Vec3d& p : out.b.p) p += offset;
    return out;
}

/// Nearly parallel faces, one above the other.
Pair layers(Random& random) {
    Pair out{any_triangle(random, 1), any_triangle(random, 1)};
    const double tilt = std::pow(10.0, random.uniform(-16, -1)), gap = std::pow(10.0, random.uniform(-5, -1));
    for (Vec3d& p : out.a.p) p.z = 0;
    for (Vec3d& p : out.b.p) p.z = gap + tilt * p.z;
    return out;
}

/// Nearly parallel sides that are close to each other.
Pair rails(Random& random) {
    const double tilt = std::pow(10.0, random.uniform(-16, -1)), gap = std::pow(10.0, random.uniform(-5, -1));
    const Vec3d along = random.unit_vector(), away = random.unit_vector();
    const Vec3d p = any_point(random, 1);
    const Vec3d q = p + away * gap + along * random.uniform(-1, 1);
    return {{{p, p + along, p - away + any_point(random, 0.3)}},
            {{q, q + along * random.uniform(-1, 2) + any_point(random, tilt),
              q + away + any_point(random, 0.3)}}};
}

/// Segments and points written as triangles.
Pair degenerate(Random& random) {
    Pair out = generic(random);
    for (Corners* t : {&out.a, &out.b}) {
        const auto kind = random.below(3);
        if (kind == 0) t->p[2] = t->p[random.below(2)];
        if (kind == 1) t->p[1] = t->p[2] = t->p[0];
    }
    return out;
}

Pair huge(Random& random) {
    Pair out = random.below(2) == 0 ? generic(random) : slivers(random);
    const double scale = std::ldexp(1.0, static_cast<int>(random.below(280)) - 170);
    for (Corners* t : {&out.a, &out.b})
        for (Vec3d& p : t->p) p *= scale;
    return out;
}

/// A gap that double cannot distinguish from zero, in coordinates that it can represent.
Pair tiny_gap(Random& random) {
    const double gap = std::pow(2.0, -static_cast<int>(random.below(40)) - 30);
    Pair out{any_triangle(random, 1), any_triangle(random, 1)};
    for (Vec3d& p : out.a.p) p.z = -std::abs(p.z);
    for (Vec3d& p : out.b.p) p.z = std::abs(p.z);
    out.a.p[0] = {0.25, 0.125, -gap};
    out.b.p[0] = {0.25, 0.125, 0};
    return out;
}

struct Family {
    const char* name;
    Pair (*make)(Random&);
    int count;
};
constexpr Family kFamilies[] = {{"generic", generic, 100},      {"slivers", slivers, 150},
                                {"layers", layers, 100},        {"rails", rails, 100},
                                {"degenerate", degenerate, 60}, {"huge", huge, 60}};

double size_of(const Pair& p) {
    double out = 0;
    for (const Corners* t : {&p.a, &p.b})
        for (const Vec3d& v : t->p) out = std::max({out, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    return out;
}

TEST(TriangleDistance, matches_the_reference_in_every_family) {
    for (const Family& family : kFamilies) {
        Random random(41);
        double worst = 0;
        int intersecting = 0;
        for (int i = 0; i < family.count; ++i) {
            const Pair p = family.make(random);
            const double want = reference(p.a, p.b), got = measured<double>(p.a, p.b), size = size_of(p);
            intersecting += want == 0 ? 1 : 0;
            EXPECT_NEAR(got, want, 1e-9 * want + 1e-15 * size) << family.name << " " << i;
            if (want > 0) worst = std::max(worst, std::abs(got - want) / (want + 1e-8 * size));
            EXPECT_EQ(measured<double>(p.b, p.a) == 0, got == 0);
        }
        std::printf("%s: %d intersect, worst error %.2g\n", family.name, intersecting, worst);
    }
}

TEST(TriangleDistance, wider_scalars_measure_gaps_that_double_cannot) {
    Random random(42);
    for (int i = 0; i < 100; ++i) {
        const Pair p = tiny_gap(random);
        const double want = reference(p.a, p.b);
        ASSERT_GT(want, 0);
        EXPECT_NEAR(measured<Wide>(p.a, p.b), want, 1e-12 * want) << i;
        if (want > 0x1p-44) {
            EXPECT_NEAR(measured<long double>(p.a, p.b), want, 1e-4 * want) << i;
        }
    }
}

TEST(TriangleDistance, a_limit_never_hides_a_pair_within_it) {
    Random random(43);
    int hidden = 0;
    for (int i = 0; i < 3000; ++i) {
        const Pair p = kFamilies[i % 4].make(random);
        const double all = std::numeric_limits<double>::infinity();
        const double squared = closest_of_triangles<double>(p.a, p.b, all).squared;
        EXPECT_EQ(closest_of_triangles<double>(p.a, p.b, squared).squared, squared) << i;
        if (squared == 0) continue;
        const double beyond = closest_of_triangles<double>(p.a, p.b, squared * 0.25).squared;
        EXPECT_GT(beyond, squared * 0.25) << i;
        hidden += beyond != squared ? 1 : 0;
    }
    EXPECT_GT(hidden, 300) << "the limit saves work";
}

TEST(TriangleDistance, of_a_point_equals_that_of_a_degenerate_triangle) {
    Random random(44);
    for (int i = 0; i < 150; ++i) {
        const Pair p = kFamilies[i % 5].make(random);
        const Corners point{{p.a.p[0], p.a.p[0], p.a.p[0]}};
        const ClosestPair<double> pair = closest_of_point(p.a.p[0], p.b);
        EXPECT_EQ(pair.a, p.a.p[0]);
        EXPECT_NEAR(std::sqrt(pair.squared), reference(point, p.b), 1e-9 * std::sqrt(pair.squared) + 1e-15);
    }
}

TEST(TriangleDistance, of_intersecting_triangles_is_zero) {
    const Corners flat{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    const Corners through{{{1, 1, -1}, {1, 1, 1}, {9, 9, 0}}};
    const Corners inside{{{1, 1, 0}, {1.5, 1, 0}, {1, 1.5, 0}}};
    const Corners corner_on_face{{{1, 1, 0}, {1, 1, 1}, {2, 1, 1}}};
    for (const Corners& other : {flat, through, inside, corner_on_face}) {
        EXPECT_EQ(measured<double>(flat, other), 0);
        EXPECT_EQ(measured<double>(other, flat), 0);
    }
}

}  // namespace
}  // namespace claybox::collision
