#include "collision/geometry/hull/hull_check.hpp"

#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace claybox::collision {
namespace {

std::vector<Vec3f> ball_points(int n, bool inside) {
    Random random(7);
    std::vector<Vec3f> points;
    for (int i = 0; i < n; ++i)
        points.push_back(cast<float>(inside ? random.vector(0, 1) : random.unit_vector()));
    return points;
}

ConvexHull hull_of(const std::vector<Vec3f>& points) {
    auto hull = convex_hull(points);
    EXPECT_TRUE(hull.ok());
    return std::move(hull).value();
}

void set_vertex(ConvexHull& hull, std::uint32_t v, const Vec3f& p) {
    hull.x[v] = p.x;
    hull.y[v] = p.y;
    hull.z[v] = p.z;
    hull.faces.positions[v] = p;
}

std::string check_error(const ConvexHull& hull, const std::vector<Vec3f>& points) {
    const Status status = check_hull(hull, points);
    return status ? "" : status.error().message;
}

TEST(HullCheck, accepts_every_hull_of_convex_hull) {
    for (const int n : {4, 10, 100, 2000}) {
        for (const bool inside : {false, true}) {
            const auto points = ball_points(n, inside);
            EXPECT_EQ(check_error(hull_of(points), points), "");
        }
    }
}

TEST(HullCheck, rejects_a_point_one_ulp_outside) {
    std::vector<Vec3f> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.25f, 0.25f, 0.25f}};
    const ConvexHull hull = hull_of(points);
    points.push_back({0.5f, 0.25f, 0.25f});  // on a face
    EXPECT_EQ(check_error(hull, points), "");
    points.back().x = std::nextafter(0.5f, 1.0f);
    EXPECT_NE(check_error(hull, points).find("a point lies outside"), std::string::npos);
    points.back() = {-0x1p-149f, 0, 0};
    EXPECT_NE(check_error(hull, points).find("a point lies outside"), std::string::npos);
}

TEST(HullCheck, rejects_every_hull_with_a_missing_vertex) {
    auto points = ball_points(60, false);
    for (std::size_t i = 0; i < points.size(); ++i) {
        auto fewer = points;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_NE(check_error(hull_of(fewer), points), "") << i;
    }
}

TEST(HullCheck, rejects_a_broken_solid) {
    const auto points = ball_points(50, false);
    const ConvexHull good = hull_of(points);
    ConvexHull bad = good;
    auto pulled = points;
    const Vec3f middle{};
    // The input has the same dent, so only the convexity of the edges reveals it.
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i] == good.vertex(3)) pulled[i] = middle;
    }
    set_vertex(bad, 3, middle);
    EXPECT_NE(check_error(bad, pulled).find("ridge"), std::string::npos) << check_error(bad, pulled);
    bad = good;
    set_vertex(bad, 3, {2, 2, 2});
    EXPECT_NE(check_error(bad, points).find("not an input point"), std::string::npos);
    bad = good;
    bad.faces.indices.resize(bad.faces.indices.size() - 3);
    bad.faces.begin.pop_back();
    EXPECT_NE(check_error(bad, points).find("closed surface"), std::string::npos);
    bad = good;
    std::swap(bad.faces.indices[0], bad.faces.indices[1]);
    EXPECT_NE(check_error(bad, points).find("closed surface"), std::string::npos);
    bad = good;
    bad.neighbours[0] = 0;
    EXPECT_NE(check_error(bad, points).find("neighbours"), std::string::npos);
    bad = good;
    bad.x[1] += 1;
    EXPECT_NE(check_error(bad, points), "");
    // Invert all faces.
    bad = good;
    for (std::size_t i = 0; i < bad.faces.indices.size(); i += 3)
        std::swap(bad.faces.indices[i], bad.faces.indices[i + 1]);
    EXPECT_NE(check_error(bad, points), "");
}

// All edges are convex and the surface is closed with genus 0, but it winds around twice.
TEST(HullCheck, rejects_a_hull_that_winds_twice) {
    std::vector<Vec3f> points{{0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < 5; ++i)
        points.push_back(
            {static_cast<float>(std::cos(i * 1.2566)), static_cast<float>(std::sin(i * 1.2566)), 0});
    ConvexHull hull = hull_of(points);
    ASSERT_EQ(hull.vertex_count, 7u);
    PolygonList faces;
    faces.positions = hull.faces.positions;
    for (std::uint32_t i = 0; i < 5; ++i) {
        const std::uint32_t a = 2 + i, b = 2 + (i + 2) % 5;
        faces.add_polygon(std::vector<std::uint32_t>{0, a, b});
        faces.add_polygon(std::vector<std::uint32_t>{1, b, a});
    }
    hull.faces = faces;
    EXPECT_NE(check_error(hull, points).find("outside"), std::string::npos) << check_error(hull, points);
}

TEST(HullCheck, rejects_broken_hulls_of_lower_dimension) {
    const std::vector<Vec3f> square{{0, 0, 5}, {2, 0, 5}, {2, 2, 5}, {0, 2, 5}, {1, 1, 5}};
    ConvexHull flat = hull_of(square);
    ASSERT_EQ(flat.dimension, 2);
    auto more = square;
    more.push_back({2, 1, 5});  // on the rim
    EXPECT_EQ(check_error(flat, more), "");
    more.back() = {std::nextafter(2.0f, 3.0f), 1, 5};
    EXPECT_NE(check_error(flat, more).find("outside"), std::string::npos);
    more.back() = {1, 1, std::nextafter(5.0f, 6.0f)};
    EXPECT_NE(check_error(flat, more).find("plane"), std::string::npos);
    std::swap(flat.faces.indices[0], flat.faces.indices[1]);
    EXPECT_NE(check_error(flat, square), "");
    const std::vector<Vec3f> line{{0, 0, 0}, {1, 1, 1}, {3, 3, 3}};
    const ConvexHull segment = hull_of(line);
    ASSERT_EQ(segment.dimension, 1);
    auto longer = line;
    longer.push_back({std::nextafter(3.0f, 4.0f), 3, 3});
    EXPECT_NE(check_error(segment, longer).find("outside"), std::string::npos);
    longer.back() = {-1, -1, -1};
    EXPECT_NE(check_error(segment, longer).find("outside"), std::string::npos);
    const ConvexHull point = hull_of({{1, 2, 3}});
    EXPECT_EQ(check_error(point, {{1, 2, 3}, {1, 2, 3}}), "");
    EXPECT_NE(check_error(point, {{1, 2, 3}, {1, 2, 4}}), "");
}

// If no double is inside the hull, all points are compared with all faces.
TEST(HullCheck, checks_solids_thinner_than_double_resolves) {
    const float e = 0x1p-100f;
    const std::vector<Vec3f> thin{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5f, 0.5f, e}};
    const ConvexHull hull = hull_of(thin);
    EXPECT_EQ(hull.dimension, 3);
    auto more = thin;
    more.push_back({0.5f, 0.5f, std::nextafter(e, 1.0f)});
    EXPECT_NE(check_error(hull, more).find("outside"), std::string::npos);
    const std::vector<Vec3f> skew{
        {0.1f, 0.2f, 0.3f}, {1.1f, 0.3f, 0.7f}, {0.3f, 1.3f, 0.9f}, {0.7f, 0.8f, 0.8f}, {0.9f, 0.85f, 0.89f}};
    EXPECT_EQ(check_error(hull_of(skew), skew), "");
}

}  // namespace
}  // namespace claybox::collision
