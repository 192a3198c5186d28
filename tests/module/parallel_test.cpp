// The parallel modes: whatever is switched on, and however many workers there are, nothing but time changes.
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

/// What a run reported, to the last bit where it must not depend on who found it.
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

TEST(WorldParallel, Z_10_par_every_combination_of_modes_on_any_number_of_workers_tells_the_same) {
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

TEST(WorldParallel, Z_6_2_coarse_pairs_in_parallel_tell_the_pairs_of_the_serial_run) {
    for (const char* pair : {"best", "gjk", "separating_vector", "mesh_bvh"})
        for (const Load load : {Load::convex, Load::meshes}) {
            const Outcome serial = run(load, settings_with(pair, ParallelMode::serial, 1), 8);
            for (const unsigned workers : {2u, 3u, 4u, 8u})
                expect_same(serial, run(load, settings_with(pair, ParallelMode::pairs, workers), 8), pair);
        }
}

/// Ends when another query runs at the same time, or after half a minute.
std::atomic<int> running{0}, met{0};
void query_meets_another(const PairQuery&, PairCache&, PairResult& result, Trace*) {
    running.fetch_add(1);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (running.load() < 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    met.fetch_add(running.load() >= 2);
    result.iterations = 5000;
    result.verdict = Verdict::separated;
}

TEST(WorldParallel, Z_6_2_coarse_two_pairs_are_tested_at_the_same_time) {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a = make_ball_algorithm("meets_another");
        a.prepare = nullptr;
        a.update = nullptr;
        a.query = query_meets_another;
        return a;
    }();
    WorldSettings settings = settings_with("best", ParallelMode::pairs, 2);
    settings.pair_algorithm = &algorithm;
    settings.pair_parameters = {};
    running = met = 0;
    World world(settings);
    for (const double x : {0.0, 1.0, 50.0, 51.0})
        ASSERT_TRUE(world.add_body({shape_of(Primitive::torus, 3000), at(x)}).ok());
    (void)frame(world, 1);
    EXPECT_EQ(world.stats().tests, 2u);
    EXPECT_EQ(met, 2);
}

// What a worker has not looked at is not told, and a whole world of modes is switched while it runs.
TEST(WorldParallel, modes_switched_in_mid_run_change_nothing) {
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

/// Two bodies and what became of them.
struct Duel {
    explicit Duel(const WorldSettings& settings, const ShapePtr& shape = shape_of(Primitive::torus, 3000))
        : world(settings) {
        first = world.add_body({shape, {}}).value();
        second = world.add_body({shape, at(9)}).value();
        (void)frame(world, 1);
    }
    PassStats ask(const Pose& pose) {
        EXPECT_TRUE(world.move(second, pose).ok());
        (void)frame(world, ++number);
        return world.stats();
    }
    World world;
    BodyId first, second;
    std::uint64_t number = 1;
};

TEST(WorldParallel, Z_6_3_2_medium_one_pair_is_two_halves_that_answer_as_one) {
    for (const char* pair : {"edge_polygon", "box_tree"}) {
        Duel one(settings_with(pair, ParallelMode::serial, 1)),
            two(settings_with(pair, ParallelMode::halves, 2));
        std::uint64_t parts = 0;
        for (int i = 0; i < 30; ++i) {
            const Pose pose{axis_angle({1, 1, 0}, 0.3 * i), {2.1 - 0.05 * i, 0.1, 0}};
            const PassStats serial = one.ask(pose), halves = two.ask(pose);
            EXPECT_EQ(serial.colliding, halves.colliding) << pair << i;
            EXPECT_EQ(serial.state_hash, halves.state_hash) << pair << i;
            parts = std::max(parts, halves.shared_parts);
        }
        EXPECT_EQ(parts, 2u) << pair;
    }
}

/// Works until it is told to stop, or gives up after half a minute.
std::atomic<int> gave_up{0}, asked{0};
bool wait_for_stop(const PairQuery& query) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!query.stop.stop_requested()) {
        if (std::chrono::steady_clock::now() > deadline) {
            gave_up.fetch_add(1);
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

/// Of its parts the last one finds something at once; the others find nothing, ever.
void query_last_part_meets(const PairQuery& query, PairCache&, PairResult& result, Trace*) {
    asked.fetch_add(1);
    result.iterations = 5000;
    if (query.part + 1 < query.part_count && wait_for_stop(query)) {
        result.status = QueryStatus::stopped;
        return;
    }
    result.verdict = Verdict::colliding;
    result.certificate.kind = CertificateKind::common_point;
}
const PairAlgorithm& last_part_meets() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a = make_ball_algorithm("last_part_meets");
        a.gives = kWantVerdict;
        a.prepare = nullptr;
        a.update = nullptr;
        a.splittable = true;
        a.query = query_last_part_meets;
        return a;
    }();
    return algorithm;
}

WorldSettings settings_with(const PairAlgorithm& algorithm, ParallelMode mode, unsigned workers) {
    WorldSettings settings = settings_with("best", mode, workers);
    settings.pair_algorithm = &algorithm;
    settings.pair_parameters = {};
    gave_up = asked = 0;
    return settings;
}

TEST(WorldParallel, Z_6_3_2_medium_a_half_that_finds_something_ends_the_other) {
    Duel duel(settings_with(last_part_meets(), ParallelMode::halves, 2));
    EXPECT_EQ(duel.ask(at(0.2)).shared_pairs, 0u);  // what it costs is not known yet
    const PassStats stats = duel.ask(at(0.1));
    EXPECT_EQ(stats.colliding, 1u);
    EXPECT_EQ(stats.shared_parts, 2u);
    EXPECT_EQ(gave_up, 0);
}

TEST(WorldParallel, Z_6_3_1_fine_many_parts_of_one_pair_answer_as_one_and_give_its_hits) {
    for (const char* pair : {"edge_polygon", "box_tree", "mesh_bvh", "random_points"}) {
        const auto all_hits = [&](Duel& duel) {
            Interest interest;
            interest.wants = kWantAllHits;
            duel.world.set_interest(0, 0, interest);
        };
        for (const unsigned workers : {2u, 3u, 4u}) {
            Duel one(settings_with(pair, ParallelMode::serial, 1));
            Duel many(settings_with(pair, ParallelMode::fine, workers));
            if (std::string(pair) != "random_points") all_hits(one), all_hits(many);
            std::uint64_t parts = 0;
            for (int i = 0; i < 12; ++i) {
                // Rings side by side, whose boxes overlap, then through each other.
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
    if (asked.fetch_add(1) == 0)
        result.verdict = Verdict::separated;
    else if (wait_for_stop(query))
        result.status = QueryStatus::stopped;
}
/// An exact algorithm that finds a gap the first time and never comes to an end by itself again, for
/// questions about solids.
const PairAlgorithm& never_ends() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a = last_part_meets();
        a.id = "never_ends";
        a.splittable = false;
        a.meaning = Meaning::solid;
        a.query = query_waits;
        return a;
    }();
    return algorithm;
}

/// Diagonally, so that boxes of balls overlap and the balls do not.
const Pose kApart = at(1.3, 1.3, 1.3), kApartToo = at(1.31, 1.3, 1.3);

TEST(WorldParallel, Z_6_5_dual_a_gap_that_is_found_ends_the_exact_algorithm) {
    Duel duel(settings_with(never_ends(), ParallelMode::dual, 2), shape_of(Primitive::uv_sphere, 3000));
    EXPECT_EQ(duel.ask(kApart).shared_pairs, 0u);
    const PassStats stats = duel.ask(kApartToo);
    EXPECT_EQ(stats.tests, 1u);
    EXPECT_EQ(stats.colliding, 0u);
    EXPECT_EQ(stats.undecided, 0u);
    EXPECT_EQ(stats.first_was_gap, 1u);
    EXPECT_EQ(gave_up, 0);
}

TEST(WorldParallel, Z_6_5_dual_gives_the_verdicts_of_the_exact_algorithm_alone_and_says_who_was_first) {
    for (const char* pair : {"edge_polygon", "box_tree", "mesh_bvh"}) {
        WorldSettings raced = settings_with(pair, ParallelMode::dual, 2);
        raced.share_from = 1;
        Duel alone(settings_with(pair, ParallelMode::serial, 1)), dual(raced);
        std::uint64_t chosen = 0, gap = 0, shared = 0;
        for (int i = 0; i < 40; ++i) {
            const Pose pose{axis_angle({1, 1, 0}, 0.2 * i), {1.9 - 0.03 * i, 0.6, 0}};
            EXPECT_EQ(alone.ask(pose).state_hash, dual.ask(pose).state_hash) << pair << i;
            const PassStats stats = dual.world.stats();
            chosen += stats.first_was_chosen;
            gap += stats.first_was_gap;
            shared += stats.shared_pairs;
            EXPECT_EQ(stats.first_was_point, 0u);
            // A gap is certain: where there is a collision it was not told.
            if (stats.colliding != 0) {
                EXPECT_EQ(stats.first_was_gap, 0u);
            }
        }
        EXPECT_EQ(chosen + gap, shared) << pair;
        EXPECT_GT(shared, 0u) << pair;
    }
}

TEST(WorldParallel, Z_6_three_the_first_of_three_that_has_an_answer_ends_all) {
    for (const unsigned workers : {3u, 4u}) {
        Duel duel(settings_with(never_ends(), ParallelMode::three, workers),
                  shape_of(Primitive::uv_sphere, 3000));
        (void)duel.ask(kApart);
        PassStats stats = duel.ask(at(0.2, 0.1));
        EXPECT_EQ(stats.colliding, 1u);
        EXPECT_EQ(stats.shared_parts, 3u);
        EXPECT_EQ(stats.first_was_point, 1u);
        stats = duel.ask(kApart);
        EXPECT_EQ(stats.colliding, 0u);
        EXPECT_EQ(stats.first_was_gap, 1u);
        EXPECT_EQ(gave_up, 0);
    }
    Duel duel(settings_with(last_part_meets(), ParallelMode::three, 3), shape_of(Primitive::uv_sphere, 3000));
    EXPECT_EQ(duel.ask(at(0.2)).shared_pairs, 0u);
    EXPECT_EQ(duel.ask(at(0.1)).shared_pairs, 1u);  // whoever is first: they collide
    EXPECT_EQ(duel.world.stats().colliding, 1u);
    EXPECT_EQ(duel.world.stats().first_was_gap, 0u);
}

// Two workers: both searches run at once, and the algorithm comes after the first of them that gives up.
TEST(WorldParallel, Z_10_tie_both_searches_run_at_once_before_the_algorithm) {
    Duel duel(settings_with(never_ends(), ParallelMode::three, 2), shape_of(Primitive::uv_sphere, 3000));
    (void)duel.ask(kApart);
    EXPECT_EQ(duel.ask(at(0.2, 0.1)).first_was_point, 1u);
    EXPECT_EQ(duel.world.stats().colliding, 1u);
    EXPECT_EQ(duel.ask(kApartToo).first_was_gap, 1u);
    EXPECT_EQ(duel.world.stats().colliding, 0u);
    EXPECT_EQ(gave_up, 0);
    // A gap that is known is found at once, nearly always before anyone comes to the algorithm.
    asked = 1;
    for (int i = 0; i < 20; ++i) (void)duel.ask(at(1.3 + 0.001 * i, 1.3, 1.3));
    EXPECT_LT(asked, 21);
}

TEST(WorldParallel, surfaces_are_not_raced_by_common_points_of_solids) {
    const ShapePtr ball = shape_of(Primitive::uv_sphere, 3000),
                   small = shape_of(Primitive::uv_sphere, 3000, 0.4f);
    WorldSettings settings = settings_with("edge_polygon", ParallelMode::three, 3);
    settings.share_from = 1;
    for (const bool solid : {false, true}) {
        settings.solid = solid;
        World world(settings);
        ASSERT_TRUE(world.add_body({ball, {}}).ok());
        const BodyId inner = world.add_body({small, at(0.75)}).value();  // meets the surface
        (void)frame(world, 1);
        EXPECT_EQ(world.stats().colliding, 1u);
        ASSERT_TRUE(world.move(inner, at(0.1)).ok());
        (void)frame(world, 2);
        EXPECT_EQ(world.stats().shared_pairs, 1u);
        EXPECT_EQ(world.stats().colliding, solid ? 1u : 0u);
    }
}

TEST(WorldParallel, fast_answers_are_not_shared) {
    WorldSettings settings = settings_with("edge_polygon", ParallelMode::fine | ParallelMode::three, 3);
    settings.exactness = Exactness::fast;
    settings.share_from = 1;
    Duel duel(settings);
    (void)duel.ask(at(0.9));
    EXPECT_EQ(duel.ask(at(1)).tests, 1u);
    EXPECT_EQ(duel.world.stats().shared_pairs, 0u);
}

TEST(WorldParallel, Z_7_2_cfg_par_all_settings_of_the_thesis_run_and_tell_the_same_contacts) {
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
    PassStats told;
    told.seconds_total = 10;
    told.seconds_shared = 6;
    told.seconds_busy = 11;
    EXPECT_DOUBLE_EQ(estimated_speed_up(told), 1.5);
    EXPECT_EQ(estimated_speed_up({}), 1);
}

}  // namespace
}  // namespace claybox::collision
