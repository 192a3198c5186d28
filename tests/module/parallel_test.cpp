// Parallel modes: results do not depend on the mode or the number of workers.
#include "collision/collision.hpp"
#include "tests/module/parallel_support.hpp"
#include "tests/module/support.hpp"

#include <chrono>
#include <thread>

namespace claybox::collision {
namespace {

using namespace test;

WorldSettings settings_with(const char* pair, ParallelMode mode, unsigned workers) {
    WorldSettings settings = default_settings();
    settings.pair_algorithm = find_pair_algorithm(pair);
    settings.pair_parameters = default_values(settings.pair_algorithm->parameters);
    settings.parallel = mode;
    settings.workers = workers;
    settings.share_from = 300;  // small enough for tests, large enough that not all pairs are shared
    return settings;
}

/// Results of a run. They must be identical in every mode.
struct Outcome {
    std::uint64_t hash = 0, shared = 0, parts = 0;
    std::vector<std::tuple<EventKind, std::uint32_t, std::uint32_t, std::uint32_t>> events;
    std::vector<Hit> hits;
};

Outcome run(Load load, const WorldSettings& settings, std::uint64_t frames) {
    World world(settings);
    Interest all_hits;
    all_hits.wants = kWantAllHits;
    world.set_interest(0, 1, all_hits);
    DriftingBodies bodies(world, load);
    Outcome out;
    EventBatch batch;
    for (std::uint64_t n = 1; n <= frames; ++n) {
        bodies.step(n);
        world.wait_idle();
        world.poll_events(batch);
        for (const Event& e : batch.events) out.events.emplace_back(e.kind, e.a.slot, e.b.slot, e.hit_count);
        out.hits.insert(out.hits.end(), batch.hits.begin(), batch.hits.end());
        out.shared += world.stats().shared_pairs;
        out.parts += world.stats().shared_parts;
        EXPECT_EQ(world.stats().undecided, 0u);
    }
    out.hash = world.stats().state_hash;
    return out;
}

void expect_same(const Outcome& one, const Outcome& other, const std::string& what) {
    EXPECT_EQ(one.hash, other.hash) << what;
    EXPECT_EQ(one.events, other.events) << what;
    EXPECT_EQ(one.hits, other.hits) << what;
}

TEST(WorldParallel, Z_10_par_every_combination_of_modes_and_workers_reports_the_same) {
    const struct {
        Load load;
        const char* pair;
    } scenes[] = {{Load::convex, "edge_polygon"}, {Load::meshes, "box_tree"}, {Load::deforming, "mesh_bvh"}};
    for (const auto& scene : scenes) {
        const Outcome serial = run(scene.load, settings_with(scene.pair, ParallelMode::serial, 1), 4);
        EXPECT_GT(serial.events.size(), 10u);
        EXPECT_GT(serial.hits.size(), 100u);
        std::uint64_t shared = 0;
        for (unsigned set = 1; set < 1u << kParallelModes; ++set)
            for (const unsigned workers : {1u, 2u, 3u, 5u}) {
                const auto mode = ParallelMode(set);
                const Outcome now = run(scene.load, settings_with(scene.pair, mode, workers), 4);
                expect_same(serial, now, std::string(scene.pair) + " " + to_string(mode));
                shared += now.shared;
            }
        EXPECT_GT(shared, 100u) << scene.pair;
    }
}

TEST(WorldParallel, Z_6_2_coarse_parallel_pairs_report_the_results_of_the_serial_run) {
    for (const char* pair : {"best", "gjk", "separating_vector", "mesh_bvh"})
        for (const Load load : {Load::convex, Load::meshes}) {
            const Outcome serial = run(load, settings_with(pair, ParallelMode::serial, 1), 8);
            for (const unsigned workers : {2u, 3u, 4u, 8u})
                expect_same(serial, run(load, settings_with(pair, ParallelMode::pairs, workers), 8), pair);
        }
}

/// Returns when another query runs at the same time, or after 30 seconds.
std::atomic<int> running{0}, simultaneous{0};
void query_waits_for_another(const PairQuery&, PairCache&, PairResult& result, Trace*) {
    running.fetch_add(1);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (running.load() < 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    simultaneous.fetch_add(running.load() >= 2);
    result.iterations = 5000;
    result.verdict = Verdict::separated;
}

TEST(WorldParallel, Z_6_2_coarse_two_pairs_are_tested_at_the_same_time) {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a = make_ball_algorithm("waits_for_another");
        a.prepare = nullptr;
        a.update = nullptr;
        a.query = query_waits_for_another;
        return a;
    }();
    WorldSettings settings = settings_with("best", ParallelMode::pairs, 2);
    settings.pair_algorithm = &algorithm;
    settings.pair_parameters = {};
    running = simultaneous = 0;
    World world(settings);
    for (const double x : {0.0, 1.0, 50.0, 51.0})
        ASSERT_TRUE(world.add_body({shape_of(Primitive::torus, 3000), at(x)}).ok());
    (void)frame(world, 1);
    EXPECT_EQ(world.stats().tests, 2u);
    EXPECT_EQ(simultaneous, 2);
}

TEST(WorldParallel, switching_modes_while_running_changes_no_result) {
    const WorldSettings first = settings_with("edge_polygon", ParallelMode::serial, 3);
    const Outcome serial = run(Load::meshes, first, 20);
    World world(first);
    Interest all_hits;
    all_hits.wants = kWantAllHits;
    world.set_interest(0, 1, all_hits);
    DriftingBodies bodies(world, Load::meshes);
    Random random(3);
    for (std::uint64_t n = 1; n <= 20; ++n) {
        WorldSettings next = first;
        next.parallel = ParallelMode(random.below(1u << kParallelModes));
        next.workers = 1 + static_cast<unsigned>(random.below(4));
        world.set_settings(next);
        bodies.step(n);
    }
    EXPECT_EQ(world.stats().state_hash, serial.hash);
}

/// A world of two bodies.
struct PairWorld {
    explicit PairWorld(const WorldSettings& settings,
                       const ShapePtr& shape = shape_of(Primitive::torus, 3000))
        : world(settings) {
        first = world.add_body({shape, {}}).value();
        second = world.add_body({shape, at(9)}).value();
        (void)frame(world, 1);
    }
    PassStats run_at(const Pose& pose) {
        EXPECT_TRUE(world.move(second, pose).ok());
        (void)frame(world, ++number);
        return world.stats();
    }
    World world;
    BodyId first, second;
    std::uint64_t number = 1;
};

TEST(WorldParallel, Z_6_3_2_medium_two_halves_of_a_pair_give_the_answer_of_the_whole) {
    for (const char* pair : {"edge_polygon", "box_tree"}) {
        PairWorld one(settings_with(pair, ParallelMode::serial, 1)),
            two(settings_with(pair, ParallelMode::halves, 2));
        std::uint64_t parts = 0;
        for (int i = 0; i < 30; ++i) {
            const Pose pose{axis_angle({1, 1, 0}, 0.3 * i), {2.1 - 0.05 * i, 0.1, 0}};
            const PassStats serial = one.run_at(pose), halves = two.run_at(pose);
            EXPECT_EQ(serial.colliding, halves.colliding) << pair << i;
            EXPECT_EQ(serial.state_hash, halves.state_hash) << pair << i;
            parts = std::max(parts, halves.shared_parts);
        }
        EXPECT_EQ(parts, 2u) << pair;
    }
}

/// Returns true when stopped, false after 30 seconds.
std::atomic<int> timeouts{0}, started_queries{0};
bool wait_for_stop(const PairQuery& query) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!query.stop.stop_requested()) {
        if (std::chrono::steady_clock::now() > deadline) {
            timeouts.fetch_add(1);
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

/// The last part finds a collision at once; the other parts run until they are stopped.
void query_last_part_collides(const PairQuery& query, PairCache&, PairResult& result, Trace*) {
    started_queries.fetch_add(1);
    result.iterations = 5000;
    if (query.part + 1 < query.part_count && wait_for_stop(query)) {
        result.status = QueryStatus::stopped;
        return;
    }
    result.verdict = Verdict::colliding;
    result.certificate.kind = CertificateKind::common_point;
}
const PairAlgorithm& last_part_collides() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a = make_ball_algorithm("last_part_collides");
        a.gives = kWantVerdict;
        a.prepare = nullptr;
        a.update = nullptr;
        a.splittable = true;
        a.query = query_last_part_collides;
        return a;
    }();
    return algorithm;
}

WorldSettings settings_with(const PairAlgorithm& algorithm, ParallelMode mode, unsigned workers) {
    WorldSettings settings = settings_with("best", mode, workers);
    settings.pair_algorithm = &algorithm;
    settings.pair_parameters = {};
    timeouts = started_queries = 0;
    return settings;
}

TEST(WorldParallel, Z_6_3_2_medium_collision_found_by_one_half_stops_the_other) {
    PairWorld pair_world(settings_with(last_part_collides(), ParallelMode::halves, 2));
    EXPECT_EQ(pair_world.run_at(at(0.2)).shared_pairs, 0u);  // its cost is not known yet
    const PassStats stats = pair_world.run_at(at(0.1));
    EXPECT_EQ(stats.colliding, 1u);
    EXPECT_EQ(stats.shared_parts, 2u);
    EXPECT_EQ(timeouts, 0);
}

TEST(WorldParallel, Z_6_3_1_fine_many_parts_of_a_pair_give_the_answer_and_hits_of_the_whole) {
    for (const char* pair : {"edge_polygon", "box_tree", "mesh_bvh", "random_points"}) {
        const auto all_hits = [&](PairWorld& pair_world) {
            Interest interest;
            interest.wants = kWantAllHits;
            pair_world.world.set_interest(0, 0, interest);
        };
        for (const unsigned workers : {2u, 3u, 4u}) {
            PairWorld one(settings_with(pair, ParallelMode::serial, 1));
            PairWorld many(settings_with(pair, ParallelMode::fine, workers));
            if (std::string(pair) != "random_points") all_hits(one), all_hits(many);
            std::uint64_t parts = 0;
            for (int i = 0; i < 12; ++i) {
                // Alternately: separated rings with overlapping boxes, and intersecting rings.
                const Pose pose = i % 2 == 0 ? at(1.5, 0.01 * i, 1.5)
                                             : Pose{axis_angle({1, 1, 0}, 0.3 * i), {1.9 - 0.1 * i, 0.1, 0}};
                ASSERT_TRUE(one.world.move(one.second, pose).ok());
                ASSERT_TRUE(many.world.move(many.second, pose).ok());
                const EventBatch serial = frame(one.world, 100 + i), fine = frame(many.world, 100 + i);
                ASSERT_EQ(serial.events.size(), fine.events.size()) << pair << i;
                EXPECT_EQ(serial.hits, fine.hits) << pair << i;
                parts = std::max(parts, many.world.stats().shared_parts);
            }
            EXPECT_EQ(one.world.stats().state_hash, many.world.stats().state_hash) << pair;
            EXPECT_EQ(parts, workers == 2 ? 2u : 4u) << pair;
        }
    }
}

void query_waits(const PairQuery& query, PairCache&, PairResult& result, Trace*) {
    result.iterations = 5000;
    if (started_queries.fetch_add(1) == 0)
        result.verdict = Verdict::separated;
    else if (wait_for_stop(query))
        result.status = QueryStatus::stopped;
}
/// An exact algorithm for solids that finds a gap the first time and later runs until it is stopped.
const PairAlgorithm& never_ends() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a = last_part_collides();
        a.id = "never_ends";
        a.splittable = false;
        a.meaning = Meaning::solid;
        a.query = query_waits;
        return a;
    }();
    return algorithm;
}

