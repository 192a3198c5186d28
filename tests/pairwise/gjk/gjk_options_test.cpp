// GJK with each of its options: the same answers, and the purpose of each option.

#include "collision/pairwise/gjk/gjk_walk.hpp"
#include "tests/pairwise/truth_pairs.hpp"

#include <cmath>

namespace claybox::test {
namespace {

const PairAlgorithm& gjk() {
    return *find_pair_algorithm("gjk");
}

std::size_t parameter(const char* id) {
    const std::size_t at = find_parameter(gjk().parameters, id);
    EXPECT_LT(at, gjk().parameters.size()) << id;
    return at;
}

/// All combinations of the options, as parameter values.
std::vector<ParameterValues> all_options() {
    std::vector<ParameterValues> out;
    const std::size_t sub = parameter("sub_algorithm"), support = parameter("support"),
                      far = parameter("far_neighbours"), warm = parameter("warm_start"),
                      early = parameter("early_exit"), momentum = parameter("momentum");
    for (int bits = 0; bits < 3 * 4 * 16; ++bits) {
        ParameterValues v = default_values(gjk().parameters);
        v[sub] = bits % 3;
        v[support] = bits / 3 % 4;
        v[far] = bits / 12 & 1;
        v[warm] = bits / 24 & 1;
        v[early] = bits / 48 & 1;
        v[momentum] = bits / 96 & 1;
        out.push_back(v);
    }
    return out;
}

TEST(GjkOptions, CN_gjk_answers_correctly_and_with_proof_under_every_combination_of_options) {
    const std::vector<ParameterValues> options = all_options();
    Random random(63);
    std::uint32_t queried = 0, wrong = 0;
    Scratch scratch;
    for (std::size_t i = 0; i < convex_truth().size(); ++i) {
        const TruthPair& t = convex_truth()[i];
        if (!applies(gjk(), t.pair)) continue;
        PreparedPair prepared = prepare(gjk(), t.pair);
        const Pair before = frame_before(t, t.pair, random.unit_vector());
        for (std::size_t k = i % 12; k < options.size(); k += 12) {
            PairCache cache;
            PairQuery old = query_of(gjk(), before, prepared, scratch);
            PairQuery q = query_of(gjk(), t.pair, prepared, scratch);
            old.parameters = q.parameters = options[k];
            run_query(gjk(), old, cache);
            const PairResult r = run_query(gjk(), q, cache);
            wrong += r.verdict == (*t.solid ? Verdict::colliding : Verdict::separated) ? 0 : 1;
            EXPECT_TRUE(certify(q, r)) << t.id << " options " << k;
            ++queried;
        }
    }
    EXPECT_EQ(wrong, 0u);
    EXPECT_GT(queried, 20000u);
}

/// A cold walk in double to the shortest distance.
Walk<double> walk_to_minimum(const Pair& p, SubAlgorithm by, bool momentum) {
    const WalkFrames<double> f{
        make_difference<double>(*p.a->hull(), p.world_from_a, *p.b->hull(), p.world_from_b)};
    Walk<double> walk;
    walk.direction = f.point_b(0) - f.point_a(0);
    walk.end = walk_to_origin(f, walk, {1000, false, {}, nullptr, 0, by, momentum});
    return walk;
}

TEST(GjkOptions, CN_gjk_distance_matches_the_ground_truth_with_every_sub_algorithm_and_momentum) {
    // As documented, a walk stops when the next point would gain less than 64 roundings of the distance.
    // Regions achieve this even next to bodies a million times larger. Determinants and volumes of such
    // slivers are mostly rounding and sometimes end a walk early; the ladder corrects this.
    for (const SubAlgorithm by : {SubAlgorithm::regions, SubAlgorithm::johnson, SubAlgorithm::signed_volumes})
        for (const bool momentum : {false, true}) {
            int compared = 0, wrong = 0, wrong_among_similar_sizes = 0;
            for (const TruthPair& t : convex_truth()) {
                if (*t.solid || t.distance < 1e-3 * t.size) continue;
                const Walk<double> walk = walk_to_minimum(t.pair, by, momentum);
                EXPECT_LT(walk.iterations, 200u) << t.id;
                const double error = std::abs(length(walk.nearest) - t.distance);
                const bool right = walk.end == WalkEnd::separated && error < 1e-6 * t.distance;
                wrong += right ? 0 : 1;
                wrong_among_similar_sizes += right || t.kind == "tiny_huge" ? 0 : 1;
                ++compared;
            }
            EXPECT_GT(compared, 500);
            if (by == SubAlgorithm::regions) {
                EXPECT_EQ(wrong, 0);
            }
            EXPECT_LT(wrong * 50, compared);
            EXPECT_LE(wrong_among_similar_sizes * 200, compared);
        }
}

TEST(GjkOptions, CN_gjk_momentum_reaches_the_same_results_as_plain_steps) {
    std::uint32_t plain = 0, with = 0;
    for (const Pair& p : random_pairs(500, 64)) {
        const Walk<double> a = walk_to_minimum(p, SubAlgorithm::regions, false);
        const Walk<double> b = walk_to_minimum(p, SubAlgorithm::regions, true);
        EXPECT_EQ(a.end, b.end);
        if (a.end == WalkEnd::separated) {
            EXPECT_NEAR(length(a.nearest), length(b.nearest), 1e-9);
        }
        plain += a.iterations;
        with += b.iterations;
    }
    EXPECT_NE(plain, with) << "the option has an effect";
    EXPECT_LT(with, 2 * plain);
}

TEST(GjkOptions, CN_support_of_the_difference_is_the_support_of_a_minus_the_opposite_support_of_b) {
    Random random(65);
    for (const Pair& p : random_pairs(200, 65)) {
        const WalkFrames<double> f{
            make_difference<double>(*p.a->hull(), p.world_from_a, *p.b->hull(), p.world_from_b)};
        Walk<double> walk;
        walk.direction = random.unit_vector();
        const SimplexPoint<double> w = walk_detail::support(f, walk);
        double most = -1e300;
        for (std::uint32_t a = 0; a < p.a->hull()->vertex_count; ++a)
            for (std::uint32_t b = 0; b < p.b->hull()->vertex_count; ++b)
                most = std::max(most, dot(walk.direction, f.point_a(a) - f.point_b(b)));
        EXPECT_NEAR(dot(walk.direction, w.w), most, 1e-12);
        EXPECT_EQ(w.w, f.point_a(w.a) - f.point_b(w.b));
    }
}

TEST(GjkOptions, CN_hill_artificial_neighbours_save_steps_on_large_hulls_with_the_same_result) {
    Random random(66);
    for (const Primitive primitive :
         {Primitive::ellipsoid_hull, Primitive::rod_hull, Primitive::plate_hull}) {
        const ShapePtr shape = make_primitive_shape(primitive, 2000, 1.0f, 7).value();
        const ConvexHull& hull = *shape->hull();
        const FarNeighbours far = make_far_neighbours(hull);
        ASSERT_EQ(far.links.size(), std::size_t{FarNeighbours::kPerVertex} * hull.vertex_count);
        std::uint32_t steps = 0, far_steps = 0, visited = 0, far_visited = 0;
        for (int i = 0; i < 500; ++i) {
            const Vec3d d = random.unit_vector();
            const auto start = static_cast<std::uint32_t>(random.below(hull.vertex_count));
            const auto count = [](std::uint32_t& step_count, std::uint32_t& sum) {
                return [&](std::uint32_t n) {
                    ++step_count;
                    sum += n;
                };
            };
            const std::uint32_t v = hill_climb(hull, d, start, count(steps, visited));
            const std::uint32_t w = hill_climb_far(hull, far, d, start, count(far_steps, far_visited));
            EXPECT_EQ(value_along(hull, d, v), value_along(hull, d, w));
        }
        EXPECT_LT(far_steps * 4, steps * 3) << info(primitive).id;
        EXPECT_LT(far_visited * 4, visited * 3) << info(primitive).id;
    }
    const ShapePtr small = make_primitive_shape(Primitive::ellipsoid_hull, 20, 1.0f, 7).value();
    EXPECT_TRUE(make_far_neighbours(*small->hull()).links.empty());
}

TEST(GjkOptions, CN_hill_switch_does_not_change_answers_of_climbing_queries) {
    const ShapePtr shape = make_primitive_shape(Primitive::ellipsoid_hull, 1000, 1.0f, 8).value();
    Random random(67);
    Scratch scratch;
    PreparedPair prepared = prepare(gjk(), {shape, shape, {}, {}});
    std::uint32_t colliding = 0;
    for (int i = 0; i < 200; ++i) {
        const Pair p{shape, shape, {}, to_matrix(random_pose(random, random.uniform(1.0, 2.2)))};
        PairQuery q = query_of(gjk(), p, prepared, scratch);
        q.wants = kWantDistance;
        q.parameters[parameter("support")] = 2;
        PairCache off, on;
        const PairResult without = run_query(gjk(), q, off);
        q.parameters[parameter("far_neighbours")] = 1;
        const PairResult with = run_query(gjk(), q, on);
        EXPECT_EQ(with.verdict, without.verdict);
        EXPECT_NEAR(with.distance, without.distance, 1e-12);
        colliding += with.verdict == Verdict::colliding ? 1 : 0;
    }
    EXPECT_GT(colliding, 20u);
    EXPECT_LT(colliding, 180u);
}

TEST(GjkOptions, quick_climb_is_the_default_of_large_hulls_and_does_not_change_answers) {
    Random random(68);
    Scratch scratch;
    for (const Primitive primitive :
         {Primitive::ellipsoid_hull, Primitive::rod_hull, Primitive::plate_hull}) {
        const ShapePtr shape = make_primitive_shape(primitive, 600, 1.0f, 9).value();
        PreparedPair prepared = prepare(gjk(), {shape, shape, {}, {}});
        for (int i = 0; i < 100; ++i) {
            const Pair p{shape, shape, {}, to_matrix(random_pose(random, random.uniform(0.5, 2.2)))};
            PairQuery q = query_of(gjk(), p, prepared, scratch);
            q.wants = kWantDistance;
            const auto ask = [&](int support) {
                PairCache cache;
                q.parameters = default_values(gjk().parameters);
                q.parameters[parameter("support")] = support;
                return run_query(gjk(), q, cache);
            };
            const PairResult by_default = ask(0), climb = ask(2), quick = ask(3);
            EXPECT_EQ(quick.verdict, climb.verdict);
            EXPECT_NEAR(quick.distance, climb.distance, 1e-12);
            EXPECT_EQ(by_default.verdict, quick.verdict);
            EXPECT_EQ(by_default.distance, quick.distance);
            EXPECT_EQ(by_default.iterations, quick.iterations);
        }
    }
}

}  // namespace
}  // namespace claybox::test
