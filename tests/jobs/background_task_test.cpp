#include "collision/jobs/background_task.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <vector>

namespace claybox::collision {
namespace {

TEST(BackgroundTask, work_runs_beside_the_caller_and_wait_makes_its_writes_visible) {
    BackgroundTask task;
    EXPECT_TRUE(task.done()) << "nothing was started";
    std::atomic<bool> go{false};
    std::vector<int> written;
    task.start([&] {
        while (!go) {
        }
        written = {1, 2, 3};
    });
    EXPECT_FALSE(task.done());
    go = true;
    task.wait();
    EXPECT_TRUE(task.done());
    EXPECT_EQ(written, (std::vector<int>{1, 2, 3}));
}

TEST(BackgroundTask, a_second_start_waits_for_the_first_and_the_destructor_for_the_last) {
    std::vector<int> order;
    {
        BackgroundTask task;
        for (int i = 0; i < 20; ++i) task.start([&order, i] { order.push_back(i); });
    }
    ASSERT_EQ(order.size(), 20u);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(BackgroundTask, work_that_runs_out_of_memory_ends_and_the_next_one_starts_afresh) {
    BackgroundTask task;
    EXPECT_FALSE(task.ran_out_of_memory());
    task.start([] { throw std::bad_alloc(); });
    task.wait();
    EXPECT_TRUE(task.done());
    EXPECT_TRUE(task.ran_out_of_memory());
    task.start([] {});
    task.wait();
    EXPECT_FALSE(task.ran_out_of_memory());
}

}  // namespace
}  // namespace claybox::collision
