// Properties of the default algorithm in addition to the contract of all pair algorithms: its memory, its
// proofs in float, and queries without tables.

#include "bench/streams/stream_player.hpp"
#include "tests/pairwise/pairs.hpp"

#include <cmath>

namespace claybox::test {
namespace {

enum Counter : std::size_t { searches, proven_in_float, double_iterations, exact_iterations, remembered };

const PairAlgorithm& best() {
    return *find_pair_algorithm("best");
}

ShapePtr shape_of(Primitive primitive, std::uint32_t target_count, std::uint64_t seed = 3) {
    auto shape = make_primitive_shape(primitive, target_count, 1, seed);
    EXPECT_TRUE(shape.ok());
    return shape.value();
}

/// Queries one pair repeatedly, by default with tables.
class RepeatedQuery {
  public:
    explicit RepeatedQuery(const Pair& pair, bool tables = true) : pair_(pair) {
        if (tables) prepared_ = prepare(best(), pair);
    }
    PairResult query_pair(const Pose& a, const Pose& b, Wants wants = kWantVerdict) {
        pair_.world_from_a = to_matrix(a);
        pair_.world_from_b = to_matrix(b);
        PairQuery q = query_of(best(), pair_, prepared_, scratch_);
        q.wants = wants;
        const PairResult r = run_query(best(), q, cache_);
        EXPECT_EQ(r.status, QueryStatus::done);
        EXPECT_TRUE(certify(q, r));
        return r;
    }

