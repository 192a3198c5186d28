// Every continuous algorithm against the ground truth.

#include "tests/continuous/motions.hpp"

namespace claybox::test {
namespace {

class ContinuousTruth : public testing::TestWithParam<const ContinuousAlgorithm*> {};

INSTANTIATE_TEST_SUITE_P(all, ContinuousTruth,
                         testing::ValuesIn(continuous_algorithms().begin(), continuous_algorithms().end()),
                         [](const auto& row) { return std::string(row.param->id); });

TEST_P(ContinuousTruth, linear_motions_are_all_right) {
    const ContinuousAlgorithm& algorithm = *GetParam();
    int answered = 0, hits = 0;
    double worst = 0;
    for (const auto& line : truth_lines("continuous.jsonl")) {
        const MovingPair p = read_pair(line);
        if (!fits(algorithm, p) || promise_of(algorithm, p) != Promise::exact) continue;
        const ContinuousResult r = run(algorithm, p);
        const std::string id = line["id"];
        ++answered;
        ASSERT_EQ(r.verdict, line["hit"].get<bool>() ? Verdict::colliding : Verdict::separated) << id;
        EXPECT_EQ(r.at_start, line["hit"].get<bool>() && line["collide_start"].get<bool>()) << id;
        if (r.swept_hulls != Verdict::undecided) {
            EXPECT_EQ(r.swept_hulls == Verdict::colliding, line["swept_hull_collide"].get<bool>()) << id;
        }
        if (r.verdict != Verdict::colliding) continue;
        ++hits;
        const double toi = line["toi"];
        EXPECT_LE(r.time_low, toi + 1e-12) << id;
        EXPECT_GE(r.time_high, toi - 1e-12) << id;
        worst = std::max(worst, std::abs(r.time_high - toi));
        if (r.at_start || line["toi_normal"].is_null()) continue;
        EXPECT_GT(dot(r.normal_w, read_vector(line["toi_normal"])), 0.9999) << id;
        EXPECT_NE(r.feature_a.kind, FeatureKind::none) << id;
        EXPECT_NE(r.feature_b.kind, FeatureKind::none) << id;
    }
    if (algorithm.promise != Promise::exact) GTEST_SKIP() << "not exact";
    EXPECT_EQ(answered, 305);
    EXPECT_EQ(hits, 181);
    EXPECT_LT(worst, 1e-9);
}

TEST_P(ContinuousTruth, screw_motions_are_right_within_the_tolerance) {
    const ContinuousAlgorithm& algorithm = *GetParam();
    int answered = 0;
    double worst = 0;
    for (const auto& line : truth_lines("screw.jsonl")) {
        const MovingPair p = read_pair(line);
        if (!fits(algorithm, p) || promise_of(algorithm, p) == Promise::approximate) continue;
        const ContinuousResult r = run(algorithm, p);
        const std::string id = line["id"];
        ++answered;
        ASSERT_EQ(r.verdict, line["hit"].get<bool>() ? Verdict::colliding : Verdict::separated) << id;
        if (r.verdict != Verdict::colliding) continue;
        const double toi = line["toi"];
        EXPECT_LE(r.time_low, toi + 1e-6) << id;
        worst = std::max(worst, std::abs(r.time_high - toi));
    }
    if (answered == 0) GTEST_SKIP() << "answers no screw motion with a promise";
    EXPECT_EQ(answered, 110);
    EXPECT_LT(worst, 1e-4);
}

}  // namespace
}  // namespace claybox::test
