#include "collision/geometry/primitives.hpp"
#include "collision/pairwise/registry.hpp"

#include <gtest/gtest.h>

namespace claybox::collision {
namespace {

/// A ball that reaches 2 mm into the top of a table: the way out is up, and a search that ends too soon finds
/// a much longer one.
struct Pair {
    ShapePtr table, ball;
    Matrix34f world_from_table = to_matrix({{}, {0, -0.02, 0}}),
              world_from_ball = to_matrix({{}, {0.1, 0.028, 0.2}});
    Pair() {
        PolygonList box = make_primitive(Primitive::box, 6, 1);
        for (Vec3f& p : box.positions)
            p = {p.x > 0 ? 0.5f : -0.5f, p.y > 0 ? 0.02f : -0.02f, p.z > 0 ? 0.5f : -0.5f};
        table = Shape::from_polygons(box).value();
        ball = make_primitive_shape(Primitive::uv_sphere, 200, 0.03f, 1).value();
    }
};

TEST(DefaultParameters, AQueryThatSetsNoneIsAnsweredWithTheDefaults) {
    const Pair pair;
    Scratch scratch;
    int measured = 0;
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        PairQuery query =
            make_pair_query(*pair.table, pair.world_from_table, *pair.ball, pair.world_from_ball, scratch);
        query.wants = algorithm->gives & (kWantDepth | kWantDistance);
        PairQuery told = query;
        told.parameters = default_values(algorithm->parameters);
        PairCache cache, other;
        const PairResult a = run_query(*algorithm, query, cache), b = run_query(*algorithm, told, other);
        EXPECT_EQ(a.verdict, b.verdict) << algorithm->id;
        EXPECT_EQ(a.iterations, b.iterations) << algorithm->id;
        EXPECT_EQ(a.depth, b.depth) << algorithm->id;
        if ((algorithm->gives & kWantDepth) == 0 || a.verdict != Verdict::colliding) continue;
        EXPECT_NEAR(a.depth, 0.002, 1e-7) << algorithm->id;
        EXPECT_NEAR(a.depth_direction_w.y, 1, 1e-9) << algorithm->id;
        ++measured;
    }
    EXPECT_GE(measured, 3);
}

}  // namespace
}  // namespace claybox::collision
