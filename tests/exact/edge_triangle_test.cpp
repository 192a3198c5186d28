#include "collision/exact/edge_triangle.hpp"

#include "collision/core/random.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include <vector>

namespace claybox::collision {
namespace {

using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;
using Vec3q = Vec3<Rational>;

Vec3q exact(const Matrix34f& m, const Vec3f& v) {
    Vec3q out;
    for (int r = 0; r < 3; ++r)
        out[static_cast<std::size_t>(r)] = Rational(m(r, 0)) * Rational(v.x) +
                                           Rational(m(r, 1)) * Rational(v.y) +
                                           Rational(m(r, 2)) * Rational(v.z) + Rational(m(r, 3));
    return out;
}

/// Clips [low, high] to constant + t * slope >= 0.
void clip(const Rational& constant, const Rational& slope, Rational& low, Rational& high) {
    if (slope == 0) {
        if (constant < 0) low = high + 1;
    } else if (slope > 0) {
        low = std::max(low, Rational(-constant / slope));
    } else {
        high = std::min(high, Rational(-constant / slope));
    }
}

/// Tests segment (p, q) against segment (r, s): clips the parameter of the first to its points on the second.
bool reference_segments(const Vec3q& p, const Vec3q& q, const Vec3q& r, const Vec3q& s) {
    const Vec3q d = q - p, f = s - r;
    Rational low = 0, high = 1;
    if (f == Vec3q{}) {  // a point: every coordinate must agree
        for (std::size_t k = 0; k < 3; ++k) {
            clip(p[k] - r[k], d[k], low, high);
            clip(r[k] - p[k], -d[k], low, high);
        }
        return low <= high;
    }
    const Vec3q c0 = cross(p - r, f), c1 = cross(d, f);  // on the line: zero
    for (std::size_t k = 0; k < 3; ++k) {
        clip(c0[k], c1[k], low, high);
        clip(-c0[k], -c1[k], low, high);
    }
    clip(dot(p - r, f), dot(d, f), low, high);
    clip(dot(s - p, f), -dot(d, f), low, high);
    return low <= high;
}

/// A reference with another method than the library: clips the segment's parameter in rationals.
bool reference(const ExactEdge& edge, const ExactTriangle& t) {
    const Vec3q p = exact(*edge.world_from_local, edge.p), q = exact(*edge.world_from_local, edge.q);
    const Vec3q a = exact(*t.world_from_local, t.a), b = exact(*t.world_from_local, t.b),
                c = exact(*t.world_from_local, t.c);
    const Vec3q n = cross(b - a, c - a);
    if (n == Vec3q{})
        return reference_segments(p, q, a, b) || reference_segments(p, q, b, c) ||
               reference_segments(p, q, c, a);
    Rational low = 0, high = 1;
    const Rational start = dot(n, p - a), slope = dot(n, q - p);
    clip(start, slope, low, high);
    clip(-start, -slope, low, high);
    const Vec3q corner[3] = {a, b, c};
    for (int i = 0; i < 3; ++i) {
        const Vec3q inward = cross(n, corner[(i + 1) % 3] - corner[i]);
        clip(dot(inward, p - corner[i]), dot(inward, q - p), low, high);
    }
    return low <= high;
}

Matrix34f random_matrix(Random& random, bool lattice) {
    Matrix34f m;
    for (float& e : m.m)
        e = lattice ? static_cast<float>(random.below(3)) - 1 : static_cast<float>(random.uniform(-1, 1));
    return m;
}

Vec3f lattice_point(Random& random, std::uint64_t size) {
    return {static_cast<float>(random.below(size)), static_cast<float>(random.below(size)),
            static_cast<float>(random.below(size))};
}

/// Compares the exact answer and the filtered answer with the reference; counts hits.
struct Comparison {
    int hits = 0, all = 0;

