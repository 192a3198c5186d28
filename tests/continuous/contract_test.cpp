// The contract of continuous algorithms, tested for every algorithm of the registry.

#include "collision/pairwise/registry.hpp"
#include "tests/continuous/motions.hpp"
#include "tests/pairwise/counting_new.hpp"

#include <cmath>
#include <memory>

namespace claybox::test {
namespace {

class ContinuousContract : public testing::TestWithParam<const ContinuousAlgorithm*> {
  protected:
    const ContinuousAlgorithm& algorithm() const { return *GetParam(); }
    /// Those that the algorithm accepts.
    std::vector<MovingPair> accepted(std::vector<MovingPair> pairs) const {
        std::erase_if(pairs, [&](const MovingPair& p) { return !fits(algorithm(), p); });
        return pairs;
    }
    std::vector<MovingPair> all_pairs(std::size_t count, std::uint64_t seed) const {
        std::vector<MovingPair> out = accepted(linear_pairs(count, seed));
        for (MovingPair& p : accepted(screw_pairs(count, seed + 100))) out.push_back(p);
        return out;
    }
    bool has_promise(const MovingPair& p) const { return promise_of(algorithm(), p) != Promise::approximate; }
    /// How far apart the times of two right answers may be.
    double time_slack(const MovingPair& p) const {
        return promise_of(algorithm(), p) == Promise::exact ? 1e-9 : 2e-3;
    }
};

INSTANTIATE_TEST_SUITE_P(all, ContinuousContract,
                         testing::ValuesIn(continuous_algorithms().begin(), continuous_algorithms().end()),
                         [](const auto& row) { return std::string(row.param->id); });

void expect_valid(const ContinuousResult& r) {
    ASSERT_EQ(r.status, QueryStatus::done);
    ASSERT_TRUE(r.time_low >= 0 && r.time_low <= r.time_high && r.time_high <= 1)
        << r.time_low << " to " << r.time_high;
    ASSERT_TRUE(is_finite(r.point_w) && is_finite(r.normal_w));
    const double size = length(r.normal_w);
    ASSERT_TRUE(size == 0 || std::abs(size - 1) < 1e-9) << size;
    ASSERT_GE(r.rung, 1);
    ASSERT_LE(r.rung, 3);
}

TEST_P(ContinuousContract, descriptor_is_complete) {
    const ContinuousAlgorithm& a = algorithm();
    for (const char* text : {a.id, a.title, a.source, a.summary}) {
        ASSERT_NE(text, nullptr);
        EXPECT_GT(std::string(text).size(), 2u);
    }
    EXPECT_EQ(find_continuous_algorithm(a.id), &a);
    EXPECT_NE(a.query, nullptr);
    EXPECT_LE(a.counters.size(), kMaxCounters);
    EXPECT_NE(a.motions & kFixedMotion, 0u);
    if (a.needs_prepared) {
        EXPECT_NE(a.prepare, nullptr);
    }
}

TEST_P(ContinuousContract, every_counter_has_a_name) {
    for (const MovingPair& p : all_pairs(40, 9)) {
        const ContinuousResult r = run(algorithm(), p);
        for (std::size_t i = algorithm().counters.size(); i < kMaxCounters; ++i)
            EXPECT_EQ(r.counters[i], 0u) << i;
    }
}

TEST_P(ContinuousContract, streams_have_hits_and_misses) {
    std::size_t hits = 0, all = 0;
    for (const MovingPair& p : all_pairs(200, 1)) {
        const ContinuousResult r = run(algorithm(), p);
        expect_valid(r);
        if (has_promise(p)) {
            EXPECT_NE(r.verdict, Verdict::undecided);
        }
        hits += r.verdict == Verdict::colliding ? 1 : 0;
        ++all;
    }
    EXPECT_GT(hits, all / 5);
    EXPECT_LT(hits, all * 4 / 5);
}

TEST_P(ContinuousContract, swapping_a_and_b_reverses_the_normal) {
    for (const MovingPair& p : all_pairs(150, 2)) {
        const ContinuousResult r = run(algorithm(), p), s = run(algorithm(), swapped(p));
        expect_valid(s);
        if (!has_promise(p)) continue;
        ASSERT_EQ(r.verdict, s.verdict);
        EXPECT_NEAR(r.time_high, s.time_high, time_slack(p));
        EXPECT_EQ(r.at_start, s.at_start);
        if (r.verdict != Verdict::colliding || r.at_start) continue;
        // Edges and vertices of the difference have several normals.
        EXPECT_LT(dot(r.normal_w, s.normal_w), -0.99);
    }
}

/// A turn by right angles and a shift by powers of two change no digit of most coordinates.
TEST_P(ContinuousContract, a_common_turn_changes_nothing) {
    const auto turned = [](const Vec3d& v) { return Vec3d{v.y, v.z, v.x}; };
    const auto turn = [&](MovingPair p) {
        for (Matrix34f* m : {&p.matrix_a, &p.matrix_b}) {
            const Matrix34f old = *m;
            for (std::size_t row = 0; row < 3; ++row)
                for (std::size_t k = 0; k < 4; ++k) m->m[4 * row + k] = old.m[4 * ((row + 1) % 3) + k];
        }
        for (Motion* m : {&p.motion_a, &p.motion_b}) {
            m->end_w = {m->end_w.y, m->end_w.z, m->end_w.x};
            m->point_w = turned(m->point_w);
            m->axis_w = turned(m->axis_w);
            m->travel_w = turned(m->travel_w);
        }
        return p;
    };
    for (const MovingPair& p : all_pairs(150, 3)) {
        const ContinuousResult r = run(algorithm(), p), s = run(algorithm(), turn(p));
        if (!has_promise(p)) continue;
        ASSERT_EQ(r.verdict, s.verdict);
        EXPECT_NEAR(r.time_high, s.time_high, time_slack(p));
        if (r.verdict != Verdict::colliding || r.at_start) continue;
        EXPECT_GT(dot(turned(r.normal_w), s.normal_w), 0.99);
        EXPECT_LT(length(turned(r.point_w) - s.point_w), 0.02);
    }
}

TEST_P(ContinuousContract, fixed_bodies_agree_with_the_exact_discrete_algorithm) {
    const PairAlgorithm& best = *find_pair_algorithm("best");
    int colliding = 0, all = 0;
    for (const auto& line : truth_lines("convex.jsonl")) {
        if (all == 600) break;
        if (line["class"] == "many_vertices") continue;
        MovingPair p;
        p.a = read_shape(line["a"]);
        p.b = read_shape(line["b"]);
        p.matrix_a = read_matrix(line["matrix_a"]);
        p.matrix_b = read_matrix(line["matrix_b"]);
        if (!fits(algorithm(), p) || promise_of(algorithm(), p) != Promise::exact) continue;
        ++all;
        const ContinuousResult r = run(algorithm(), p);
        expect_valid(r);
        ASSERT_EQ(r.verdict == Verdict::colliding, line["collide"].get<bool>()) << line["id"];
        EXPECT_EQ(r.at_start, r.verdict == Verdict::colliding);
        colliding += r.at_start ? 1 : 0;
        // A motion of both bodies together changes nothing.
        const Vec3f step{0.5f, -2, 1};
        p.motion_a = Motion::linear(p.matrix_a.translation() + step);
        p.motion_b = Motion::linear(p.matrix_b.translation() + step);
        Scratch scratch;
        PairCache cache;
        const PairQuery discrete = make_pair_query(*p.a, p.matrix_a, *p.b, p.matrix_b, scratch);
        const bool rounded = cast<double>(p.motion_a.end_w) - cast<double>(p.matrix_a.translation()) !=
                             cast<double>(p.motion_b.end_w) - cast<double>(p.matrix_b.translation());
        if (!rounded) {
            EXPECT_EQ(run(algorithm(), p).verdict, run_query(best, discrete, cache).verdict) << line["id"];
        }
    }
    if (all == 0) GTEST_SKIP() << "no exact promise";
    EXPECT_EQ(all, 600);
    EXPECT_GT(colliding, 20);
}

TEST_P(ContinuousContract, contact_is_never_later_than_the_first_sampled_overlap) {
    const PairAlgorithm& best = *find_pair_algorithm("best");
    constexpr int kSamples = 40;
    constexpr double kDeep = 1e-3;  // far above the rounding of the sampled matrices
    int overlaps = 0;
    for (const MovingPair& p : all_pairs(100, 4)) {
        if (!has_promise(p)) continue;
        const ContinuousResult r = run(algorithm(), p);
        for (int i = 0; i <= kSamples; ++i) {
            const double t = static_cast<double>(i) / kSamples;
            Matrix34f m[2];
            const Matrix34d exact[2] = {placement_at(p.matrix_a, p.motion_a, t),
                                        placement_at(p.matrix_b, p.motion_b, t)};
            for (int body = 0; body < 2; ++body)
                for (std::size_t k = 0; k < 12; ++k) m[body].m[k] = static_cast<float>(exact[body].m[k]);
            Scratch scratch;
            PairCache cache;
            PairQuery query = make_pair_query(*p.a, m[0], *p.b, m[1], scratch);
            query.wants = kWantDepth;
            const PairResult sample = run_query(best, query, cache);
            if (sample.verdict != Verdict::colliding || sample.depth < kDeep) continue;
            ++overlaps;
            ASSERT_EQ(r.verdict, Verdict::colliding) << "overlap at " << t;
            ASSERT_LE(r.time_high, t);
            break;
        }
    }
    EXPECT_GT(overlaps, 20);
}

/// At the reported time the bodies are as close as promised, and they are not before.
TEST_P(ContinuousContract, bodies_touch_at_the_reported_time) {
    const PairAlgorithm& best = *find_pair_algorithm("best");
    int hits = 0;
    for (const MovingPair& p : all_pairs(150, 5)) {
        if (!has_promise(p)) continue;
        const ContinuousResult r = run(algorithm(), p);
        if (r.verdict != Verdict::colliding || r.at_start) continue;
        ++hits;
        Matrix34f m[2];
        const Matrix34d exact[2] = {placement_at(p.matrix_a, p.motion_a, r.time_high),
                                    placement_at(p.matrix_b, p.motion_b, r.time_high)};
        for (int body = 0; body < 2; ++body)
            for (std::size_t k = 0; k < 12; ++k) m[body].m[k] = static_cast<float>(exact[body].m[k]);
        Scratch scratch;
        PairCache cache;
        PairQuery query = make_pair_query(*p.a, m[0], *p.b, m[1], scratch);
        query.wants = kWantDepth | kWantDistance;
        const PairResult sample = run_query(best, query, cache);
        EXPECT_LT(sample.verdict == Verdict::colliding ? sample.depth : sample.distance, 5e-6);
    }
    EXPECT_GT(hits, 30);
}

TEST_P(ContinuousContract, a_warm_cache_gives_the_answer_of_a_cold_one) {
    PairCache cache;
    Scratch scratch;
    for (MovingPair p : accepted(linear_pairs(40, 6))) {
        for (int frame = 0; frame < 10; ++frame) {
            p.matrix_b.m[3] += 0.03f;
            const ContinuousQuery query = make_query(p, scratch);
            const ContinuousResult warm = run_continuous(algorithm(), query, cache),
                                   cold = run(algorithm(), p);
            ASSERT_EQ(warm.verdict, cold.verdict);
            EXPECT_NEAR(warm.time_high, cold.time_high, time_slack(p));
        }
    }
}

TEST_P(ContinuousContract, the_sink_receives_the_first_contact) {
    for (const MovingPair& p : all_pairs(60, 7)) {
        Scratch scratch;
        PairCache cache;
        ContinuousQuery query = make_query(p, scratch);
        MotionHit storage[256];
        MotionHitSink sink(storage);
        query.hits = &sink;
        const ContinuousResult r = run_continuous(algorithm(), query, cache);
        if (r.verdict != Verdict::colliding || r.at_start || !algorithm().gives_time) {
            if (r.verdict == Verdict::separated) {
                EXPECT_TRUE(sink.hits().empty());
            }
            continue;
        }
        ASSERT_FALSE(sink.hits().empty());
        for (const MotionHit& hit : sink.hits()) {
            EXPECT_TRUE(is_finite(hit.point_w) && is_finite(hit.normal_w));
            EXPECT_GE(hit.time, r.time_low - 1e-9);
            EXPECT_LE(hit.time, 1);
        }
        EXPECT_EQ(sink.hits()[0].time, r.time_high);
        MotionHitSink none;
        query.hits = &none;
        cache.clear();
        EXPECT_EQ(run_continuous(algorithm(), query, cache).status, QueryStatus::hits_full);
    }
}

/// Huge, tiny, far, flat and degenerate shapes, in huge, tiny and no motion.
std::vector<MovingPair> hostile_pairs() {
    const float huge = 0x1p58f, tiny = 0x1p-100f;
    const ShapePtr shapes[] = {hull_of({{0, 0, 0}}),
                               hull_of({{0, 0, 0}, {1, 0, 0}}),
                               hull_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
                               box_shape({1, 1, 1}),
                               box_shape({huge, huge, huge}),
                               box_shape({tiny, tiny, tiny}),
                               box_shape({1, 1, 1e-30f}),
                               box_shape({1e6f, 1e-6f, 1})};
    Matrix34f flat, mirror;
    flat.m[10] = 0;
    mirror.m[0] = -3;
    const Matrix34f matrices[] = {{}, flat, mirror, at({1e15, -1e15, 0}), at({0, 0, 2})};
    Motion spin;
    spin.kind = Motion::Kind::screw;
    spin.angle = 3;
    Motion far_spin = spin;
    far_spin.point_w = {1e12, 0, 0};
    far_spin.travel_w = {0, 1e12, 0};
    const Motion motions[] = {{},
                              Motion::linear({0, 0, 0}),
                              Motion::linear({huge, 0, huge}),
                              Motion::linear({tiny, tiny, 0}),
                              Motion::linear({0, 0, -2}),
                              spin,
                              far_spin};
    std::vector<MovingPair> out;
    Random random(8);
    for (const ShapePtr& a : shapes)
        for (const ShapePtr& b : shapes)
            for (int i = 0; i < 8; ++i)
                out.push_back({a, b, matrices[random.below(5)], matrices[random.below(5)],
                               motions[random.below(7)], motions[random.below(7)]});
    return out;
}

TEST_P(ContinuousContract, hostile_input_gives_valid_answers) {
    for (const MovingPair& p : accepted(hostile_pairs())) {
        const ContinuousResult r = run(algorithm(), p);
        expect_valid(r);
        if (promise_of(algorithm(), p) == Promise::exact) {
            EXPECT_NE(r.verdict, Verdict::undecided);
        }
    }
}

TEST(ContinuousContractOfExact, algorithms_agree_on_hostile_linear_motions) {
    for (const MovingPair& p : hostile_pairs()) {
        Verdict verdict = Verdict::undecided;
        double time = 0;
        for (const ContinuousAlgorithm* a : continuous_algorithms()) {
            if (!fits(*a, p) || promise_of(*a, p) != Promise::exact) continue;
            const ContinuousResult r = run(*a, p);
            if (verdict != Verdict::undecided) {
                EXPECT_EQ(r.verdict, verdict) << a->id;
                EXPECT_NEAR(r.time_high, time, 1e-9) << a->id;
            }
            verdict = r.verdict;
            time = r.time_high;
        }
    }
}

TEST_P(ContinuousContract, a_pair_outside_the_domain_is_not_applicable) {
    const ShapePtr torus = primitive(Primitive::torus, 60, 1);
    MovingPair p{torus, torus, {}, at({3, 0, 0}), {}, Motion::linear({0, 0, 0})};
    const ContinuousResult r = run(algorithm(), p);
    EXPECT_EQ(r.status == QueryStatus::not_applicable, !fits(algorithm(), p));
    if (algorithm().needs == Needs::convex) {
        EXPECT_EQ(r.status, QueryStatus::not_applicable);
    }
}

// Only exact arithmetic may allocate. The first round gives scratch memory its size.
TEST_P(ContinuousContract, repeated_queries_allocate_nothing_without_exact_arithmetic) {
    const std::vector<MovingPair> pairs = all_pairs(100, 21);
    Scratch scratch;
    std::size_t counted = 0, allocations = 0;
    for (int round = 0; round < 2; ++round)
        for (const MovingPair& p : pairs) {
            std::shared_ptr<const Prepared> prepared_a, prepared_b;
            ContinuousQuery query = make_query(p, scratch);
            if (algorithm().prepare) {
                prepared_a = algorithm().prepare(*p.a, p.a->geometry());
                prepared_b = algorithm().prepare(*p.b, p.b->geometry());
                query.pair.a.prepared = prepared_a.get(), query.pair.b.prepared = prepared_b.get();
            }
            PairCache cache;
            const std::size_t before = allocations_of_this_thread();
            const ContinuousResult r = run_continuous(algorithm(), query, cache);
            if (round == 0 || r.rung == 3) continue;
            allocations += allocations_of_this_thread() - before;
            ++counted;
        }
    EXPECT_EQ(allocations, 0u);
    EXPECT_GT(counted, pairs.size() / 2);
}

}  // namespace
}  // namespace claybox::test
