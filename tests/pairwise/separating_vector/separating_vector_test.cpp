// The separating vector algorithm in the registry: its start, its memory, the cost of its support searches,
// and the paper's statistics.

#include "bench/streams/stream_player.hpp"
#include "collision/module/world.hpp"
#include "collision/pairwise/separating_vector/direction_table.hpp"
#include "collision/pairwise/support/support.hpp"
#include "tests/pairwise/pairs.hpp"

#include <cmath>
#include <string>

namespace claybox::test {
namespace {

enum Counter : std::size_t { kSteps, kReoccurrences, kLemmaExits, kVisited, kTransformed };
enum Support : int { kAutomatic, kScan, kClimb, kHierarchy, kQuickClimb };

const PairAlgorithm& vector_algorithm() {
    return *find_pair_algorithm("separating_vector");
}
double& parameter(ParameterValues& values, const char* id) {
    return values[find_parameter(vector_algorithm().parameters, id)];
}
/// As in the paper: climbing, and no memory of collisions.
ParameterValues as_in_the_paper() {
    ParameterValues out = default_values(vector_algorithm().parameters);
    parameter(out, "support") = kClimb;
    parameter(out, "recall_collision") = 0;
    return out;
}

/// Records S, p and q of every step of one query.
struct StepTrace final : Trace {
    struct Step {
        Vec3d s, p, q, w;
        double gap = 0;
    };
    std::vector<Step> steps;
    void begin_iteration(int) override { steps.emplace_back(); }
    void point(const Vec3d& at, const char* label) override {
        if (std::string(label) == "p, support of A") steps.back().p = at;
        if (std::string(label) == "q, support of B") steps.back().q = at;
        if (std::string(label) == "S") steps.back().s = at;
        if (std::string(label) == "w") steps.back().w = at;
    }
    void segment(const Vec3d&, const Vec3d&, const char*) override {}
    void space(TraceSpace) override {}
    void plane(const Vec3d&, double, const Vec3d&, const char*) override {}
    void value(const char* label, double v) override {
        if (std::string(label) == "S.(q - p) (m)") steps.back().gap = v;
    }
};

/// One fast query, so that only the kernel is traced.
PairResult trace_kernel(const Pair& p, const ParameterValues& values, StepTrace& trace) {
    PreparedPair prepared = prepare(vector_algorithm(), p);
    Scratch scratch;
    PairCache cache;
    cache.set_pool(prepared.pool);
    PairQuery q = query_of(vector_algorithm(), p, prepared, scratch);
    q.parameters = values;
    q.exactness = Exactness::fast;
    return run_query(vector_algorithm(), q, cache, &trace);
}

Vec3d placed(const Matrix34f& m, const ConvexHull& hull, std::uint32_t v) {
    return transform_point(to_double(m), hull.vertex(v));
}
double furthest(const Matrix34f& m, const ConvexHull& hull, const Vec3d& s) {
    double out = dot(s, placed(m, hull, 0));
    for (std::uint32_t v = 1; v < hull.vertex_count; ++v) out = std::max(out, dot(s, placed(m, hull, v)));
    return out;
}

/// Compares the supports of every step with all vertices. Returns the number of steps.
std::size_t compare_supports(const Pair& p, int support, int table) {
    ParameterValues values = as_in_the_paper();
    parameter(values, "support") = support;
    parameter(values, "table") = table;
    StepTrace trace;
    trace_kernel(p, values, trace);
    for (const StepTrace::Step& step : trace.steps) {
        EXPECT_NEAR(dot(step.s, step.p), furthest(p.world_from_a, *p.a->hull(), step.s), 2e-6);
        EXPECT_NEAR(-dot(step.s, step.q), furthest(p.world_from_b, *p.b->hull(), -step.s), 2e-6);
        EXPECT_NEAR(step.gap, dot(step.s, step.q - step.p), 2e-6);
        EXPECT_NEAR(length(step.s), 1, 1e-5);
    }
    return trace.steps.size();
}

TEST(SeparatingVectorPair, CW_2_2_support_vertices_are_furthest_in_every_step) {
    std::size_t steps = 0;
    for (const Pair& p : random_pairs(120, 81))
        for (const int support : {kAutomatic, kScan, kClimb})
            for (const int table : {0, 2}) steps += compare_supports(p, support, table);
    EXPECT_GT(steps, 1000u);
    Random random(88);
    Pair large{make_primitive_shape(Primitive::ellipsoid_hull, 300, 1.0f, 5).value(),
               make_primitive_shape(Primitive::plate_hull, 300, 1.0f, 5).value(),
               {},
               {}};
    for (int i = 0; i < 15; ++i) {
        large.world_from_b = to_matrix(random_pose(random, random.uniform(0.2, 1.5)));
        for (const int support : {kAutomatic, kScan, kHierarchy, kQuickClimb})
            compare_supports(large, support, 2);
    }
}

TEST(SeparatingVectorPair, CW_2_2_plane_through_the_midpoint_of_p_and_q_separates) {
    std::size_t separated = 0;
    for (const Pair& p : random_pairs(400, 82)) {
        const PairResult r = query_pair(vector_algorithm(), p);
        if (r.verdict != Verdict::separated || r.certificate.pair_count > 0) continue;
        const Certificate& c = r.certificate;
        const Vec3d middle = 0.5 * (placed(p.world_from_a, *p.a->hull(), c.support_a) +
                                    placed(p.world_from_b, *p.b->hull(), c.support_b));
        EXPECT_LT(furthest(p.world_from_a, *p.a->hull(), c.axis_w), dot(c.axis_w, middle));
        EXPECT_LT(furthest(p.world_from_b, *p.b->hull(), -c.axis_w), -dot(c.axis_w, middle));
        ++separated;
    }
    EXPECT_GT(separated, 100u);
}

TEST(SeparatingVectorPair, CW_2_4_s0_connects_the_centroids_and_is_arbitrary_if_they_coincide) {
    for (const Pair& p : random_pairs(100, 83)) {
        StepTrace trace;
        trace_kernel(p, as_in_the_paper(), trace);
        const Vec3d between = transform_point(to_double(p.world_from_b), p.b->hull()->interior) -
                              transform_point(to_double(p.world_from_a), p.a->hull()->interior);
        EXPECT_NEAR(length(trace.steps[0].s - normalized(between)), 0, 1e-5);
    }
    for (const ShapePtr& shape : convex_shapes()) {
        const Pair same{shape, shape, {}, {}};
        StepTrace trace;
        EXPECT_EQ(trace_kernel(same, as_in_the_paper(), trace).verdict, Verdict::colliding);
        EXPECT_EQ(trace.steps[0].s, (Vec3d{1, 0, 0}));
        EXPECT_EQ(query_pair(vector_algorithm(), same).verdict, Verdict::colliding);
    }
}

/// Two disjoint bodies; one passes the other, with 1 % of its radius and 2 degrees per frame. Side by side
/// they overlap along the line between the centroids.
struct Drift {
    Pair pair;
    explicit Drift(std::uint32_t vertices)
        : pair{make_primitive_shape(Primitive::ellipsoid_hull, vertices, 1.0f, 5).value(),
               make_primitive_shape(Primitive::ellipsoid_hull, vertices, 1.0f, 6).value(),
               {},
               {}} {
        const Vec3f half = pair.a->geometry().box.half();
        thin = half.x < half.y && half.x < half.z ? 0 : half.y < half.z ? 1 : 2;
    }
    void frame(int number) {
        Vec3d about{}, past{1, 1, 1}, at{};
        about[thin] = 1;
        past[thin] = 0;
        at = (1.2 * std::sin(0.01 * number)) * past;
        at[thin] = 2.1 * static_cast<double>(pair.a->geometry().box.half()[thin]);
        pair.world_from_a = to_matrix({axis_angle(about, 0.035 * number), {}});
        pair.world_from_b = to_matrix({axis_angle(about, -0.035 * number), at});
    }

