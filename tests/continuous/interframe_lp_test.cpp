#include "collision/continuous/interframe_lp/extended_box.hpp"
#include "collision/continuous/interframe_lp/frame_program.hpp"
#include "collision/continuous/interframe_lp/vertex_groups.hpp"
#include "collision/exact/solid.hpp"
#include "tests/continuous/motions.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::test {
namespace {

enum Parameters : std::size_t { kExtension, kTime, kBisections, kBoxes };
enum Counters : std::size_t { kColumns, kBoxesApart, kPrograms, kExactIterations, kSelected };

const ContinuousAlgorithm& interframe() {
    return *find_continuous_algorithm("interframe_lp");
}

ContinuousResult run_with(const MovingPair& p, std::initializer_list<std::pair<std::size_t, double>> values) {
    Scratch scratch;
    PairCache cache;
    ContinuousQuery query = make_query(p, scratch);
    query.pair.parameters = default_values(interframe().parameters);
    for (const auto& [i, value] : values) query.pair.parameters[i] = value;
    return run_continuous(interframe(), query, cache);
}

/// A cube in front of a wall of two centimetres, and behind it one frame later.
MovingPair cube_and_wall() {
    MovingPair p;
    p.a = box_shape({2, 2, 0.01f});
    p.b = box_shape({0.2f, 0.2f, 0.2f});
    p.matrix_b = at({0.1, 0.3, 1.5});
    p.motion_b = Motion::linear({0.1f, 0.3f, -1.5f});
    return p;
}

TEST(InterframeLp, LP_5_inter_finds_what_the_plain_program_misses) {
    const MovingPair p = cube_and_wall();
    for (const Matrix34f& m : {p.matrix_b, at({0.1, 0.3, -1.5})}) {
        Scratch scratch;
        PairCache cache;
        const PairQuery query = make_pair_query(*p.a, p.matrix_a, *p.b, m, scratch);
        EXPECT_EQ(run_query(*find_pair_algorithm("interior_point"), query, cache).verdict,
                  Verdict::separated);
    }
    const ContinuousResult r = run_with(p, {{kTime, 0}});
    EXPECT_EQ(r.verdict, Verdict::colliding);
    EXPECT_EQ(r.swept_hulls, Verdict::colliding);
    EXPECT_EQ(r.counters[kColumns], 8u + 2 * 8u + 1);  // n1 + 2 n2 and u
    MovingPair both = p;
    both.motion_a = Motion::linear({0, 0, 0.5f});
    EXPECT_EQ(run_with(both, {{kTime, 0}}).counters[kColumns], 2 * 8u + 2 * 8u + 1);
}

/// The verdict about the hulls of both frames is that of exact arithmetic, for translations and rotations.
TEST(InterframeLp, LP_5_inter_is_exact_for_the_hulls_of_both_frames) {
    int colliding = 0, separated = 0;
    const auto check_one = [&](const MovingPair& p) {
        const ContinuousResult r = run_with(p, {{kTime, 0}});
        const auto end = [](const Matrix34f& start, const Motion& motion) {
            const Matrix34d m = placement_at(start, motion, 1);
            Matrix34f out;
            for (std::size_t i = 0; i < 12; ++i) out.m[i] = static_cast<float>(m.m[i]);
            if (motion.kind == Motion::Kind::linear)
                for (std::size_t k = 0; k < 3; ++k) out.m[4 * k + 3] = motion.end_w[k];
            return out;
        };
        const Matrix34f end_a = end(p.matrix_a, p.motion_a), end_b = end(p.matrix_b, p.motion_b);
        const Aabb &box_a = p.a->geometry().box, &box_b = p.b->geometry().box;
        const FramedSide a{{p.a->hull(), &p.matrix_a, &box_a}, {p.a->hull(), &end_a, &box_a}};
        const FramedSide b{{p.b->hull(), &p.matrix_b, &box_b}, {p.b->hull(), &end_b, &box_b}};
        const bool exact = decide_framed_exact(a, b, false).colliding;
        ASSERT_EQ(r.swept_hulls == Verdict::colliding, exact);
        ++(exact ? colliding : separated);
    };
    for (const MovingPair& p : linear_pairs(150, 30)) check_one(p);
    for (const MovingPair& p : screw_pairs(150, 31)) check_one(p);
    EXPECT_GT(colliding, 60);
    EXPECT_GT(separated, 30);
}

TEST(InterframeLp, LP_5_1_obb_the_extended_box_contains_the_vertices_of_both_frames) {
    Random random(32);
    for (const MovingPair& p : screw_pairs(200, 33)) {
        const Matrix34d end_d = placement_at(p.matrix_b, p.motion_b, 1);
        Matrix34f end;
        for (std::size_t i = 0; i < 12; ++i) end.m[i] = static_cast<float>(end_d.m[i]);
        const OrientedBox box = extended_box(p.b->geometry().box, p.matrix_b, end);
        for (const Matrix34f& m : {p.matrix_b, end})
            for (const Vec3f& v : p.b->geometry().positions) {
                const Vec3d d = transform_point(to_double(m), v) - cast<double>(box.centre);
                for (std::size_t k = 0; k < 3; ++k) {
                    const Vec3d axis = cast<double>(box.axis[k]);
                    const double along = dot(d, axis) / dot(axis, axis);
                    ASSERT_LE(std::abs(along),
                              static_cast<double>(box.extent[k]) + static_cast<double>(box.slack) + 1e-7);
                }
            }
    }
}

TEST(InterframeLp, LP_5_1_obb_rejects_far_pairs_without_a_program) {
    MovingPair p = cube_and_wall();
    p.matrix_b = at({0, 0, 8});
    p.motion_b = Motion::linear({0, 0, 5});
    const ContinuousResult with = run_with(p, {}), without = run_with(p, {{kBoxes, 0}});
    EXPECT_EQ(with.counters[kBoxesApart], 1u);
    EXPECT_EQ(with.counters[kPrograms], 0u);
    EXPECT_GT(without.counters[kPrograms], 0u);
    EXPECT_EQ(with.verdict, Verdict::separated);
    EXPECT_EQ(without.verdict, Verdict::separated);
    EXPECT_EQ(with.swept_hulls, Verdict::separated);
}

TEST(InterframeLp, LP_5_1_group_every_vertex_is_in_a_group_of_a_nearest_face) {
    for (const MovingPair& p : linear_pairs(30, 34)) {
        const PreparedGroups groups = make_groups(*p.a->hull());
        std::vector<int> count(p.a->hull()->vertex_count, 0);
        std::size_t face = 0;
        for (const auto& group : groups.group) {
            for (const std::uint32_t v : group) {
                ++count[v];
                // No other face is nearer.
                double distance[6];
                for (std::size_t k = 0; k < 3; ++k) {
                    const double low = groups.box.min[k], high = groups.box.max[k],
                                 x = p.a->hull()->vertex(v)[k];
                    distance[2 * k] = (x - low) / (high - low);
                    distance[2 * k + 1] = (high - x) / (high - low);
                }
                EXPECT_LE(distance[face], *std::min_element(distance, distance + 6) + 1e-12);
            }
            ++face;
        }
        for (const int n : count) EXPECT_GE(n, 1);
    }
    // Prepared data holds them: a query computes none.
    const auto prepared = interframe().prepare(*box_shape({1, 2, 3}), box_shape({1, 2, 3})->geometry());
    const auto& groups = static_cast<const PreparedGroups&>(*prepared);
    for (const auto& group : groups.group) EXPECT_EQ(group.size(), 4u);
}

TEST(InterframeLp, LP_5_1_face_the_direction_of_motion_selects_the_face) {
    Aabb box;
    box.add(Vec3f{-1, -2, -3});
    box.add(Vec3f{1, 2, 3});
    for (std::size_t f = 0; f < kBoxFaces; ++f) {
        Vec3d direction;
        direction[f / 2] = f % 2 == 0 ? -5 : 5;
        EXPECT_EQ(nearest_face(box, direction), f);
    }
    // Diagonals of a cube tie: the first face counts. A small change decides.
    Aabb cube;
    cube.add(Vec3f{-1, -1, -1});
    cube.add(Vec3f{1, 1, 1});
    EXPECT_EQ(nearest_face(cube, {1, 1, 0}), 1u);
    EXPECT_EQ(nearest_face(cube, {1, 1.01, 0}), 3u);
    EXPECT_EQ(nearest_face(cube, {-1.01, 1, 1}), 0u);
}

/// (35) with FIX-13: as many columns as without motion, F with the sign of W, u from the columns in use.
TEST(InterframeLp, LP_5_1_partial_keeps_the_size_of_the_program) {
    const MovingPair p = cube_and_wall();
    const ContinuousResult r = run_with(p, {{kExtension, 1}, {kTime, 0}});
    EXPECT_EQ(r.verdict, Verdict::colliding);
    EXPECT_EQ(r.counters[kColumns], 8u + 8u + 1);
    EXPECT_EQ(r.counters[kSelected], 4u);
}

/// What the partial extension misses: the hull of the front in the new frame and the back in the old one is a
/// part of the hull of both. It never invents contact.
TEST(InterframeLp, LP_5_1_partial_misses_but_never_invents_contact) {
    int found = 0, missed = 0;
    for (const MovingPair& p : linear_pairs(400, 35)) {
        const Verdict full = run_with(p, {{kTime, 0}}).verdict;
        const Verdict partial = run_with(p, {{kExtension, 1}, {kTime, 0}}).verdict;
        if (full == Verdict::separated) {
            ASSERT_EQ(partial, Verdict::separated);
            continue;
        }
        ++(partial == Verdict::colliding ? found : missed);
    }
    std::printf("partial extension: found %d, missed %d of the collisions of the hulls\n", found, missed);
    EXPECT_GT(found, 4 * missed);
    EXPECT_GT(missed, 0);
    // A case made by hand: a square plate flies along its diagonal past a pin. The side groups stay behind.
    MovingPair p;
    p.a = box_shape({0.05f, 0.05f, 0.5f});
    p.b = box_shape({1, 1, 0.1f});
    p.matrix_b = at({0, 0, 0});
    p.motion_b = Motion::linear({4, 4, 0});
    p.matrix_a = at({1.5, 4.0, 0});
    EXPECT_EQ(run_with(p, {{kTime, 0}}).verdict, Verdict::separated);
    p.matrix_a = at({3.0, 4.6, 0});  // passed by the edge of the plate that is not in the chosen group
    EXPECT_EQ(run_with(p, {{kTime, 0}}).verdict, Verdict::colliding);
    EXPECT_EQ(run_with(p, {{kExtension, 1}, {kTime, 0}}).verdict, Verdict::separated);
}

/// What a rotation can hide: the hull of two frames does not contain the arcs between them.
TEST(InterframeLp, LP_5_inter_misses_contact_on_the_arc_of_a_rotation) {
    MovingPair p;
    p.a = box_shape({0.02f, 0.02f, 0.5f});
    p.b = box_shape({1, 0.02f, 0.1f});
    p.matrix_a = at({0.96, 0, 0});
    p.matrix_b = at({0, 0, 0}, axis_angle({0, 0, 1}, -1.2));
    p.motion_b.kind = Motion::Kind::screw;
    p.motion_b.axis_w = {0, 0, 1};
    p.motion_b.angle = 2.4;
    EXPECT_EQ(run_with(p, {{kTime, 0}}).verdict, Verdict::separated);
    EXPECT_EQ(run(*find_continuous_algorithm("best_continuous"), p).verdict, Verdict::colliding);
    // With the time of contact, rotations are outside the domain.
    EXPECT_FALSE(fits(interframe(), p));
}

TEST(InterframeLp, LP_5_1_where_bisection_finds_time_and_place) {
    const ContinuousResult r = run_with(cube_and_wall(), {});
    EXPECT_EQ(r.verdict, Verdict::colliding);
    EXPECT_NEAR(r.time_high, (1.5 - 0.2 - 0.01) / 3, 1e-7);
    EXPECT_NEAR(r.point_w.z, 0.01, 1e-7);
    EXPECT_GE(r.counters[kPrograms], 24u);
    // Bodies that pass the same region at different times: the hulls collide, the motion does not.
    MovingPair p = cube_and_wall();
    p.a = box_shape({0.2f, 0.2f, 0.2f});
    p.matrix_a = at({-2, 0.3, 0});
    p.motion_a = Motion::linear({2, 0.3f, 0});
    p.matrix_b = at({0, 0.3, 6});
    p.motion_b = Motion::linear({0, 0.3f, -1});
    EXPECT_EQ(run_with(p, {{kTime, 0}}).verdict, Verdict::colliding);
    const ContinuousResult passed = run_with(p, {});
    EXPECT_EQ(passed.swept_hulls, Verdict::colliding);
    EXPECT_EQ(passed.verdict, Verdict::separated);
}

/// Interval bisection agrees with the direct methods: the ray casts, and conservative advancement.
TEST(InterframeLp, Z_1_2_toc_bisection_agrees_with_direct_times_of_contact) {
    int hits = 0;
    for (const MovingPair& p : linear_pairs(150, 36)) {
        const ContinuousResult r = run_with(p, {});
        const ContinuousResult best = run(*find_continuous_algorithm("best_continuous"), p);
        ASSERT_EQ(r.verdict, best.verdict);
        if (r.verdict != Verdict::colliding) continue;
        EXPECT_NEAR(r.time_high, best.time_high, 1e-9);
        ++hits;
    }
    EXPECT_GT(hits, 40);
}

}  // namespace
}  // namespace claybox::test
