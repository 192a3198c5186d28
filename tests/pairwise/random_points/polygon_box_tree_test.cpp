#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/random_points/point_in_polyhedron.hpp"

#include <gtest/gtest.h>

namespace claybox::collision {
namespace {

TEST(PolygonBoxTree, Z_10_boxpip_gives_the_same_answers_with_fewer_boxes) {
    Random random(11);
    for (const auto& [primitive, target_count] :
         {std::pair{Primitive::torus, 3000u}, std::pair{Primitive::tetra_flake, 1500u},
          std::pair{Primitive::box, 6u}}) {
        const ShapePtr shape = make_primitive_shape(primitive, target_count, 1, 1).value();
        const Geometry& geometry = shape->geometry();
        const PolygonBoxTree tree(geometry);
        PointTestCounts with, without;
        int inside = 0;
        for (int i = 0; i < 3000; ++i) {
            const Vec3d q{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
            const double error = i % 50 == 0 ? 1e-3 : 0x1p-50;  // some rays are singular
            const PointSide expected = point_in_polyhedron(geometry, q, error, without);
            ASSERT_EQ(point_in_polyhedron(geometry, q, error, with, &tree), expected);
            inside += expected == PointSide::inside;
        }
        EXPECT_GT(inside, 5);
        if (target_count > 100) {
            EXPECT_LT(2 * with.boxes, without.boxes);
        }
    }
}

TEST(PolygonBoxTree, contains_every_polygon_once_inside_its_boxes) {
    const ShapePtr shape = make_primitive_shape(Primitive::torus, 777, 1, 1).value();
    const Geometry& geometry = shape->geometry();
    const PolygonBoxTree tree(geometry);
    std::vector<int> seen(geometry.polygon_boxes.size(), 0);
    for (const PolygonBoxTree::Node& node : tree.nodes())
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const Aabb& box = geometry.polygon_boxes[tree.order()[i]];
            ++seen[tree.order()[i]];
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_LE(node.box.min[k], box.min[k]);
                EXPECT_GE(node.box.max[k], box.max[k]);
            }
        }
    for (const int times : seen) EXPECT_EQ(times, 1);
    EXPECT_EQ(tree.nodes().front().next, tree.nodes().size());
}

}  // namespace
}  // namespace claybox::collision
