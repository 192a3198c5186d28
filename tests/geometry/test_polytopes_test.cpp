// The polytopes of the papers' experiments: hulls of random points on an ellipsoid, a rod and a plate.

#include "collision/geometry/primitives/primitives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace claybox::collision {
namespace {

/// Half axes relative to the radius; see docs/explanation/geometry.md. The paper does not state them.
struct Kind {
    Primitive primitive;
    Vec3d half_axes;
};
constexpr Kind kKinds[] = {{Primitive::ellipsoid_hull, {1, 0.7, 0.5}},
                           {Primitive::rod_hull, {1, 0.1, 0.1}},
                           {Primitive::plate_hull, {1, 1, 0.1}}};

TEST(TestPolytopes, CW_6_shapes_have_exactly_the_requested_number_of_vertices) {
    for (const Kind& kind : kKinds)
        for (const std::uint32_t n : {10u, 17u, 20u, 50u, 100u, 250u, 500u, 1000u})
            for (const std::uint64_t seed : {1u, 2u, 3u}) {
                const auto shape = make_primitive_shape(kind.primitive, n, 1.5f, seed);
                ASSERT_TRUE(shape.ok()) << shape.error().text();
                ASSERT_NE(shape.value()->hull(), nullptr);
                EXPECT_EQ(shape.value()->hull()->vertex_count, n) << info(kind.primitive).id << " " << seed;
                EXPECT_EQ(shape.value()->topology().vertex_count, n);
            }
}

TEST(TestPolytopes, CW_6_shapes_have_vertices_on_ellipsoids_with_the_documented_half_axes) {
    constexpr double kRadius = 2;
    for (const Kind& kind : kKinds) {
        const ShapePtr shape = make_primitive_shape(kind.primitive, 1000, kRadius, 4).value();
        Vec3d reach;
        for (const Vec3f& p : shape->geometry().positions) {
            double square = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                reach[k] = std::max(reach[k], std::abs(static_cast<double>(p[k])));
                square += std::pow(static_cast<double>(p[k]) / (kRadius * kind.half_axes[k]), 2);
            }
            EXPECT_NEAR(square, 1, 1e-5) << info(kind.primitive).id;
        }
        // Random points come close to the ends of the axes but do not exceed them.
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_LE(reach[k], kRadius * kind.half_axes[k]);
            EXPECT_GE(reach[k], 0.97 * kRadius * kind.half_axes[k]);
        }
    }
}

TEST(TestPolytopes, CW_6_shapes_depend_on_the_seed_only) {
    for (const Kind& kind : kKinds) {
        const auto content = [&](std::uint64_t seed) {
            return make_primitive_shape(kind.primitive, 60, 1, seed).value()->geometry().content;
        };
        EXPECT_EQ(content(7), content(7));
        EXPECT_NE(content(7), content(8));
    }
}

}  // namespace
}  // namespace claybox::collision
