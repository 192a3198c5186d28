// The functional interface of Zachmann's thesis (7.1 and 7.2), function by function, with real algorithms.
// docs/explanation/module.md has a table of the functions.
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/module/pass/broad_phase_benefit.hpp"
#include "tests/module/support.hpp"

#include <map>
#include <thread>

namespace claybox::collision {
namespace {

using namespace test;

ShapePtr shape_of(Primitive primitive, std::uint32_t polygons, float radius) {
    return make_primitive_shape(primitive, polygons, radius, 1).value();
}
BodyId add_shape(World& world, const ShapePtr& shape, double x, bool deformable = false) {
    return world.add_body({.shape = shape, .pose = at(x), .deformable = deformable}).value();
}
WorldSettings with_pair(const char* id) {
    WorldSettings settings = default_settings();
    settings.pair_algorithm = find_pair_algorithm(id);
    settings.pair_parameters = default_values(settings.pair_algorithm->parameters);
    return settings;
}

TEST(FrontEnd, Z_7_2_colInit_settings_report_every_default) {
    const World world(WorldSettings{});
    const WorldSettings settings = world.settings();
    EXPECT_EQ(settings.pair_algorithm, pair_algorithms().front());
    EXPECT_EQ(settings.pair_parameters, default_values(settings.pair_algorithm->parameters));
    EXPECT_EQ(settings.broad_phase, broad_phases().front());
    EXPECT_EQ(settings.broad_parameters, default_values(settings.broad_phase->parameters));
    ASSERT_NE(settings.fallback_algorithm, nullptr);
    EXPECT_EQ(settings.fallback_algorithm->needs, Needs::any_polygons);
    ASSERT_NE(settings.solid_fallback, nullptr);
    EXPECT_TRUE(settings.solid_fallback->exact);
    EXPECT_EQ(settings.workers, 1u);
    EXPECT_FALSE(settings.concurrent);
    EXPECT_TRUE(settings.narrow);
    EXPECT_EQ(settings.budget_ms, 0);
    // As "processes" in the thesis: 0 means one per processor.
    WorldSettings all;
    all.workers = 0;
    EXPECT_EQ(World(all).settings().workers, std::max(1u, std::thread::hardware_concurrency()));
    all.workers = 1000000;
    EXPECT_EQ(World(all).settings().workers, 64u);
}

/// Contacts of a few frames of a random drive, and the counts of the last pass.
std::pair<std::vector<std::size_t>, PassStats> contacts_with(const WorldSettings& settings) {
    World world(settings);
    RandomDrive drive(world, 120, 6, 3);
    std::vector<std::size_t> out;
    for (std::uint64_t n = 1; n <= 20; ++n) {
        drive.move_some(1);
        frame(world, n);
        out.push_back(world.stats().colliding);
    }
    return {out, world.stats()};
}

TEST(FrontEnd, Z_7_2_cfg_space_octree_grid_and_no_broad_phase_find_the_same_contacts) {
    std::map<std::string, PassStats> stats;
    std::vector<std::size_t> expected;
    for (const char* broad : {"all_pairs", "grid", "octree"}) {
        WorldSettings settings = ball_settings();
        settings.broad_phase = find_broad_phase(broad);
        settings.broad_parameters = default_values(settings.broad_phase->parameters);
        const auto found = contacts_with(settings);
        if (expected.empty()) expected = found.first;
        EXPECT_EQ(found.first, expected) << broad;
        stats[broad] = found.second;
    }
    EXPECT_GE(stats["all_pairs"].raw_candidates, 120u * 119 / 2);
    EXPECT_NE(stats["grid"].raw_candidates, stats["octree"].raw_candidates);
    EXPECT_EQ(stats["grid"].candidates, stats["octree"].candidates);
}

TEST(FrontEnd, Z_7_2_cfg_meth_algorithms_for_convex_bodies_use_the_fallback_for_others) {
    const ShapePtr ball = shape_of(Primitive::ellipsoid_hull, 40, 1),
                   torus = shape_of(Primitive::torus, 100, 1);
    for (const char* id : {"gjk", "cyrus_beck", "edge_polygon"}) {
        World world(with_pair(id));
        add_shape(world, ball, 0);
        add_shape(world, ball, 1.5);
        add_shape(world, torus, 50);
        add_shape(world, torus, 51.5);
        EXPECT_EQ(frame(world, 1).events.size(), 2u) << id;
        const bool convex = find_pair_algorithm(id)->needs == Needs::convex;
        EXPECT_EQ(world.stats().tests_by_algorithm[0], convex ? 1u : 2u)
            << id;  // the other pair uses the fallback
        EXPECT_EQ(world.stats().tests_by_algorithm[1], convex ? 1u : 0u) << id;
    }
}

// In the thesis, box trees are only available with the method for arbitrary polyhedra.
TEST(FrontEnd, Z_7_2_cfg_box_trees_accept_convex_bodies_too) {
    World world(with_pair("box_tree"));
    const ShapePtr ball = shape_of(Primitive::ellipsoid_hull, 40, 1),
                   torus = shape_of(Primitive::torus, 100, 1);
    add_shape(world, ball, 0);
    add_shape(world, ball, 1.5);
    add_shape(world, torus, 0.5);
    EXPECT_EQ(frame(world, 1).events.size(), 3u);
    EXPECT_EQ(world.stats().tests_by_algorithm[0], 3u);
    EXPECT_EQ(world.stats().undecided, 0u);
}

TEST(FrontEnd, Z_7_1_auto_each_pair_uses_the_algorithm_for_its_class) {
    World world(default_settings());  // automatic: best for convex pairs, mesh_bvh for others
    const ShapePtr ball = shape_of(Primitive::ellipsoid_hull, 40, 1),
                   torus = shape_of(Primitive::torus, 100, 1);
    add_shape(world, ball, 0);
    add_shape(world, ball, 1.5);  // convex pair
    add_shape(world, torus, 100);
    add_shape(world, torus, 101.5);  // meshes
    add_shape(world, ball, 200);
    add_shape(world, torus, 201);  // one of each
    add_shape(world, ball, 300);
    add_shape(world, ball, 301, true);  // a deformable body has no valid hull
    EXPECT_EQ(frame(world, 1).events.size(), 4u);
    EXPECT_EQ(world.stats().tests, 4u);
    EXPECT_EQ(world.stats().tests_by_algorithm[0], 1u);
    EXPECT_EQ(world.stats().tests_by_algorithm[1], 3u);
    EXPECT_EQ(world.stats().tests_by_algorithm[2], 0u);
    EXPECT_EQ(world.stats().undecided, 0u);
    // Interests may request hits; the algorithm is chosen accordingly.
    world.set_interest(0, 0, {true, kWantAllHits, 0});
    frame(world, 2);
    EXPECT_EQ(world.stats().tests_by_algorithm[0], 0u);
    EXPECT_EQ(world.stats().tests_by_algorithm[1], 4u);
}

TEST(FrontEnd, Z_7_2_make_and_Z_7_2_start_calls_in_the_wrong_order_are_errors_and_bodies_may_be_added_later) {
    World world(default_settings());
    EXPECT_FALSE(world.move({0, 1}, at(0)).ok());  // no such body yet
    EXPECT_FALSE(world.remove_body({}).ok());
    EXPECT_FALSE(world.add_body({}).ok());  // no shape
    const ShapePtr ball = shape_of(Primitive::ellipsoid_hull, 40, 1);
    const BodyId a = add_shape(world, ball, 0);
    EXPECT_TRUE(world.alive(a));
    EXPECT_TRUE(frame(world, 1).events.empty());
    add_shape(world, ball, 1);  // the thesis: only before colStart
    EXPECT_EQ(frame(world, 2).events.size(), 1u);
    ASSERT_TRUE(world.remove_body(a).ok());
    EXPECT_FALSE(world.move(a, at(0)).ok());
    const Status again = world.remove_body(a);
    ASSERT_FALSE(again.ok());
    EXPECT_NE(again.error().message.find("expected a body of this world"), std::string::npos);
    // The topology that colStart determined is known before a body is added.
    EXPECT_NE(ball->hull(), nullptr);
    EXPECT_EQ(shape_of(Primitive::torus, 100, 1)->hull(), nullptr);
    EXPECT_FALSE(applicable(*find_pair_algorithm("gjk"),
                            {ball.get(), &ball->geometry(), nullptr, to_matrix(at(0))}, [] {
                                static const ShapePtr torus = shape_of(Primitive::torus, 100, 1);
                                return PairBody{torus.get(), &torus->geometry(), nullptr, to_matrix(at(0))};
                            }()));
}

TEST(FrontEnd, Z_7_2_exit_destroying_a_world_frees_everything) {
    std::weak_ptr<const Shape> shape;
    int owner = 0;
    {
        const auto counted = std::make_shared<int>(0);
        WorldSettings settings = default_settings();
        settings.concurrent = true;
        World world(settings);
        const ShapePtr ball = shape_of(Primitive::ellipsoid_hull, 40, 1);
        shape = ball;
        for (int i = 0; i < 20; ++i) add_shape(world, ball, 1.5 * i, i % 5 == 0);
        world.set_callback([counted](const Event&, std::span<const Hit>, CallbackContext&) { ++*counted; });
        for (std::uint64_t n = 1; n < 20; ++n) world.publish(n);
        world.wait_idle();
        owner = *counted;
        EXPECT_GT(world.stats().tests, 0u);  // statistics are always available
    }
    EXPECT_TRUE(shape.expired());
    EXPECT_GT(owner, 0);
}

// In the thesis a global variable, "not reliably valid when parallel collision detection is on".
TEST(FrontEnd, Z_7_2_witness_every_event_has_a_witness_that_proves_the_contact_in_parallel_mode_too) {
    const ShapePtr ball = shape_of(Primitive::ellipsoid_hull, 40, 1);
    for (const char* id : {"best", "gjk", "edge_polygon"}) {
        WorldSettings settings = with_pair(id);
        settings.parallel = ParallelMode::pairs;
        settings.workers = 4;
        World world(settings);
        Random random(9);
        std::map<BodyId, Pose> poses;
        for (int i = 0; i < 150; ++i) {
            const Pose pose{axis_angle(random.unit_vector(), 1),
                            {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)}};
            poses[world.add_body({.shape = ball, .pose = pose}).value()] = pose;
        }
        int checked = 0;
        world.set_callback([&](const Event& event, std::span<const Hit>, CallbackContext& context) {
            EXPECT_EQ(context.pose(event.a).translation, poses[event.a].translation);
            Scratch scratch;
            const PairQuery query =
                make_pair_query(*ball, to_matrix(poses[event.a]), *ball, to_matrix(poses[event.b]), scratch);
            PairResult result;
            result.verdict = Verdict::colliding;
            result.certificate = event.witness;
            EXPECT_NE(event.witness.kind, CertificateKind::none) << id;
            EXPECT_TRUE(certify(query, result)) << id;
            ++checked;
        });
        frame(world, 1);
        EXPECT_GT(checked, 50) << id;
    }
}

TEST(FrontEnd, Z_7_1_new_overlapping_bodies_at_rest_are_reported_once) {
    World world(default_settings());
    const ShapePtr ball = shape_of(Primitive::ellipsoid_hull, 40, 1);
    const BodyId a = add_shape(world, ball, 0);
    add_shape(world, ball, 1);
    const BodyId far = add_shape(world, ball, 100);
    int calls = 0;
    world.set_callback([&](const Event&, std::span<const Hit>, CallbackContext&) { ++calls; });
    frame(world, 1);
    EXPECT_EQ(calls, 1);
    for (std::uint64_t n = 2; n < 10; ++n) {
        ASSERT_TRUE(world.move(far, at(100 + static_cast<double>(n))).ok());
        EXPECT_TRUE(frame(world, n).events.empty());
        EXPECT_EQ(world.stats().tests, 0u);
        EXPECT_EQ(world.stats().colliding, 1u);
    }
    EXPECT_EQ(calls, 1);
    ASSERT_TRUE(world.move(a, at(0.1)).ok());
    EXPECT_EQ(frame(world, 10).events.size(), 1u);
    EXPECT_EQ(calls, 2);
}

// The five sets of the pipeline: moved, near, wanted, overlapping, intersecting.
TEST(FrontEnd, Z_7_1_pipe_each_stage_passes_on_a_subset_of_the_pairs) {
    World world(with_pair("box_tree"));
    const ShapePtr torus = shape_of(Primitive::torus, 200, 1);
    Random random(4);
    for (unsigned i = 0; i < 40; ++i)
        (void)world.add_body({.shape = torus,
                              .pose = {axis_angle(random.unit_vector(), 1),
                                       {random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(-4, 4)}},
                              .group = i % 2});
    world.set_interest(0, 0, {false, kWantVerdict, 0});
    world.set_interest(0, 1, {true, kWantAllHits, 0});
    world.set_interest(1, 1, {true, kWantAllHits, 0});
    const EventBatch batch = frame(world, 1);
    const PassStats stats = world.stats();
    EXPECT_EQ(stats.moved, 40u);
    EXPECT_GE(stats.raw_candidates, stats.candidates);
    EXPECT_EQ(stats.candidates - stats.ignored, stats.tests);
    EXPECT_GT(stats.ignored, 0u);
    std::uint64_t of_boxes = 0;
    for (std::size_t i = 0; i < kMaxCounters; ++i) of_boxes = std::max(of_boxes, stats.algorithm_counters[i]);
    EXPECT_GT(of_boxes, stats.tests);               // pairs of sub-boxes
    EXPECT_GT(batch.hits.size(), stats.colliding);  // edges and polygons
    EXPECT_GE(stats.tests, stats.colliding);
    EXPECT_GT(stats.colliding, 0u);
}

TEST(FrontEnd, Z_7_0_2_geom_deforming_a_body_tests_its_pairs_again) {
    World world(default_settings());
    const BodyId soft = add(world, at(0), 0, true);
    add(world, at(2.5));
    EXPECT_TRUE(frame(world, 1).events.empty());
    EXPECT_TRUE(frame(world, 2).events.empty());
    EXPECT_EQ(world.stats().moved, 0u);
    std::vector<VertexChange> stroke;
    for (const std::uint32_t vertex : {1u, 3u, 5u, 7u})
        stroke.push_back({vertex, {1.6f, vertex & 2 ? 1.0f : -1.0f, vertex & 4 ? 1.0f : -1.0f}});
    ASSERT_TRUE(world.deform(soft, stroke).ok());
    const EventBatch batch = frame(world, 3);
    EXPECT_EQ(world.stats().moved, 1u);
    EXPECT_EQ(world.stats().tests, 1u);
    ASSERT_EQ(batch.events.size(), 1u);
    EXPECT_EQ(batch.events[0].kind, EventKind::begin);
}

TEST(BroadPhaseBenefit, Z_5_1_worth_compares_tested_pairs_with_the_cost_of_all_pairs) {
    PassStats stats;
    stats.moved = 100;
    stats.tests = 40;
    stats.seconds_narrow = 40 * 1e-6;  // T_p is 1 us
    stats.seconds_broad = 2e-3;        // as much as 2000 tests
    EXPECT_DOUBLE_EQ(broad_phase_benefit(stats).limit, 5000 - 2000);
    EXPECT_DOUBLE_EQ(broad_phase_benefit(stats).pairs, 40);
    EXPECT_TRUE(broad_phase_benefit(stats).pays_off());
    stats.seconds_broad = 4.99e-3;
    EXPECT_FALSE(broad_phase_benefit(stats).pays_off());  // only 10 pairs would pay off
    stats.tests = 0;
    EXPECT_DOUBLE_EQ(broad_phase_benefit(stats).limit, 5000);
    // With the statistics of a pass.
    World world(default_settings());
    const ShapePtr ball = shape_of(Primitive::ellipsoid_hull, 40, 1);
    for (int i = 0; i < 50; ++i) add_shape(world, ball, 1.5 * i);
    frame(world, 1);
    EXPECT_EQ(broad_phase_benefit(world.stats()).pairs, 49);
    EXPECT_LT(broad_phase_benefit(world.stats()).limit, 1250);
}

/// Reports the number of uses of the pair's cache as iterations.
void query_with_memory(const PairQuery& query, PairCache& cache, PairResult& result, Trace*) {
    static const char owner = 0;
    auto& uses = cache.as<std::uint64_t>(&owner, query.a.geometry->content, query.b.geometry->content);
    result.iterations = static_cast<std::uint32_t>(++uses);
    result.verdict = Verdict::separated;
}

TEST(PairCaches, are_kept_while_boxes_overlap_and_dropped_afterwards) {
    static PairAlgorithm remembering = make_ball_algorithm("remembering");
    remembering.query = query_with_memory;
    WorldSettings settings = ball_settings();
    settings.pair_algorithm = &remembering;
    World world(settings);
    const BodyId a = add(world, at(0));
    const BodyId b = add(world, at(1));
    for (std::uint64_t n = 1; n <= 10; ++n) {
        ASSERT_TRUE(world.move(a, at(0.01 * static_cast<double>(n))).ok());
        frame(world, n);
        EXPECT_EQ(world.stats().iterations, n);
    }
    frame(world, 11);  // nothing moves: kept
    ASSERT_TRUE(world.move(b, at(1.1)).ok());
    frame(world, 12);
    EXPECT_EQ(world.stats().iterations, 11u);
    ASSERT_TRUE(world.move(b, at(50)).ok());
    frame(world, 13);
    ASSERT_TRUE(world.move(b, at(1)).ok());
    frame(world, 14);
    EXPECT_EQ(world.stats().iterations, 1u);  // starts from an empty cache
}

}  // namespace
}  // namespace claybox::collision
