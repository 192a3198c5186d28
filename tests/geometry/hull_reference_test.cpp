#include "collision/core/random.hpp"
#include "collision/geometry/hull/hull.hpp"
#include "tests/support/qhull.hpp"

#include <gtest/gtest.h>

#include <set>

namespace claybox::collision {
namespace {

std::set<std::array<float, 3>> vertex_set(const ConvexHull& hull) {
    std::set<std::array<float, 3>> out;
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) out.insert({hull.x[v], hull.y[v], hull.z[v]});
    return out;
}

double volume(const ConvexHull& hull) {
    double sum = 0;
    const Vec3d origin = cast<double>(hull.interior);
    for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
        const auto loop = hull.faces.polygon(f);
        const auto p = [&](std::size_t k) { return cast<double>(hull.faces.positions[loop[k]]) - origin; };
        for (std::size_t k = 1; k + 1 < loop.size(); ++k) sum += dot(p(0), cross(p(k), p(k + 1))) / 6;
    }
    return sum;
}

TEST(HullReference, qhull_finds_the_same_vertices_and_volume) {
    Random random(1);
    for (int i = 0; i < 60; ++i) {
        std::vector<Vec3f> points;
        const int n = 5 + 20 * i;
        for (int k = 0; k < n; ++k) {
            const Vec3d p = i % 2 == 0 ? random.unit_vector() : random.vector(0, 1);
            points.push_back(cast<float>(Vec3d{p.x, 0.7 * p.y, 0.5 * p.z}));
        }
        const test::QhullAnswer expected_hull = test::qhull(points);
        ASSERT_TRUE(expected_hull.ok);
        std::set<std::array<float, 3>> expected;
        for (const unsigned v : expected_hull.vertices)
            expected.insert({points[v].x, points[v].y, points[v].z});
        const auto hull = convex_hull(points);
        ASSERT_TRUE(hull);
        EXPECT_EQ(vertex_set(hull.value()), expected) << n;
        EXPECT_NEAR(volume(hull.value()), expected_hull.volume, 1e-12) << n;
    }
}

// Qhull merges nearly coplanar facets and may drop vertices, but the volume must agree.
TEST(HullReference, volumes_agree_for_sets_with_many_coplanar_points) {
    Random random(2);
    for (int i = 0; i < 60; ++i) {
        std::vector<Vec3f> points{{0, 0, 0}, {9, 0, 0}, {0, 9, 0}, {0, 0, 9}};
        for (int k = 0; k < 30; ++k)
            points.push_back({static_cast<float>(random.below(10)) / 3,
                              static_cast<float>(random.below(10)) / 3,
                              static_cast<float>(random.below(10)) * 0.7f});
        const test::QhullAnswer expected_hull = test::qhull(points);
        ASSERT_TRUE(expected_hull.ok);
        EXPECT_NEAR(volume(convex_hull(points).value()), expected_hull.volume, 1e-9);
    }
}

}  // namespace
}  // namespace claybox::collision
