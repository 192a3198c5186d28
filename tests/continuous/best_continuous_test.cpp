#include "collision/continuous/best/advance.hpp"
#include "collision/continuous/best/moving_body.hpp"
#include "collision/exact/swept_impact.hpp"
#include "collision/pairwise/bvh/prepared_bvh.hpp"
#include "tests/continuous/motions.hpp"

#include <cmath>
#include <functional>

namespace claybox::test {
namespace {

const ContinuousAlgorithm& best() {
    return *find_continuous_algorithm("best_continuous");
}

/// The meshes of both bodies as surfaces, whatever they are.
ContinuousResult run_as_meshes(const MovingPair& p, double tolerance) {
    Scratch scratch;
    ContinuousQuery query = make_query(p, scratch);
    query.tolerance = tolerance;
    const auto a = prepare_bvh(*p.a, p.a->geometry()), b = prepare_bvh(*p.b, p.b->geometry());
    query.pair.a.prepared = a.get();
    query.pair.b.prepared = b.get();
    ContinuousResult result;
    advance_meshes(query, result, nullptr);
    return result;
}

TEST(BestContinuous, meshes_and_hulls_give_the_same_contact) {
    int hits = 0, misses = 0;
    std::vector<MovingPair> pairs = linear_pairs(120, 40);
    for (const MovingPair& p : screw_pairs(120, 41)) pairs.push_back(p);
    for (const MovingPair& p : pairs) {
        const ContinuousResult hull = run(best(), p, 1e-7), mesh = run_as_meshes(p, 1e-7);
        ASSERT_EQ(hull.verdict, mesh.verdict);
        EXPECT_EQ(hull.at_start, mesh.at_start);
        ++(hull.verdict == Verdict::colliding ? hits : misses);
        if (hull.verdict != Verdict::colliding || hull.at_start) continue;
        EXPECT_NEAR(hull.time_high, mesh.time_high, 1e-3);
        // Parallel features touch in several places.
        EXPECT_LT(std::abs(dot(hull.normal_w, hull.point_w - mesh.point_w)), 1e-2);
    }
    EXPECT_GT(hits, 60);
    EXPECT_GT(misses, 60);
}

TEST(BestContinuous, meshes_of_the_ground_truth_are_right) {
    for (const char* file : {"continuous.jsonl", "screw.jsonl"}) {
        int all = 0;
        for (const auto& line : truth_lines(file)) {
            const MovingPair p = read_pair(line);
            // Closer than the tolerance may be either.
            if (!line["hit"].get<bool>() && line.contains("min_distance") &&
                line["min_distance"].get<double>() < 1e-5)
                continue;
            ++all;
            const ContinuousResult r = run_as_meshes(p, 1e-6);
            const std::string id = line["id"];
            ASSERT_EQ(r.verdict == Verdict::colliding, line["hit"].get<bool>()) << id;
            if (r.verdict == Verdict::colliding) {
                EXPECT_LE(r.time_high, line["toi"].get<double>() + 1e-6) << id;
            }
        }
        EXPECT_GT(all, 100) << file;
    }
}

/// Two tori pass through each other's hole without contact, and touch where the hole is too small.
TEST(BestContinuous, tori_pass_through_holes) {
    const ShapePtr ring = primitive(Primitive::torus, 1200, 1),
                   ball = primitive(Primitive::uv_sphere, 200, 0.2f);
    // The axis of the hole is found by its clearance.
    int passes = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        MovingPair p;
        p.a = ring;
        p.b = ball;
        Vec3d from;
        from[axis] = 3;
        p.matrix_b = at(from);
        p.motion_b = Motion::linear(cast<float>(-from));
        const ContinuousResult r = run(best(), p);
        passes += r.verdict == Verdict::separated ? 1 : 0;
        p.b = primitive(Primitive::uv_sphere, 200, 0.9f);
        EXPECT_EQ(run(best(), p).verdict, Verdict::colliding);
    }
    EXPECT_EQ(passes, 1);
}

/// Neither missed by more than the tolerance, nor reported beyond it: a ball flies past a wall at a known
/// distance while it spins.
TEST(BestContinuous, a_near_miss_is_decided_at_the_tolerance) {
    for (const double gap : {1e-2, 1e-4, 1e-5}) {
        for (const double tolerance : {gap * 0.5, gap * 2}) {
            MovingPair p;
            p.a = box_shape({4, 4, 0.5f});
            p.b = primitive(Primitive::uv_sphere, 400, 0.5f);
            double radius = 0;
            for (const Vec3f& v : p.b->geometry().positions)
                radius = std::max(radius, length(cast<double>(v)));
            const double height = 0.5 + radius + gap;
            p.matrix_b = at({-2, 0, static_cast<double>(static_cast<float>(height))});
            p.motion_b.kind = Motion::Kind::screw;
            p.motion_b.point_w = cast<double>(p.matrix_b.translation());
            p.motion_b.axis_w = {0, 0, 1};
            p.motion_b.angle = 2;
            p.motion_b.travel_w = {4, 0, 0};
            // A pole of the sphere touches the height `gap` above the wall, if it points down.
            double lowest = HUGE_VAL;
            for (const Vec3f& v : p.b->geometry().positions)
                lowest = std::min(lowest, static_cast<double>(v.z));
            const double real_gap = static_cast<double>(p.matrix_b.m[11]) + lowest - 0.5;
            ASSERT_GT(real_gap, 0);
            const bool convex_hit = run(best(), p, tolerance).verdict == Verdict::colliding;
            const bool mesh_hit = run_as_meshes(p, tolerance).verdict == Verdict::colliding;
            if (real_gap > tolerance) {
                EXPECT_FALSE(convex_hit) << gap << " " << tolerance;
                EXPECT_FALSE(mesh_hit) << gap << " " << tolerance;
            }
            p.matrix_b.m[11] -= static_cast<float>(real_gap + 1e-6);
            p.motion_b.point_w = cast<double>(p.matrix_b.translation());
            EXPECT_EQ(run(best(), p, tolerance).verdict, Verdict::colliding);
            EXPECT_EQ(run_as_meshes(p, tolerance).verdict, Verdict::colliding);
        }
    }
}

TEST(BestContinuous, a_body_inside_a_closed_mesh_collides_at_the_start) {
    const ShapePtr ring = primitive(Primitive::torus, 600, 1), dust = box_shape({0.001f, 0.001f, 0.001f});
    Vec3d inside;  // on the circle in the middle of the tube
    double best_distance = 0;
    for (const Vec3f& v : ring->geometry().positions) inside += cast<double>(v);
    inside = {};
    for (const Vec3f& v : ring->geometry().positions)
        if (length(cast<double>(v)) > best_distance) {
            best_distance = length(cast<double>(v));
            inside = 0.97 * cast<double>(v);
        }
    MovingPair p{ring, dust, {}, at(inside), {}, Motion::linear(cast<float>(inside) + Vec3f{0.001f, 0, 0})};
    const ContinuousResult r = run(best(), p);
    EXPECT_EQ(r.verdict, Verdict::colliding);
    EXPECT_TRUE(r.at_start);
}

/// Rung 3 for times against rung 2, on every hit that double could decide, with and without a hint.
TEST(SweptImpact, integers_agree_with_double) {
    int hits = 0;
    for (const MovingPair& p : linear_pairs(300, 42)) {
        const ContinuousResult r = run(best(), p);
        if (r.verdict != Verdict::colliding || r.at_start) continue;
        ++hits;
        const Aabb &box_a = p.a->geometry().box, &box_b = p.b->geometry().box;
        const SolidSide a{p.a->hull(), &p.matrix_a, &box_a}, b{p.b->hull(), &p.matrix_b, &box_b};
        const SolidSweep sweep{
            p.motion_a.kind == Motion::Kind::linear ? p.motion_a.end_w : p.matrix_a.translation(),
            p.motion_b.end_w};
        const SweptImpact cold = find_swept_impact(a, b, sweep);
        EXPECT_NEAR(cold.time, r.time_high, 1e-9);
        EXPECT_GT(dot(cold.normal_w, r.normal_w), 0.999);
        double sum = 0;
        Vec3d apart;
        for (int i = 0; i < cold.count; ++i) {
            sum += cold.weights[i];
            apart += cold.weights[i] *
                     (transform_point(to_double(p.matrix_a), p.a->hull()->vertex(cold.pairs[i].a)) -
                      transform_point(to_double(p.matrix_b), p.b->hull()->vertex(cold.pairs[i].b)));
        }
        EXPECT_NEAR(sum, 1, 1e-12);
        const Vec3d moved =
            cold.time * (displacement(p.matrix_a, p.motion_a) - displacement(p.matrix_b, p.motion_b));
        EXPECT_LT(length(apart + moved), 1e-9);
        const SweptImpact warm =
            find_swept_impact(a, b, sweep, {cold.pairs, static_cast<std::size_t>(cold.count)});
        EXPECT_EQ(warm.time, cold.time);
        EXPECT_LE(warm.iterations, cold.iterations);
    }
    EXPECT_GT(hits, 60);
}

/// Positions in which double decides nothing: faces, edges and vertices that meet exactly, flat bodies in one
/// plane, points and segments, and motions along a face.
TEST(SweptImpact, touching_positions_are_exact) {
    const ShapePtr cube = box_shape({0.5f, 0.5f, 0.5f}),
                   plate = hull_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}),
                   rod = hull_of({{0, 0, 0}, {1, 0, 0}}), dot_shape = hull_of({{0, 0, 0}});
    struct Case {
        ShapePtr a, b;
        Vec3f from, to;
        double time;  ///< -1: no contact
    };
    const Case cases[] = {
        {cube, cube, {0, 0, 3}, {0, 0, -1}, 0.5},  // face on face
        {cube, cube, {1, 0, 3}, {1, 0, -1}, 0.5},  // along a face, edge on edge
        {cube, cube, {1, 1, 3}, {1, 1, -1}, 0.5},  // along an edge, vertex on vertex
        {cube, cube, {1.0000001f, 0, 3}, {1.0000001f, 0, -1}, -1},
        {cube, cube, {0, 0, 3}, {0, 0, 1}, 1},  // ends in contact
        {cube, cube, {0, 0, 3}, {0, 0, 1.0000001f}, -1},
        {plate, plate, {3, 0, 0}, {-1, 0, 0}, 0.5},   // in one plane, edge on edge
        {plate, plate, {3, 1, 0}, {-1, 1, 0}, 0.5},   // vertices on vertices
        {plate, plate, {3, 2, 0}, {-1, -2, 0}, 0.5},  // vertex on vertex, along the diagonal
        {rod, rod, {3, 0, 0}, {-1, 0, 0}, 0.5},       // on one line
        {rod, dot_shape, {3, 0, 0}, {-1, 0, 0}, 0.5},
        {dot_shape, dot_shape, {2, 2, 2}, {-2, -2, -2}, 0.5},
        {dot_shape, dot_shape, {2, 2, 2}, {-2, -2, -1.9999999f}, -1},
        {plate, dot_shape, {0.5f, 0.5f, 1}, {0.5f, 0.5f, -1}, 0.5},
        {plate, dot_shape, {1, 1, 1}, {1, 1, -1}, 0.5},  // through a corner
        {plate, rod, {-0.5f, 0.5f, 1}, {-0.5f, 0.5f, -1}, 0.5},
    };
    for (const Case& c : cases) {
        MovingPair p{c.a, c.b, {}, at(cast<double>(c.from)), {}, Motion::linear(c.to)};
        for (const bool swap : {false, true}) {
            for (const ContinuousAlgorithm* algorithm : continuous_algorithms()) {
                if (!fits(*algorithm, p) || promise_of(*algorithm, p) != Promise::exact) continue;
                const ContinuousResult r = run(*algorithm, swap ? swapped(p) : p);
                const std::size_t row = static_cast<std::size_t>(&c - cases);
                ASSERT_EQ(r.verdict == Verdict::colliding, c.time >= 0) << algorithm->id << ", case " << row;
                if (c.time >= 0) {
                    EXPECT_NEAR(r.time_high, c.time, 1e-9) << algorithm->id << ", case " << row;
                }
            }
        }
    }
}