/// Diagonal offsets: the boxes of balls overlap, the balls do not.
const Pose kSeparated = at(1.3, 1.3, 1.3), kSeparatedToo = at(1.31, 1.3, 1.3);

TEST(WorldParallel, Z_6_5_dual_found_gap_stops_the_exact_algorithm) {
    PairWorld pair_world(settings_with(never_ends(), ParallelMode::dual, 2),
                         shape_of(Primitive::uv_sphere, 3000));
    EXPECT_EQ(pair_world.run_at(kSeparated).shared_pairs, 0u);
    const PassStats stats = pair_world.run_at(kSeparatedToo);
    EXPECT_EQ(stats.tests, 1u);
    EXPECT_EQ(stats.colliding, 0u);
    EXPECT_EQ(stats.undecided, 0u);
    EXPECT_EQ(stats.won_by_gap_search, 1u);
    EXPECT_EQ(timeouts, 0);
}

TEST(WorldParallel, Z_6_5_dual_has_the_verdicts_of_the_exact_algorithm_and_counts_the_winners) {
    for (const char* pair : {"edge_polygon", "box_tree", "mesh_bvh"}) {
        WorldSettings raced = settings_with(pair, ParallelMode::dual, 2);
        raced.share_from = 1;
        PairWorld alone(settings_with(pair, ParallelMode::serial, 1)), dual(raced);
        std::uint64_t chosen = 0, gap = 0, shared = 0;
        for (int i = 0; i < 40; ++i) {
            const Pose pose{axis_angle({1, 1, 0}, 0.2 * i), {1.9 - 0.03 * i, 0.6, 0}};
            EXPECT_EQ(alone.run_at(pose).state_hash, dual.run_at(pose).state_hash) << pair << i;
            const PassStats stats = dual.world.stats();
            chosen += stats.won_by_algorithm;
            gap += stats.won_by_gap_search;
            shared += stats.shared_pairs;
            EXPECT_EQ(stats.won_by_point_search, 0u);
            // The gap search never wins when the bodies collide.
            if (stats.colliding != 0) {
                EXPECT_EQ(stats.won_by_gap_search, 0u);
            }
        }
        EXPECT_EQ(chosen + gap, shared) << pair;
        EXPECT_GT(shared, 0u) << pair;
    }
}

