// The algorithms that solve linear programs, in addition to the contract of all pair algorithms: warm starts,
// exits, problem size reduction and repairs of the interior point method, and systems of half-spaces of
// bodies.

#include "bench/streams/stream_player.hpp"
#include "collision/pairwise/linear_programming/body_half_spaces.hpp"
#include "collision/pairwise/linear_programming/interior_point.hpp"
#include "collision/pairwise/linear_programming/seidel.hpp"
#include "tests/pairwise/pairs.hpp"

#include <cmath>
#include <cstring>
#include <map>

namespace claybox::test {
namespace {

enum Counter : std::size_t { kEarlyExits, kColumns, kRepairs, kAdded, kVisited, kDoubleIterations };

const PairAlgorithm& interior_point() {
    return *find_pair_algorithm("interior_point");
}

/// Queries one pair frame by frame with a kept cache.
class RepeatedQuery {
  public:
    RepeatedQuery(const PairAlgorithm& algorithm, const Pair& pair) : algorithm_(algorithm) {
        prepared_ = prepare(algorithm, pair);
        cache_.set_pool(prepared_.pool);
        values_ = default_values(algorithm.parameters);
    }
    RepeatedQuery& set(const char* id, double value) {
        values_[find_parameter(algorithm_.parameters, id)] = value;
        return *this;
    }
    PairQuery query(const Pair& pair, Exactness exactness = Exactness::exact) {
        PairQuery q = query_of(algorithm_, pair, prepared_, scratch_);
        q.parameters = values_;
        q.exactness = exactness;
        return q;
    }
    PairResult query_pair(const Pair& pair, Exactness exactness = Exactness::exact, Trace* trace = nullptr) {
        return run_query(algorithm_, query(pair, exactness), cache_, trace);
    }
    PreparedPair& prepared() { return prepared_; }

