#include "collision/geometry/hull/hull.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/classification.hpp"
#include "collision/geometry/predicates.hpp"
#include "tests/support/rational.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace claybox::collision {
namespace {

using Key = std::array<float, 3>;

Key key(const Vec3f& p) {
    return {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};
}

// Checks that every point is on or behind every face, that the faces are closed, oriented, planar and convex,
// and that the vertices are input points.
void expect_valid_hull(const std::vector<Vec3f>& points, const ConvexHull& hull, const std::string& what) {
    std::set<Key> input;
    for (const Vec3f& p : points) input.insert(key(p));
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v)
        EXPECT_TRUE(input.count(key(hull.vertex(v)))) << what;
    ASSERT_EQ(hull.x.size() % 16, 0u);
    for (std::size_t v = hull.vertex_count; v < hull.x.size(); ++v) EXPECT_EQ(hull.x[v], hull.x[0]);
    if (hull.dimension < 2) return;
    const auto built = build_polyhedron(hull.faces);
    ASSERT_TRUE(built) << what;
    const Classification c = classify(built.value());
    EXPECT_TRUE(c.closed && c.manifold && c.oriented && c.planar_polygons && c.convex_polygons && c.convex)
        << what;
    EXPECT_EQ(c.vertices, hull.vertex_count) << what;
    for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
        const auto loop = hull.faces.polygon(f);
        const auto p = [&](std::size_t k) { return hull.faces.positions[loop[k]]; };
        for (const Vec3f& q : points) {
            ASSERT_LE(orient3d(p(0), p(1), p(2), q), 0) << what;
            // The predicate has its own test against rationals. Check it again here for small sets.
            if (points.size() <= 30) {
                ASSERT_LE(test::exact_orient3d(p(0), p(1), p(2), q), 0) << what;
            }
        }
        for (std::size_t k = 0; k < loop.size(); ++k) {
            EXPECT_FALSE(collinear(p(k), p((k + 1) % loop.size()), p((k + 2) % loop.size()))) << what;
        }
    }
}

std::uint32_t climb(const ConvexHull& hull, const Vec3d& direction) {
    std::uint32_t v = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (std::uint32_t i = hull.neighbour_begin[v]; i < hull.neighbour_begin[v + 1]; ++i) {
            const std::uint32_t w = hull.neighbours[i];
            if (dot(direction, cast<double>(hull.vertex(w))) <= dot(direction, cast<double>(hull.vertex(v))))
                continue;
            v = w;
            moved = true;
            break;
        }
    }
    return v;
}

void expect_climbing_finds_the_support(const ConvexHull& hull, Random& random) {
    for (int i = 0; i < 20; ++i) {
        const Vec3d d = random.unit_vector();
        double best = -1e300;
        for (std::uint32_t v = 0; v < hull.vertex_count; ++v)
            best = std::max(best, dot(d, cast<double>(hull.vertex(v))));
        EXPECT_EQ(dot(d, cast<double>(hull.vertex(climb(hull, d)))), best);
    }
}

TEST(Hull, contains_random_points_exactly) {
    Random random(1);
    for (int i = 0; i < 60; ++i) {
        std::vector<Vec3f> points;
        const Vec3d half{1, i % 3 == 0 ? 1e-4 : 1.0, i % 5 == 0 ? 1e-6 : 1.0};
        const Vec3d shift = i % 4 == 0 ? Vec3d{1000, -500, 3} : Vec3d{};
        for (int k = 0; k < 4 + i; ++k) {
            Vec3d p = random.unit_vector();
            if (i % 2 == 0) p *= random.uniform();
            points.push_back(cast<float>(Vec3d{p.x * half.x, p.y * half.y, p.z * half.z} + shift));
        }
        const auto hull = convex_hull(points);
        ASSERT_TRUE(hull);
        expect_valid_hull(points, hull.value(), "random " + std::to_string(i));
        expect_climbing_finds_the_support(hull.value(), random);
    }
}

TEST(Hull, coplanar_facets_are_merged_and_non_corners_dropped) {
    std::vector<Vec3f> points;
    for (int i = 0; i < 125; ++i) points.push_back(cast<float>(Vec3<int>{i % 5, i / 5 % 5, i / 25}));
    points.insert(points.end(), points.begin(), points.end());
    const auto hull = convex_hull(points);
    ASSERT_TRUE(hull);
    EXPECT_EQ(hull.value().vertex_count, 8u);
    EXPECT_EQ(hull.value().faces.polygon_count(), 6u);
    EXPECT_EQ(hull.value().neighbours.size(), 24u);
    expect_valid_hull(points, hull.value(), "grid");
}