TEST(WorldParallel, Z_6_three_first_answer_of_three_searches_stops_all) {
    for (const unsigned workers : {3u, 4u}) {
        PairWorld pair_world(settings_with(never_ends(), ParallelMode::three, workers),
                             shape_of(Primitive::uv_sphere, 3000));
        (void)pair_world.run_at(kSeparated);
        PassStats stats = pair_world.run_at(at(0.2, 0.1));
        EXPECT_EQ(stats.colliding, 1u);
        EXPECT_EQ(stats.shared_parts, 3u);
        EXPECT_EQ(stats.won_by_point_search, 1u);
        stats = pair_world.run_at(kSeparated);
        EXPECT_EQ(stats.colliding, 0u);
        EXPECT_EQ(stats.won_by_gap_search, 1u);
        EXPECT_EQ(timeouts, 0);
    }
    PairWorld pair_world(settings_with(last_part_collides(), ParallelMode::three, 3),
                         shape_of(Primitive::uv_sphere, 3000));
    EXPECT_EQ(pair_world.run_at(at(0.2)).shared_pairs, 0u);
    EXPECT_EQ(pair_world.run_at(at(0.1)).shared_pairs, 1u);  // they collide, whoever wins
    EXPECT_EQ(pair_world.world.stats().colliding, 1u);
    EXPECT_EQ(pair_world.world.stats().won_by_gap_search, 0u);
}

