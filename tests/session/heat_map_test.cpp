// A slice of poses: every algorithm in every cell of a grid.

#include "app/session/compare/heat_map.hpp"

#include "collision/geometry/primitives/primitives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

using namespace collision;

ShapePtr heat_ball() {
    return make_primitive_shape(Primitive::uv_sphere, 60, 0.1f, 1).value();
}
ShapePtr heat_box() {
    return make_primitive_shape(Primitive::box, 12, 0.1f, 1).value();
}

PairSubject heat_pair(const ShapePtr& a, const ShapePtr& b) {
    PairSubject out;
    out.a = a;
    out.b = b;
    out.world_from_a.m = {1, 0, 0, 3, 0, 1, 0, -2, 0, 0, 1, 1};
    out.world_from_b.m = {1, 0, 0, 3.5f, 0, 1, 0, -2, 0, 0, 1, 1};
    out.before_a = out.world_from_a;
    out.before_b = out.world_from_b;
    return out;
}

void finish_map(HeatMap& map) {
    for (int i = 0; i < 100000 && map.running(); ++i) map.advance(0.5);
    ASSERT_FALSE(map.running());
}

void heat_separated(const PairQuery&, PairCache&, PairResult& result, Trace*) {
    result.verdict = Verdict::separated;
}

const PairAlgorithm& heat_wrong() {
    static const PairAlgorithm out = [] {
        PairAlgorithm made{};
        made.id = made.title = "wrong";
        made.source = made.summary = "";
        made.query = heat_separated;
        return made;
    }();
    return out;
}

std::vector<const PairAlgorithm*> heat_some(std::initializer_list<const char*> ids) {
    std::vector<const PairAlgorithm*> out;
    for (const char* id : ids) out.push_back(find_pair_algorithm(id));
    return out;
}

TEST(HeatMap, balls_collide_within_the_sum_of_their_radii_and_every_algorithm_agrees) {
    const auto algorithms = heat_some({"best", "gjk", "v_clip", "mesh_bvh", "random_points"});
    HeatMap map;
    map.use(algorithms);
    map.start(heat_pair(heat_ball(), heat_ball()), default_settings(), {0, 2, 16});
    finish_map(map);
    ASSERT_EQ(map.done(), 256u);
    std::size_t hits = 0;
    for (std::size_t cell = 0; cell < map.done(); ++cell) {
        EXPECT_NE(map.standing(cell), Standing::disagrees);
        EXPECT_NE(map.standing(cell), Standing::unchecked);
        const double distance = std::hypot(map.right_of(cell), map.up_of(cell));
        const bool hit = map.truth(cell).solid == Verdict::colliding;
        hits += hit ? 1 : 0;
        // The polyhedra are inside their spheres, and contain balls of more than 0.8 of the radius.
        EXPECT_TRUE(distance < 0.2 || !hit) << distance;
        EXPECT_TRUE(distance > 0.16 || hit) << distance;
        EXPECT_EQ(map.answers(cell)[1].verdict, map.truth(cell).solid);
        EXPECT_GT(map.answers(cell)[1].ns, 0);
    }
    EXPECT_GT(hits, 256u / 2);
    EXPECT_LT(hits, 256u - 30u);
}

TEST(HeatMap, a_cell_is_the_pair_with_the_second_body_there) {
    const PairSubject subject = heat_pair(heat_box(), heat_ball());
    HeatMap map;
    const auto algorithms = heat_some({"gjk"});
    map.use(algorithms);
    map.start(subject, default_settings(), {2, 1, 8});
    finish_map(map);
    const PairSubject corner = map.subject_at(63);
    EXPECT_EQ(corner.world_from_a.m, subject.world_from_a.m);
    EXPECT_FLOAT_EQ(corner.world_from_b.m[3], subject.world_from_b.m[3]) << "x is not in the slice";
    const double half = map.half_side();
    EXPECT_GT(half, 0.15);
    EXPECT_NEAR(double(corner.world_from_b.m[7]) + 2, half * 7 / 8, 1e-5);
    EXPECT_NEAR(double(corner.world_from_b.m[11]) - 1, half * 7 / 8, 1e-5);
    EXPECT_NEAR(map.right_of(63), half * 7 / 8, 1e-9);
    EXPECT_FALSE(corner.moves());
}

TEST(HeatMap, the_same_map_twice_has_the_same_verdicts) {
    const auto algorithms = heat_some({"best", "random_points", "depth_buffer", "separating_plane"});
    HeatMap maps[2];
    for (HeatMap& map : maps) {
        map.use(algorithms);
        map.start(heat_pair(heat_ball(), heat_box()), default_settings(), {0, 1, 10});
    }
    finish_map(maps[0]);
    while (maps[1].running()) maps[1].advance(1e-5);  // in other slices of time
    ASSERT_EQ(maps[0].done(), maps[1].done());
    for (std::size_t cell = 0; cell < maps[0].done(); ++cell)
        for (std::size_t k = 0; k < algorithms.size(); ++k) {
            EXPECT_EQ(maps[0].answers(cell)[k].verdict, maps[1].answers(cell)[k].verdict);
            EXPECT_EQ(maps[0].answers(cell)[k].standing, maps[1].answers(cell)[k].standing);
            EXPECT_EQ(maps[0].answers(cell)[k].iterations, maps[1].answers(cell)[k].iterations);
        }
}

TEST(HeatMap, a_wrong_algorithm_marks_every_colliding_cell) {
    const std::vector<const PairAlgorithm*> algorithms{find_pair_algorithm("gjk"), &heat_wrong()};
    HeatMap map;
    map.use(algorithms);
    map.start(heat_pair(heat_ball(), heat_box()), default_settings(), {0, 1, 12});
    finish_map(map);
    std::size_t marked = 0;
    for (std::size_t cell = 0; cell < map.done(); ++cell) {
        const bool hit = map.truth(cell).solid == Verdict::colliding;
        EXPECT_EQ(map.standing(cell), hit ? Standing::disagrees : Standing::agrees);
        marked += hit ? 1 : 0;
    }
    EXPECT_GT(marked, 20u);
    EXPECT_LT(marked, map.done());
}

TEST(HeatMap, a_cancelled_map_keeps_its_cells_and_bad_slices_are_refused) {
    const auto algorithms = heat_some({"gjk", "best"});
    HeatMap map;
    map.use(algorithms);
    map.start(heat_pair(heat_ball(), heat_box()), default_settings(), {0, 1, 64});
    while (map.done() < 5) map.advance(0);
    map.cancel();
    EXPECT_FALSE(map.running());
    EXPECT_FALSE(map.advance(1));
    EXPECT_GE(map.done(), 5u);
    EXPECT_LT(map.done(), map.total());
    EXPECT_EQ(map.answers(4).size(), 2u);
    map.start(heat_pair(heat_ball(), heat_box()), default_settings(), {1, 1, 8});
    EXPECT_FALSE(map.running());
    map.start({}, default_settings(), {0, 1, 8});
    EXPECT_FALSE(map.running());
}

}  // namespace
}  // namespace claybox::app
