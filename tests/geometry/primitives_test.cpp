#include "collision/geometry/primitives/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace claybox::collision {
namespace {

class EveryPrimitive : public testing::TestWithParam<int> {
  public:
    Primitive primitive() const { return static_cast<Primitive>(GetParam()); }
};

double signed_volume(const Polyhedron& m) {
    double sum = 0;
    for (const Triangle& t : m.topology->triangles) {
        const auto p = [&](int k) { return cast<double>(m.positions[t.vertices[k]]); };
        sum += dot(p(0), cross(p(1), p(2))) / 6;
    }
    return sum;
}

// The largest allowed difference between the reached count and the target count.
double allowed_distance(Primitive primitive, double target) {
    switch (primitive) {
        case Primitive::tetrahedron:
            return 6 * std::sqrt(target);  // 4 k^2
        case Primitive::tetra_flake:
            return 6;  // 4 + 12 j
        default:
            return 4;  // products near the target with good proportions
    }
}

TEST_P(EveryPrimitive, is_closed_manifold_oriented_outward_and_inside_its_ball) {
    for (const std::uint32_t target : {10u, 11u, 25u, 100u, 997u, 5000u, 20011u}) {
        const PolygonList list = make_primitive(primitive(), target, 7);
        const auto built = build_polyhedron(list);
        ASSERT_TRUE(built);
        const Classification c = classify(built.value());
        const std::string where = std::string(info(primitive()).id) + " at " + std::to_string(target);
        EXPECT_TRUE(c.closed && c.manifold && c.oriented) << where;
        EXPECT_EQ(c.convex, info(primitive()).convex) << where;
        EXPECT_EQ(c.degenerate_polygons, 0u) << where;
        EXPECT_EQ(c.vertices, list.positions.size()) << where;
        if (primitive() == Primitive::tetra_flake) {
            EXPECT_EQ(c.components, c.polygons / 4) << where;
        } else {
            EXPECT_EQ(c.genus, primitive() == Primitive::torus ? 1 : 0) << where;
        }
        EXPECT_GT(signed_volume(built.value()), 0) << where;
        float farthest = 0;
        for (const Vec3f& p : list.positions) farthest = std::max(farthest, length(p));
        EXPECT_LE(farthest, 1.0f) << where;
        EXPECT_GT(farthest, 0.8f) << where;
    }
}

TEST_P(EveryPrimitive, reaches_the_target_count) {
    for (std::uint32_t target = 10; target < 40000; target += target / 3 + 1) {
        const PolygonList list = make_primitive(primitive(), target, 3);
        const bool is_hull = std::string(info(primitive()).id).find("_hull") != std::string::npos;
        const double count = static_cast<double>(is_hull ? list.positions.size() : list.polygon_count());
        if (is_hull && target > 20000) continue;
        EXPECT_LE(std::fabs(count - target), allowed_distance(primitive(), target))
            << info(primitive()).id << " " << target;
    }
}

TEST_P(EveryPrimitive, is_the_same_for_the_same_seed) {
    const PolygonList a = make_primitive(primitive(), 200, 5), b = make_primitive(primitive(), 200, 5);
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.indices, b.indices);
    EXPECT_EQ(a.begin, b.begin);
}

TEST_P(EveryPrimitive, keeps_its_class_when_scaled) {
    for (const float radius : {1e-3f, 0.37f, 3.3f, 1000.1f}) {
        const auto shape = make_primitive_shape(primitive(), 300, radius, 1);
        ASSERT_TRUE(shape);
        EXPECT_EQ(shape.value()->classification().convex, info(primitive()).convex) << radius;
        EXPECT_EQ(shape.value()->hull() != nullptr, info(primitive()).convex) << radius;
        EXPECT_LE(shape.value()->sphere().radius, radius * 1.5f);
    }
    EXPECT_FALSE(make_primitive_shape(primitive(), 300, 0.0f, 1));
    EXPECT_FALSE(make_primitive_shape(primitive(), 300, std::nanf(""), 1));
}

INSTANTIATE_TEST_SUITE_P(Primitives, EveryPrimitive, testing::Range(0, kPrimitiveCount),
                         [](const auto& tested) {
                             return std::string(collision::info(static_cast<Primitive>(tested.param)).id);
                         });

}  // namespace
}  // namespace claybox::collision
