// Properties of GJK in addition to the contract of all pair algorithms: any matrix, any dimension, its memory
// and its limits.

#include "tests/pairwise/pairs.hpp"

#include <cmath>
#include <limits>

namespace claybox::test {
namespace {

const PairAlgorithm& gjk_algorithm() {
    return *find_pair_algorithm("gjk");
}

ShapePtr hull(const std::vector<Vec3f>& points) {
    auto shape = Shape::from_hull(points);
    EXPECT_TRUE(shape.ok());
    return shape.value();
}

ShapePtr cube(float half = 1.0f) {
    std::vector<Vec3f> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back(
            {(i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half, (i & 4) != 0 ? half : -half});
    return hull(corners);
}

Matrix34f matrix(float scale, const Vec3f& translation) {
    Matrix34f m;
    m.m[0] = m.m[5] = m.m[10] = scale;
    for (std::size_t r = 0; r < 3; ++r) m.m[r * 4 + 3] = translation[r];
    return m;
}

/// Queries in both orders; checks that both agree, are proved and finite. Returns the first answer.
PairResult decide(const Pair& p, Exactness exactness = Exactness::exact) {
    Scratch scratch;
    PairResult first;
    for (const bool swap : {false, true}) {
        PairCache cache;
        PairQuery q = query_of(gjk_algorithm(), swap ? swapped(p) : p, {}, scratch);
        q.wants = kWantDistance | kWantAxis;
        q.exactness = exactness;
        const PairResult r = run_query(gjk_algorithm(), q, cache);
        EXPECT_TRUE(std::isfinite(r.distance));
        EXPECT_TRUE(is_finite(r.closest_a_w) && is_finite(r.closest_b_w) && is_finite(r.certificate.axis_w));
        if (exactness == Exactness::exact) {
            EXPECT_TRUE(certify(q, r));
            if (swap) {
                EXPECT_EQ(r.verdict, first.verdict);
            }
        }
        if (!swap) first = r;
    }
    return first;
}

TEST(Gjk, bodies_of_every_dimension_are_decided) {
    const ShapePtr point = hull({{0, 0, 0}}), segment = hull({{-1, 0, 0}, {1, 0, 0}});
    const ShapePtr triangle = hull({{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}), solid = cube();
    for (const ShapePtr& a : {point, segment, triangle, solid})
        for (const ShapePtr& b : {point, segment, triangle, solid}) {
            EXPECT_EQ(decide({a, b, {}, {}}).verdict, Verdict::colliding);
            const PairResult apart = decide({a, b, {}, matrix(1, {0, 0, 4})});
            EXPECT_EQ(apart.verdict, Verdict::separated);
            const double below = a == solid ? 1 : 0, above = b == solid ? 1 : 0;
            EXPECT_NEAR(apart.distance, 4 - below - above, 1e-12);
        }
}

TEST(Gjk, gap_of_one_unit_in_the_last_place_separates) {
    const ShapePtr box = cube();
    const float next = std::nextafter(2.0f, 3.0f);
    EXPECT_EQ(decide({box, box, {}, matrix(1, {2, 0, 0})}).verdict, Verdict::colliding);
    EXPECT_EQ(decide({box, box, {}, matrix(1, {2, 2, 2})}).verdict, Verdict::colliding);
    const PairResult apart = decide({box, box, {}, matrix(1, {next, 0.3f, 0.2f})});
    EXPECT_EQ(apart.verdict, Verdict::separated);
    EXPECT_NEAR(apart.distance, double(next) - 2, 1e-15);
}

TEST(Gjk, mirrored_sheared_and_singular_matrices_are_decided) {
    const ShapePtr box = cube();
    Matrix34f mirrored = matrix(1, {3, 0, 0}), sheared = matrix(1, {3, 0, 0}), flat = matrix(1, {1.5f, 0, 0});
    mirrored.m[0] = -1;
    sheared.m[1] = 0.75f;
    flat.m[0] = 0;  // a square in the plane x = 1.5
    EXPECT_NEAR(decide({box, box, {}, mirrored}).distance, 1.0, 1e-12);
    EXPECT_NEAR(decide({box, box, {}, sheared}).distance, 0.25, 1e-12);
    EXPECT_NEAR(decide({box, box, {}, flat}).distance, 0.5, 1e-12);
    flat.m[3] = 1.0f;  // touches the face x = 1
    EXPECT_EQ(decide({box, box, {}, flat}).verdict, Verdict::colliding);
    EXPECT_EQ(decide({box, box, matrix(0, {0, 0, 0}), matrix(0, {0, 0, 0})}).verdict, Verdict::colliding);
    EXPECT_EQ(decide({box, box, matrix(0, {0, 0, 0}), matrix(0, {0, 0, 1})}).verdict, Verdict::separated);
}

TEST(Gjk, whole_range_of_numbers_is_decided_without_infinities) {
    for (const float half : {0x1p-140f, 0x1p-60f, 1.0f, 0x1p60f})
        for (const float scale : {0x1p-60f, 1.0f, 0x1p58f}) {
            const ShapePtr box = cube(half);
            const double size = double(half) * double(scale);
            const float step = static_cast<float>(std::min(3 * size, 0x1p60));
            if (double(step) < 1e-44) continue;  // too small for float positions
            const PairResult r = decide({box, box, matrix(scale, {0, 0, 0}), matrix(scale, {0, step, 0})});
            const bool apart = double(step) > 2 * size;
            EXPECT_EQ(r.verdict, apart ? Verdict::separated : Verdict::colliding) << half << " " << scale;
            if (apart) {
                EXPECT_NEAR(r.distance, double(step) - 2 * size, 1e-9 * size);
            }
            decide({box, box, matrix(scale, {0, 0, 0}), matrix(scale, {0, step, 0})}, Exactness::fast);
        }
}

TEST(Gjk, distance_from_the_origin_costs_no_precision) {
    const ShapePtr box = cube();
    const PairResult r = decide({box, box, matrix(1, {0x1p20f, 0, 0}), matrix(1, {0x1p20f, 2.125f, 0})});
    EXPECT_EQ(r.verdict, Verdict::separated);
    EXPECT_NEAR(r.distance, 0.125, 1e-12);
    EXPECT_EQ(r.rung, 2);
}

TEST(Gjk, iteration_limit_of_one_moves_work_to_the_next_rungs_without_guesses) {
    const std::size_t limit = find_parameter(gjk_algorithm().parameters, "iteration_limit");
    Scratch scratch;
    std::uint32_t higher = 0;
    for (const Pair& p : random_pairs(300, 31)) {
        PairQuery q = query_of(gjk_algorithm(), p, {}, scratch);
        q.parameters[limit] = 1;
        PairCache cache, fast_cache;
        const PairResult r = run_query(gjk_algorithm(), q, cache);
        const Verdict right = query_pair(gjk_algorithm(), p).verdict;
        EXPECT_EQ(r.verdict, right);
        higher += r.rung == 3 ? 1 : 0;
        q.exactness = Exactness::fast;
        const Verdict fast = run_query(gjk_algorithm(), q, fast_cache).verdict;
        EXPECT_TRUE(fast == right || fast == Verdict::undecided);
    }
    EXPECT_GT(higher, 20u);
}

TEST(Gjk, exact_decision_is_remembered_until_a_body_moves) {
    const ShapePtr box = cube();
    Pair p{box, box, {}, matrix(1, {2, 0.5f, 0.25f})};  // face to face
    Scratch scratch;
    PairCache cache;
    const auto remembered = [&] {
        const PairQuery q = query_of(gjk_algorithm(), p, {}, scratch);
        const PairResult r = run_query(gjk_algorithm(), q, cache);
        EXPECT_EQ(r.rung, 3);
        EXPECT_TRUE(certify(q, r));
        return r.counters[4] == 1;
    };
    EXPECT_STREQ(gjk_algorithm().counters[4], "remembered decision");
    EXPECT_FALSE(remembered());
    EXPECT_TRUE(remembered());
    EXPECT_TRUE(remembered());
    p.world_from_b.m[7] = 0.625f;
    EXPECT_FALSE(remembered());
    EXPECT_TRUE(remembered());
    p.world_from_a.m[3] = -1.0f;
    const PairResult apart = run_query(gjk_algorithm(), query_of(gjk_algorithm(), p, {}, scratch), cache);
    EXPECT_EQ(apart.verdict, Verdict::separated);
    EXPECT_EQ(apart.rung, 2);
}

TEST(Gjk, bodies_moving_together_keep_a_decision_only_if_the_motion_is_exact) {
    const ShapePtr box = cube();
    // one on top of the other
    const Pair start{box, box, matrix(1, {0.25f, 0, 0}), matrix(1, {0.25f, 2, 0.5f})};
    Scratch scratch;
    PairCache cache;
    const auto moved = [&](const Vec3f& by) {
        Pair p = start;
        for (Matrix34f* m : {&p.world_from_a, &p.world_from_b})
            for (std::size_t r = 0; r < 3; ++r) m->m[4 * r + 3] += by[r];
        const PairQuery q = query_of(gjk_algorithm(), p, {}, scratch);
        const PairResult r = run_query(gjk_algorithm(), q, cache);
        EXPECT_TRUE(certify(q, r));
        return r;
    };
    EXPECT_EQ(moved({0, 0, 0}).counters[4], 0u);
    EXPECT_EQ(moved({0, 0, 0}).counters[4], 1u);
    EXPECT_EQ(moved({-3, 1024, 0.125f}).counters[4], 1u);
    EXPECT_EQ(moved({0x1p-24f, 0, 0}).counters[4], 1u);  // both bodies have the same x, so both round equally
    const PairResult nearer = moved({0, 0.7f, 0});       // 2.7 rounds differently from 0.7
    EXPECT_EQ(nearer.counters[4], 0u);
    const PairResult away = moved({0, -0x1p-25f, 0});  // 2 is unchanged, but the lower body moves down
    EXPECT_EQ(away.verdict, Verdict::separated);
    EXPECT_EQ(away.counters[4], 0u);
}

TEST(Gjk, remembered_near_miss_keeps_its_proof) {
    // Parallel triangles 2^-70 m apart: no axis of three doubles separates them; only the axis that vertex
    // pairs define exactly does.
    Random random(77);
    int by_pairs = 0;
    for (int i = 0; i < 100; ++i) {
        std::vector<Vec3f> corners;
        for (int k = 0; k < 3; ++k) corners.push_back(cast<float>(random.unit_vector()));
        const ShapePtr triangle = hull(corners);
        const Pair p{triangle, triangle, matrix(1, {0, 0, 0}), matrix(1, {0, 0, 0x1p-70f})};
        Scratch scratch;
        PairCache cache;
        const PairQuery q = query_of(gjk_algorithm(), p, {}, scratch);
        const PairResult first = run_query(gjk_algorithm(), q, cache);
        const PairResult again = run_query(gjk_algorithm(), q, cache);
        EXPECT_EQ(first.verdict, Verdict::separated);
        EXPECT_EQ(again.verdict, Verdict::separated);
        EXPECT_EQ(again.counters[4], 1u);
        EXPECT_TRUE(certify(q, first));
        EXPECT_TRUE(certify(q, again));
        PairResult without = again;
        without.certificate.pair_count = 0;
        by_pairs += certify(q, without) ? 0 : 1;
    }
    EXPECT_GT(by_pairs, 50);
}

TEST(Gjk, fast_answers_are_finite_where_squares_overflow_float) {
    Random random(78);
    const std::vector<ShapePtr> shapes = convex_shapes();
    for (int i = 0; i < 2000; ++i) {
        Pair p{shapes[random.below(shapes.size())], shapes[random.below(shapes.size())], {}, {}};
        for (Matrix34f* m : {&p.world_from_a, &p.world_from_b}) {
            const double size = std::exp2(random.uniform(-140.0, 60.0));
            for (float& entry : m->m) entry = static_cast<float>(random.uniform(-size, size));
        }
        const PairResult fast = decide(p, Exactness::fast);
        EXPECT_TRUE(std::isfinite(fast.depth));
        decide(p);
    }
}

TEST(Gjk, coherent_pairs_need_about_one_iteration) {
    const auto shape = make_primitive_shape(Primitive::plate_hull, 200, 1.0f, 4);
    ASSERT_TRUE(shape.ok());
    Scratch scratch;
    PairCache cache;
    std::uint32_t warm = 0, cold = 0;
    Pair p{shape.value(), shape.value(), {}, {}};
    for (int frame = 0; frame < 200; ++frame) {
        const double t = 0.01 * frame;
        p.world_from_b = to_matrix({axis_angle({0, 0.6, 0.8}, t), {0.9 + 0.3 * std::sin(3 * t), 0.4, 0.3}});
        const PairQuery q = query_of(gjk_algorithm(), p, {}, scratch);
        PairCache fresh;
        warm += run_query(gjk_algorithm(), q, cache).iterations;
        cold += run_query(gjk_algorithm(), q, fresh).iterations;
    }
    EXPECT_LT(warm, 300u) << cold;
    EXPECT_GT(cold, 2 * warm);
}

}  // namespace
}  // namespace claybox::test
