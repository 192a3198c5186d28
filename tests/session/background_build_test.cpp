#include "app/session/background_build.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace claybox::app {
namespace {

constexpr double kLong = 1e6;  // seconds

void unexpected(const std::string& title) {
    ADD_FAILURE() << title << ": no work of this test runs out of memory";
}

TEST(BackgroundBuild, a_result_is_used_by_the_thread_that_asks_for_it) {
    BackgroundBuild build(unexpected);
    std::thread::id worker, user;
    build.start("A pot", [&worker, &user] {
        worker = std::this_thread::get_id();
        return [&user] { user = std::this_thread::get_id(); };
    });
    ASSERT_TRUE(build.running());
    EXPECT_EQ(build.title(), "A pot");
    EXPECT_TRUE(build.finish(kLong));
    EXPECT_EQ(user, std::this_thread::get_id());
    EXPECT_NE(worker, user);
    EXPECT_FALSE(build.running());
    EXPECT_FALSE(build.finish(0)) << "a result is used once";
}

TEST(BackgroundBuild, unfinished_work_is_not_waited_for) {
    BackgroundBuild build(unexpected);
    std::promise<void> go_on;
    bool used = false;
    build.start("", [go_on = go_on.get_future().share(), &used] {
        go_on.wait();
        return [&used] { used = true; };
    });
    EXPECT_FALSE(build.finish(0));
    EXPECT_FALSE(build.finish(0.001));
    EXPECT_TRUE(build.running());
    go_on.set_value();
    EXPECT_TRUE(build.finish(kLong));
    EXPECT_TRUE(used);
}

TEST(BackgroundBuild, cancelled_and_replaced_work_is_never_used) {
    BackgroundBuild build(unexpected);
    std::promise<void> go_on;
    int used = 0;
    const auto work = [go_on = go_on.get_future().share(), &used](int number) {
        return [go_on, &used, number]() -> BackgroundBuild::Finish {
            go_on.wait();
            return [&used, number] { used = number; };
        };
    };
    build.start("", work(1));
    build.cancel();
    EXPECT_FALSE(build.running());
    EXPECT_FALSE(build.finish(0));
    build.start("", work(2));
    build.start("", work(3));
    go_on.set_value();
    EXPECT_TRUE(build.finish(kLong));
    EXPECT_EQ(used, 3);
}

TEST(BackgroundBuild, work_is_told_that_it_was_cancelled) {
    std::promise<void> go_on;
    std::promise<bool> told;
    {
        BackgroundBuild build(unexpected);
        build.start("", [go_on = go_on.get_future().share(), &told](const auto& cancelled) {
            go_on.wait();
            told.set_value(cancelled());
            return [] {};
        });
        build.cancel();
        go_on.set_value();
    }
    EXPECT_TRUE(told.get_future().get());
}

TEST(BackgroundBuild, a_result_may_start_the_next_work) {
    BackgroundBuild build(unexpected);
    int used = 0;
    build.start("", [&build, &used] {
        return [&build, &used] { build.start("", [&used] { return [&used] { used = 2; }; }); };
    });
    EXPECT_TRUE(build.finish(kLong));
    ASSERT_TRUE(build.running());
    EXPECT_TRUE(build.finish(kLong));
    EXPECT_EQ(used, 2);
}

TEST(BackgroundBuild, work_without_memory_is_reported_and_the_next_one_runs) {
    std::vector<std::string> reported;
    BackgroundBuild build([&](const std::string& title) { reported.push_back(title); });
    build.start("A large pot", []() -> BackgroundBuild::Finish { throw std::bad_alloc(); });
    EXPECT_TRUE(build.finish(kLong));
    EXPECT_FALSE(build.running());
    EXPECT_EQ(reported, std::vector<std::string>{"A large pot"});
    bool used = false;
    build.start("A small pot", [&used] { return [&used] { used = true; }; });
    EXPECT_TRUE(build.finish(kLong));
    EXPECT_TRUE(used);
    EXPECT_EQ(reported.size(), 1u);
    build.start("Cancelled", []() -> BackgroundBuild::Finish { throw std::bad_alloc(); });
    build.cancel();
    EXPECT_FALSE(build.finish(0));
    EXPECT_EQ(reported.size(), 1u) << "nobody waits for it";
}

TEST(BackgroundBuild, the_destructor_waits_for_dropped_work) {
    std::atomic<int> ended{0};
    {
        BackgroundBuild build(unexpected);
        for (int i = 0; i < 3; ++i)
            build.start("", [&ended] {
                ++ended;
                return [] {};
            });
        build.cancel();
    }
    EXPECT_EQ(ended, 3);
}

}  // namespace
}  // namespace claybox::app
