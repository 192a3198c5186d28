#include "collision/pairwise/gjk/simplex.hpp"

#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace claybox::collision {
namespace {

template <class T>
Simplex<T> simplex_of(std::initializer_list<Vec3<T>> points) {
    Simplex<T> s;
    for (const Vec3<T>& p : points) {
        const auto i = static_cast<std::uint32_t>(s.count);
        s.add({p, i, i});
    }
    return s;
}

/// v is the nearest point of the hull of `points` if and only if dot(v, p) >= dot(v, v) for all points and v
/// is the weighted sum of the reduced simplex.
template <class T>
void expect_nearest(const Simplex<T>& points, const Simplex<T>& reduced, const Vec3<T>& v, T tolerance) {
    T scale = 0, sum = 0;
    Vec3<T> blend{};
    for (int i = 0; i < points.count; ++i) scale = std::max(scale, length(points.point[i].w));
    for (int i = 0; i < points.count; ++i)
        EXPECT_GE(dot(v, points.point[i].w), dot(v, v) - tolerance * scale * scale);
    ASSERT_GE(reduced.count, 1);
    ASSERT_LE(reduced.count, 3);
    for (int i = 0; i < reduced.count; ++i) {
        EXPECT_GE(reduced.weight[i], T(0));
        sum += reduced.weight[i];
        blend += reduced.weight[i] * reduced.point[i].w;
    }
    EXPECT_NEAR(double(sum), 1.0, double(tolerance));
    EXPECT_LE(length(blend - v), tolerance * scale);
}

template <class T>
void every_subset() {
    const Vec3<T> corner[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    for (unsigned subset = 1; subset < 16; ++subset) {
        // In a regular tetrahedron around zero, the mean of a sub-simplex points outward, perpendicular to
        // its plane.
        const int size = std::popcount(subset);
        Vec3<T> mean{};
        for (unsigned i = 0; i < 4; ++i)
            if ((subset >> i & 1) != 0) mean += corner[i] / T(size);
        const Vec3<T> origin = size == 4 ? Vec3<T>{} : T(1.5) * mean;
        Simplex<T> s;
        for (std::uint32_t i = 0; i < 4; ++i) s.add({corner[i] - origin, i, i});
        const Vec3<T> nearest = reduce_to_nearest(s);
        EXPECT_EQ(s.count, size) << "subset " << subset;
        unsigned found = 0;
        for (int i = 0; i < s.count; ++i) {
            found |= 1u << s.point[i].a;
            EXPECT_NEAR(double(s.weight[i]), size < 4 ? 1.0 / size : 0.0, 1e-6);
        }
        EXPECT_EQ(found, subset);
        EXPECT_LE(length(nearest - (size == 4 ? Vec3<T>{} : T(-0.5) * mean)), T(1e-6));
    }
}

TEST(Simplex, finds_each_of_the_15_subsets_of_a_tetrahedron) {
    every_subset<float>();
    every_subset<double>();
}

TEST(Simplex, nearest_point_is_optimal_for_random_simplices) {
    Random random(21);
    int surrounded = 0;
    for (int round = 0; round < 20000; ++round) {
        Simplex<double> s;
        const Vec3d centre = random.vector(0, 1.5);
        const auto count = static_cast<std::uint32_t>(1 + random.below(4));
        for (std::uint32_t i = 0; i < count; ++i) s.add({centre + random.unit_vector(), i, i});
        Simplex<double> reduced = s;
        const Vec3d v = reduce_to_nearest(reduced);
        if (reduced.count == 4) {
            ++surrounded;
            EXPECT_EQ(v, Vec3d{});
            continue;
        }
        expect_nearest(s, reduced, v, 1e-11);
        if (HasFailure()) FAIL() << "round " << round;
    }
    EXPECT_GT(surrounded, 100);
}

TEST(Simplex, degenerate_simplices_reduce_to_their_span) {
    const auto check = [](const Simplex<double>& s) {
        Simplex<double> reduced = s;
        const Vec3d v = reduce_to_nearest(reduced);
        expect_nearest(s, reduced, v, 1e-12);
    };
    check(simplex_of<double>({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}));      // one point
    check(simplex_of<double>({{1, -1, 0}, {1, 0, 0}, {1, 2, 0}, {1, 4, 0}}));     // one line
    check(simplex_of<double>({{-1, -1, 1}, {3, -1, 1}, {-1, 3, 1}, {1, 1, 1}}));  // one plane
    check(simplex_of<double>({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));      // the origin as a corner
    check(simplex_of<double>({{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}}));                // the origin on an edge
    check(simplex_of<double>({{2, 0, 0}, {2, 0, 0}, {0, 2, 0}}));                 // a triangle of two points
}

TEST(Simplex, keeps_a_point_when_numbers_overflow) {
    const float big = 0x1p100f, inf = std::numeric_limits<float>::infinity();
    for (const Vec3f& p : {Vec3f{big, -big, big}, Vec3f{inf, 0, -inf}, Vec3f{NAN, 1, 2}}) {
        Simplex<float> s = simplex_of<float>({p, {1, 2, big}, {-big, 0, 1}, {3, -inf, 2}});
        reduce_to_nearest(s);
        EXPECT_GE(s.count, 1);
        EXPECT_LE(s.count, 4);
    }
}

}  // namespace
}  // namespace claybox::collision