/// Features of a vertex that meets a face, and of two edges that cross.
TEST(BestContinuous, features_are_those_that_touch) {
    const ShapePtr cube = box_shape({0.5f, 0.5f, 0.5f});
    const ShapePtr tip = hull_of({{0, 0, 0}, {0.2f, 0.1f, 1}, {-0.2f, 0.1f, 1}, {0, -0.2f, 1}});
    MovingPair p{cube, tip, {}, at({0.1, 0.2, 2}), {}, Motion::linear({0.1f, 0.2f, 0})};
    ContinuousResult r = run(best(), p);
    EXPECT_EQ(r.feature_a.kind, FeatureKind::face);
    EXPECT_EQ(r.feature_b.kind, FeatureKind::vertex);
    EXPECT_EQ(p.b->geometry().positions[r.feature_b.index], (Vec3f{0, 0, 0}));
    EXPECT_EQ(polygon_normal(p.a->geometry(), r.feature_a.index), (Vec3f{0, 0, 1}));
    const ShapePtr roof = hull_of({{-1, 0, 0}, {1, 0, 0}, {-1, 1, 1}, {1, 1, 1}, {-1, -1, 1}, {1, -1, 1}});
    p.a = hull_of({{0, -1, 0}, {0, 1, 0}, {1, -1, -1}, {1, 1, -1}, {-1, -1, -1}, {-1, 1, -1}});
    p.b = roof;
    r = run(best(), p);
    EXPECT_EQ(r.feature_a.kind, FeatureKind::edge);
    EXPECT_EQ(r.feature_b.kind, FeatureKind::edge);
    EXPECT_LT(length(r.normal_w - Vec3d{0, 0, 1}), 1e-9);
    EXPECT_LT(length(r.point_w - Vec3d{0, 0.2, 0}), 1.0);
}

