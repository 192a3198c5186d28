// The one-shot test in space: right if it answers, singular if its ray touches an edge, a vertex or a
// polygon's plane. Nearly all work is comparing coordinates.

#include "collision/pairwise/random_points/point_in_polyhedron.hpp"

#include "collision/core/random.hpp"
#include "collision/exact/contained.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <gtest/gtest.h>

#include <array>

namespace claybox::test {
namespace {

using namespace collision;

/// A cube of edge 2 about the origin, of quadrilaterals or of triangles.
ShapePtr cube(bool triangles) {
    PolygonList list;
    for (int i = 0; i < 8; ++i)
        list.positions.push_back({i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f});
    for (const std::array<std::uint32_t, 4>& q : std::array<std::array<std::uint32_t, 4>, 6>{
             {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}}) {
        if (!triangles) {
            list.add_polygon(q);
            continue;
        }
        list.add_polygon(std::array<std::uint32_t, 3>{q[0], q[1], q[2]});
        list.add_polygon(std::array<std::uint32_t, 3>{q[0], q[2], q[3]});
    }
    return Shape::from_polygons(list).value();
}

PointSide side(const Shape& shape, const Vec3d& q, PointTestCounts* counts = nullptr) {
    PointTestCounts own;
    return point_in_polyhedron(shape.geometry(), q, 0x1p-50, counts != nullptr ? *counts : own);
}

TEST(PointInPolyhedron, Z_3_5_1_pip_a_ray_through_an_edge_a_vertex_or_along_a_polygon_is_never_counted) {
    const ShapePtr quads = cube(false), triangles = cube(true);
    EXPECT_EQ(side(*quads, {0.25, 0.5, 0.125}), PointSide::inside);
    EXPECT_EQ(side(*quads, {-3, 0.5, 0.125}), PointSide::outside) << "two crossings";
    EXPECT_EQ(side(*quads, {3, 0.5, 0.125}), PointSide::outside) << "behind";
    EXPECT_EQ(side(*quads, {0, 3, 0}), PointSide::outside) << "beside";
    EXPECT_EQ(side(*quads, {-3, 1, 1}), PointSide::outside) << "beside the box, rejected before any ray";
    EXPECT_EQ(side(*quads, {0, 1, 0.5}), PointSide::singular) << "along a face";
    EXPECT_EQ(side(*quads, {0, 1, 1}), PointSide::singular) << "through a vertex";
    EXPECT_EQ(side(*quads, {1, 0.5, 0.25}), PointSide::singular) << "on the surface";
    EXPECT_EQ(side(*quads, {1 - 0x1p-53, 0.5, 0.25}), PointSide::singular) << "closer than the error";
    // The diagonal of a face is an edge of the mesh only if its halves are separate polygons.
    EXPECT_EQ(side(*quads, {0, 0.5, 0.5}), PointSide::inside);
    const bool one = side(*triangles, {0, 0.5, 0.5}) == PointSide::singular;
    const bool other = side(*triangles, {0, -0.5, 0.5}) == PointSide::singular;
    EXPECT_NE(one, other) << "one of the diagonals is the edge";
}

TEST(PointInPolyhedron, Z_3_5_1_pip_answers_match_exact_arithmetic_and_need_mostly_comparisons) {
    Random random(3);
    for (const auto& [kind, target_count] :
         {std::pair{Primitive::torus, 2000u}, std::pair{Primitive::tetra_flake, 1000u},
          std::pair{Primitive::hyperboloid, 300u}, std::pair{Primitive::box, 6u}}) {
        const ShapePtr shape = make_primitive_shape(kind, target_count, 1.0f, 7).value();
        const Matrix34f m;
        const SolidLocator locator(shape->geometry(), m);
        int inside = 0, outside = 0, singular = 0;
        PointTestCounts counts;
        for (int i = 0; i < 2000; ++i) {
            Vec3d q{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
            if (i % 4 == 0)
                q = cast<double>(
                        shape->geometry().positions[random.below(shape->geometry().positions.size())]) *
                    0.75;
            const PointSide found = side(*shape, q, &counts);
            (found == PointSide::inside ? inside : found == PointSide::outside ? outside : singular)++;
            if (found == PointSide::singular) continue;
            EXPECT_EQ(found == PointSide::inside, locator.locate({nullptr, q}).inside)
                << q.x << " " << q.y << " " << q.z;
        }
        EXPECT_GT(inside, 4) << info(kind).id;
        EXPECT_GT(outside, 20) << info(kind).id;
        EXPECT_LT(singular, 600) << info(kind).id;
        EXPECT_LT(counts.polygons, 2000u * shape->topology().polygon_count() / 2)
            << "pre-checks reject most polygons";
        EXPECT_LT(counts.products, counts.edges / 2) << info(kind).id;
    }
}

TEST(PointInPolyhedron, Z_3_5_1_pip_larger_errors_widen_the_singular_zone_around_edges) {
    const ShapePtr shape = cube(false);
    PointTestCounts counts;
    for (const double error : {1e-12, 1e-6, 1e-2}) {
        EXPECT_EQ(point_in_polyhedron(shape->geometry(), {0, 1 - 8 * error, 0.5}, error, counts),
                  PointSide::inside);
        EXPECT_EQ(point_in_polyhedron(shape->geometry(), {0, 1 - 0.5 * error, 0.5}, error, counts),
                  PointSide::singular);
        EXPECT_EQ(point_in_polyhedron(shape->geometry(), {0, 1 + 0.5 * error, 0.5}, error, counts),
                  PointSide::singular);
        EXPECT_EQ(point_in_polyhedron(shape->geometry(), {0, 1 + 8 * error, 0.5}, error, counts),
                  PointSide::outside);
    }
    EXPECT_EQ(point_in_polyhedron(shape->geometry(), {0, 0, 0}, HUGE_VAL, counts), PointSide::singular);
    // Next to the slanted edge of the face ahead, where only products decide.
    const ShapePtr halves = cube(true);
    for (const double error : {1e-12, 1e-6, 1e-3}) {
        int near_one = 0;
        for (const double y : {0.5, -0.5})
            for (const double beside : {-0.5, 0.5, 16.0, -16.0}) {
                const Vec3d q{0, y, 0.5 + beside * error};
                const PointSide found = point_in_polyhedron(halves->geometry(), q, error, counts);
                if (std::abs(beside) < 1)
                    near_one += found == PointSide::singular ? 1 : 0;
                else
                    EXPECT_EQ(found, PointSide::inside) << error;
            }
        EXPECT_EQ(near_one, 2) << "one diagonal, on both sides of it";
    }
}

}  // namespace
}  // namespace claybox::test
