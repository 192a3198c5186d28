#include "app/panels/finder/match.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

TEST(Match, letters_together_or_at_the_start_of_words) {
    EXPECT_GE(match_score("grid", "Grid Broad phase"), 0);
    EXPECT_GE(match_score("bp", "Grid Broad phase"), 0);
    EXPECT_GE(match_score("gjk", "Gilbert-Johnson-Keerthi"), 0);
    EXPECT_EQ(match_score("gd", "Grid Broad phase"), -1);
    EXPECT_EQ(match_score("bp", "bumps"), -1);
    EXPECT_EQ(match_score("x", ""), -1);
}

TEST(Match, every_word_must_occur_in_any_order_and_case) {
    EXPECT_GE(match_score("PHASE grid", "Grid Broad phase"), 0);
    EXPECT_EQ(match_score("grid octree", "Grid Broad phase"), -1);
    EXPECT_EQ(match_score("", "anything"), 0);
    EXPECT_EQ(match_score("   ", "anything"), 0);
}

TEST(Match, a_title_that_begins_with_the_text_is_best) {
    EXPECT_GT(match_score("cage", "Cage Scene"), match_score("cage", "Save the cage"));
    EXPECT_GT(match_score("step", "One step"), match_score("step", "Set tempo"));
}

TEST(Match, long_patterns_end) {
    const std::string many(120, 'a'), text(200, 'a');
    EXPECT_GE(match_score(many, text), 0);
    const std::string words = "a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a";
    EXPECT_EQ(match_score("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", words), -1);
}

TEST(Match, contains_words_needs_the_letters_together) {
    EXPECT_TRUE(contains_words("tree walk", "Trees are walked together"));
    EXPECT_FALSE(contains_words("tw", "Trees are walked together"));
    EXPECT_TRUE(contains_words("", "x"));
}

}  // namespace
}  // namespace claybox::app