  private:
    const PairAlgorithm& algorithm_;
    PreparedPair prepared_;
    Scratch scratch_;
    PairCache cache_;
    ParameterValues values_;
};

ShapePtr primitive(Primitive kind, std::uint32_t vertices, std::uint64_t seed = 5) {
    return make_primitive_shape(kind, vertices, 1.0f, seed).value();
}

/// B circles A and rotates, near contact, by `turn` radians per frame.
Pair frame_of(const ShapePtr& a, const ShapePtr& b, int frame, double turn, double distance) {
    const double angle = turn * frame;
    const Vec3d axis = normalized(Vec3d{0.3, 0.8, 0.52});
    const double swing = distance + 0.15 * std::sin(0.7 * frame);
    Pose pose{axis_angle(axis, angle), {swing * std::cos(angle), swing * std::sin(angle), 0.1}};
    pose.translation += Vec3d{5, -3, 2};
    const Pose still{axis_angle({0, 0, 1}, 0.3), {5, -3, 2}};
    return {a, b, to_matrix(still), to_matrix(pose)};
}

TEST(InteriorPointPairs, LP_3_hull_objects_are_point_lists_without_faces_queried_in_pairs) {
    Random random(31);
    std::vector<std::vector<Vec3f>> objects;
    std::vector<ShapePtr> shapes;
    for (int i = 0; i < 9; ++i) {
        // Points throughout the body, not only its corners, and some of them twice.
        const Vec3d centre = random.vector(0, 1.6);
        std::vector<Vec3f> points;
        for (int k = 0; k < 30; ++k) points.push_back(cast<float>(centre + random.vector(0.2, 0.8)));
        points.push_back(points.front());
        objects.push_back(points);
        shapes.push_back(Shape::from_hull(points).value());
    }
    std::size_t colliding = 0, queried = 0;
    for (std::size_t i = 0; i < objects.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const std::size_t n = objects[i].size() + objects[j].size();
            std::vector<double> storage(IpProgram<double>::element_count(n));
            IpProgram<double> p;
            p.set_storage(storage, objects[i].size(), objects[j].size());
            for (std::size_t k = 0; k < objects[i].size(); ++k) p.set_a(k, cast<double>(objects[i][k]));
            for (std::size_t k = 0; k < objects[j].size(); ++k) p.set_b(k, cast<double>(objects[j][k]));
            equal_weights(p);
            ASSERT_TRUE(start_primal(p, 1.0));
            start_dual(p);
            const IpEnd end = solve(p, {}, [](const auto&) {});
            const Verdict want =
                query_pair(*find_pair_algorithm("gjk"), {shapes[i], shapes[j], {}, {}}).verdict;
            EXPECT_EQ(end == IpEnd::colliding, want == Verdict::colliding);
            EXPECT_NE(end, IpEnd::unfinished);
            EXPECT_EQ(query_pair(interior_point(), {shapes[i], shapes[j], {}, {}}).verdict, want);
            colliding += want == Verdict::colliding ? 1 : 0;
            ++queried;
        }
    EXPECT_EQ(queried, 36u);
    EXPECT_GT(colliding, 5u);
    EXPECT_LT(colliding, 31u);
}

TEST(InteriorPointPairs, LP_4_frames_vertices_are_computed_from_the_pose_and_do_not_drift) {
    const ShapePtr shape = primitive(Primitive::ellipsoid_hull, 40);
    const ConvexHull& hull = *shape->hull();
    const Quat turn = axis_angle(normalized(Vec3d{1, 2, 3}), 0.17);
    Pose pose;
    std::vector<Vec3f> accumulated;
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) accumulated.push_back(hull.vertex(v));
    const Matrix34f step = to_matrix({turn, {}});
    for (int frame = 0; frame < 10000; ++frame) {
        pose.rotation = normalized(turn * pose.rotation);
        for (Vec3f& p : accumulated) p = transform_vector(step, p);
    }
    // The columns of a program are computed from the frame's matrix and the body's own vertices.
    Difference<double> d = make_difference<double>(hull, {}, hull, {});
    const Vec3d x = rotate(pose.rotation, {1, 0, 0}), y = rotate(pose.rotation, {0, 1, 0});
    const Vec3d z = rotate(pose.rotation, {0, 0, 1});
    d.about_a_from_b.m = {x.x, y.x, z.x, 0, x.y, y.y, z.y, 0, x.z, y.z, z.z, 0};
    double drift = 0;
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        const Vec3d expected = rotate(pose.rotation, cast<double>(hull.vertex(v)));
        EXPECT_LT(length(d.point_b(v) - expected), 1e-12);
        drift = std::max(drift, length(cast<double>(accumulated[v]) - expected));
    }
    EXPECT_GT(drift, 1e-5)
        << "updating by equations (17) and (18) frame by frame would accumulate rounding errors";
    // The same holds for all frames of a query: the same verdict as with a cold start.
    Pair pair{shape, shape, {}, {}};
    RepeatedQuery repeated(interior_point(), pair);
    for (int frame = 0; frame < 10000; ++frame) {
        pose.rotation = normalized(turn * pose.rotation);
        pose.translation = {0.9 + 0.8 * std::sin(0.01 * frame), 0.2, 0};
        pair.world_from_b = to_matrix(pose);
        const PairResult r = repeated.query_pair(pair);
        if (frame % 100 == 0) {
            EXPECT_EQ(r.verdict, query_pair(*find_pair_algorithm("gjk"), pair).verdict);
        }
    }
}

streams::QueryStream cage(Primitive kind, std::uint32_t vertices, double turn, std::uint32_t frames) {
    streams::CageSettings s;
    s.primitive = kind;
    s.vertices = vertices;
    s.bodies = 30;
    s.shapes = 3;
    s.filled = 0.2;
    s.filled_by_balls = true;
    s.turn = turn;
    return streams::record_cage(s, frames).value();
}

struct Tally {
    std::map<std::uint32_t, std::uint32_t> histogram[2];  ///< by iterations, for separated and for colliding
    std::uint64_t queries[2] = {}, iterations[2] = {}, early = 0, repairs = 0, visited = 0, searched = 0;

    double mean(int kind) const {
        return static_cast<double>(iterations[kind]) / static_cast<double>(queries[kind]);
    }
    void print(const char* name) const {
        for (const int kind : {0, 1}) {
            std::printf("%s, %s, mean %.2f:", name, kind == 0 ? "separated" : "colliding", mean(kind));
            for (const auto& [iterations_of, count] : histogram[kind])
                std::printf(" %u:%u", iterations_of, count);
            std::printf("\n");
        }
    }
};

