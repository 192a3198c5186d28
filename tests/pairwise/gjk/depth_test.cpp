// Penetration depth of every exact algorithm that offers it.

#include "tests/pairwise/pairs.hpp"

#include <cmath>

namespace claybox::test {
namespace {

std::vector<const PairAlgorithm*> algorithms_with_depth() {
    std::vector<const PairAlgorithm*> out;
    for (const PairAlgorithm* a : pair_algorithms())
        if ((a->gives & kWantDepth) != 0 && a->exact) out.push_back(a);
    return out;
}

class Depth : public testing::TestWithParam<const PairAlgorithm*> {};

INSTANTIATE_TEST_SUITE_P(all, Depth, testing::ValuesIn(algorithms_with_depth()),
                         [](const auto& row) { return std::string(row.param->id); });

TEST_P(Depth, all_algorithms_agree_in_both_orders) {
    const PairAlgorithm& reference = *find_pair_algorithm("sat_brute");  // tests all facets of the difference
    std::uint32_t compared = 0;
    for (const Pair& p : random_pairs(250, 81)) {
        if (!applies(*GetParam(), p) || !applies(reference, p)) continue;
        const PairResult want = query_pair(reference, p, kWantDepth);
        const PairResult r = query_pair(*GetParam(), p, kWantDepth),
                         back = query_pair(*GetParam(), swapped(p), kWantDepth);
        ASSERT_EQ(r.verdict, want.verdict);
        if (want.verdict != Verdict::colliding) continue;
        EXPECT_NEAR(r.depth, want.depth, 1e-9 * want.depth + 1e-14);
        EXPECT_NEAR(back.depth, want.depth, 1e-9 * want.depth + 1e-14);
        ++compared;
    }
    EXPECT_GT(compared, 50u);
}

TEST_P(Depth, moving_b_by_the_depth_leaves_a_contact) {
    std::uint32_t separated_by_depth = 0;
    for (Pair p : random_pairs(300, 82)) {
        if (!applies(*GetParam(), p)) continue;
        const PairResult r = query_pair(*GetParam(), p, kWantDepth);
        if (r.verdict != Verdict::colliding) continue;
        EXPECT_TRUE(std::isfinite(r.depth) && r.depth >= 0);
        EXPECT_NEAR(length(r.depth_direction_w), 1, 1e-12);
        const Matrix34f before = p.world_from_b;
        for (const double off : {-1e-4, 1e-4}) {
            for (std::size_t k = 0; k < 3; ++k)
                p.world_from_b.m[4 * k + 3] =
                    static_cast<float>(before.m[4 * k + 3] + (r.depth + off) * r.depth_direction_w[k]);
            const Verdict verdict = query_pair(*GetParam(), p).verdict;
            if (off > 0) {
                EXPECT_EQ(verdict, Verdict::separated);
            } else if (r.depth > 2e-4) {
                EXPECT_EQ(verdict, Verdict::colliding);
            }
        }
        ++separated_by_depth;
    }
    EXPECT_GT(separated_by_depth, 80u);
}

TEST_P(Depth, is_finite_for_every_input) {
    Random random(83);
    const std::vector<ShapePtr> shapes{
        Shape::from_hull(std::vector<Vec3f>{{0, 0, 0}}).value(),
        Shape::from_hull(std::vector<Vec3f>{{-1, 0, 0}, {1, 0.5f, 0}}).value(),
        Shape::from_hull(std::vector<Vec3f>{{-1, -1, 0.25f}, {1, -1, 0}, {0, 1, 0}}).value(),
        make_primitive_shape(Primitive::box, 6, 1, 1).value(),
        make_primitive_shape(Primitive::ellipsoid_hull, 20, 1, 1).value()};
    std::uint32_t colliding = 0;
    for (int i = 0; i < 3000; ++i) {
        Pair p{shapes[random.below(shapes.size())], shapes[random.below(shapes.size())], {}, {}};
        for (Matrix34f* m : {&p.world_from_a, &p.world_from_b}) {
            const double size = std::exp2(random.uniform(-149.0, 60.0));
            for (float& entry : m->m)
                entry = random.below(4) == 0 ? 0.0f : static_cast<float>(random.uniform(-size, size));
        }
        if (i % 2 == 0)
            for (std::size_t r : {3u, 7u, 11u}) p.world_from_b.m[r] = p.world_from_a.m[r];
        const PairResult r = query_pair(*GetParam(), p, GetParam()->gives & ~kWantAllHits);
        EXPECT_TRUE(std::isfinite(r.depth) && std::isfinite(r.distance));
        EXPECT_TRUE(is_finite(r.depth_direction_w) && is_finite(r.closest_a_w) && is_finite(r.closest_b_w));
        if (r.verdict != Verdict::colliding) continue;
        EXPECT_GE(r.depth, 0);
        EXPECT_NEAR(length(r.depth_direction_w), 1, 1e-12);
        ++colliding;
    }
    EXPECT_GT(colliding, 500u);
}

}  // namespace
}  // namespace claybox::test
