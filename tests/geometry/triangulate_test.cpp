#include "collision/geometry/polygons/triangulate.hpp"

#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"
#include "collision/geometry/polyhedron.hpp"
#include "collision/geometry/predicates.hpp"
#include "tests/support/obj_text.hpp"
#include "tests/support/rational.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace claybox::collision {
namespace {

using test::Rational;
using Indices = std::vector<std::uint32_t>;

Indices loop_of(std::size_t n) {
    Indices loop(n);
    std::iota(loop.begin(), loop.end(), 0u);
    return loop;
}

Indices cut(const std::vector<Vec3f>& positions, const Indices& loop) {
    Indices out;
    Triangulator().triangulate(positions, loop, out);
    EXPECT_EQ(out.size(), 3 * (loop.size() - 2));
    return out;
}

Rational doubled_area_z(const Vec3f& a, const Vec3f& b, const Vec3f& c) {
    return cross(test::exact(b) - test::exact(a), test::exact(c) - test::exact(a)).z;
}

// For polygons in a plane of constant z: all triangles have the orientation of the outline, none is flat, and
// their areas sum to the outline's area exactly. As their edges match in pairs, they cover the polygon once.
void expect_exact_cover(const std::vector<Vec3f>& positions, const Indices& loop) {
    const Indices out = cut(positions, loop);
    Rational outline = 0, sum = 0;
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
        outline += doubled_area_z(positions[loop[0]], positions[loop[k]], positions[loop[k + 1]]);
    for (std::size_t i = 0; i < out.size(); i += 3) {
        const Rational area = doubled_area_z(positions[out[i]], positions[out[i + 1]], positions[out[i + 2]]);
        EXPECT_EQ(area.sign(), outline.sign());
        sum += area;
    }
    EXPECT_EQ(sum, outline);
}

double area_z(const std::vector<Vec3f>& p, const Indices& triangles) {
    double sum = 0;
    for (std::size_t i = 0; i < triangles.size(); i += 3) {
        const Vec3d a = cast<double>(p[triangles[i]]);
        sum +=
            0.5 *
            std::fabs(cross(cast<double>(p[triangles[i + 1]]) - a, cast<double>(p[triangles[i + 2]]) - a).z);
    }
    return sum;
}

std::vector<Vec3f> star_outline(Random& random, std::size_t n, double low) {
    std::vector<Vec3f> points;
    for (std::size_t i = 0; i < n; ++i) {
        const SinCos a = sin_cos(2 * kPi * static_cast<double>(i) / static_cast<double>(n));
        const double r = random.uniform(low, 1);
        points.push_back(cast<float>(Vec3d{r * a.cos, r * a.sin, 0.5}));
    }
    return points;
}

TEST(Triangulation, covers_random_concave_polygons_exactly) {
    Random random(1);
    for (std::size_t n = 4; n < 60; ++n) {
        auto points = star_outline(random, n, n < 8 ? 0.6 : 0.1);
        expect_exact_cover(points, loop_of(n));
        Indices reversed = loop_of(n);
        std::reverse(reversed.begin(), reversed.end());
        expect_exact_cover(points, reversed);
    }
}

TEST(Triangulation, agrees_with_the_ground_truth) {
    for (const char* name : {"lshape_ngon", "dirty_keyhole_plate"}) {
        const auto dir = test::truth_dir() / "meshes";
        const auto polygons = build_polyhedron(test::read_obj(dir / (std::string(name) + ".obj")));
        const auto reference = build_polyhedron(test::read_obj(dir / (std::string(name) + ".tri.obj")));
        ASSERT_TRUE(polygons && reference);
        const auto inside = [](const Polyhedron& m, const Vec3f& q) {
            int count = 0;
            for (const Triangle& t : m.topology->triangles) {
                const Vec3f a = m.positions[t.vertices[0]], b = m.positions[t.vertices[1]],
                            c = m.positions[t.vertices[2]];
                const int s = orient_along(2, a, b, c);
                EXPECT_FALSE(collinear(a, b, c));
                if (s != 0 && a.z == q.z && b.z == q.z && c.z == q.z && orient_along(2, a, b, q) == s &&
                    orient_along(2, b, c, q) == s && orient_along(2, c, a, q) == s)
                    ++count;
            }
            return count;
        };
        EXPECT_EQ(polygons.value().topology->triangles.size(), reference.value().topology->triangles.size());
        Random random(2);
        for (int i = 0; i < 500; ++i) {
            const Vec3f q{static_cast<float>(random.uniform(-1, 1)),
                          static_cast<float>(random.uniform(-1, 1)), polygons.value().positions[0].z};
            EXPECT_EQ(inside(polygons.value(), q), inside(reference.value(), q)) << name;
        }
    }
}

TEST(Triangulation, handles_several_keyholes_and_touching_holes) {
    // A hole behind a bridge, a hole that touches the outline at a corner, and a hole that touches a side.
    const std::vector<Vec3f> p{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0},
                               {1, 3, 0}, {3, 3, 0}, {1, 1, 0}, {2, 0, 0}};
    expect_exact_cover(p, {0, 6, 4, 5, 6, 0, 1, 2, 3});
    expect_exact_cover(p, {0, 4, 5, 0, 1, 2, 3});
    expect_exact_cover(p, {0, 7, 4, 5, 7, 1, 2, 3});
    // Two square holes, connected by two bridges in a row.
    const std::vector<Vec3f> two{{0, 0, 0}, {9, 0, 0}, {9, 5, 0}, {0, 5, 0}, {1, 1, 0}, {1, 4, 0},
                                 {4, 4, 0}, {4, 1, 0}, {5, 1, 0}, {5, 4, 0}, {8, 4, 0}, {8, 1, 0}};
    expect_exact_cover(two, {0, 4, 5, 6, 7, 8, 9, 10, 11, 8, 7, 4, 0, 1, 2, 3});
}