TEST(Hull, degenerate_grid_points_are_exact) {
    Random random(5);
    for (int i = 0; i < 300; ++i) {
        std::vector<Vec3f> points;
        const auto n = 4 + random.below(20), side = 2 + random.below(3);
        for (std::uint64_t k = 0; k < n; ++k)
            points.push_back(Vec3f{static_cast<float>(random.below(side)),
                                   static_cast<float>(random.below(side)),
                                   static_cast<float>(random.below(side))});
        const auto hull = convex_hull(points);
        ASSERT_TRUE(hull);
        expect_valid_hull(points, hull.value(), "small grid " + std::to_string(i));
    }
}

TEST(Hull, hull_has_the_dimension_of_its_points) {
    const auto of = [](const std::vector<Vec3f>& points) { return convex_hull(points).value(); };
    const ConvexHull point = of({{1, 2, 3}, {1, 2, 3}});
    EXPECT_EQ(point.dimension, 0);
    EXPECT_EQ(point.vertex_count, 1u);
    EXPECT_EQ(point.interior, (Vec3f{1, 2, 3}));
    const ConvexHull segment = of({{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {-1, -1, -1}, {-0.0f, 0, 0}});
    EXPECT_EQ(segment.dimension, 1);
    EXPECT_EQ(segment.vertex_count, 2u);
    EXPECT_EQ(segment.neighbours, (std::vector<std::uint32_t>{1, 0}));
    const ConvexHull flat = of({{0, 0, 5}, {2, 0, 5}, {1, 0, 5}, {2, 2, 5}, {0, 2, 5}, {1, 1, 5}});
    EXPECT_EQ(flat.dimension, 2);
    EXPECT_EQ(flat.vertex_count, 4u);
    EXPECT_EQ(flat.faces.polygon_count(), 2u);
    // One point a float step off the plane makes the hull a solid.
    EXPECT_EQ(of({{0, 0, 5}, {2, 0, 5}, {2, 2, 5}, {0, 2, 5}, {1, 1, std::nextafter(5.0f, 6.0f)}}).dimension,
              3);
}

TEST(Hull, flat_sets_of_every_orientation_are_exact) {
    Random random(6);
    for (int i = 0; i < 100; ++i) {
        // Integer combinations of two integer vectors lie exactly in a plane.
        const auto small = [&] { return static_cast<double>(random.below(9)) - 4; };
        const Vec3d u{small(), small(), small()}, v{small(), small(), small()};
        std::vector<Vec3f> points;
        for (int k = 0; k < 20; ++k) points.push_back(cast<float>(small() * u + small() * v));
        const auto hull = convex_hull(points);
        ASSERT_TRUE(hull);
        EXPECT_LE(hull.value().dimension, 2);
        if (hull.value().dimension == 2) expect_valid_hull(points, hull.value(), "flat");
    }
}

TEST(Hull, invalid_points_are_errors) {
    EXPECT_FALSE(convex_hull({}));
    EXPECT_FALSE(convex_hull(std::vector<Vec3f>{{0, 0, std::nanf("")}}));
    EXPECT_FALSE(convex_hull(std::vector<Vec3f>{{0, 0x1.1p60f, 0}}));
}

TEST(Hull, hulls_of_the_ground_truth_shapes_are_correct) {
    const auto lines = test::truth_lines("convex.jsonl");
    std::size_t checked = 0;
    const std::size_t step = lines.size() > 1000 ? 23 : 1;
    for (std::size_t i = 0; i < lines.size(); i += step) {
        for (const char* which : {"a", "b"}) {
            std::vector<Vec3f> points;
            for (const auto& p : lines[i][which]["points"])
                points.push_back(cast<float>(Vec3d{p[0], p[1], p[2]}));
            if (points.size() > 200) continue;
            const auto hull = convex_hull(points);
            ASSERT_TRUE(hull);
            expect_valid_hull(points, hull.value(), lines[i]["id"].dump() + which);
            ++checked;
        }
    }
    if (lines.empty()) GTEST_SKIP() << "no ground truth";
    EXPECT_GT(checked, lines.size() / step);
}

}  // namespace
}  // namespace claybox::collision
