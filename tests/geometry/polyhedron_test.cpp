#include "collision/geometry/polyhedron.hpp"

#include "collision/geometry/classification.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

namespace claybox::collision {
namespace {

PolygonList list_of(std::vector<Vec3f> positions, const std::vector<std::vector<std::uint32_t>>& polygons) {
    PolygonList out;
    out.positions = std::move(positions);
    for (const auto& loop : polygons) out.add_polygon(loop);
    return out;
}

std::map<std::string, int> defect_counts(const Polyhedron& m) {
    std::map<std::string, int> out;
    for (const Defect& d : classify(m).defects) ++out[to_string(d.kind)];
    return out;
}

// Checks the invariants of any mesh, broken or not.
void expect_consistent(const Topology& t) {
    ASSERT_EQ(t.triangles.size(), t.half_edge_count() - 2 * std::size_t{t.polygon_count()});
    std::vector<std::uint32_t> uses(t.edges.size(), 0);
    for (std::uint32_t h = 0; h < t.half_edge_count(); ++h) {
        EXPECT_EQ(t.prev(t.next(h)), h);
        EXPECT_EQ(t.polygon_of[t.next(h)], t.polygon_of[h]);
        const std::uint32_t a = t.origin[h], b = t.origin[t.next(h)];
        if (t.edge_of[h] == kNoIndex) {
            EXPECT_EQ(a, b);
            continue;
        }
        const Edge& e = t.edges[t.edge_of[h]];
        EXPECT_EQ(e.vertices[0], std::min(a, b));
        EXPECT_EQ(e.vertices[1], std::max(a, b));
        ++uses[t.edge_of[h]];
        if (t.twin[h] == kNoIndex) continue;
        EXPECT_EQ(t.twin[t.twin[h]], h);
        EXPECT_EQ(t.origin[t.twin[h]], b);
        EXPECT_EQ(e.use_count, 2u);
    }
    for (std::size_t e = 0; e < uses.size(); ++e) EXPECT_EQ(uses[e], t.edges[e].use_count);
    for (std::uint32_t v = 0; v < t.vertex_count; ++v) {
        const auto around = t.polygons_around(v);
        EXPECT_TRUE(std::is_sorted(around.begin(), around.end()));
        EXPECT_EQ(around.empty(), t.vertex_first[v] == kNoIndex);
        if (!around.empty()) {
            EXPECT_EQ(t.origin[t.vertex_first[v]], v);
        }
        for (const std::uint32_t p : around) {
            const auto loop = t.loop(p);
            EXPECT_NE(std::find(loop.begin(), loop.end(), v), loop.end());
        }
    }
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p) {
        for (const Triangle& triangle : t.triangles_of(p)) EXPECT_EQ(triangle.polygon, p);
    }
}

TEST(Polyhedron, every_primitive_is_consistent) {
    for (int i = 0; i < kPrimitiveCount; ++i) {
        const auto built = build_polyhedron(make_primitive(static_cast<Primitive>(i), 200, 1));
        ASSERT_TRUE(built);
        expect_consistent(*built.value().topology);
        for (const std::uint32_t twin : built.value().topology->twin) EXPECT_NE(twin, kNoIndex);
    }
}

TEST(Polyhedron, equal_positions_are_merged_and_minus_zero_equals_zero) {
    const auto built = build_polyhedron(list_of(
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0f, 0, -0.0f}, {0, 1, 0}, {-1, 0, 0}}, {{0, 1, 2}, {3, 4, 5}}));
    ASSERT_TRUE(built);
    EXPECT_EQ(built.value().positions.size(), 4u);
    EXPECT_EQ(built.value().topology->edges.size(), 5u);
    EXPECT_FALSE(std::signbit(built.value().positions[0].x));
    expect_consistent(*built.value().topology);
}

TEST(Polyhedron, broken_meshes_are_accepted_and_their_defects_reported) {
    const auto built = build_polyhedron(
        list_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}, {9, 9, 9}},
                {{0, 1, 2}, {0, 1, 3}, {1, 0, 4}, {2, 1, 0}, {0, 0, 1}, {3, 3, 3}, {0, 1, 2, 3}}));
    ASSERT_TRUE(built);
    expect_consistent(*built.value().topology);
    const auto defects = defect_counts(built.value());
    EXPECT_GE(defects.at("nonmanifold_edge"), 1);
    EXPECT_GE(defects.at("flipped_edge"), 1);
    EXPECT_GE(defects.at("boundary_edge"), 1);
    EXPECT_EQ(defects.at("degenerate_polygon"), 2);
    EXPECT_EQ(defects.at("duplicate_polygon"), 1);
    EXPECT_EQ(defects.at("bent_polygon"), 1);
    EXPECT_EQ(defects.at("isolated_vertex"), 1);
}

TEST(Polyhedron, two_fans_at_a_vertex_are_reported) {
    // Two tetrahedra that share only a corner.
    const std::vector<std::vector<std::uint32_t>> faces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2},
                                                        {0, 4, 5}, {0, 6, 4}, {4, 6, 5}, {0, 5, 6}};
    const auto built = build_polyhedron(
        list_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, faces));
    ASSERT_TRUE(built);
    const Classification c = classify(built.value());
    EXPECT_TRUE(c.closed && c.manifold && c.oriented);
    EXPECT_FALSE(c.vertex_fans_ok);
    EXPECT_EQ(c.components, 2u);
    ASSERT_EQ(c.defects.size(), 1u);
    EXPECT_EQ(describe_location(c.defects[0]), "vertex 0");
}