Tally play(const streams::QueryStream& stream, bool warm,
           std::initializer_list<std::pair<const char*, double>> values) {
    streams::PlaySettings settings{Exactness::exact, kWantVerdict, warm,
                                   default_values(interior_point().parameters)};
    for (const auto& [id, value] : values)
        settings.parameters[find_parameter(interior_point().parameters, id)] = value;
    streams::StreamPlayer player(stream, interior_point());
    Tally out;
    for (std::size_t i = 0; i < stream.queries.size(); ++i) {
        const PairResult r = player.run_one(i, settings);
        const int kind = r.verdict == Verdict::colliding ? 1 : 0;
        ++out.histogram[kind][r.iterations];
        ++out.queries[kind];
        out.iterations[kind] += r.iterations;
        out.early += r.counters[kEarlyExits];
        out.repairs += r.counters[kRepairs];
        out.visited += r.counters[kVisited];
        out.searched += r.counters[kDoubleIterations] > 0 ? 1 : 0;
    }
    return out;
}

TEST(InteriorPointPairs, LP_4_3_iters_and_LP_4_1_warm_iterations_decrease_with_coherent_frames) {
    for (const std::uint32_t vertices : {20u, 264u}) {
        const streams::QueryStream stream = cage(Primitive::ellipsoid_hull, vertices, 10, 150);
        std::printf("%u vertices, 5 %% and 10 degrees a frame\n", vertices);
        const Tally cold = play(stream, false, {}), warm = play(stream, true, {});
        const Tally no_plane = play(stream, true, {{"virtual_plane", 0}});
        cold.print("cold");
        warm.print("warm");
        no_plane.print("warm without the virtual plane");
        EXPECT_LT(warm.mean(0), 0.7 * cold.mean(0));
        EXPECT_LT(warm.mean(1), cold.mean(1));
        EXPECT_LT(no_plane.mean(0), 0.78 * cold.mean(0))
            << "the old plane helps even if it no longer separates";
        EXPECT_LT(no_plane.mean(1), 0.86 * cold.mean(1)) << "so do the old weights";
        EXPECT_LT(warm.mean(0), 1.5);
        EXPECT_LT(warm.mean(1), 8);
        EXPECT_LT((warm.searched + cold.searched) * 100, warm.queries[0] + warm.queries[1])
            << "the claims themselves are proofs";
    }
}

TEST(InteriorPointPairs, LP_4_1_early_virtual_plane_answers_without_iterations_except_in_the_first_frame) {
    const streams::QueryStream stream = cage(Primitive::ellipsoid_hull, 60, 10, 100);
    const Tally warm = play(stream, true, {}), off = play(stream, true, {{"virtual_plane", 0}});
    const Tally cold = play(stream, false, {});
    std::printf("ended by the virtual plane: %.1f %% of separated frames\n",
                100.0 * static_cast<double>(warm.early) / static_cast<double>(warm.queries[0]));
    EXPECT_GT(warm.early * 2, warm.queries[0]);
    EXPECT_EQ(off.early, 0u);
    EXPECT_EQ(cold.early, 0u) << "every frame counts as the first one";
    for (const int kind : {0, 1}) EXPECT_EQ(warm.queries[kind], off.queries[kind]);
    // It is a certificate: a plane that no longer separates is rejected, even in fast mode.
    const ShapePtr ball = primitive(Primitive::ellipsoid_hull, 60);
    Pair pair{ball, ball, {}, {}};
    RepeatedQuery repeated(interior_point(), pair);
    std::size_t early = 0;
    for (int frame = 0; frame < 60; ++frame) {
        pair.world_from_b.m[3] = 3.0f - 0.04f * static_cast<float>(frame);
        const PairResult r = repeated.query_pair(pair, Exactness::fast);
        EXPECT_EQ(r.verdict, query_pair(*find_pair_algorithm("gjk"), pair).verdict) << frame;
        if (r.counters[kEarlyExits] == 0) continue;
        ++early;
        EXPECT_GT(frame, 0);
        EXPECT_EQ(r.iterations, 0u);
        EXPECT_EQ(r.verdict, Verdict::separated);
        EXPECT_TRUE(certify(repeated.query(pair), r));
    }
    EXPECT_GT(early, 10u);
}

