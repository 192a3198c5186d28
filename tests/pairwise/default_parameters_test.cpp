#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace claybox::collision {
namespace {

/// A ball some millimetres inside the top of a table: the shortest separating translation is upward, and a
/// search that ends too early finds a much longer one.
struct Pair {
    ShapePtr table, ball;
    Matrix34f world_from_table = to_matrix({{}, {0, -0.02, 0}}),
              world_from_ball = to_matrix({{}, {0.1, 0.024, 0.2}});
    Pair() {
        PolygonList box;
        for (const float x : {-0.5f, 0.5f})
            for (const float y : {-0.02f, 0.02f})
                for (const float z : {-0.5f, 0.5f}) box.positions.push_back({x, y, z});
        const std::uint32_t faces[][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                          {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
        for (const auto& face : faces) box.add_polygon(face);
        table = Shape::from_polygons(box).value();
        ball = make_primitive_shape(Primitive::uv_sphere, 200, 0.03f, 1).value();
    }
};

TEST(DefaultParameters, a_query_without_parameters_uses_the_defaults) {
    const Pair pair;
    Scratch scratch;
    int measured = 0;
    double depth = 0;
    for (const Vec3f& p : pair.ball->geometry().positions)
        depth = std::max(depth, -static_cast<double>(transform_point(pair.world_from_ball, p).y));
    ASSERT_GT(depth, 0.001);
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        PairQuery query =
            make_pair_query(*pair.table, pair.world_from_table, *pair.ball, pair.world_from_ball, scratch);
        std::shared_ptr<const Prepared> table, ball;
        if (algorithm->prepare != nullptr) {
            table = algorithm->prepare(*pair.table, pair.table->geometry());
            ball = algorithm->prepare(*pair.ball, pair.ball->geometry());
        }
        query.a.prepared = table.get();
        query.b.prepared = ball.get();
        query.wants = algorithm->gives & (kWantDepth | kWantDistance);
        PairQuery with_defaults = query;
        with_defaults.parameters = default_values(algorithm->parameters);
        PairCache cache, other;
        const PairResult a = run_query(*algorithm, query, cache),
                         b = run_query(*algorithm, with_defaults, other);
        EXPECT_EQ(a.verdict, b.verdict) << algorithm->id;
        EXPECT_EQ(a.iterations, b.iterations) << algorithm->id;
        EXPECT_EQ(a.depth, b.depth) << algorithm->id;
        if ((algorithm->gives & kWantDepth) == 0 || a.verdict != Verdict::colliding) continue;
        EXPECT_NEAR(a.depth, depth, algorithm->exact ? 1e-7 : 1e-4) << algorithm->id;
        EXPECT_NEAR(a.depth_direction_w.y, 1, algorithm->exact ? 1e-9 : 1e-3) << algorithm->id;
        ++measured;
    }
    EXPECT_GE(measured, 3);
}

}  // namespace
}  // namespace claybox::collision
