// The experiments of Chung and Wang. Steps are counts, so the assertions do not depend on the machine.

#include "tests/papers/quick_row.hpp"

namespace claybox::bench {
namespace {

TEST(ChungWangRows, CW_X1_nearly_all_separated_pairs_are_decided_within_three_steps) {
    const Findings f = quick_row("CW-X1");
    EXPECT_TRUE(holds(f, "ellipsoid: decided within 4 steps"));
    for (const char* shape : {"ellipsoid", "plate", "rod"})
        EXPECT_TRUE(holds(f, std::string(shape) + ": decided within 3 steps"));
}

TEST(ChungWangRows, CW_X2_four_fifths_of_all_tests_end_within_three_steps) {
    EXPECT_TRUE(holds(quick_row("CW-X2"), "on average"));
}

TEST(ChungWangRows, CW_X3_support_vertices_hardly_ever_come_back) {
    const Findings f = quick_row("CW-X3");
    EXPECT_TRUE(is_stated(f, "a pair of support vertices comes back"));
    EXPECT_TRUE(holds(f, "the same, bodies farther apart"));
}

TEST(ChungWangRows, CW_X4_the_largest_number_of_steps_stays_small) {
    const Findings f = quick_row("CW-X4");
    for (const char* shape : {"ellipsoid", "plate", "rod"})
        EXPECT_TRUE(holds(f, std::string(shape) + ": largest k"));
}

TEST(ChungWangRows, CW_X5_closest_features_walk_farther_with_faster_translation) {
    const Findings f = quick_row("CW-X5");
    EXPECT_TRUE(holds(f, "100 vertices: steps"));
    EXPECT_TRUE(is_stated(f, "closest features / separating vector at 20 %"));
    EXPECT_EQ(f.plots.size(), 4u);
}

TEST(ChungWangRows, CW_X6_closest_features_walk_farther_with_faster_rotation) {
    EXPECT_TRUE(holds(quick_row("CW-X6"), "100 vertices: steps"));
}

TEST(ChungWangRows, CW_X7_both_are_measured_over_density) {
    const Findings f = quick_row("CW-X7");
    EXPECT_TRUE(is_stated(f, "100 vertices: separating vector is faster"));
    EXPECT_EQ(f.plots.size(), 4u);
}

}  // namespace
}  // namespace claybox::bench