TEST(Polyhedron, invalid_lists_are_errors) {
    const std::vector<Vec3f> p{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    EXPECT_FALSE(build_polyhedron(PolygonList{}));
    EXPECT_FALSE(build_polyhedron(list_of(p, {{0, 1, 3}})));
    EXPECT_FALSE(build_polyhedron(list_of(p, {{0, 1}})));
    EXPECT_FALSE(build_polyhedron(list_of({{0, 0, std::numeric_limits<float>::infinity()}}, {})));
    EXPECT_FALSE(build_polyhedron(list_of({{0, 0x1.1p60f, 0}}, {})));
    PolygonList torn = list_of(p, {{0, 1, 2}});
    torn.begin = {0, 100, 3};
    EXPECT_FALSE(build_polyhedron(torn));
    torn.begin = {1, 3};
    EXPECT_FALSE(build_polyhedron(torn));
    torn.begin.clear();
    EXPECT_FALSE(build_polyhedron(torn));
    EXPECT_EQ(build_polyhedron(list_of(p, {{0, 1, 3}})).error().message,
              "polygon 0 refers to vertex 3; expected 0 to 2");
    EXPECT_TRUE(build_polyhedron(list_of(p, {})));
}

// Every edge is convex and every polygon faces away from the centre, but the surface winds around it twice.
TEST(Convexity, a_surface_that_winds_twice_is_not_convex) {
    std::vector<Vec3f> points{{0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < 5; ++i)
        points.push_back(
            {static_cast<float>(std::cos(i * 1.2566)), static_cast<float>(std::sin(i * 1.2566)), 0});
    std::vector<std::vector<std::uint32_t>> once, twice;
    for (std::uint32_t i = 0; i < 5; ++i) {
        for (const std::uint32_t step : {1u, 2u}) {
            auto& faces = step == 1 ? once : twice;
            const std::uint32_t a = 2 + i, b = 2 + (i + step) % 5;
            faces.push_back({0, a, b});
            faces.push_back({1, b, a});
        }
    }
    EXPECT_TRUE(classify(build_polyhedron(list_of(points, once)).value()).convex);
    const Classification c = classify(build_polyhedron(list_of(points, twice)).value());
    EXPECT_EQ(c.genus, 0);
    EXPECT_FALSE(c.convex);
}

TEST(Convexity, convexity_is_decided_exactly) {
    // A cube with an extra vertex in the middle of its top: on the plane, one float step below, one above.
    const auto cube = [](float z) {
        return classify(build_polyhedron(list_of({{0, 0, 0},
                                                  {1, 0, 0},
                                                  {1, 1, 0},
                                                  {0, 1, 0},
                                                  {0, 0, 1},
                                                  {1, 0, 1},
                                                  {1, 1, 1},
                                                  {0, 1, 1},
                                                  {0.5f, 0.5f, z}},
                                                 {{3, 2, 1, 0},
                                                  {0, 1, 5, 4},
                                                  {1, 2, 6, 5},
                                                  {2, 3, 7, 6},
                                                  {3, 0, 4, 7},
                                                  {4, 5, 8},
                                                  {5, 6, 8},
                                                  {6, 7, 8},
                                                  {7, 4, 8}}))
                            .value());
    };
    EXPECT_TRUE(cube(1.0f).convex);
    EXPECT_TRUE(cube(std::nextafter(1.0f, 2.0f)).convex);
    EXPECT_FALSE(cube(std::nextafter(1.0f, 0.0f)).convex);
    EXPECT_EQ(cube(1.0f).genus, 0);
}

// A house with a triangle without area between the two slopes of its roof.
TEST(Convexity, a_reflex_edge_behind_a_triangle_without_area_is_found) {
    const auto house = [](float z) {
        return classify(build_polyhedron(list_of({{0, 0, 0},
                                                  {1, 0, 0},
                                                  {1, 1, 0},
                                                  {0, 1, 0},
                                                  {0, 0, 1},
                                                  {1, 0, 1},
                                                  {1, 1, 1},
                                                  {0, 1, 1},
                                                  {0.5f, 0, z},
                                                  {0.5f, 1, z},
                                                  {0.5f, 0.5f, z}},
                                                 {{3, 2, 1, 0},
                                                  {0, 1, 5, 8, 4},
                                                  {1, 2, 6, 5},
                                                  {2, 3, 7, 9, 6},
                                                  {3, 0, 4, 7},
                                                  {4, 8, 9, 7},
                                                  {8, 5, 6, 9, 10},
                                                  {8, 10, 9}}))
                            .value());
    };
    for (const float z : {1.0f, std::nextafter(1.0f, 2.0f), 1.5f}) {
        EXPECT_TRUE(house(z).convex) << z;
        EXPECT_EQ(house(z).degenerate_polygons, 1u);
        EXPECT_EQ(house(z).genus, 0);
    }
    EXPECT_FALSE(house(std::nextafter(1.0f, 0.0f)).convex);
    EXPECT_FALSE(house(0.5f).convex);
}

TEST(Convexity, flat_and_inverted_solids_are_classified) {
    const std::vector<Vec3f> p{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    EXPECT_TRUE(classify(build_polyhedron(list_of(p, {{0, 1, 2, 3}, {3, 2, 1, 0}})).value()).convex);
    PolygonList inside_out = make_primitive(Primitive::box, 10, 0);
    for (std::size_t i = 0; i < inside_out.polygon_count(); ++i)
        std::reverse(inside_out.indices.begin() + inside_out.begin[i],
                     inside_out.indices.begin() + inside_out.begin[i + 1]);
    EXPECT_FALSE(classify(build_polyhedron(inside_out).value()).convex);
}

}  // namespace
}  // namespace claybox::collision