/// Keeps the last traced plane in the world.
struct PlaneTrace final : Trace {
    bool in_world = true;
    Vec3d normal_w;
    double offset = 0;
    int planes = 0, iterations = 0, segments = 0;
    void begin_iteration(int) override {
        ++iterations;
        in_world = true;
    }
    void space(TraceSpace space) override { in_world = space == TraceSpace::world; }
    void point(const Vec3d&, const char*) override {}
    void segment(const Vec3d&, const Vec3d&, const char*) override { ++segments; }
    void plane(const Vec3d& n, double d, const Vec3d&, const char*) override {
        if (!in_world) return;
        normal_w = n;
        offset = d;
        ++planes;
    }
    void value(const char*, double) override {}
};

TEST(InteriorPointPairs, LP_4_1_plane_traced_plane_is_between_the_bodies_in_all_frames) {
    const ShapePtr a = primitive(Primitive::ellipsoid_hull, 60), b = primitive(Primitive::rod_hull, 40);
    RepeatedQuery repeated(interior_point(), {a, b, {}, {}});
    std::size_t separated = 0, iterates = 0;
    for (int frame = 0; frame < 200; ++frame) {
        const Pair pair = frame_of(a, b, frame, 0.05, 1.6);
        PlaneTrace trace;
        const PairResult r = repeated.query_pair(pair, Exactness::exact, &trace);
        EXPECT_GT(trace.iterations, 0);
        iterates += static_cast<std::size_t>(trace.segments);
        if (r.verdict != Verdict::separated || r.rung != 2) continue;
        ++separated;
        ASSERT_GT(trace.planes, 0);
        EXPECT_LT(length(cross(normalized(trace.normal_w), normalized(r.certificate.axis_w))), 1e-6);
        const auto side = [&](const ShapePtr& shape, const Matrix34f& m, std::uint32_t v) {
            return dot(trace.normal_w, transform_point(to_double(m), shape->hull()->vertex(v))) -
                   trace.offset;
        };
        for (std::uint32_t v = 0; v < a->hull()->vertex_count; ++v)
            EXPECT_LE(side(a, pair.world_from_a, v), 1e-9);
        for (std::uint32_t v = 0; v < b->hull()->vertex_count; ++v)
            EXPECT_GE(side(b, pair.world_from_b, v), -1e-9);
    }
    EXPECT_GT(separated, 50u);
    EXPECT_GT(iterates, 50u);
}

TEST(InteriorPointPairs, LP_4_2_reduce_20_columns_yield_the_verdict_of_all_528) {
    const ShapePtr ball = primitive(Primitive::ellipsoid_hull, 264);
    ASSERT_EQ(ball->hull()->vertex_count, 264u);
    RepeatedQuery reduced(interior_point(), {ball, ball, {}, {}}),
        whole(interior_point(), {ball, ball, {}, {}});
    whole.set("problem_size", 4096);
    for (RepeatedQuery* repeated : {&reduced, &whole}) repeated->set("virtual_plane", 0);
    std::size_t colliding = 0, small = 0;
    for (int frame = 0; frame < 150; ++frame) {
        const Pair pair = frame_of(ball, ball, frame, 0.1, 1.6);
        const PairResult few = reduced.query_pair(pair), all = whole.query_pair(pair);
        EXPECT_EQ(few.verdict, all.verdict);
        EXPECT_EQ(all.counters[kColumns], 529u);
        EXPECT_EQ(all.counters[kRepairs], 0u) << "no vertex was left out";
        EXPECT_LE(few.counters[kColumns], 21 + few.counters[kAdded]);
        small += few.counters[kColumns] == 21 ? 1 : 0;
        colliding += few.verdict == Verdict::colliding ? 1 : 0;
    }
    EXPECT_GT(colliding, 30u);
    EXPECT_LT(colliding, 120u);
    EXPECT_GT(small, 130u);
}

