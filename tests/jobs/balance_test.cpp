// Load balancing and speed-up. Counters simulate workers of equal speed, so the load of the machine does not
// affect the results.
#include "collision/core/ids.hpp"
#include "collision/jobs/executor.hpp"
#include "collision/jobs/speed_up.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace claybox::collision {
namespace {

/// Simulates workers of equal speed: a worker starts an item only if no other worker has done less work.
class EqualSpeed {
  public:
    EqualSpeed(unsigned workers, std::size_t count) : clocks_(workers), count_(count) {}

    void enter(unsigned worker, std::size_t items) {
        if (!clocks_[worker].here.exchange(true)) here_.fetch_add(1);
        claimed_.fetch_add(items);
        wait([&] { return here_.load() == clocks_.size(); });
    }
    void work(unsigned worker, std::uint64_t amount) {
        // When all items are claimed, the order no longer matters.
        wait([&] { return claimed_.load() == count_ || is_least(worker); });
        clocks_[worker].worked.fetch_add(amount);
    }
    std::vector<std::uint64_t> worked() const {
        std::vector<std::uint64_t> out;
        for (const Clock& clock : clocks_) out.push_back(clock.worked.load());
        return out;
    }

  private:
    struct alignas(kCacheLine) Clock {
        std::atomic<std::uint64_t> worked{0};
        std::atomic<bool> here{false};
    };
    bool is_least(unsigned worker) const {
        const std::uint64_t own = clocks_[worker].worked.load();
        return std::all_of(clocks_.begin(), clocks_.end(),
                           [&](const Clock& other) { return other.worked.load() >= own; });
    }
    template <class Ready>
    static void wait(Ready&& ready) {
        while (!ready()) std::this_thread::yield();
    }

    std::vector<Clock> clocks_;
    std::size_t count_;
    std::atomic<std::size_t> claimed_{0};
    std::atomic<std::size_t> here_{0};
};

TEST(Executor, Z_6_balance_skewed_work_keeps_all_workers_busy_within_a_tenth) {
    constexpr std::size_t kCount = 1000;
    std::vector<std::uint64_t> cost(kCount, 10);
    for (std::size_t i = 0; i < kCount / 8; ++i) cost[i] = 200;  // the first eighth has most of the work
    for (const unsigned workers : {2u, 3u, 5u}) {
        const auto executor = make_thread_executor(workers);
        EqualSpeed speed(workers, kCount);
        executor->parallel_for(kCount, 4, [&](std::size_t begin, std::size_t end, unsigned worker) {
            speed.enter(worker, end - begin);
            for (std::size_t i = begin; i < end; ++i) speed.work(worker, cost[i]);
        });
        const auto worked = speed.worked();
        const auto [least, most] = std::minmax_element(worked.begin(), worked.end());
        EXPECT_LE(static_cast<double>(*most), 1.1 * static_cast<double>(*least)) << workers;
    }
}

TEST(Executor, Z_6_1_metrics_times_of_shared_loops_are_returned_once) {
    const auto executor = make_thread_executor(2);
    std::atomic<int> begun{0};
    executor->parallel_for(2, 1, [&](std::size_t, std::size_t, unsigned) {
        begun.fetch_add(1);
        const auto start = std::chrono::steady_clock::now();
        while (begun.load() < 2 || std::chrono::steady_clock::now() - start < std::chrono::milliseconds(2))
            std::this_thread::yield();
    });
    const LoopTimes times = executor->take_times();
    EXPECT_GE(times.wall, 0.002);
    EXPECT_GE(times.busy, 0.004);  // two workers, at least 2 ms each
    EXPECT_LE(times.busy, 2 * times.wall);
    const LoopTimes again = executor->take_times();
    EXPECT_EQ(again.wall, 0);
    EXPECT_EQ(again.busy, 0);
    EXPECT_EQ(make_serial_executor()->take_times().wall, 0);
}

/// This must hold even if the caller loses its core between opening a loop and entering it.
TEST(Executor, busy_time_never_exceeds_wall_time_per_worker) {
    const auto executor = make_thread_executor(processor_count() + 2);
    std::atomic<std::size_t> sum{0};
    for (int loop = 0; loop < 3000; ++loop) {
        executor->parallel_for(16, 1, [&](std::size_t begin, std::size_t end, unsigned) {
            for (int i = 0; i < 200; ++i) sum.fetch_add(end - begin, std::memory_order_relaxed);
        });
        const LoopTimes times = executor->take_times();
        ASSERT_LE(times.busy, executor->worker_count() * times.wall) << "loop " << loop;
    }
    EXPECT_EQ(sum.load(), 3000u * 16 * 200);
}

TEST(SpeedUp, Z_6_1_metrics_match_the_corrected_formulas_of_the_thesis) {
    EXPECT_DOUBLE_EQ(speed_up(6, 2), 3);
    EXPECT_DOUBLE_EQ(efficiency(6, 2, 4), 0.75);
    EXPECT_DOUBLE_EQ(minsky_bound(8), 4);  // so E_8 <= (1 + 3) / 8: FIX-42
    EXPECT_DOUBLE_EQ(amdahl_bound(0, 7), 7);
    EXPECT_DOUBLE_EQ(amdahl_bound(0.25, 3), 2);
    EXPECT_LT(amdahl_bound(0.25, 1000000), 4);
    EXPECT_DOUBLE_EQ(gustafson_bound(0.25, 5), 4);
    for (const unsigned p : {2u, 3u, 16u})
        for (const double serial : {0.05, 0.3, 1.0})
            EXPECT_NEAR(amdahl_serial_part(amdahl_bound(serial, p), p), serial, 1e-12);
}

}  // namespace
}  // namespace claybox::collision