TEST(Motion, placement_at_follows_the_definitions) {
    Random random(43);
    for (int i = 0; i < 200; ++i) {
        const Pose from{random_rotation(random, 0, 3), 3.0 * random.unit_vector()};
        const Pose to{random_rotation(random, 0, 3), 3.0 * random.unit_vector()};
        const Matrix34f m = to_matrix(from);
        const Motion screw = motion_between(from, to);
        ASSERT_EQ(screw.kind, Motion::Kind::screw);
        ASSERT_TRUE(check(screw).ok());
        const Vec3d x = 2.0 * random.unit_vector();
        EXPECT_LT(length(transform_point(placement_at(m, screw, 1), x) - transform_point(to, x)), 1e-5);
        const double t = random.uniform(0, 1);
        const Pose middle = advance(from, screw_between(from, to), t);
        EXPECT_LT(length(transform_point(placement_at(m, screw, t), x) - transform_point(middle, x)), 1e-5);
        const Motion line = Motion::linear({1, 2, 3});
        EXPECT_EQ(placement_at(m, line, 1).translation(), (Vec3d{1, 2, 3}));
        EXPECT_EQ(motion_between(from, from).kind, Motion::Kind::fixed);
    }
    Motion bad;
    bad.kind = Motion::Kind::screw;
    bad.axis_w = {0, 2, 0};
    EXPECT_FALSE(check(bad).ok());
    bad.axis_w = {0, 1, 0};
    bad.travel_w.x = std::nan("");
    EXPECT_FALSE(check(bad).ok());
}

TEST(Motion, the_swept_box_contains_the_path) {
    Random random(44);
    for (const MovingPair& p : screw_pairs(150, 45)) {
        Motion wide = p.motion_b;
        if (wide.kind == Motion::Kind::screw) wide.angle *= random.uniform(1, 4);
        const double from = random.uniform(0, 0.5), to = random.uniform(from, 1);
        const Aabb box = swept_box(p.b->geometry().box, p.matrix_b, wide, from, to);
        for (int i = 0; i <= 20; ++i) {
            const Matrix34d m = placement_at(p.matrix_b, wide, from + (to - from) * i / 20);
            for (const Vec3f& v : p.b->geometry().positions) {
                const Vec3d x = transform_point(m, v);
                for (std::size_t k = 0; k < 3; ++k) {
                    ASSERT_GE(x[k], static_cast<double>(box.min[k]));
                    ASSERT_LE(x[k], static_cast<double>(box.max[k]));
                }
            }
        }
    }
}

}  // namespace
}  // namespace claybox::test
