// What an algorithm told, by steps.

#include "collision/core/trace_record.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace claybox::collision {
namespace {

TEST(TraceRecord, keeps_what_is_told_by_steps_and_leaves_out_empty_ones) {
    TraceRecord told;
    EXPECT_EQ(told.steps(), 0u);
    told.begin_iteration(0);
    EXPECT_EQ(told.steps(), 0u) << "nothing to see yet";
    told.begin_iteration(1);
    told.segment({1, 2, 3}, {1, 2, 5}, "edge");
    told.value("tests", 7);
    told.begin_iteration(2);
    told.plane({0, 1, 0}, 4, {5, 6, 7}, "plane");
    told.begin_iteration(3);
    ASSERT_EQ(told.steps(), 2u);
    ASSERT_EQ(told.step(0).size(), 2u);
    EXPECT_EQ(told.step(0)[0].kind, TraceItem::Kind::segment);
    EXPECT_EQ(told.step(0)[0].along[0], (Vec3d{0, 0, 2}));
    EXPECT_EQ(told.step(0)[1].number, 7);
    EXPECT_EQ(told.step(0)[1].label, std::string_view("tests"));
    ASSERT_EQ(told.step(1).size(), 1u);
    EXPECT_EQ(told.step(1)[0].number, 4);
    EXPECT_EQ(told.step(1)[0].p, (Vec3d{5, 6, 7}));
    told.clear();
    EXPECT_EQ(told.steps(), 0u);
    told.point({1, 1, 1}, "without a step");
    EXPECT_EQ(told.steps(), 1u);
}

TEST(TraceRecord, keeps_a_box_whole_and_says_when_more_was_told_than_it_keeps) {
    TraceRecord few_steps(2, 100), few_items(100, 3);
    for (int step = 0; step < 5; ++step)
        for (TraceRecord* told : {&few_steps, &few_items}) {
            EXPECT_EQ(told->is_cut(), step > (told == &few_steps ? 2 : 3)) << step;
            told->begin_iteration(step);
            told->box({1.0 * step, 0, 0}, {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}, "box");
        }
    EXPECT_EQ(few_steps.steps(), 2u);
    EXPECT_EQ(few_steps.items().size(), 2u) << "nothing of a later step in the last one";
    EXPECT_EQ(few_items.items().size(), 3u);
    EXPECT_EQ(few_items.step(2)[0].kind, TraceItem::Kind::box);
}

}  // namespace
}  // namespace claybox::collision
