#include "collision/core/trace_record.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace claybox::collision {
namespace {

TEST(TraceRecord, items_are_recorded_in_steps_and_empty_steps_are_dropped) {
    TraceRecord record;
    EXPECT_EQ(record.steps(), 0u);
    record.begin_iteration(0);
    EXPECT_EQ(record.steps(), 0u) << "the step is empty";
    record.begin_iteration(1);
    record.segment({1, 2, 3}, {1, 2, 5}, "edge");
    record.value("tests", 7);
    record.begin_iteration(2);
    record.plane({0, 1, 0}, 4, {5, 6, 7}, "plane");
    record.begin_iteration(3);
    ASSERT_EQ(record.steps(), 2u);
    ASSERT_EQ(record.step(0).size(), 2u);
    EXPECT_EQ(record.step(0)[0].kind, TraceItem::Kind::segment);
    EXPECT_EQ(record.step(0)[0].along[0], (Vec3d{0, 0, 2}));
    EXPECT_EQ(record.step(0)[1].number, 7);
    EXPECT_EQ(record.step(0)[1].label, std::string_view("tests"));
    ASSERT_EQ(record.step(1).size(), 1u);
    EXPECT_EQ(record.step(1)[0].number, 4);
    EXPECT_EQ(record.step(1)[0].p, (Vec3d{5, 6, 7}));
    record.clear();
    EXPECT_EQ(record.steps(), 0u);
    record.point({1, 1, 1}, "without a step");
    EXPECT_EQ(record.steps(), 1u);
}

TEST(TraceRecord, boxes_are_single_items_and_exceeded_limits_are_reported) {
    TraceRecord few_steps(2, 100), few_items(100, 3);
    for (int step = 0; step < 5; ++step)
        for (TraceRecord* record : {&few_steps, &few_items}) {
            EXPECT_EQ(record->is_cut(), step > (record == &few_steps ? 2 : 3)) << step;
            record->begin_iteration(step);
            record->box({1.0 * step, 0, 0}, {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}, "box");
        }
    EXPECT_EQ(few_steps.steps(), 2u);
    EXPECT_EQ(few_steps.items().size(), 2u) << "the last step must not receive items of later steps";
    EXPECT_EQ(few_items.items().size(), 3u);
    EXPECT_EQ(few_items.step(2)[0].kind, TraceItem::Kind::box);
}

}  // namespace
}  // namespace claybox::collision
