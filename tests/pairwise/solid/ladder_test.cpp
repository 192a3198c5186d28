// The ladder cannot be bypassed: with any parameter values, an exact algorithm answers correctly, with a
// proof, and reports the rung.

#include "tests/pairwise/pairs.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::test {
namespace {

class Ladder : public testing::TestWithParam<const PairAlgorithm*> {
  protected:
    const PairAlgorithm& algorithm() const { return *GetParam(); }
};

std::vector<const PairAlgorithm*> exact_algorithms() {
    std::vector<const PairAlgorithm*> out;
    for (const PairAlgorithm* a : pair_algorithms())
        if (a->exact) out.push_back(a);
    return out;
}

INSTANTIATE_TEST_SUITE_P(all, Ladder, testing::ValuesIn(exact_algorithms()),
                         [](const auto& row) { return std::string(row.param->id); });

/// Pairs just apart, exactly touching, or just overlapping: a guess would be wrong half of the time.
std::vector<Pair> near_contact(std::size_t count, std::uint64_t seed) {
    const std::vector<ShapePtr> shapes = convex_shapes();
    Random random(seed);
    std::vector<Pair> out;
    while (out.size() < count) {
        Pair p{shapes[random.below(shapes.size())], shapes[random.below(shapes.size())], {}, {}};
        p.world_from_a = to_matrix(random_pose(random, 5.0));
        Pose b = random_pose(random, random.uniform(0.9, 2.1));
        b.translation += cast<double>(p.world_from_a.translation());
        p.world_from_b = to_matrix(b);
        const PairResult r = query_pair(*find_pair_algorithm("gjk"), p, kWantDistance | kWantDepth);
        const bool apart = r.verdict == Verdict::separated;
        const Vec3d shift = apart ? r.closest_a_w - r.closest_b_w : r.depth * r.depth_direction_w;
        for (std::size_t k = 0; k < 3; ++k) {
            float& t = p.world_from_b.m[4 * k + 3];
            t = static_cast<float>(t + shift[k]);
        }
        out.push_back(p);
    }
    return out;
}

/// The verdict of the exact linear program in integers alone, independent of the rungs of other algorithms.
/// Also valid for surfaces if no body is inside the other.
Verdict truth_of(const Pair& p) {
    const PairAlgorithm& lp = *find_pair_algorithm("lp_exact");
    Scratch scratch;
    PairCache cache;
    PairQuery q = query_of(lp, p, {}, scratch);
    q.parameters[find_parameter(lp.parameters, "arithmetic")] = 1;
    return run_query(lp, q, cache).verdict;
}

TEST_P(Ladder, extreme_parameter_values_still_give_proved_correct_answers) {
    std::uint32_t colliding = 0, queried = 0;
    for (const Pair& p : near_contact(150, 71)) {
        if (!applies(algorithm(), p)) continue;
        const Verdict want = truth_of(p);
        for (const bool most : {false, true}) {
            PreparedPair prepared = prepare(algorithm(), p);
            Scratch scratch;
            PairCache cache;
            cache.set_pool(prepared.pool);
            PairQuery q = query_of(algorithm(), p, prepared, scratch);
            for (std::size_t i = 0; i < algorithm().parameters.size(); ++i)
                q.parameters[i] = most ? algorithm().parameters[i].max : algorithm().parameters[i].min;
            q.wants = algorithm().gives & ~kWantAllHits;
            const PairResult r = run_query(algorithm(), q, cache);
            EXPECT_EQ(r.status, QueryStatus::done);
            EXPECT_EQ(r.verdict, want);
            EXPECT_GE(r.rung, 2);
            EXPECT_TRUE(certify(q, r));
        }
        ++queried;
        colliding += want == Verdict::colliding ? 1 : 0;
    }
    EXPECT_GT(queried, 50u);
    EXPECT_GT(colliding * 10, queried * 2);
    EXPECT_LT(colliding * 10, queried * 8);
}

TEST_P(Ladder, iteration_limit_of_one_leads_to_the_exact_rung) {
    const std::size_t limit = find_parameter(algorithm().parameters, "iteration_limit");
    if (limit == algorithm().parameters.size()) GTEST_SKIP() << "has no limit: it terminates without one";
    std::uint32_t usual = 0, limited = 0, guesses = 0;
    for (const Pair& p : random_pairs(300, 72)) {
        if (!applies(algorithm(), p)) continue;
        PreparedPair prepared = prepare(algorithm(), p);
        Scratch scratch;
        const auto run = [&](double value, Exactness exactness) {
            PairCache cache;
            std::fill(prepared.pool.begin(), prepared.pool.end(), std::byte{});
            cache.set_pool(prepared.pool);
            PairQuery q = query_of(algorithm(), p, prepared, scratch);
            q.parameters[limit] = value;
            q.exactness = exactness;
            return run_query(algorithm(), q, cache);
        };
        const Parameter& parameter = algorithm().parameters[limit];
        const PairResult free = run(parameter.default_value, Exactness::exact);
        const PairResult bound = run(parameter.min, Exactness::exact);
        const PairResult fast = run(parameter.min, Exactness::fast);
        EXPECT_EQ(bound.verdict, free.verdict);
        EXPECT_GE(bound.rung, 2);
        EXPECT_EQ(fast.rung, 1);
        EXPECT_TRUE(fast.verdict == free.verdict || fast.verdict == Verdict::undecided);
        usual += free.rung == 3 ? 1 : 0;
        limited += bound.rung == 3 ? 1 : 0;
        guesses += fast.verdict == Verdict::undecided ? 1 : 0;
    }
    EXPECT_GT(limited, usual + 20);
    EXPECT_GT(guesses, 20u);
}

ShapePtr cube(float half) {
    std::vector<Vec3f> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back(
            {(i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half, (i & 4) != 0 ? half : -half});
    return Shape::from_hull(corners).value();
}

Matrix34f shifted(float x, float y, float z) {
    Matrix34f m;
    m.m[3] = x;
    m.m[7] = y;
    m.m[11] = z;
    return m;
}

TEST_P(Ladder, body_inside_another_collides_as_a_solid_but_not_as_a_surface) {
    const ShapePtr large = cube(1), small = cube(0.25f);
    const Verdict want = algorithm().meaning == Meaning::solid ? Verdict::colliding : Verdict::separated;
    for (const Matrix34f& m : {shifted(0, 0, 0), shifted(0.5f, -0.25f, 0.125f)}) {
        const Pair p{large, small, {}, m};
        EXPECT_EQ(query_pair(algorithm(), p).verdict, want);
        EXPECT_EQ(query_pair(algorithm(), swapped(p)).verdict, want);
    }
    const Pair through{large, small, {}, shifted(1, 0, 0)};
    EXPECT_EQ(query_pair(algorithm(), through).verdict, Verdict::colliding);
    EXPECT_EQ(query_pair(algorithm(), through).meaning, algorithm().meaning);
}

TEST_P(Ladder, touching_collides_in_both_meanings_and_the_smallest_gap_separates) {
    const ShapePtr box = cube(1);
    // Corner to corner, edge to edge, face to face, face from inside. Then the same, moved apart by one unit
    // in the last place.
    const float next = std::nextafter(2.0f, 3.0f);
    for (const Matrix34f& m : {shifted(2, 2, 2), shifted(2, -2, 0.5f), shifted(0.5f, 2, 0.25f)})
        for (const bool swap : {false, true}) {
            const Pair p{box, box, {}, m};
            EXPECT_EQ(query_pair(algorithm(), swap ? swapped(p) : p).verdict, Verdict::colliding);
        }
    for (const Matrix34f& m : {shifted(next, 2, 2), shifted(2, -next, 0.5f), shifted(0.5f, next, 0.25f)})
        for (const bool swap : {false, true}) {
            const Pair p{box, box, {}, m};
            EXPECT_EQ(query_pair(algorithm(), swap ? swapped(p) : p).verdict, Verdict::separated);
        }
    const Pair from_inside{box, cube(0.5f), {}, shifted(0.5f, 0, 0)};
    EXPECT_EQ(query_pair(algorithm(), from_inside).verdict, Verdict::colliding);
    EXPECT_EQ(query_pair(algorithm(), swapped(from_inside)).verdict, Verdict::colliding);
}

}  // namespace
}  // namespace claybox::test
