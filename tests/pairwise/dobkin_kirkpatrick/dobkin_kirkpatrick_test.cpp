// The hierarchies on pairs: the kernel's own answer is correct, cheap and computed level by level.

#include "collision/pairwise/dobkin_kirkpatrick/dk_hierarchy.hpp"
#include "tests/pairwise/pairs.hpp"

#include <cmath>

namespace claybox::test {
namespace {

const PairAlgorithm& dk() {
    return *find_pair_algorithm("dobkin_kirkpatrick");
}

std::uint32_t counter(const PairResult& r, std::string_view name) {
    for (std::size_t i = 0; i < dk().counters.size(); ++i)
        if (dk().counters[i] == name) return r.counters[i];
    ADD_FAILURE() << "no counter " << name;
    return 0;
}

/// Pairs of one shape with `n` vertices, from far apart to deep inside each other.
std::vector<Pair> pairs_of(Primitive primitive, std::uint32_t n, std::size_t count, std::uint64_t seed) {
    auto shape = make_primitive_shape(primitive, n, 1.0f, 4);
    EXPECT_TRUE(shape.ok());
    Random random(seed);
    std::vector<Pair> out;
    for (std::size_t i = 0; i < count; ++i)
        out.push_back({shape.value(), shape.value(), to_matrix(random_pose(random, 0)),
                       to_matrix(random_pose(random, random.uniform(0.05, 2.2)))});
    return out;
}

TEST(DobkinKirkpatrick, CN_dk_poly_descent_alone_agrees_with_exact_linear_programming) {
    const PairAlgorithm& oracle = *find_pair_algorithm("lp_exact");
    Scratch scratch;
    for (const bool by_level : {true, false}) {
        int as_claimed = 0, colliding = 0, count = 0;
        std::vector<Pair> stream = random_pairs(300, 51);
        for (const Primitive primitive :
             {Primitive::ellipsoid_hull, Primitive::rod_hull, Primitive::plate_hull})
            for (const Pair& p : pairs_of(primitive, 300, 30, 52)) stream.push_back(p);
        for (const Pair& p : stream) {
            const PreparedPair prepared = prepare(dk(), p);
            PairQuery q = query_of(dk(), p, prepared, scratch);
            q.parameters[find_parameter(dk().parameters, "by_level")] = by_level ? 1 : 0;
            PairCache cache, fast_cache;
            const PairResult r = run_query(dk(), q, cache);
            const Verdict right = query_pair(oracle, p).verdict;
            EXPECT_EQ(r.verdict, right);
            EXPECT_TRUE(certify(q, r));
            // The claim alone; and whether its proof needed a walk in double.
            q.exactness = Exactness::fast;
            const PairResult claimed = run_query(dk(), q, fast_cache);
            EXPECT_EQ(claimed.verdict, right);
            as_claimed += r.rung == 2 && counter(r, "double iterations") == 0 ? 1 : 0;
            colliding += right == Verdict::colliding ? 1 : 0;
            ++count;
        }
        std::printf("%s: %d of %d claims proved without a further search, %d colliding\n",
                    by_level ? "level by level" : "on the finest level", as_claimed, count, colliding);
        EXPECT_GE(as_claimed, count * 97 / 100);
        EXPECT_GT(colliding, count / 4);
        EXPECT_LT(colliding, count * 3 / 4);
    }
}

TEST(DobkinKirkpatrick, CN_dk_poly_separated_bodies_need_logarithmically_many_vertices_per_plane) {
    for (const std::uint32_t n : {100u, 500u, 2000u}) {
        Scratch scratch;
        const std::vector<Pair> stream = pairs_of(Primitive::ellipsoid_hull, n, 200, 53);
        const PreparedPair prepared = prepare(dk(), stream[0]);
        const auto levels = DkHierarchy(*stream[0].a->hull()).level_count();
        double visited = 0, planes = 0;
        int separated = 0, early = 0, colliding = 0;
        for (const Pair& p : stream) {
            PairCache cache;
            const PairResult r = run_query(dk(), query_of(dk(), p, prepared, scratch), cache);
            if (r.verdict == Verdict::separated) {
                EXPECT_EQ(counter(r, "levels"), levels);  // only the finest level can separate them
                visited += counter(r, "vertices");
                planes += counter(r, "planes");
                ++separated;
            } else {
                early += counter(r, "levels") < levels / 2 ? 1 : 0;
                ++colliding;
            }
        }
        std::printf(
            "n=%u: %.1f vertices and %.2f planes a separated query; %d of %d collisions found in the "
            "coarser half of the levels\n",
            n, visited / separated, planes / separated, early, colliding);
        EXPECT_LT(visited / planes, 2 * 5 * std::log2(double(n)) + 20);
        EXPECT_LT(planes / separated, 6.0);
        EXPECT_GT(2 * early, colliding);
    }
}

TEST(DobkinKirkpatrick, CN_dk_closest_point_equals_that_of_gjk) {
    const PairAlgorithm& gjk = *find_pair_algorithm("gjk");
    const ShapePtr point = Shape::from_hull(std::vector<Vec3f>{{0, 0, 0}}).value();
    Random random(54);
    int contained = 0, count = 0, repairs = 0;
    for (const ShapePtr& shape : convex_shapes()) {
        const DkHierarchy hierarchy(*shape->hull());
        for (int i = 0; i < 40; ++i) {
            const Vec3f s = cast<float>(random.vector(0.0, 2.0));
            Pair p{point, shape, {}, {}};
            for (std::size_t r = 0; r < 3; ++r) p.world_from_a.m[4 * r + 3] = s[r];
            const PairResult right = query_pair(gjk, p, kWantDistance);
            const DkClosest found = dk_closest_point(hierarchy, cast<double>(s));
            EXPECT_EQ(found.contained, right.verdict == Verdict::colliding);
            EXPECT_NEAR(length(found.point - cast<double>(s)), right.distance, 1e-12);
            if (!found.contained) {
                EXPECT_LT(length(found.point - right.closest_b_w), 1e-7);
            }
            contained += found.contained ? 1 : 0;
            repairs += found.repairs > 0 ? 1 : 0;
            ++count;
        }
    }
    EXPECT_GT(contained, count / 20);
    EXPECT_LE(repairs, count / 100);  // the descent alone is correct
}

TEST(DobkinKirkpatrick, coherent_pairs_need_about_one_plane) {
    Scratch scratch;
    PairCache cache;
    std::uint32_t warm = 0, cold = 0;
    Pair p = pairs_of(Primitive::plate_hull, 200, 1, 55)[0];
    const PreparedPair prepared = prepare(dk(), p);
    for (int frame = 0; frame < 200; ++frame) {
        const double t = 0.01 * frame;
        p.world_from_b = to_matrix({axis_angle({0, 0.6, 0.8}, t), {0.9 + 0.3 * std::sin(3 * t), 0.4, 0.3}});
        const PairQuery q = query_of(dk(), p, prepared, scratch);
        PairCache fresh;
        warm += counter(run_query(dk(), q, cache), "planes");
        cold += counter(run_query(dk(), q, fresh), "planes");
    }
    EXPECT_LT(warm, 300u) << cold;
    EXPECT_GT(cold, 2 * warm);
}

}  // namespace
}  // namespace claybox::test
