#include "collision/simd/vector_target.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <set>

namespace claybox::collision {
namespace {

TEST(VectorTarget, a_choice_is_what_runs_until_the_next_one) {
    const auto all = vector_targets();
    ASSERT_FALSE(all.empty());
    std::set<std::int64_t> seen;
    for (const std::string& name : all) {
        ASSERT_TRUE(choose_vector_target(name)) << name;
        const std::int64_t chosen = hwy::SupportedTargets();
        EXPECT_EQ(chosen & (chosen - 1), 0) << name << " allows more than one";
        EXPECT_TRUE(seen.insert(chosen).second) << name;
        EXPECT_EQ(vector_targets().size(), all.size()) << "a choice hides none";
    }
    EXPECT_FALSE(choose_vector_target("abacus"));
    ASSERT_TRUE(choose_vector_target(""));
    for (const std::int64_t target : seen) EXPECT_NE(hwy::SupportedTargets() & target, 0);
}

}  // namespace
}  // namespace claybox::collision
