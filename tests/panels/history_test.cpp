#include "app/panels/history.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

TEST(LapClock, stages_are_wall_clock_time_and_work_is_cpu_time_of_input_and_scene) {
    FrameTimes times;
    LapClock clock;
    clock.start({10, 1});
    clock.lap(times, Stage::input, {11, 1.25});
    clock.lap(times, Stage::scene, {14, 1.75});
    clock.lap(times, Stage::draw, {20, 4});
    clock.skip(times, Stage::wait, 0.5);
    clock.lap(times, Stage::input, {21, 4.125});
    EXPECT_DOUBLE_EQ(times[Stage::input], 1.5);
    EXPECT_DOUBLE_EQ(times[Stage::scene], 3);
    EXPECT_DOUBLE_EQ(times[Stage::draw], 6);
    EXPECT_DOUBLE_EQ(times[Stage::wait], 0.5);
    EXPECT_DOUBLE_EQ(times.sum(), 11);
    EXPECT_DOUBLE_EQ(times.work, 0.25 + 0.5 + 0.125);
}

TEST(FrameHistory, work_has_its_own_percentiles) {
    FrameHistory history;
    for (int i = 1; i <= 3; ++i) {
        FrameTimes times;
        times.total = 0.011;
        times.work = 1e-4 * i;
        history.add(0.011 * i, times);
    }
    EXPECT_DOUBLE_EQ(history.work().p50, 2e-4);
    EXPECT_DOUBLE_EQ(history.percentiles().p50, 0.011);
}

}  // namespace
}  // namespace claybox::app