    void check(const ExactEdge& e, const ExactTriangle& t) {
        const bool want = reference(e, t);
        const EdgeTriangleIntersection slow = intersect_exact(e, t), fast = intersect(e, t);
        EXPECT_EQ(slow.hit, want);
        EXPECT_EQ(fast.hit, want);
        EXPECT_GE(fast.t, 0);
        EXPECT_LE(fast.t, 1);
        hits += want;
        ++all;
    }
};

TEST(EdgeTriangle, lattice_cases_agree_with_rationals) {
    Random random(1);
    const Matrix34f one;
    Comparison comparison;
    for (int i = 0; i < 5000; ++i) {
        const std::uint64_t size = 2 + random.below(3);
        const auto point = [&] { return lattice_point(random, size); };
        const ExactTriangle triangle{&one, point(), point(), point()};
        comparison.check({&one, point(), point()}, triangle);
    }
    EXPECT_GT(comparison.hits, comparison.all / 20);
}

TEST(EdgeTriangle, flat_lattice_cases_agree_with_rationals) {
    Random random(2);
    Comparison comparison;
    for (int i = 0; i < 5000; ++i) {
        const Matrix34f m = i % 3 == 0 ? Matrix34f{} : random_matrix(random, true);
        const auto point = [&] {
            Vec3f p = lattice_point(random, 4);
            p.z = i % 2 == 0 ? 0.0f : p.x + p.y;
            return p;
        };
        const ExactTriangle triangle{&m, point(), point(), point()};
        comparison.check({&m, point(), point()}, triangle);
    }
    EXPECT_GT(comparison.hits, comparison.all * 3 / 10);
    EXPECT_LT(comparison.hits, comparison.all * 8 / 10);
}

TEST(EdgeTriangle, random_matrices_agree_with_rationals) {
    Random random(3);
    Comparison comparison;
    for (int i = 0; i < 3000; ++i) {
        const Matrix34f m = random_matrix(random, false), k = random_matrix(random, false);
        const auto point = [&] { return cast<float>(random.unit_vector()); };
        const ExactTriangle triangle{&k, point(), point(), point()};
        comparison.check({&m, point(), point()}, triangle);
    }
    EXPECT_GT(comparison.hits, comparison.all / 100);
}

/// The edge starts at a rounded point of the triangle, so hit and miss differ in the last bit.
TEST(EdgeTriangle, nearly_touching_cases_agree_with_rationals) {
    Random random(4);
    Comparison comparison;
    for (int i = 0; i < 3000; ++i) {
        Matrix34f m = random_matrix(random, false);
        if (i % 4 == 0)
            for (std::size_t k : {3u, 7u, 11u}) m.m[k] *= 1000.0f;
        const Vec3f a = cast<float>(random.unit_vector()), b = cast<float>(random.unit_vector()),
                    c = cast<float>(random.unit_vector());
        const float s = static_cast<float>(random.uniform()),
                    r = static_cast<float>(random.uniform()) * (1 - s);
        const Vec3f on = a + s * (b - a) + (i % 2 == 0 ? 0.0f : r) * (c - a);
        comparison.check({&m, on, cast<float>(random.unit_vector())}, {&m, a, b, c});
    }
    EXPECT_GT(comparison.hits, comparison.all / 10);
    EXPECT_LT(comparison.hits, comparison.all * 9 / 10);
}

TEST(EdgeTriangle, extreme_magnitudes_agree_with_rationals) {
    Random random(5);
    Comparison comparison;
    const float scale[] = {0x1p-149f, 0x1p-140f, 0x1p-75f, 1.0f, 0x1p30f, 0x1p60f};
    for (int i = 0; i < 3000; ++i) {
        Matrix34f m;
        for (std::size_t k : {0u, 5u, 10u}) m.m[k] = scale[random.below(6)];
        const auto point = [&] { return lattice_point(random, 3) * scale[random.below(6)]; };
        const ExactTriangle triangle{&m, point(), point(), point()};
        comparison.check({&m, point(), point()}, triangle);
    }
    EXPECT_GT(comparison.hits, comparison.all / 50);
}

TEST(EdgeTriangle, order_of_corners_and_ends_does_not_matter) {
    Random random(6);
    const Matrix34f one;
    for (int i = 0; i < 5000; ++i) {
        const auto point = [&] { return lattice_point(random, 4); };
        const Vec3f p = point(), q = point(), a = point(), b = point(), c = point();
        const bool want = intersect({&one, p, q}, {&one, a, b, c}).hit;
        for (const ExactTriangle& t :
             {ExactTriangle{&one, b, c, a}, {&one, c, a, b}, {&one, b, a, c}, {&one, c, b, a}}) {
            EXPECT_EQ(intersect({&one, p, q}, t).hit, want);
            EXPECT_EQ(intersect({&one, q, p}, t).hit, want);
        }
    }
}

TEST(EdgeTriangle, filter_decides_random_cases) {
    Random random(8);
    int decided = 0;
    constexpr int kCases = 10000;
    for (int i = 0; i < kCases; ++i) {
        const Vec3d p = random.unit_vector(), q = random.unit_vector(), a = random.unit_vector(),
                    b = random.unit_vector(), c = random.unit_vector();
        decided += filter_edge_triangle(p, q, a, b, c, 0x1p-52).sign != EdgeTriangleSign::unknown;
    }
    EXPECT_GT(decided, kCases - 10);
}

}  // namespace
}  // namespace claybox::collision