// With two workers both searches start at once; the algorithm starts when one of them stops without an
// answer.
TEST(WorldParallel, Z_10_tie_both_searches_run_before_the_algorithm) {
    PairWorld pair_world(settings_with(never_ends(), ParallelMode::three, 2),
                         shape_of(Primitive::uv_sphere, 3000));
    (void)pair_world.run_at(kSeparated);
    EXPECT_EQ(pair_world.run_at(at(0.2, 0.1)).won_by_point_search, 1u);
    EXPECT_EQ(pair_world.world.stats().colliding, 1u);
    EXPECT_EQ(pair_world.run_at(kSeparatedToo).won_by_gap_search, 1u);
    EXPECT_EQ(pair_world.world.stats().colliding, 0u);
    EXPECT_EQ(timeouts, 0);
    // A cached gap is found at once, nearly always before the algorithm starts.
    started_queries = 1;
    for (int i = 0; i < 20; ++i) (void)pair_world.run_at(at(1.3 + 0.001 * i, 1.3, 1.3));
    EXPECT_LT(started_queries, 21);
}

TEST(WorldParallel, point_search_does_not_race_surface_queries) {
    const ShapePtr ball = shape_of(Primitive::uv_sphere, 3000),
                   small = shape_of(Primitive::uv_sphere, 3000, 0.4f);
    WorldSettings settings = settings_with("edge_polygon", ParallelMode::three, 3);
    settings.share_from = 1;
    for (const bool solid : {false, true}) {
        settings.solid = solid;
        World world(settings);
        ASSERT_TRUE(world.add_body({ball, {}}).ok());
        const BodyId inner = world.add_body({small, at(0.75)}).value();  // intersects the surface
        (void)frame(world, 1);
        EXPECT_EQ(world.stats().colliding, 1u);
        ASSERT_TRUE(world.move(inner, at(0.1)).ok());
        (void)frame(world, 2);
        EXPECT_EQ(world.stats().shared_pairs, 1u);
        EXPECT_EQ(world.stats().colliding, solid ? 1u : 0u);
    }
}