  private:
    Pair pair_;
    PreparedPair prepared_;
    Scratch scratch_;
    PairCache cache_;
};

TEST(Best, is_the_default) {
    ASSERT_FALSE(pair_algorithms().empty());
    EXPECT_EQ(pair_algorithms().front(), &best());
    EXPECT_TRUE(best().exact);
}

TEST(Best, axis_that_still_separates_is_proved_with_one_search) {
    const ShapePtr ball = shape_of(Primitive::ellipsoid_hull, 500);
    RepeatedQuery repeated({ball, ball, {}, {}});
    repeated.query_pair({}, {{}, {2.2, 0.1, 0}});
    for (int frame = 1; frame < 20; ++frame) {
        const PairResult r =
            repeated.query_pair({}, {axis_angle({0, 0, 1}, 0.02 * frame), {2.2, 0.1 + 0.01 * frame, 0}});
        EXPECT_EQ(r.verdict, Verdict::separated);
        EXPECT_EQ(r.rung, 2);
        EXPECT_EQ(r.iterations, 1u);
        EXPECT_EQ(r.counters[searches], 1u);
        EXPECT_EQ(r.counters[proven_in_float], 1u);
    }
}

TEST(Best, pairs_that_still_surround_the_origin_are_proved_without_a_search) {
    const ShapePtr ball = shape_of(Primitive::ellipsoid_hull, 500);
    RepeatedQuery repeated({ball, ball, {}, {}});
    EXPECT_GT(repeated.query_pair({}, {{}, {0.5, 0.1, 0.2}}).iterations, 0u);
    for (int frame = 1; frame < 10; ++frame) {
        const PairResult r = repeated.query_pair({}, {{}, {0.5 + 1e-4 * frame, 0.1, 0.2}});
        EXPECT_EQ(r.verdict, Verdict::colliding);
        EXPECT_EQ(r.rung, 2);
        EXPECT_EQ(r.iterations, 0u);
        EXPECT_EQ(r.counters[proven_in_float], 1u);
    }
}

TEST(Best, distances_are_measured_from_a_proof_in_double) {
    const ShapePtr box = shape_of(Primitive::box, 8);
    RepeatedQuery repeated({box, box, {}, {}});
    const double width = 2 * static_cast<double>(box->hull()->x[0]);
    for (int frame = 0; frame < 5; ++frame) {
        const PairResult r =
            repeated.query_pair({}, {{}, {std::abs(width) + 0.25, 0.1 * frame, 0}}, kWantDistance);
        EXPECT_EQ(r.verdict, Verdict::separated);
        EXPECT_EQ(r.counters[proven_in_float], 0u);
        EXPECT_NEAR(r.distance, 0.25, 1e-6);
    }
}

TEST(Best, verdicts_are_the_same_without_tables) {
    Random random(81);
    std::uint32_t proven = 0, queried = 0;
    for (const Pair& p : random_pairs(150, 82)) {
        RepeatedQuery with(p), without(p, false);
        for (int frame = 0; frame < 4; ++frame) {
            const Pose a = random_pose(random, 0.1), b = random_pose(random, random.uniform(0.5, 1.6));
            const PairResult x = with.query_pair(a, b), y = without.query_pair(a, b);
            EXPECT_EQ(x.verdict, y.verdict);
            EXPECT_EQ(y.counters[proven_in_float], 0u);
            proven += x.counters[proven_in_float];
            ++queried;
        }
    }
    EXPECT_GT(proven * 10, queried * 9);
}

TEST(Best, hull_without_a_table_is_climbed) {
    std::vector<Vec3f> points = make_primitive(Primitive::ellipsoid_hull, 40, 3).positions;
    for (Vec3f& p : points) p = p * 0x1p-80f;
    const ShapePtr dust = Shape::from_hull(points).value();
    EXPECT_EQ(best().prepare(*dust, dust->geometry()), nullptr);
    const ShapePtr box = shape_of(Primitive::box, 8);
    RepeatedQuery repeated({dust, box, {}, {}});
    EXPECT_EQ(repeated.query_pair({}, {}).verdict, Verdict::colliding);
    EXPECT_EQ(repeated.query_pair({}, {{}, {3, 0, 0}}).verdict, Verdict::separated);
    const PairResult r = repeated.query_pair({}, {{}, {3, 0.1, 0}});
    EXPECT_EQ(r.iterations, 1u);
    EXPECT_EQ(r.counters[proven_in_float], 0u);
}

TEST(Best, exact_decision_is_remembered_until_a_body_moves) {
    const ShapePtr box = Shape::from_hull(std::vector<Vec3f>{{-1, -1, -1},
                                                             {1, -1, -1},
                                                             {-1, 1, -1},
                                                             {1, 1, -1},
                                                             {-1, -1, 1},
                                                             {1, -1, 1},
                                                             {-1, 1, 1},
                                                             {1, 1, 1}})
                             .value();
    RepeatedQuery repeated({box, box, {}, {}});
    const Pose touching{{}, {2, 0.5, 0.25}};
    for (int i = 0; i < 3; ++i) {
        const PairResult r = repeated.query_pair({}, touching);
        EXPECT_EQ(r.verdict, Verdict::colliding);
        EXPECT_EQ(r.rung, 3);
        EXPECT_EQ(r.counters[remembered], i > 0 ? 1u : 0u);
    }
    EXPECT_EQ(repeated.query_pair({}, {{}, {2.125, 0.5, 0.25}}).rung, 2);
    const PairResult back = repeated.query_pair({}, touching);
    EXPECT_EQ(back.rung, 3);
    EXPECT_EQ(back.counters[remembered], 0u);
}

/// Polytopes of 100 vertices that move by small steps.
streams::QueryStream coherent_stream(Primitive primitive) {
    streams::CageSettings cage;
    cage.primitive = primitive;
    cage.vertices = 100;
    cage.bodies = 60;
    cage.filled_by_balls = true;
    return streams::record_cage(cage, 40).value();
}

constexpr Primitive kHullKinds[] = {Primitive::ellipsoid_hull, Primitive::rod_hull, Primitive::plate_hull};

streams::PlaySettings settings_of(Exactness exactness) {
    return {exactness, kWantVerdict, true, default_values(best().parameters)};
}

TEST(Best, coherent_pairs_are_mostly_proved_in_float_with_about_one_search) {
    for (const Primitive primitive : kHullKinds) {
        const streams::QueryStream stream = coherent_stream(primitive);
        streams::StreamPlayer player(stream, best());
        std::uint64_t proven = 0, queried = 0, searched = 0;
        for (std::size_t i = 0; i < stream.queries.size(); ++i) {
            const PairResult r = player.run_one(i, settings_of(Exactness::exact));
            EXPECT_EQ(r.rung, 2);
            proven += r.counters[proven_in_float];
            searched += r.counters[searches];
            ++queried;
        }
        EXPECT_GT(queried, 50u);
        EXPECT_GT(proven * 100, queried * 98) << info(primitive).id;
        EXPECT_LT(searched, queried * 2) << info(primitive).id;
    }
}

TEST(Best, fast_queries_take_the_same_shortcuts_and_search_no_more) {
    for (const Primitive primitive : kHullKinds) {
        const streams::QueryStream stream = coherent_stream(primitive);
        streams::StreamPlayer exact(stream, best()), fast(stream, best());
        std::uint64_t searched_exact = 0, searched_fast = 0, remembered_first = 0;
        for (std::size_t i = 0; i < stream.queries.size(); ++i) {
            const PairResult e = exact.run_one(i, settings_of(Exactness::exact));
            const PairResult f = fast.run_one(i, settings_of(Exactness::fast));
            EXPECT_EQ(f.verdict, e.verdict);
            EXPECT_EQ(f.rung, 1);
            searched_exact += e.counters[searches];
            searched_fast += f.counters[searches];
            remembered_first += f.counters[proven_in_float];
        }
        EXPECT_LE(searched_fast, searched_exact) << info(primitive).id;
        EXPECT_GT(remembered_first * 100, stream.queries.size() * 98) << info(primitive).id;
    }
}

}  // namespace
}  // namespace claybox::test
