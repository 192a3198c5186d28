// The contract of pair algorithms, tested for every algorithm of the registry.

#include "collision/jobs/executor.hpp"
#include "tests/pairwise/counting_new.hpp"
#include "tests/pairwise/pairs.hpp"

#include <filesystem>
#include <fstream>
#include <set>

namespace claybox::test {
namespace {

class PairContract : public testing::TestWithParam<const PairAlgorithm*> {
  protected:
    const PairAlgorithm& algorithm() const { return *GetParam(); }
    /// The pairs of a stream that are in the algorithm's domain.
    std::vector<Pair> pairs(std::size_t count, std::uint64_t seed) const {
        std::vector<Pair> out;
        for (const Pair& p : random_pairs(count, seed))
            if (applies(algorithm(), p)) out.push_back(p);
        EXPECT_GT(out.size(), 0u);
        return out;
    }
    /// Whether two answers about one pair are compatible: a one-sided algorithm may find with a warm cache
    /// what it did not find with a cold one.
    bool agree(Verdict one, Verdict other) const {
        if (one == other) return true;
        return algorithm().bias != Bias::none && (one == Verdict::undecided || other == Verdict::undecided);
    }
};

INSTANTIATE_TEST_SUITE_P(all, PairContract,
                         testing::ValuesIn(pair_algorithms().begin(), pair_algorithms().end()),
                         [](const auto& row) { return std::string(row.param->id); });

TEST_P(PairContract, random_stream_has_30_to_70_percent_collisions) {
    std::size_t colliding = 0, queried = 0;
    for (const Pair& p : pairs(400, 1)) {
        const PairResult r = query_pair(algorithm(), p);
        ASSERT_EQ(r.status, QueryStatus::done);
        EXPECT_EQ(r.meaning, algorithm().meaning);
        if (algorithm().exact) {
            EXPECT_NE(r.verdict, Verdict::undecided);
        }
        colliding += r.verdict == Verdict::colliding ? 1 : 0;
        ++queried;
    }
    if (algorithm().bias != Bias::none) return;  // returns at most one of the two verdicts, else undecided
    const double share = static_cast<double>(colliding) / static_cast<double>(queried);
    EXPECT_GT(share, 0.3);
    EXPECT_LT(share, 0.7);
}

TEST_P(PairContract, swapping_a_and_b_keeps_the_verdict) {
    if (!algorithm().exact) GTEST_SKIP() << "not exact";
    for (const Pair& p : pairs(300, 2))
        EXPECT_EQ(query_pair(algorithm(), p).verdict, query_pair(algorithm(), swapped(p)).verdict);
}

/// Permutes and negates rows: an exact rigid motion or reflection of the world.
Matrix34f moved(const Matrix34f& m, const int (&row)[3], const float (&sign)[3]) {
    Matrix34f out;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 4; ++c)
            out.m[r * 4 + c] = sign[r] * m.m[static_cast<std::size_t>(row[r]) * 4 + c];
    return out;
}

TEST_P(PairContract, signed_permutations_of_the_world_keep_the_verdict) {
    if (!algorithm().exact) GTEST_SKIP() << "not exact";
    for (const Pair& p : pairs(200, 3)) {
        Pair turned = p, mirrored = p;
        turned.world_from_a = moved(p.world_from_a, {1, 2, 0}, {1, -1, -1});
        turned.world_from_b = moved(p.world_from_b, {1, 2, 0}, {1, -1, -1});
        mirrored.world_from_a = moved(p.world_from_a, {0, 1, 2}, {-1, 1, 1});
        mirrored.world_from_b = moved(p.world_from_b, {0, 1, 2}, {-1, 1, 1});
        const Verdict verdict = query_pair(algorithm(), p).verdict;
        EXPECT_EQ(query_pair(algorithm(), turned).verdict, verdict);
        EXPECT_EQ(query_pair(algorithm(), mirrored).verdict, verdict);
    }
}

/// Rotates and moves B slightly, as between two frames.
Pair next_frame(const Pair& p, Random& random) {
    const Pose step{axis_angle(random.unit_vector(), 0.17), 0.05 * random.unit_vector()};
    const Matrix34f turn = to_matrix({step.rotation, {}});
    Pair out = p;
    for (int c = 0; c < 3; ++c) {
        const Vec3f column{p.world_from_b(0, c), p.world_from_b(1, c), p.world_from_b(2, c)};
        const Vec3f now = transform_vector(turn, column);
        for (std::size_t r = 0; r < 3; ++r) out.world_from_b.m[r * 4 + static_cast<std::size_t>(c)] = now[r];
    }
    for (std::size_t r = 0; r < 3; ++r)
        out.world_from_b.m[r * 4 + 3] += static_cast<float>(step.translation[r]);
    return out;
}

TEST_P(PairContract, warm_caches_and_repetition_keep_the_verdict) {
    Random random(4);
    for (Pair p : pairs(60, 4)) {
        PreparedPair prepared = prepare(algorithm(), p);
        Scratch scratch;
        PairCache warm;
        warm.set_pool(prepared.pool);
        for (int frame = 0; frame < 8; ++frame) {
            const PairQuery q = query_of(algorithm(), p, prepared, scratch);
            const PairResult first = run_query(algorithm(), q, warm);
            const PairResult again = run_query(algorithm(), q, warm);
            EXPECT_TRUE(agree(first.verdict, again.verdict));
            EXPECT_TRUE(agree(first.verdict, query_pair(algorithm(), p).verdict));
            p = next_frame(p, random);
        }
    }
}

TEST_P(PairContract, unprepared_shapes_get_the_same_answer) {
    std::vector<Pair> queried = pairs(100, 6);
    const ShapePtr ring = make_primitive_shape(Primitive::torus, 48, 1.0f, 1).value();
    Random random(6);
    for (int i = 0; i < 10; ++i) queried.push_back({ring, ring, to_matrix(random_pose(random, 1)), {}});
    for (const Pair& p : queried) {
        if (!applies(algorithm(), p)) continue;
        const PreparedPair made = prepare(algorithm(), p);
        for (const auto& [a, b] : {std::pair{made.a, made.b}, {nullptr, made.b}, {made.a, nullptr}, {}}) {
            Scratch scratch;
            PairCache cache;
            PairQuery q = query_of(algorithm(), p, {a, b, {}}, scratch);
            q.wants = algorithm().gives & (kWantDistance | kWantDepth);
            const PairResult r = run_query(algorithm(), q, cache),
                             expected = query_pair(algorithm(), p, q.wants);
            EXPECT_EQ(r.status, expected.status);
            EXPECT_EQ(r.meaning, expected.meaning);
            EXPECT_EQ(r.verdict, expected.verdict);
            EXPECT_NEAR(r.distance, expected.distance, 1e-6);
            EXPECT_NEAR(r.depth, expected.depth, 1e-6);
        }
    }
}

TEST_P(PairContract, cache_of_another_algorithm_or_pair_is_harmless) {
    const std::vector<Pair> stream = pairs(150, 5);
    Scratch scratch;
    PairCache shared;
    for (const Pair& p : stream) {
        for (const PairAlgorithm* other : pair_algorithms()) {
            if (!applies(*other, p)) continue;
            PreparedPair prepared = prepare(*other, p);
            shared.set_pool(prepared.pool);
            run_query(*other, query_of(*other, p, prepared, scratch), shared);
        }
        PreparedPair prepared = prepare(algorithm(), p);
        shared.set_pool(prepared.pool);
        const PairResult r = run_query(algorithm(), query_of(algorithm(), p, prepared, scratch), shared);
        EXPECT_TRUE(agree(r.verdict, query_pair(algorithm(), p).verdict));
    }
}

TEST_P(PairContract, a_cache_passed_between_pairs_keeps_the_verdict) {
    // Neighbours in this stream share their matrices, so only the geometry distinguishes them. Every second
    // pair touches, which the exact rung decides and remembers.
    const auto cube = [](float half) {
        std::vector<Vec3f> corners;
        for (int i = 0; i < 8; ++i)
            corners.push_back({i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half});
        return Shape::from_hull(corners).value();
    };
    const ShapePtr small = cube(0.5f), large = cube(1);
    Scratch scratch;
    PairCache shared;
    for (int round = 0; round < 12; ++round) {
        const bool touching = round % 2 == 0, wide = round % 4 < 2;
        Pair p{touching ? large : small, wide ? large : small, {}, {}};
        p.world_from_b.m[3] = wide ? 2.0f : 1.5f;
        PreparedPair prepared = prepare(algorithm(), p);
        shared.set_pool(prepared.pool);
        const PairQuery q = query_of(algorithm(), p, prepared, scratch);
        const PairResult r = run_query(algorithm(), q, shared);
        EXPECT_EQ(r.verdict, query_pair(algorithm(), p).verdict) << round;
        if (algorithm().exact) {
            EXPECT_EQ(r.verdict, touching ? Verdict::colliding : Verdict::separated) << round;
            EXPECT_TRUE(certify(q, r)) << round;
        }
    }
}

TEST(PairCache, belongs_to_one_owner_and_two_contents) {
    const char one = 0, other = 0;
    PairCache cache;
    const auto seen = [&](const void* owner, std::uint64_t a, std::uint64_t b) {
        int& value = cache.as<int>(owner, a, b);
        return value++;
    };
    EXPECT_EQ(seen(&one, 1, 2), 0);
    EXPECT_EQ(seen(&one, 1, 2), 1);
    EXPECT_EQ(seen(&one, 2, 1), 0);
    EXPECT_EQ(seen(&one, 2, 3), 0);
    EXPECT_EQ(seen(&other, 2, 3), 0);
    EXPECT_EQ(seen(&other, 2, 3), 1);
    cache.clear();
    EXPECT_EQ(seen(&other, 2, 3), 0);
}

/// Counts the trace calls and checks that every number is finite.
struct CountingTrace final : Trace {
    int calls = 0, iterations = 0;
    void begin_iteration(int) override { ++iterations; }
    void space(TraceSpace) override {}
    void point(const Vec3d& p, const char*) override { check(p); }
    void segment(const Vec3d& from, const Vec3d& to, const char*) override {
        check(from);
        check(to);
    }
    void plane(const Vec3d& n, double offset, const Vec3d& near_w, const char*) override {
        check(n);
        check(near_w);
        EXPECT_TRUE(std::isfinite(offset));
    }
    void value(const char*, double) override { ++calls; }
    void check(const Vec3d& p) {
        ++calls;
        EXPECT_TRUE(is_finite(p));
    }
};

TEST_P(PairContract, trace_does_not_change_the_result) {
    CountingTrace trace;
    for (const Pair& p : pairs(100, 6)) {
        PreparedPair prepared = prepare(algorithm(), p);
        Scratch scratch;
        PairCache cache, traced_cache;
        std::vector<std::byte> pool = prepared.pool;
        cache.set_pool(prepared.pool);
        traced_cache.set_pool(pool);
        PairQuery q = query_of(algorithm(), p, prepared, scratch);
        for (const Wants wants : {algorithm().gives, kWantVerdict, kWantVerdict}) {
            q.wants = wants;
            const PairResult plain = run_query(algorithm(), q, cache);
            const PairResult traced = run_query(algorithm(), q, traced_cache, &trace);
            EXPECT_EQ(plain.verdict, traced.verdict);
            EXPECT_EQ(plain.rung, traced.rung);
            EXPECT_EQ(plain.iterations, traced.iterations);
            EXPECT_EQ(plain.distance, traced.distance);
            EXPECT_EQ(plain.certificate.kind, traced.certificate.kind);
            q.b.world_from_body.m[3] += 0.05f;
        }
    }
    EXPECT_GT(trace.calls, 0);
    EXPECT_GT(trace.iterations, 0);
}

TEST_P(PairContract, is_re_entrant) {
    const std::vector<Pair> stream = pairs(400, 7);
    std::vector<PreparedPair> prepared;
    for (const Pair& p : stream) prepared.push_back(prepare(algorithm(), p));
    std::vector<Verdict> verdicts(stream.size());
    const auto executor = make_thread_executor(2);
    std::vector<Scratch> scratch(executor->worker_count());
    executor->parallel_for(stream.size(), 5, [&](std::size_t begin, std::size_t end, unsigned worker) {
        for (std::size_t i = begin; i < end; ++i) {
            PairCache cache;
            cache.set_pool(prepared[i].pool);
            verdicts[i] =
                run_query(algorithm(), query_of(algorithm(), stream[i], prepared[i], scratch[worker]), cache)
                    .verdict;
        }
    });
    for (std::size_t i = 0; i < stream.size(); ++i)
        EXPECT_EQ(verdicts[i], query_pair(algorithm(), stream[i]).verdict);
}

using HitKey = std::array<std::uint32_t, 4>;

std::set<HitKey> keys(const HitSink& sink) {
    std::set<HitKey> out;
    for (const Hit& h : sink.hits()) out.insert({h.edge, h.polygon, h.triangle, h.edge_of_b ? 1u : 0u});
    EXPECT_EQ(out.size(), sink.hits().size()) << "a query reports a hit once";
    return out;
}

/// Two parts may both find a hit; the caller keeps it once.
TEST_P(PairContract, parts_together_find_the_hits_of_the_whole) {
    const bool hits = (algorithm().gives & kWantAllHits) != 0;
    std::vector<Hit> storage(20000);
    for (const Pair& p : pairs(60, 8)) {
        PreparedPair prepared = prepare(algorithm(), p);
        Scratch scratch;
        PairQuery q = query_of(algorithm(), p, prepared, scratch);
        HitSink sink{storage};
        q.hits = &sink;
        if (hits) q.wants = kWantAllHits;
        const auto run = [&] {
            sink.push({});  // of an earlier query
            PairCache cache;
            cache.set_pool(prepared.pool);
            return run_query(algorithm(), q, cache);
        };
        const PairResult whole = run();
        ASSERT_EQ(whole.status, QueryStatus::done);
        const std::set<HitKey> whole_hits = keys(sink);
        for (const std::uint32_t parts : {2u, 3u, 32u}) {
            bool colliding = false;
            std::set<HitKey> part_hits;
            q.part_count = parts;
            for (q.part = 0; q.part < q.part_count; ++q.part) {
                const PairResult part = run();
                colliding = part.verdict == Verdict::colliding || colliding;
                if (hits)
                    part_hits.merge(keys(sink));
                else
                    EXPECT_TRUE(sink.hits().empty());
            }
            EXPECT_EQ(colliding, whole.verdict == Verdict::colliding) << parts;
            if (hits) {
                EXPECT_EQ(part_hits, whole_hits) << parts;
            }
        }
        if (algorithm().splittable) continue;
        q.part = 0;  // processes everything if the algorithm has no parts
        EXPECT_EQ(run().verdict, whole.verdict);
    }
}

TEST_P(PairContract, shapes_outside_the_domain_are_refused) {
    PolygonList open;  // one triangle: neither closed nor convex
    open.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    open.add_polygon(std::array<std::uint32_t, 3>{0, 1, 2});
    const auto shape = Shape::from_polygons(open);
    ASSERT_TRUE(shape.ok());
    const Pair p{shape.value(), shape.value(), {}, {}};
    const bool accepts = applies(algorithm(), p);
    if (algorithm().needs != Needs::any_polygons) {
        EXPECT_FALSE(accepts);
    }
    const PairResult r = query_pair(algorithm(), p);
    EXPECT_EQ(r.status == QueryStatus::not_applicable, !accepts);
    if (!accepts) {
        EXPECT_EQ(r.verdict, Verdict::undecided);
    }
}

TEST_P(PairContract, rungs_1_and_2_allocate_nothing) {
    std::size_t queried = 0;
    for (const Pair& p : pairs(200, 9)) {
        PreparedPair prepared = prepare(algorithm(), p);
        Scratch scratch;
        PairCache cache;
        cache.set_pool(prepared.pool);
        PairQuery q = query_of(algorithm(), p, prepared, scratch);
        q.wants = algorithm().gives & ~kWantAllHits;
        run_query(algorithm(), q, cache);  // scratch memory grows to its size here
        for (const Exactness exactness : {Exactness::exact, Exactness::fast}) {
            q.exactness = exactness;
            PairCache cold;
            cold.set_pool(prepared.pool);
            const std::size_t before = allocations_of_this_thread();
            const PairResult r = run_query(algorithm(), q, cold);
            const std::size_t made = allocations_of_this_thread() - before;
            if (r.rung > 2) continue;
            EXPECT_EQ(made, 0u);
            ++queried;
        }
    }
    EXPECT_GT(queried, 100u);
}

TEST_P(PairContract, parameter_tables_are_valid) {
    std::set<std::string> ids;
    ASSERT_LE(algorithm().parameters.size(), kMaxParameters);
    ASSERT_LE(algorithm().counters.size(), kMaxCounters);
    for (const Parameter& p : algorithm().parameters) {
        EXPECT_TRUE(ids.insert(p.id).second) << p.id;
        EXPECT_LE(p.min, p.default_value) << p.id;
        EXPECT_LE(p.default_value, p.max) << p.id;
        EXPECT_NE(std::string(p.source), "") << p.id;
        EXPECT_NE(std::string(p.help), "") << p.id;
    }
}

TEST_P(PairContract, every_value_of_every_parameter_keeps_the_exact_verdict) {
    if (!algorithm().exact) GTEST_SKIP() << "not exact";
    for (const Pair& p : pairs(25, 10)) {
        const Verdict verdict = query_pair(algorithm(), p).verdict;
        for (std::size_t i = 0; i < algorithm().parameters.size(); ++i) {
            const Parameter& parameter = algorithm().parameters[i];
            const bool steps =
                parameter.kind == ParameterKind::choice || parameter.kind == ParameterKind::toggle;
            const double middle = steps ? 1.0 : parameter.default_value;
            for (const double value : {parameter.min, middle, parameter.max}) {
                PreparedPair prepared = prepare(algorithm(), p);
                Scratch scratch;
                PairCache cache;
                cache.set_pool(prepared.pool);
                PairQuery q = query_of(algorithm(), p, prepared, scratch);
                q.parameters[i] = value;
                EXPECT_EQ(run_query(algorithm(), q, cache).verdict, verdict)
                    << parameter.id << " = " << value;
            }
        }
    }
}

TEST_P(PairContract, results_can_be_certified_again) {
    if (!algorithm().exact) GTEST_SKIP() << "not exact";
    for (const Pair& p : pairs(150, 11)) {
        PreparedPair prepared = prepare(algorithm(), p);
        Scratch scratch;
        PairCache cache;
        cache.set_pool(prepared.pool);
        const PairQuery q = query_of(algorithm(), p, prepared, scratch);
        PairResult r = run_query(algorithm(), q, cache);
        EXPECT_TRUE(certify(q, r));
        r.verdict = r.verdict == Verdict::colliding ? Verdict::separated : Verdict::colliding;
        EXPECT_FALSE(certify(q, r));
    }
}

std::set<std::string> listed() {
    std::set<std::string> out;
    std::ifstream in(std::string(CLAYBOX_SOURCE_DIR) + "/collision/pairwise/list.def");
    const std::string start = "PAIR_ALGORITHM(";
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(start)) out.insert(line.substr(start.size(), line.find(')') - start.size()));
    return out;
}

TEST(PairRegistry, every_described_algorithm_has_a_line_and_every_line_a_file) {
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(CLAYBOX_SOURCE_DIR) +
                                                                           "/collision/pairwise")) {
        if (entry.path().extension() != ".cpp") continue;
        std::ifstream file(entry.path());
        const std::string text{std::istreambuf_iterator<char>(file), {}}, id = entry.path().stem().string();
        if (text.find("const PairAlgorithm& describe_" + id + "()") != std::string::npos) files.insert(id);
    }
    EXPECT_EQ(files, listed());
    EXPECT_EQ(files.size(), pair_algorithms().size());
}

TEST(PairRegistry, finds_every_id_and_nothing_else) {
    for (const PairAlgorithm* algorithm : pair_algorithms())
        EXPECT_EQ(find_pair_algorithm(algorithm->id), algorithm);
    EXPECT_EQ(find_pair_algorithm(""), nullptr);
    EXPECT_EQ(find_pair_algorithm("gj"), nullptr);
}

}  // namespace
}  // namespace claybox::test
