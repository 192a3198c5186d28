// The experiments of Buss.

#include "tests/papers/quick_row.hpp"

namespace claybox::bench {
namespace {

TEST(BussRows, BU_X1_times_at_three_resolutions) {
    const Findings f = quick_row("BU-X1");
    ASSERT_EQ(f.tables.size(), 1u);
    EXPECT_EQ(f.tables[0].rows.size(), 3u);
    EXPECT_TRUE(is_stated(f, "tori of 300 faces: 24 pixels / 6 pixels, everything drawn"));
}

TEST(BussRows, BU_X2_pixel_runs_grow_linearly) {
    EXPECT_TRUE(holds(quick_row("BU-X2"), "pixel runs grow"));
}

TEST(BussRows, BU_X3_three_proper_collisions) {
    const Findings f = quick_row("BU-X3");
    EXPECT_TRUE(holds(f, "proper collisions of torus A"));
}

}  // namespace
}  // namespace claybox::bench
