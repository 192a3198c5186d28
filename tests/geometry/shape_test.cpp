#include "collision/geometry/shape.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/support/obj_text.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace claybox::collision {
namespace {

void expect_same(const Geometry& a, const Geometry& b) {
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.polygon_boxes, b.polygon_boxes);
    EXPECT_EQ(a.box, b.box);
}

std::vector<VertexChange> random_changes(Random& random, const Geometry& g) {
    std::vector<VertexChange> changes;
    const auto count = 1 + random.below(5);
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto v = static_cast<std::uint32_t>(random.below(g.positions.size()));
        changes.push_back({v, g.positions[v] + cast<float>(random.unit_vector() * 0.3)});
    }
    return changes;
}

TEST(Deform, deform_equals_a_rebuild) {
    Random random(1);
    for (const char* mesh :
         {"torus.obj", "dirty_degenerate_torus.obj", "dirty_fins.obj", "lshape_ngon.obj"}) {
        auto built = build_polyhedron(test::read_obj(test::truth_dir() / "meshes" / mesh));
        ASSERT_TRUE(built);
        Geometry g = make_geometry(std::move(built).value());
        std::vector<std::uint32_t> touched;
        for (int round = 0; round < 30; ++round) {
            const Geometry before = g;
            ASSERT_TRUE(deform(g, random_changes(random, g), touched));
            EXPECT_EQ(g.version, before.version + 1);
            const Geometry rebuilt = make_geometry(Polyhedron{g.topology, g.positions});
            expect_same(g, rebuilt);
            EXPECT_EQ(g.content, rebuilt.content);
            EXPECT_NE(g.content, before.content);
            EXPECT_TRUE(std::is_sorted(touched.begin(), touched.end()));
            EXPECT_EQ(std::adjacent_find(touched.begin(), touched.end()), touched.end());
            for (std::uint32_t p = 0; p < g.topology->polygon_count(); ++p) {
                const bool named = std::binary_search(touched.begin(), touched.end(), p);
                EXPECT_TRUE(named || g.polygon_boxes[p] == before.polygon_boxes[p]);
            }
        }
    }
}

TEST(Deform, of_several_positions_of_a_vertex_the_last_one_counts) {
    const ShapePtr shape = make_primitive_shape(Primitive::box, 10, 1.0f, 0).value();
    Geometry g = make_geometry(Polyhedron{shape->geometry().topology, shape->geometry().positions});
    const Vec3f middle = g.box.centre();
    const auto inner = static_cast<std::uint32_t>(g.positions.size() - 1);
    std::vector<std::uint32_t> touched;
    const VertexChange inwards[] = {{inner, middle}};
    ASSERT_TRUE(deform(g, inwards, touched));
    const VertexChange out_and_back[] = {{inner, {9, -9, 9}}, {inner, middle}};
    ASSERT_TRUE(deform(g, out_and_back, touched));
    const Geometry rebuilt = make_geometry(Polyhedron{g.topology, g.positions});
    expect_same(g, rebuilt);
    EXPECT_EQ(g.content, rebuilt.content);
}

TEST(Deform, invalid_changes_are_errors_and_change_nothing) {
    Geometry g = make_primitive_shape(Primitive::box, 10, 1.0f, 0).value()->geometry();
    const Geometry before = g;
    std::vector<std::uint32_t> touched;
    const auto expect_error = [&](VertexChange bad) {
        const VertexChange changes[2] = {{0, {5, 5, 5}}, bad};
        EXPECT_FALSE(deform(g, changes, touched));
        expect_same(g, before);
        EXPECT_EQ(g.version, before.version);
        EXPECT_EQ(g.content, before.content);
        EXPECT_TRUE(touched.empty());
    };
    expect_error({1000, {0, 0, 0}});
    expect_error({1, {0, std::nanf(""), 0}});
    expect_error({1, {0, 0, 0x1.1p60f}});
}

// All fields, of which the hull's are known without a decision.
void expect_same(const Classification& a, const Classification& b) {
    const auto numbers = [](const Classification& c) {
        return std::tuple(c.vertices, c.edges, c.polygons, c.triangles, c.components, c.component_vertices,
                          c.genus, c.degenerate_polygons, c.boundary_edges, c.nonmanifold_edges,
                          c.keyhole_polygons, c.largest_bend, c.defects.size());
    };
    const auto kinds = [](const Classification& c) {
        return std::tuple(c.closed, c.manifold, c.oriented, c.planar_polygons, c.convex_polygons, c.convex,
                          c.vertex_fans_ok);
    };
    EXPECT_EQ(numbers(a), numbers(b));
    EXPECT_EQ(kinds(a), kinds(b));
}