TEST(InteriorPointPairs, LP_4_3_verify_fast_rotation_is_repaired_and_terminates) {
    const ShapePtr rod = primitive(Primitive::rod_hull, 264), plate = primitive(Primitive::plate_hull, 264);
    std::uint64_t repairs = 0, frames = 0, repaired_frames = 0;
    for (const double size : {8.0, 20.0}) {
        RepeatedQuery repeated(interior_point(), {rod, plate, {}, {}});
        repeated.set("problem_size", size);
        for (int frame = 0; frame < 300; ++frame) {
            const Pair pair = frame_of(rod, plate, frame, 1.1, 0.9);  // 63 degrees per frame
            const PairResult r = repeated.query_pair(pair, Exactness::fast);
            // Rung 1 alone: without the check of all vertices, planes of the columns would be accepted.
            EXPECT_EQ(r.verdict, query_pair(*find_pair_algorithm("gjk"), pair).verdict) << frame;
            EXPECT_LT(r.counters[kRepairs], 60u);
            EXPECT_LE(r.counters[kColumns], size + 1 + r.counters[kAdded]);
            repairs += r.counters[kRepairs];
            repaired_frames += r.counters[kRepairs] > 0 ? 1 : 0;
            ++frames;
        }
    }
    std::printf("repairs: %llu in %llu of %llu frames of 63 degrees\n",
                static_cast<unsigned long long>(repairs), static_cast<unsigned long long>(repaired_frames),
                static_cast<unsigned long long>(frames));
    EXPECT_GT(repairs, 50u);
}

TEST(InteriorPointPairs, LP_7_fut_closest_features_visit_few_vertices) {
    double visited[2][2] = {};
    for (const std::uint32_t vertices : {100u, 2000u}) {
        const streams::QueryStream stream = cage(Primitive::ellipsoid_hull, vertices, 10, 60);
        const Tally all = play(stream, true, {});
        const Tally near = play(stream, true, {{"closest_features", 1}});
        for (const int kind : {0, 1}) EXPECT_EQ(all.queries[kind], near.queries[kind]);
        const auto count = static_cast<double>(stream.queries.size());
        visited[vertices == 100 ? 0 : 1][0] = static_cast<double>(all.visited) / count;
        visited[vertices == 100 ? 0 : 1][1] = static_cast<double>(near.visited) / count;
    }
    std::printf("vertices visited per query: all %.0f and %.0f, closest features %.0f and %.0f\n",
                visited[0][0], visited[1][0], visited[0][1], visited[1][1]);
    EXPECT_GT(visited[1][0], 10 * visited[0][0]);
    EXPECT_LT(visited[1][1], 8 * visited[0][1])
        << "a climb across a body visits about the square root of its vertices";
    EXPECT_LT(visited[1][1] * 10, visited[1][0]);
}

TEST(InteriorPointPairs, LP_7_fut_fast_rotation_between_frames_is_found_by_subdivision) {
    // A rod rotates by 170 degrees in one frame, above a small box that neither end position touches.
    const ShapePtr rod = primitive(Primitive::rod_hull, 40), box = primitive(Primitive::box, 8);
    Pair pair{rod, box, {}, {}};
    Aabb extent;
    for (std::uint32_t v = 0; v < rod->hull()->vertex_count; ++v) extent.add(rod->hull()->vertex(v));
    const Vec3d size = cast<double>(extent.max) - cast<double>(extent.min);
    const std::size_t along = size.x > size.y && size.x > size.z ? 0 : size.y > size.z ? 1 : 2;
    Vec3d tip, axis;
    tip[along] = 0.45 * size[along];
    axis[(along + 1) % 3] = 1;
    const Quat half = axis_angle(axis, 0.5 * 170 * 3.14159265358979 / 180);
    pair.world_from_b = to_matrix({{}, rotate(half, tip)});
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) pair.world_from_b.m[4 * r + c] *= 0.05f;
    const Quat whole = half * half;
    RepeatedQuery repeated(interior_point(), pair);
    const auto found = [&](int steps) {
        bool out = false;
        for (int i = 0; i <= steps; ++i) {
            pair.world_from_a = to_matrix({slerp({}, whole, double(i) / steps), {}});
            const PairResult r = repeated.query_pair(pair);
            EXPECT_EQ(r.verdict, query_pair(*find_pair_algorithm("gjk"), pair).verdict);
            out = out || r.verdict == Verdict::colliding;
        }
        return out;
    };
    EXPECT_FALSE(found(1)) << "neither frame collides";
    EXPECT_TRUE(found(64));
    EXPECT_TRUE(found(65)) << "also without a step exactly in the middle";
}

