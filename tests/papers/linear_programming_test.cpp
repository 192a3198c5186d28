// The experiments of IVRI-CD.

#include "bench/papers/linear_programming/free_motion.hpp"
#include "bench/papers/linear_programming/library.hpp"
#include "tests/papers/quick_row.hpp"

namespace claybox::bench {
namespace {

TEST(LinearProgrammingRows, LP_6_lib_has_20_exact_hulls_from_4_to_264_vertices) {
    const Findings f = quick_row("LP-6-lib");
    for (const Claim& claim : f.claims) EXPECT_EQ(claim.judgement, Judgement::holds) << claim.what;
    const auto one = make_library(3), same = make_library(3), other = make_library(4);
    ASSERT_TRUE(one.ok() && same.ok() && other.ok());
    bool differs = false;
    for (std::size_t i = 0; i < one.value().size(); ++i) {
        EXPECT_EQ(one.value()[i].shape->geometry().content, same.value()[i].shape->geometry().content);
        differs |= one.value()[i].shape->geometry().content != other.value()[i].shape->geometry().content;
    }
    EXPECT_TRUE(differs);  // the revolved segments are random
}

TEST(LinearProgrammingRows, LP_6_base_box_test_excludes_pairs_and_no_collision) {
    const Findings f = quick_row("LP-6-base");
    for (const char* name : {"linear program", "closest features"})
        EXPECT_TRUE(holds(f, std::string(name) + ": collisions with and without the test"));
    FreeMotion motion;
    motion.objects = {make_library(1).value()[5].shape};
    motion.frames = 50;
    const FreeStream with = record_free_motion(motion);
    motion.box_test = false;
    const FreeStream without = record_free_motion(motion);
    EXPECT_EQ(without.stream.queries.size(), without.pairs);
    EXPECT_LT(with.stream.queries.size(), with.pairs / 2);
}

TEST(LinearProgrammingRows, LP_X1_only_the_last_five_frames_before_collision_count) {
    const Approach approach = record_approach(make_library(1).value()[5].shape, 3, 1);
    ASSERT_EQ(approach.last_frames.size(), 3u);
    for (const auto& [first, end] : approach.last_frames) {
        EXPECT_LE(end - first, 5u);
        EXPECT_GT(end, first);
    }
    EXPECT_TRUE(is_stated(quick_row("LP-X1"), "from 4 to 264 vertices the linear program gains"));
}

TEST(LinearProgrammingRows, LP_X2_grows_the_number_of_equal_objects) {
    const Findings f = quick_row("LP-X2");
    EXPECT_TRUE(is_stated(f, "sphere: from 10 to 100 objects"));
    EXPECT_EQ(f.plots.size(), 2u);
}

TEST(LinearProgrammingRows, LP_X3_shrinks_the_cube_of_ten_objects) {
    EXPECT_TRUE(is_stated(quick_row("LP-X3"), "from a side of 12"));
}

TEST(LinearProgrammingRows, LP_X4_varies_translation_and_rotation) {
    const Findings f = quick_row("LP-X4");
    EXPECT_TRUE(is_stated(f, "translation") && is_stated(f, "rotation"));
}

}  // namespace
}  // namespace claybox::bench