// Four to 23 points, on a sphere or on a small grid, where many are coplanar, collinear or equal.
std::vector<Vec3f> random_points(Random& random, bool on_grid) {
    std::vector<Vec3f> points;
    const auto count = 4 + random.below(20), side = 2 + random.below(3);
    const auto coordinate = [&] { return static_cast<float>(random.below(side)) - 1; };
    for (std::uint64_t k = 0; k < count; ++k) {
        if (on_grid) {
            const float x = coordinate(), y = coordinate(), z = coordinate();
            points.push_back({x, y, z});
        } else {
            points.push_back(cast<float>(random.unit_vector()));
        }
    }
    return points;
}

TEST(Shape, shape_of_a_hull_equals_the_shape_of_its_faces) {
    Random random(9);
    for (int i = 0; i < 400; ++i) {
        const auto shape = Shape::from_hull(random_points(random, i % 2 == 0));
        ASSERT_TRUE(shape);
        const ConvexHull& hull = *shape.value()->hull();
        if (hull.dimension < 3) continue;
        const auto built = build_polyhedron(hull.faces);
        ASSERT_TRUE(built);
        expect_same(shape.value()->classification(), classify(built.value()));
        const Topology &a = shape.value()->topology(), &b = *built.value().topology;
        EXPECT_EQ(a.twin, b.twin);
        EXPECT_EQ(a.edge_of, b.edge_of);
        EXPECT_EQ(a.vertex_first, b.vertex_first);
        EXPECT_EQ(a.triangle_begin, b.triangle_begin);
        EXPECT_EQ(a.vertex_polygons, b.vertex_polygons);
        EXPECT_EQ(a.outlines.size(), b.outlines.size());
        const auto from_faces = Shape::from_polygons(hull.faces);
        ASSERT_TRUE(from_faces);
        expect_same(shape.value()->geometry(), from_faces.value()->geometry());
        // The content covers the triangles and the hull.
        EXPECT_EQ(shape.value()->geometry().content, from_faces.value()->geometry().content);
    }
}

TEST(Shape, shape_has_a_hull_if_and_only_if_convex) {
    const auto ball = Shape::from_polygons(test::read_obj(test::truth_dir() / "meshes" / "ball.obj"), "ball");
    ASSERT_TRUE(ball);
    EXPECT_EQ(ball.value()->name(), "ball");
    ASSERT_NE(ball.value()->hull(), nullptr);
    EXPECT_EQ(ball.value()->hull()->vertex_count, 162u);
    const auto torus = Shape::from_polygons(test::read_obj(test::truth_dir() / "meshes" / "torus.obj"));
    ASSERT_TRUE(torus);
    EXPECT_EQ(torus.value()->hull(), nullptr);
    EXPECT_GT(torus.value()->memory_bytes(), 288 * sizeof(Vec3f));
}

TEST(Shape, keeps_a_limited_number_of_defects) {
    // Rounding bends almost every quadrangle of a sphere.
    const PolygonList sphere = make_primitive(Primitive::uv_sphere, 4000, 1);
    const std::vector<Defect> all = classify(build_polyhedron(sphere).value()).defects;
    ASSERT_GT(all.size(), Shape::kMaxKeptDefects);
    const ShapePtr shape = Shape::from_polygons(sphere).value();
    const std::vector<Defect>& kept = shape->classification().defects;
    ASSERT_EQ(kept.size(), Shape::kMaxKeptDefects);
    EXPECT_EQ(kept.back().first, all[kept.size() - 1].first);
}

TEST(Shape, from_hull_accepts_sets_of_every_dimension) {
    const std::vector<Vec3f> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1f, 0.1f, 0.1f}};
    const std::uint32_t polygons[] = {1, 1, 2, 4};
    for (std::size_t n = 1; n <= 4; ++n) {
        const auto shape = Shape::from_hull(std::span(points).first(n));
        ASSERT_TRUE(shape);
        ASSERT_NE(shape.value()->hull(), nullptr);
        EXPECT_EQ(shape.value()->hull()->dimension, static_cast<int>(n) - 1);
        EXPECT_EQ(shape.value()->topology().polygon_count(), polygons[n - 1]);
        EXPECT_TRUE(shape.value()->classification().convex);
        EXPECT_EQ(shape.value()->geometry().positions.size(), n);
    }
    EXPECT_EQ(Shape::from_hull(points).value()->geometry().positions.size(), 4u);
    EXPECT_FALSE(Shape::from_hull({}));
    EXPECT_FALSE(Shape::from_polygons({}));
}

TEST(Shape, normals_are_outward_unit_vectors_far_from_the_origin) {
    PolygonList list = make_primitive(Primitive::box, 10, 0);
    for (Vec3f& p : list.positions) p += Vec3f{1000, 2000, -500};
    const auto shape = Shape::from_polygons(list);
    ASSERT_TRUE(shape);
    const Geometry& g = shape.value()->geometry();
    for (std::uint32_t p = 0; p < g.topology->polygon_count(); ++p) {
        EXPECT_NEAR(length(polygon_normal(g, p)), 1, 1e-6);
        EXPECT_GT(dot(polygon_normal(g, p), g.polygon_boxes[p].centre() - g.box.centre()), 0.3f);
    }
}

}  // namespace
}  // namespace claybox::collision