TEST(InteriorPointPairs, arbitrary_pool_contents_do_not_change_the_verdict) {
    Random random(41);
    for (const double features : {0.0, 1.0})
        for (const Pair& pair : random_pairs(150, 42)) {
            RepeatedQuery repeated(interior_point(), pair);
            repeated.set("closest_features", features);
            const Verdict want = repeated.query_pair(pair).verdict;
            for (std::byte& b : repeated.prepared().pool)
                if (random.below(4) == 0) b = static_cast<std::byte>(random.below(256));
            Pair moved = pair;  // so that no decision of the exact rung is remembered
            moved.world_from_b.m[3] += 1e-3f;
            EXPECT_EQ(repeated.query_pair(moved).verdict,
                      query_pair(*find_pair_algorithm("gjk"), moved).verdict);
            EXPECT_EQ(repeated.query_pair(pair).verdict, want);
        }
}

TEST(HalfSpaceSystems, CN_lp_form_half_spaces_of_both_bodies_are_feasible_only_for_collisions) {
    std::vector<Pair> pairs = random_pairs(300, 51);
    Random random(52);
    std::size_t colliding = 0, pushed = 0;
    for (const Pair& pair : pairs) {
        const std::vector<HullHalfSpace> of_a = half_spaces_of(*pair.a->hull());
        const std::vector<HullHalfSpace> of_b = half_spaces_of(*pair.b->hull());
        ASSERT_EQ(of_a.size(), half_space_count(*pair.a->hull()));
        const SystemBody a{pair.a->hull(), &pair.a->geometry().box, of_a};
        const SystemBody b{pair.b->hull(), &pair.b->geometry().box, of_b};
        const auto d = make_difference<double>(*a.hull, pair.world_from_a, *b.hull, pair.world_from_b);
        std::vector<HalfSpace<3>> rows(of_a.size() + of_b.size());
        const BodySystem system(a, b, d, rows);
        std::vector<std::byte> storage(seidel_bytes<3>(rows.size()));
        SeidelCounts counts;
        const Vec3d c = random.unit_vector();
        const auto answer = solve_seidel<3>(system.rows(), {c.x, c.y, c.z}, 2, storage, counts,
                                            [](std::size_t, const auto&) {});
        const Verdict want = query_pair(*find_pair_algorithm("gjk"), pair).verdict;
        EXPECT_EQ(answer.feasible, want == Verdict::colliding);
        colliding += answer.feasible ? 1 : 0;
        if (!answer.feasible) {
            const Vec3d axis = system.axis({answer.conflict.data(), answer.conflict_count});
            EXPECT_LT(reach_along(d, axis), 1e-9) << "Farkas: the axis separates";
            continue;
        }
        EXPECT_TRUE(answer.bounded);
        EXPECT_GT(system.slack(answer.x), -1e-9);
        EXPECT_LT(system.slack(answer.x), 1e-9) << "an optimum is a corner";
        ++pushed;
    }
    EXPECT_GT(colliding, 90u);
    EXPECT_LT(colliding, 210u);
    EXPECT_GT(pushed, 0u);
}

TEST(HalfSpaceSystems, CN_seidel_and_CN_fm_claims_are_proved_without_a_further_search) {
    for (const char* id : {"seidel", "fourier_motzkin"}) {
        const PairAlgorithm& algorithm = *find_pair_algorithm(id);
        std::size_t queried = 0, searched = 0;
        for (const Pair& pair : random_pairs(400, 53)) {
            if (!applies(algorithm, pair)) continue;
            ++queried;
            const PairResult r = query_pair(algorithm, pair);
            searched += r.counters[3] > 0 ? 1 : 0;
            RepeatedQuery fast(algorithm, pair);
            EXPECT_EQ(fast.query_pair(pair, Exactness::fast).verdict, r.verdict);
        }
        std::printf("%s: %zu of %zu claims needed the walk in double\n", id, searched, queried);
        EXPECT_GT(queried, 100u);
        EXPECT_LT(searched * 50, queried);
    }
}