  private:
    std::size_t thin;  ///< the axis of smallest extent
};

/// Sums over the frames of a drift.
struct DriftTally {
    int frames = 0, separated = 0, first_step = 0;
    double steps = 0, visited = 0, transformed = 0;
};
DriftTally drift(std::uint32_t vertices, const ParameterValues& values, int frames = 300) {
    Drift d(vertices);
    PreparedPair prepared = prepare(vector_algorithm(), d.pair);
    Scratch scratch;
    PairCache cache;
    cache.set_pool(prepared.pool);
    DriftTally out;
    for (; out.frames < frames; ++out.frames) {
        d.frame(out.frames);
        PairQuery q = query_of(vector_algorithm(), d.pair, prepared, scratch);
        q.parameters = values;
        const PairResult r = run_query(vector_algorithm(), q, cache);
        if (r.verdict != Verdict::separated) continue;
        ++out.separated;
        out.first_step += r.counters[kSteps] == 1 ? 1 : 0;
        out.steps += r.counters[kSteps];
        out.visited += r.counters[kVisited];
        out.transformed += r.counters[kTransformed];
    }
    return out;
}

TEST(SeparatingVectorPair, CW_2_2_cache_answers_in_the_first_step_and_saves_steps) {
    ParameterValues values = as_in_the_paper();
    const DriftTally warm = drift(200, values);
    EXPECT_EQ(warm.separated, warm.frames);
    EXPECT_GE(warm.first_step, 0.9 * warm.separated);
    parameter(values, "warm_start") = 0;
    const DriftTally cold = drift(200, values);
    EXPECT_EQ(cold.separated, warm.separated);
    EXPECT_GT(cold.steps, 1.15 * warm.steps);
}

TEST(SeparatingVectorPair, CW_2_3_hill_visits_about_as_many_vertices_on_large_hulls_as_on_small_ones) {
    const auto visited_per_search = [](std::uint32_t vertices) {
        const DriftTally t = drift(vertices, as_in_the_paper());
        return t.visited / (2 * t.steps);
    };
    const double few = visited_per_search(20), many = visited_per_search(1000);
    EXPECT_GT(few, 3);  // it does visit neighbours
    EXPECT_LT(many, 3 * few);
    EXPECT_LT(many, 30);
    // Ties: with coplanar faces or edges perpendicular to the direction, any furthest vertex is correct.
    const ShapePtr box = make_primitive_shape(Primitive::box, 6, 1.0f, 1).value();
    for (const Vec3f& d : {Vec3f{1, 0, 0}, Vec3f{0, -1, 0}, Vec3f{1, 1, 0}, Vec3f{0, 1, -1}})
        for (std::uint32_t start = 0; start < 8; ++start) {
            const ConvexHull& hull = *box->hull();
            const std::uint32_t v = support_vertex(hull, d, start, SupportMethod::climb);
            EXPECT_EQ(dot(cast<double>(d), cast<double>(hull.vertex(v))),
                      furthest({}, hull, cast<double>(d)));
        }
}

TEST(SeparatingVectorPair, CW_2_3_local_transforms_two_vertices_per_step_for_every_hull_size) {
    for (const std::uint32_t vertices : {20u, 1000u}) {
        const DriftTally t = drift(vertices, as_in_the_paper(), 100);
        EXPECT_EQ(t.transformed, 2 * t.steps);
    }
}

TEST(SeparatingVectorPair, CW_2_4_table_shortens_climbs_and_changes_no_verdict) {
    std::vector<double> visited_per_search;
    std::vector<Verdict> verdicts;
    for (const int table : {0, 1, 2, 3}) {
        double visited = 0;
        std::size_t i = 0;
        Random random(84);
        const ShapePtr shape = make_primitive_shape(Primitive::ellipsoid_hull, 1000, 1.0f, 5).value();
        Pair p{shape, shape, {}, {}};
        PreparedPair prepared = prepare(vector_algorithm(), p);
        for (int k = 0; k < 150; ++k) {
            const double distance = random.uniform(0.5, 2.0);
            p.world_from_a = to_matrix(random_pose(random, 1.0));
            p.world_from_b = to_matrix(random_pose(random, distance));
            Scratch scratch;
            PairCache cache;
            cache.set_pool(prepared.pool);
            PairQuery q = query_of(vector_algorithm(), p, prepared, scratch);
            q.parameters = as_in_the_paper();
            parameter(q.parameters, "table") = table;
            const PairResult r = run_query(vector_algorithm(), q, cache);
            visited += r.counters[kVisited] / (2.0 * r.counters[kSteps]);
            if (table == 0) verdicts.push_back(r.verdict);
            EXPECT_EQ(r.verdict, verdicts[i++]);
        }
        visited_per_search.push_back(visited / 150);
    }
    for (std::size_t t = 1; t < visited_per_search.size(); ++t)
        EXPECT_LT(visited_per_search[t], 0.85 * visited_per_search[t - 1]);
}

TEST(SeparatingVectorPair, CW_2_4_table_has_the_furthest_vertex_of_every_cell) {
    const ShapePtr shape = make_primitive_shape(Primitive::rod_hull, 100, 1.0f, 5).value();
    for (const auto& [rows, columns] : {std::pair{4u, 8u}, std::pair{8u, 16u}, std::pair{16u, 32u}}) {
        const DirectionTable table(*shape->hull(), rows, columns);
        for (std::uint32_t cell = 0; cell < rows * columns; ++cell) {
            const Vec3d d = table.middle(cell);
            EXPECT_NEAR(length(d), 1, 1e-12);
            EXPECT_EQ(table.cell(cast<float>(7.0 * d)), cell);
            const std::uint32_t v = table.vertex(cast<float>(d));
            EXPECT_EQ(dot(d, cast<double>(shape->hull()->vertex(v))), furthest({}, *shape->hull(), d));
        }
        Random random(85);
        double cosine = 1;
        for (int i = 0; i < 2000; ++i) {
            const Vec3d d = random.unit_vector();
            cosine = std::min(cosine, dot(d, table.middle(table.cell(cast<float>(d)))));
        }
        EXPECT_GT(cosine, rows == 4 ? 0.55 : rows == 8 ? 0.8 : 0.9);
        for (const Vec3f& odd : {Vec3f{}, Vec3f{0, 0, 1}, Vec3f{0, 0, -1e-40f}, Vec3f{0, -3e38f, 3e38f}})
            EXPECT_LT(table.cell(odd), rows * columns);
    }
}

/// The paper's statistics over a recorded stream.
struct Shares {
    std::size_t queries = 0, separated = 0, separated_in_three = 0, in_three = 0, most = 0, reoccurred = 0;
    double separated_share() const { return double(separated_in_three) / double(separated); }
    double share() const { return double(in_three) / double(queries); }
};
Shares shares_of(Primitive primitive, std::uint32_t vertices, std::uint32_t frames) {
    streams::CageSettings settings;
    settings.primitive = primitive;
    settings.vertices = vertices;
    settings.filled_by_balls = true;
    const streams::QueryStream stream = streams::record_cage(settings, frames).value();
    streams::StreamPlayer player(stream, vector_algorithm());
    const streams::PlaySettings play{Exactness::exact, kWantVerdict, true, as_in_the_paper()};
    Shares out;
    for (std::size_t i = 0; i < stream.queries.size(); ++i) {
        const PairResult r = player.run_one(i, play);
        const std::size_t k = r.counters[kSteps];
        ++out.queries;
        out.in_three += k <= 3 ? 1 : 0;
        out.most = std::max(out.most, k);
        if (r.verdict != Verdict::separated) continue;
        ++out.separated;
        out.separated_in_three += k <= 3 ? 1 : 0;
        out.reoccurred += r.counters[kReoccurrences] > 0 ? 1 : 0;
    }
    std::printf(
        "%u vertices: %zu queries, within three steps %.1f %% of %zu non-colliding, %.1f %% of all, "
        "most %zu, revisited pairs in %.2f %% of the non-colliding\n",
        vertices, out.queries, 100 * out.separated_share(), out.separated, 100 * out.share(), out.most,
        100.0 * double(out.reoccurred) / double(out.separated));
    return out;
}

TEST(SeparatingVectorPair, CW_5_cplx_and_CW_X1_most_pairs_take_three_steps_and_ellipsoids_fewer_than_25) {
    for (const Primitive primitive :
         {Primitive::ellipsoid_hull, Primitive::rod_hull, Primitive::plate_hull}) {
        const Shares s = shares_of(primitive, 500, 100);
        // At least four vertices surround the origin, so three steps never decide a collision. The share of
        // all pairs therefore depends on how many collide.
        EXPECT_GT(s.separated_share(), 0.95);
        EXPECT_EQ(s.in_three, s.separated_in_three);
        EXPECT_GT(s.share(), 0.7);
        if (primitive == Primitive::ellipsoid_hull) {
            EXPECT_LT(s.most, 25u);
        }
    }
}

TEST(SeparatingVectorPair, CW_4_3_finite_never_exceeds_its_storage_for_any_matrix) {
    Random random(86);
    const std::vector<ShapePtr> shapes = convex_shapes();
    std::uint32_t most = 0;
    for (int i = 0; i < 4000; ++i) {
        Pair p{shapes[random.below(shapes.size())], shapes[random.below(shapes.size())], {}, {}};
        for (Matrix34f* m : {&p.world_from_a, &p.world_from_b}) {
            const double size = i % 2 == 0 ? 1 : std::exp2(random.uniform(-60.0, 60.0));
            for (float& entry : m->m) entry = static_cast<float>(random.uniform(-size, size));
        }
        StepTrace trace;
        const PairResult r = trace_kernel(p, as_in_the_paper(), trace);
        EXPECT_NE(r.verdict, Verdict::undecided);
        most = std::max(most, r.iterations);
    }
    EXPECT_LT(most, 200u);
}

TEST(SeparatingVectorPair, recalls_the_pairs_of_the_last_collision_and_continues_from_them) {
    const ShapePtr shape = make_primitive_shape(Primitive::ellipsoid_hull, 60, 1.0f, 5).value();
    Pair p{shape, shape, {}, {}};
    PreparedPair prepared = prepare(vector_algorithm(), p);
    Scratch scratch;
    PairCache cache;
    cache.set_pool(prepared.pool);
    std::uint32_t recalled = 0, colliding = 0;
    for (int frame = 0; frame < 200; ++frame) {
        const double t = 0.02 * frame;
        p.world_from_b = to_matrix({axis_angle({0, 0.6, 0.8}, t), {0.9 + 0.7 * std::sin(t), 0.1, 0.2}});
        const PairResult r =
            run_query(vector_algorithm(), query_of(vector_algorithm(), p, prepared, scratch), cache);
        EXPECT_EQ(r.verdict, query_pair(vector_algorithm(), p).verdict);
        if (r.verdict != Verdict::colliding) continue;
        ++colliding;
        recalled += r.counters[kSteps] == 0 ? 1 : 0;
    }
    EXPECT_GT(colliding, 100u);
    EXPECT_GT(recalled, colliding / 2);
}

TEST(SeparatingVectorPair, CW_1_two_layer_only_pairs_with_overlapping_boxes_are_queried) {
    WorldSettings settings = default_settings();
    settings.pair_algorithm = &vector_algorithm();
    settings.pair_parameters = default_values(vector_algorithm().parameters);
    World world(settings);
    const std::vector<ShapePtr> shapes = convex_shapes();
    Random random(87);
    std::vector<std::pair<ShapePtr, BodyId>> bodies;
    for (int i = 0; i < 60; ++i) {
        const ShapePtr& shape = shapes[random.below(shapes.size())];
        bodies.emplace_back(shape, world.add_body({shape, {}, 0, false, 0}).value());
    }
    std::uint64_t queried = 0;
    for (std::uint64_t frame = 1; frame <= 20; ++frame) {
        std::vector<Aabb> boxes;
        for (const auto& [shape, id] : bodies) {
            // Not rotated, so that the module's box equals the box of the vertices.
            const Pose pose{{}, random.vector(0.0, 5.0)};
            ASSERT_TRUE(world.move(id, pose).ok());
            boxes.push_back(transform_aabb(to_matrix(pose), shape->geometry().box));
        }
        world.publish(frame);
        world.check();
        std::uint64_t overlaps = 0;
        for (std::size_t a = 0; a < boxes.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) overlaps += overlap(boxes[a], boxes[b]) ? 1 : 0;
        EXPECT_EQ(world.stats().tests, overlaps);
        EXPECT_LT(overlaps, boxes.size() * (boxes.size() - 1) / 2);
        queried += overlaps;
    }
    EXPECT_GT(queried, 500u);
}

}  // namespace
}  // namespace claybox::test
