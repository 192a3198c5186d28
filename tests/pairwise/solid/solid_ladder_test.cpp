// The ladder decides correctly for any claim of an algorithm.

#include "collision/pairwise/solid/solid_ladder.hpp"

#include "tests/pairwise/pairs.hpp"

namespace claybox::test {
namespace {

SolidClaim random_claim(const Pair& p, Random& random) {
    const auto some = [&](const ShapePtr& shape) {
        return static_cast<std::uint32_t>(random.below(shape->hull()->vertex_count));
    };
    SolidClaim claim;
    claim.verdict = static_cast<Verdict>(random.below(3));
    const Vec3d towards_b = cast<double>(p.world_from_b.translation() - p.world_from_a.translation());
    const Vec3d axes[4] = {{}, 1e3 * random.unit_vector(), towards_b, towards_b};
    claim.axis_w = axes[random.below(4)];
    claim.support_a = some(p.a);
    claim.support_b = some(p.b);
    for (std::uint64_t n = random.below(5); n > 0; --n) {
        const std::uint32_t a = some(p.a);
        claim.add_hint({a, some(p.b)});
    }
    claim.limited = random.below(2) == 0;
    return claim;
}

TEST(SolidLadder, random_claims_never_change_the_verdict) {
    Random random(81);
    const PairAlgorithm& referee = *find_pair_algorithm("lp_exact");
    for (const Pair& p : random_pairs(300, 81)) {
        if (!applies(referee, p)) continue;
        Scratch scratch;
        const PairQuery q = query_of(referee, p, {}, scratch);
        LadderMemory memory;
        for (int round = 0; round < 4; ++round) {
            PairResult r;
            SolidLadder ladder(q, memory, r, nullptr);
            if (!ladder.recall()) ladder.finish(random_claim(p, random));
            EXPECT_EQ(r.verdict, query_pair(referee, p).verdict);
            EXPECT_GE(r.rung, 2);
            EXPECT_TRUE(certify(q, r));
        }
    }
}

TEST(SolidLadder, one_sided_finish_accepts_only_proved_claims) {
    Random random(82);
    const PairAlgorithm& referee = *find_pair_algorithm("lp_exact");
    int proven = 0;
    for (const Pair& p : random_pairs(300, 82)) {
        if (!applies(referee, p)) continue;
        Scratch scratch;
        const PairQuery q = query_of(referee, p, {}, scratch);
        LadderMemory memory;
        PairResult r;
        SolidLadder ladder(q, memory, r, nullptr);
        ladder.finish_if_proven(random_claim(p, random));
        if (r.verdict == Verdict::undecided) continue;
        ++proven;
        EXPECT_EQ(r.verdict, query_pair(referee, p).verdict);
        EXPECT_TRUE(certify(q, r));
    }
    EXPECT_GT(proven, 5);
}

TEST(SolidLadder, limited_claim_goes_to_the_exact_rung) {
    const PairAlgorithm& referee = *find_pair_algorithm("lp_exact");
    Scratch scratch;
    for (const Pair& p : random_pairs(20, 83)) {
        const PairQuery q = query_of(referee, p, {}, scratch);
        LadderMemory memory;
        SolidClaim claim;
        claim.limited = true;
        PairResult r;
        SolidLadder ladder(q, memory, r, nullptr);
        ladder.finish(claim);
        EXPECT_EQ(r.rung, 3);
        EXPECT_EQ(r.verdict, query_pair(referee, p).verdict);
        PairResult again;
        SolidLadder second(q, memory, again, nullptr);
        EXPECT_TRUE(second.recall());
        EXPECT_EQ(again.verdict, r.verdict);
        EXPECT_TRUE(second.counts().from_memory);
    }
}

}  // namespace
}  // namespace claybox::test
