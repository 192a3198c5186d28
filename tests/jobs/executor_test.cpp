#include "collision/jobs/executor.hpp"

#include "collision/core/ids.hpp"
#include "tests/jobs/failing_heap.hpp"
#include "tests/support/sanitizers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <new>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace claybox::collision {
namespace {

std::unique_ptr<Executor> make(unsigned workers) {
    return workers == 0 ? make_serial_executor() : make_thread_executor(workers);
}

TEST(Executor, parallel_for_visits_every_index_once) {
    for (const unsigned workers : {0u, 1u, 2u, 4u, 7u}) {
        const auto executor = make(workers);
        for (const std::size_t count : {0u, 1u, 2u, 63u, 64u, 1000u, 10007u})
            for (const std::size_t grain : {0u, 1u, 7u, 64u, 100000u}) {
                std::vector<unsigned char> visits(count, 0);
                executor->parallel_for(count, grain, [&](std::size_t begin, std::size_t end, unsigned) {
                    for (std::size_t i = begin; i < end; ++i) ++visits[i];
                });
                for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << "index " << i;
            }
    }
}

TEST(Executor, every_index_is_visited_once_with_dynamic_items_and_bursts) {
    for (const unsigned workers : {0u, 1u, 2u, 4u}) {
        const auto executor = make(workers);
        for (const bool in_burst : {false, true}) {
            if (in_burst) executor->begin_burst();
            for (const std::size_t count : {1u, 16u, 63u, 1000u})
                for (const std::size_t dynamic_count :
                     {std::size_t{0}, std::size_t{1}, std::size_t{7}, count, count + 5})
                    for (const std::size_t grain : {1u, 16u}) {
                        std::vector<unsigned char> visits(count, 0);
                        executor->parallel_for(
                            count, grain,
                            [&](std::size_t begin, std::size_t end, unsigned) {
                                for (std::size_t i = begin; i < end; ++i) ++visits[i];
                            },
                            dynamic_count);
                        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << "index " << i;
                    }
            if (in_burst) executor->end_burst();
        }
    }
}

/// Each worker waits until the other one is in the loop too. So each worker must have claimed one dynamic
/// item first, and then the first range of its own share.
TEST(Executor, workers_start_with_their_own_share_after_the_dynamic_items) {
    const auto executor = make_thread_executor(2);
    std::vector<unsigned> claimed_by(10, 9);
    std::atomic<int> inside{0};
    executor->parallel_for(
        10, 1,
        [&](std::size_t begin, std::size_t, unsigned worker) {
            claimed_by[begin] = worker;
            if (begin < 2) {
                inside.fetch_add(1);
                while (inside.load() < 2) std::this_thread::yield();
            } else if (begin == 2 || begin == 6) {
                inside.fetch_add(1);
                while (inside.load() < 4) std::this_thread::yield();
            }
        },
        2);
    EXPECT_NE(claimed_by[0], claimed_by[1]);
    EXPECT_EQ(claimed_by[2], 0u);
    EXPECT_EQ(claimed_by[6], 1u);
}

/// The other workers are inside the loop when the body throws: nobody may leave before they are done.
TEST(Executor, an_exception_of_any_worker_ends_the_loop_and_reaches_the_caller) {
    for (const unsigned thrower : {0u, 1u, 2u}) {
        const auto executor = make_thread_executor(3);
        ASSERT_EQ(executor->worker_count(), 3u);
        std::atomic<unsigned> inside{0}, running{0};
        std::atomic<bool> thrown{false};
        const auto loop = [&] {
            executor->parallel_for(
                10000, 1,
                [&](std::size_t, std::size_t, unsigned worker) {
                    running.fetch_add(1);
                    if (inside.load() < 3) {
                        inside.fetch_add(1);
                        while (inside.load() < 3) std::this_thread::yield();
                    }
                    if (worker != thrower) {
                        while (!thrown.load()) std::this_thread::yield();
                        running.fetch_sub(1);
                        return;
                    }
                    running.fetch_sub(1);
                    thrown.store(true);
                    throw std::bad_alloc();
                },
                3);
        };
        EXPECT_THROW(loop(), std::bad_alloc) << "worker " << thrower;
        EXPECT_EQ(running.load(), 0u);
        std::atomic<std::size_t> ranges{0};
        const auto all_throw = [&](std::size_t, std::size_t, unsigned) {
            ranges.fetch_add(1);
            throw std::bad_alloc();
        };
        EXPECT_THROW(executor->parallel_for(1000, 3, all_throw), std::bad_alloc);
        EXPECT_LE(ranges.load(), 3u) << "no worker takes another range after it has thrown";
        std::atomic<std::size_t> sum{0};
        executor->parallel_for(
            1000, 3, [&](std::size_t begin, std::size_t end, unsigned) { sum.fetch_add(end - begin); }, 100);
        EXPECT_EQ(sum.load(), 1000u) << "the next loop is whole";
    }
}

TEST(Executor, ranges_are_about_one_grain_long_on_threads) {
    const auto executor = make_thread_executor(3);
    std::atomic<std::size_t> longest{0}, ranges{0};
    executor->parallel_for(1000, 10, [&](std::size_t begin, std::size_t end, unsigned) {
        ranges.fetch_add(1);
        std::size_t seen = longest.load();
        while (end - begin > seen && !longest.compare_exchange_weak(seen, end - begin)) {
        }
    });
    EXPECT_EQ(longest.load(), 10u);
    EXPECT_EQ(ranges.load(), 100u);
}

// A worker's own counter needs no lock. Two threads with the same index would be a data race, which
// ThreadSanitizer reports, and would lose counts.
TEST(Executor, worker_index_is_exclusive_during_a_loop) {
    for (const unsigned workers : {1u, 2u, 4u}) {
        const auto executor = make_thread_executor(workers);
        ASSERT_EQ(executor->worker_count(), workers);
        struct alignas(kCacheLine) Own {
            std::size_t sum = 0;
        };
        std::vector<Own> own(workers);
        for (int loop = 0; loop < 300; ++loop)
            executor->parallel_for(500, 5, [&](std::size_t begin, std::size_t end, unsigned worker) {
                ASSERT_LT(worker, own.size());
                for (std::size_t i = begin; i < end; ++i) own[worker].sum += i;
            });
        std::size_t total = 0;
        for (const Own& o : own) total += o.sum;
        EXPECT_EQ(total, std::size_t{300} * (499 * 500 / 2));
    }
}

TEST(Executor, the_caller_is_worker_zero) {
    const auto executor = make_thread_executor(4);
    const auto caller = std::this_thread::get_id();
    std::atomic<int> wrong{0};
    for (int loop = 0; loop < 50; ++loop)
        executor->parallel_for(64, 1, [&](std::size_t, std::size_t, unsigned worker) {
            if ((std::this_thread::get_id() == caller) != (worker == 0)) wrong.fetch_add(1);
        });
    EXPECT_EQ(wrong.load(), 0);
}

// Each range waits until the other one has started, so only two concurrent threads can finish this loop.
TEST(Executor, two_workers_run_concurrently) {
    const auto executor = make_thread_executor(2);
    std::atomic<int> begun{0};
    std::atomic<bool> concurrent{true};
    executor->parallel_for(2, 1, [&](std::size_t, std::size_t, unsigned) {
        begun.fetch_add(1);
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (begun.load() < 2)
            if (std::chrono::steady_clock::now() > deadline) {
                concurrent = false;
                break;
            }
    });
    EXPECT_TRUE(concurrent.load());
}

TEST(Executor, writes_of_a_loop_are_visible_to_the_caller_and_the_next_loop) {
    const auto executor = make_thread_executor(3);
    std::vector<int> values(4096, 0);
    for (int loop = 1; loop <= 100; ++loop) {
        executor->parallel_for(values.size(), 16, [&](std::size_t begin, std::size_t end, unsigned) {
            for (std::size_t i = begin; i < end; ++i) values[values.size() - 1 - i] += 1;
        });
        for (const int v : values) ASSERT_EQ(v, loop);
    }
}

TEST(Executor, can_be_destroyed_while_its_workers_wake_up) {
    for (int round = 0; round < 100; ++round) {
        const auto executor = make_thread_executor(4);
        std::atomic<int> sum{0};
        executor->parallel_for(4, 1, [&](std::size_t begin, std::size_t end, unsigned) {
            sum.fetch_add(static_cast<int>(end - begin));
        });
        ASSERT_EQ(sum.load(), 4);
    }
}

#if defined(__linux__) && !defined(CLAYBOX_SANITIZED)

/// In a process of its own: limits the memory so that thread stacks do not fit, and runs a loop.
[[noreturn]] void run_with_few_threads() {
    alarm(20);
    unsigned long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t used = pages * static_cast<unsigned long>(sysconf(_SC_PAGESIZE));
    const rlimit limit{used + (40u << 20), used + (40u << 20)};
    setrlimit(RLIMIT_AS, &limit);
    std::atomic<std::size_t> sum{0};
    {
        const auto executor = make_thread_executor(64);
        if (executor->worker_count() >= 64) _exit(2);
        executor->parallel_for(1000, 1, [&](std::size_t begin, std::size_t end, unsigned) {
            for (std::size_t i = begin; i < end; ++i) sum += i;
        });
    }
    _exit(sum == 499500 ? 0 : 1);
}

TEST(Executor, runs_with_fewer_workers_when_the_system_has_no_more_threads) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(run_with_few_threads(), ::testing::ExitedWithCode(0), "");
}

/// In a process of its own, since a fault waits forever: each allocation of the constructor fails once.
[[noreturn]] void run_with_failing_allocations() {
    alarm(20);
    bool started = false;
    for (std::size_t allowed = 0; allowed < 20; ++allowed) {
        std::unique_ptr<Executor> executor;
        test::fail_allocation_after(allowed);
        try {
            executor = make_thread_executor(4);
        } catch (const std::bad_alloc&) {
        }
        test::stop_failing_allocations();
        if (!executor) continue;
        started = true;
        std::atomic<std::size_t> sum{0};
        executor->parallel_for(1000, 1,
                               [&](std::size_t begin, std::size_t end, unsigned) { sum += end - begin; });
        if (sum != 1000) _exit(1);
    }
    _exit(started ? 0 : 2);
}

TEST(Executor, exhausted_memory_at_its_start_is_an_exception_or_fewer_workers) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(run_with_failing_allocations(), ::testing::ExitedWithCode(0), "");
}

#endif

}  // namespace
}  // namespace claybox::collision