TEST(HalfSpaceSystems, CN_seidel_flat_bodies_of_every_dimension_have_half_spaces_and_correct_claims) {
    const auto hull = [](const std::vector<Vec3f>& points) { return Shape::from_hull(points).value(); };
    const ShapePtr point = hull({{0, 0, 0}}), segment = hull({{-1, 0, 0.2f}, {1, 0, 0}});
    const ShapePtr triangle = hull({{-1, -1, 0}, {1, -1, 0.1f}, {0, 1, 0}}),
                   solid = primitive(Primitive::box, 8);
    Random random(54);
    std::size_t colliding = 0;
    for (const char* id : {"seidel", "fourier_motzkin", "interior_point"})
        for (const ShapePtr& a : {point, segment, triangle, solid})
            for (const ShapePtr& b : {point, segment, triangle, solid})
                for (int round = 0; round < 8; ++round) {
                    Pair pair{a, b, to_matrix(random_pose(random, 4)), {}};
                    pair.world_from_b = to_matrix(random_pose(random, random.uniform(0, 1.2)));
                    for (std::size_t r = 0; r < 3; ++r)
                        pair.world_from_b.m[4 * r + 3] += pair.world_from_a.m[4 * r + 3];
                    if (round == 0) pair.world_from_b = pair.world_from_a;
                    if (round == 1)  // mirrored
                        for (std::size_t r = 0; r < 3; ++r) pair.world_from_b.m[4 * r] *= -1;
                    if (round == 2)  // flattened
                        for (std::size_t c = 0; c < 3; ++c) pair.world_from_b.m[c] = 0;
                    const PairAlgorithm& algorithm = *find_pair_algorithm(id);
                    const Verdict want = query_pair(*find_pair_algorithm("lp_exact"), pair).verdict;
                    const PairResult r = query_pair(algorithm, pair);
                    EXPECT_EQ(r.verdict, want) << id << " " << round;
                    // Rung 1 alone is correct as well, and is undecided if a matrix flattens a body.
                    RepeatedQuery fast(algorithm, pair);
                    const Verdict said = fast.query_pair(pair, Exactness::fast).verdict;
                    EXPECT_TRUE(said == want || (round == 2 && said == Verdict::undecided)) << id << round;
                    colliding += want == Verdict::colliding ? 1 : 0;
                }
    EXPECT_GT(colliding, 60u);
}

TEST(HalfSpaceSystems, CN_fm_rejects_bodies_with_too_many_faces_and_documents_the_limit) {
    const PairAlgorithm& algorithm = *find_pair_algorithm("fourier_motzkin");
    const ShapePtr small = primitive(Primitive::box, 8), large = primitive(Primitive::ellipsoid_hull, 40);
    EXPECT_TRUE(applies(algorithm, {small, small, {}, {}}));
    EXPECT_FALSE(applies(algorithm, {small, large, {}, {}}));
    EXPECT_FALSE(applies(algorithm, {large, small, {}, {}}));
    EXPECT_EQ(query_pair(algorithm, {large, small, {}, {}}).status, QueryStatus::not_applicable);
    EXPECT_NE(std::strstr(algorithm.summary, "grows with the fourth power"), nullptr);
    Pair pair{small, small, {}, {}};
    pair.world_from_b = to_matrix({axis_angle(normalized(Vec3d{1, 2, 3}), 0.7), {0.4, 0.1, 0.2}});
    RepeatedQuery plain(algorithm, pair);
    plain.set("drop_redundant", 0);
    const PairResult r = plain.query_pair(pair);
    EXPECT_EQ(r.counters[0], 12u);
    EXPECT_GT(r.counters[1], 50u) << "pairs combined out of 12 half-spaces";
    EXPECT_GT(r.counters[2], 24u) << "rows of the largest system";
    EXPECT_EQ(r.verdict, Verdict::colliding);
}

TEST(HalfSpaceSystems, CN_seidel_other_shuffle_seeds_give_the_same_claims) {
    const PairAlgorithm& algorithm = *find_pair_algorithm("seidel");
    std::size_t orders = 0;
    for (const Pair& pair : random_pairs(100, 55)) {
        RepeatedQuery repeated(algorithm, pair);
        PairQuery q = repeated.query(pair, Exactness::fast);
        PairCache cache;
        const PairResult first = run_query(algorithm, q, cache);
        for (q.seed = 1; q.seed < 20; ++q.seed) {
            const PairResult r = run_query(algorithm, q, cache);
            EXPECT_EQ(r.verdict, first.verdict);
            orders += r.counters[1] != first.counters[1] ? 1 : 0;
        }
    }
    EXPECT_GT(orders, 1000u) << "the order depends on the seed";
}

}  // namespace
}  // namespace claybox::test
