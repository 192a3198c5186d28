#include "collision/jobs/executor.hpp"

#include "collision/core/ids.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace claybox::collision {
namespace {

std::unique_ptr<Executor> make(unsigned workers) {
    return workers == 0 ? make_serial_executor() : make_thread_executor(workers);
}

TEST(Executor, every_index_is_visited_exactly_once) {
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

TEST(Executor, every_index_is_visited_once_whatever_is_in_turn_and_in_bursts) {
    for (const unsigned workers : {0u, 1u, 2u, 4u}) {
        const auto executor = make(workers);
        for (const bool in_burst : {false, true}) {
            if (in_burst) executor->begin_burst();
            for (const std::size_t count : {1u, 16u, 63u, 1000u})
                for (const std::size_t in_turn :
                     {std::size_t{0}, std::size_t{1}, std::size_t{7}, count, count + 5})
                    for (const std::size_t grain : {1u, 16u}) {
                        std::vector<unsigned char> visits(count, 0);
                        executor->parallel_for(
                            count, grain,
                            [&](std::size_t begin, std::size_t end, unsigned) {
                                for (std::size_t i = begin; i < end; ++i) ++visits[i];
                            },
                            in_turn);
                        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << "index " << i;
                    }
            if (in_burst) executor->end_burst();
        }
    }
}

/// Two workers of a loop hold each other up until both are in it: the first range of each share is its own
/// worker's, and what is in turn comes before.
TEST(Executor, workers_begin_with_their_own_shares_after_what_is_in_turn) {
    const auto executor = make_thread_executor(2);
    std::vector<unsigned> taken_by(10, 9);
    std::atomic<int> inside{0};
    executor->parallel_for(
        10, 1,
        [&](std::size_t begin, std::size_t, unsigned worker) {
            taken_by[begin] = worker;
            if (begin < 2) {
                inside.fetch_add(1);
                while (inside.load() < 2) std::this_thread::yield();
            } else if (begin == 2 || begin == 6) {
                inside.fetch_add(1);
                while (inside.load() < 4) std::this_thread::yield();
            }
        },
        2);
    EXPECT_NE(taken_by[0], taken_by[1]);
    EXPECT_EQ(taken_by[2], 0u);
    EXPECT_EQ(taken_by[6], 1u);
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

// A worker's own counter needs no protection: two threads with one index would be a race that ThreadSanitizer
// reports, and would lose counts.
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

// Both ranges wait until the other one has begun: only two threads at once can finish this loop.
TEST(Executor, threads_really_run_at_the_same_time) {
    const auto executor = make_thread_executor(2);
    std::atomic<int> begun{0};
    std::atomic<bool> met{true};
    executor->parallel_for(2, 1, [&](std::size_t, std::size_t, unsigned) {
        begun.fetch_add(1);
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (begun.load() < 2)
            if (std::chrono::steady_clock::now() > deadline) {
                met = false;
                break;
            }
    });
    EXPECT_TRUE(met.load());
}

TEST(Executor, what_a_loop_wrote_is_seen_by_its_caller_and_by_the_next_loop) {
    const auto executor = make_thread_executor(3);
    std::vector<int> values(4096, 0);
    for (int loop = 1; loop <= 100; ++loop) {
        executor->parallel_for(values.size(), 16, [&](std::size_t begin, std::size_t end, unsigned) {
            for (std::size_t i = begin; i < end; ++i) values[values.size() - 1 - i] += 1;
        });
        for (const int v : values) ASSERT_EQ(v, loop);
    }
}

TEST(Executor, can_be_made_and_ended_while_its_workers_wake_up) {
    for (int round = 0; round < 100; ++round) {
        const auto executor = make_thread_executor(4);
        std::atomic<int> sum{0};
        executor->parallel_for(4, 1, [&](std::size_t begin, std::size_t end, unsigned) {
            sum.fetch_add(static_cast<int>(end - begin));
        });
        ASSERT_EQ(sum.load(), 4);
    }
}

}  // namespace
}  // namespace claybox::collision