TEST(WorldParallel, fast_queries_are_not_shared) {
    WorldSettings settings = settings_with("edge_polygon", ParallelMode::fine | ParallelMode::three, 3);
    settings.exactness = Exactness::fast;
    settings.share_from = 1;
    PairWorld pair_world(settings);
    (void)pair_world.run_at(at(0.9));
    EXPECT_EQ(pair_world.run_at(at(1)).tests, 1u);
    EXPECT_EQ(pair_world.world.stats().shared_pairs, 0u);
}

TEST(WorldParallel, Z_7_2_cfg_par_all_settings_of_the_thesis_report_the_same_contacts) {
    std::vector<std::uint64_t> hashes;
    for (unsigned set = 0; set < 8; ++set) {
        WorldSettings settings = settings_with("edge_polygon", ParallelMode::serial, 2);
        if (set & 1) settings.parallel = settings.parallel | ParallelMode::pairs;  // colParallel
        settings.concurrent = (set & 2) != 0;                                      // colConcurrent
        if (set & 4) settings.parallel = settings.parallel | ParallelMode::dual;   // colParallSepPlane
        const Outcome outcome = run(Load::meshes, settings, 15);
        EXPECT_EQ(outcome.shared > 0, (set & 4) != 0) << set;
        hashes.push_back(outcome.hash);
    }
    for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes.front());
}

TEST(WorldParallel, Z_6_1_metrics_of_a_pass_follow_from_its_times) {
    World world(settings_with("edge_polygon", ParallelMode::pairs | ParallelMode::fine, 2));
    DriftingBodies bodies(world, Load::meshes);
    for (std::uint64_t n = 1; n <= 5; ++n) bodies.step(n);
    const PassStats stats = world.stats();
    EXPECT_EQ(stats.workers, 2u);
    EXPECT_GT(stats.seconds_shared, 0);
    EXPECT_GT(stats.seconds_busy, 0);
    EXPECT_LE(stats.seconds_busy, 2 * stats.seconds_shared);
    EXPECT_LE(stats.seconds_shared, stats.seconds_total);
    EXPECT_GT(estimated_speed_up(stats), 0);
    EXPECT_LE(estimated_speed_up(stats), 2);
    PassStats example;
    example.seconds_total = 10;
    example.seconds_shared = 6;
    example.seconds_busy = 11;
    EXPECT_DOUBLE_EQ(estimated_speed_up(example), 1.5);
    EXPECT_EQ(estimated_speed_up({}), 1);
}

}  // namespace
}  // namespace claybox::collision