TEST(Triangulation, straight_corners_give_no_flat_triangles) {
    // A square with an extra corner in the middle of each side.
    const std::vector<Vec3f> square{{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {2, 1, 1},
                                    {2, 2, 1}, {1, 2, 1}, {0, 2, 1}, {0, 1, 1}};
    expect_exact_cover(square, loop_of(8));
}

TEST(Triangulation, bent_convex_quadrangles_bulge_outward) {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        std::vector<Vec3f> p{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
        for (Vec3f& v : p) v.z = static_cast<float>(random.uniform(-0.1, 0.1));
        const Indices out = cut(p, loop_of(4));
        for (std::uint32_t v = 0; v < 4; ++v) EXPECT_LE(orient3d(p[out[0]], p[out[1]], p[out[2]], p[v]), 0);
    }
}

TEST(Triangulation, handles_crossing_bent_and_flat_polygons) {
    Random random(4);
    for (std::size_t n = 3; n < 200; n += 7) {
        std::vector<Vec3f> points;
        for (std::size_t k = 0; k < n; ++k) points.push_back(cast<float>(random.unit_vector()));
        cut(points, loop_of(n));
        for (Vec3f& p : points) p.z = p.y = 0;
        cut(points, loop_of(n));
        for (Vec3f& p : points) p = {1, 1, 1};
        cut(points, loop_of(n));
    }
    const std::vector<Vec3f> p{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}};
    cut(p, {0, 1, 2, 3});
    cut(p, {0, 0, 1, 1, 2, 2});
    cut(p, {0, 1, 0, 1, 0, 1});
}

TEST(Triangulation, large_polygons_are_triangulated) {
    Random random(5);
    // A convex polygon, a star with many spikes, a comb, and a polygon that crosses itself.
    std::vector<Vec3f> convex;
    for (int i = 0; i < 50000; ++i) {
        const float x = static_cast<float>(i - 25000);
        convex.push_back({x, x * x * 1e-5f, 0});
    }
    EXPECT_EQ(cut(convex, loop_of(convex.size())).size(), 3u * 49998);
    const auto star = star_outline(random, 20000, 0.5);
    const Indices triangles = cut(star, loop_of(star.size()));
    double outline = 0;
    for (std::size_t k = 0; k < star.size(); ++k)
        outline += 0.5 * cross(cast<double>(star[k]), cast<double>(star[(k + 1) % star.size()])).z;
    EXPECT_NEAR(area_z(star, triangles), outline, 1e-9);
    std::vector<Vec3f> comb;
    for (int i = 0; i < 10000; ++i) {
        const auto x = static_cast<float>(i);
        comb.push_back({x, 0, 0});
        comb.push_back({x + 0.5f, 100, 0});
    }
    comb.push_back({10000, -1, 0});
    comb.push_back({0, -1, 0});
    EXPECT_NEAR(area_z(comb, cut(comb, loop_of(comb.size()))), 0.5 * (9999.5) * 100 + 10000, 600);
    std::vector<Vec3f> tangle;
    for (int i = 0; i < 5000; ++i) tangle.push_back(cast<float>(random.unit_vector()));
    cut(tangle, loop_of(tangle.size()));
}

// After each such ear all corners were queued again, without a limit.
// A search that starts again at each vertex would exceed the time limit of a test.
TEST(Triangulation, an_outline_that_repeats_a_vertex_many_times_is_cut) {
    const std::vector<Vec3f> positions{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    Indices loop(65534, 0u);
    loop.insert(loop.end(), {1, 2});
    cut(positions, loop);
}

TEST(Outline, convex_outlines_are_distinguished_from_stars_and_spikes) {
    const std::vector<Vec3f> square{{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {0, 0, 1}};
    const OutlineKind kind = outline_kind(square, loop_of(4));
    EXPECT_TRUE(kind.convex);
    EXPECT_EQ(kind.axis, 0u);
    EXPECT_EQ(kind.orientation, 1);
    std::vector<Vec3f> pentagram;
    for (int i = 0; i < 5; ++i) {
        const SinCos a = sin_cos(4 * kPi * i / 5);
        pentagram.push_back(cast<float>(Vec3d{a.cos, a.sin, 0}));
    }
    EXPECT_FALSE(outline_kind(pentagram, loop_of(5)).convex);  // every corner turns left, but twice around
    const std::vector<Vec3f> spike{{0, 0, 0}, {2, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    EXPECT_FALSE(outline_kind(spike, loop_of(5)).convex);
}

}  // namespace
}  // namespace claybox::collision
