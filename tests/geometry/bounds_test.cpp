#include "collision/geometry/bounds/bounds.hpp"

#include "collision/core/random.hpp"
#include "tests/support/rational.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace claybox::collision {
namespace {

using test::exact;
using test::exactly_transformed;
using test::Rational;
using test::Vec3r;

bool contains(const Aabb& box, const Vec3r& p) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (p[k] < Rational(box.min[k]) || p[k] > Rational(box.max[k])) return false;
    }
    return true;
}

Matrix34f random_matrix(Random& random, int i) {
    if (i % 2 == 0) {
        return to_matrix({random_rotation(random, -3, 3), random.unit_vector() * 100.0});
    }
    Matrix34f m;
    for (float& v : m.m) {
        const int exponent = static_cast<int>(random.below(60)) - 30;
        v = static_cast<float>(std::ldexp(random.uniform(-1, 1), exponent));
    }
    return m;
}

TEST(Bounds, transformed_boxes_contain_exactly_transformed_points_and_are_tight) {
    Random random(1);
    for (int i = 0; i < 400; ++i) {
        const Matrix34f m = random_matrix(random, i);
        std::vector<Vec3f> points;
        for (int k = 0; k < 6; ++k) points.push_back(cast<float>(random.vector(0, 3)));
        const Aabb local = bound(points), world = transform_aabb(m, local);
        for (const Vec3f& p : points) EXPECT_TRUE(contains(world, exactly_transformed(m, p)));
        Vec3r low, high;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3f p{corner & 1 ? local.max.x : local.min.x, corner & 2 ? local.max.y : local.min.y,
                          corner & 4 ? local.max.z : local.min.z};
            const Vec3r q = exactly_transformed(m, p);
            EXPECT_TRUE(contains(world, q));
            low = corner == 0 ? q : min(low, q);
            high = corner == 0 ? q : max(high, q);
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const auto gap =
                static_cast<double>(Rational(world.max[k]) - high[k] + low[k] - Rational(world.min[k]));
            const double size = std::fabs(world.max[k]) + std::fabs(world.min[k]);
            EXPECT_LE(gap, 4e-7 * size);
        }
    }
}

TEST(Bounds, bounding_sphere_contains_its_points_exactly) {
    Random random(2);
    for (int i = 0; i < 200; ++i) {
        std::vector<Vec3f> points;
        for (int k = 0; k < 20; ++k)
            points.push_back(
                cast<float>(random.unit_vector() * std::ldexp(1.0, i - 140) + Vec3d{i * 0.1, 0, 0}));
        const Sphere s = bounding_sphere(points);
        for (const Vec3f& p : points) {
            const Vec3r d = exact(p) - exact(s.centre);
            EXPECT_LE(dot(d, d), Rational(s.radius) * Rational(s.radius));
        }
    }
    EXPECT_EQ(bounding_sphere({}).radius, 0);
}

TEST(Bounds, growing_rounds_outward_and_empty_boxes_stay_empty) {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        Aabb box;
        box.add(cast<float>(random.unit_vector() * 100.0));
        box.add(cast<float>(random.unit_vector() * 1e-3));
        const auto margin = static_cast<float>(random.uniform(0, 1e-5));
        const Aabb big = grown(box, margin);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_LE(Rational(big.min[k]), Rational(box.min[k]) - Rational(margin));
            EXPECT_GE(Rational(big.max[k]), Rational(box.max[k]) + Rational(margin));
        }
    }
    EXPECT_TRUE(grown(Aabb{}, 1.0f).empty());
    EXPECT_TRUE(transform_aabb(Matrix34f{}, Aabb{}).empty());
    EXPECT_FALSE(overlap(Aabb{}, Aabb{{-1, -1, -1}, {1, 1, 1}}));
    EXPECT_TRUE(overlap(Aabb{{0, 0, 0}, {1, 1, 1}}, Aabb{{1, 1, 1}, {2, 2, 2}}));
}

}  // namespace
}  // namespace claybox::collision
