#include "collision/jobs/executor.hpp"

#include "collision/core/assert.hpp"
#include "collision/core/ids.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace claybox::collision {

namespace {

class SerialExecutor final : public Executor {
  public:
    unsigned worker_count() const override { return 1; }
    void parallel_for(std::size_t count, std::size_t, Body body) override {
        if (count > 0) body(0, count, 0);
    }
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void pause_core() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

/// How long a thread waits awake: longer after what it waited for came in that time, shorter after it had to
/// sleep all the same.
class AwakeTime {
  public:
    /// Whether `happened()` within the time.
    template <class Happened>
    bool wait(Happened&& happened) {
        for (unsigned i = 0; i < pauses_; ++i) {
            if (happened()) {
                pauses_ = std::min(2 * pauses_, kMost);
                return true;
            }
            pause_core();
        }
        pauses_ = std::max(pauses_ / 2, kLeast);
        return happened();
    }

  private:
    /// Pauses take 10 to 50 ns: 4,096 about what a thread needs to fall asleep and wake up again, or a few
    /// times that.
    static constexpr unsigned kLeast = 32, kMost = 4096;
    unsigned pauses_ = kMost;
};

/// Workers sleep on a condition variable between loops, after a while awake. A loop is over for its caller
/// when all ranges are done: workers that did not wake up in time are not waited for, so a short loop never
/// costs more than its work.
class ThreadExecutor final : public Executor {
  public:
    explicit ThreadExecutor(unsigned workers) : awake_(workers <= processor_count()) {
        threads_.reserve(workers - 1);
        for (unsigned worker = 1; worker < workers; ++worker)
            threads_.emplace_back([this, worker](const std::stop_token& stop) { run_worker(stop, worker); });
    }

    ~ThreadExecutor() override {
        // The stop is requested under the lock: a worker that found nothing to do cannot miss the
        // notification.
        {
            const std::lock_guard lock(mutex_);
            for (std::jthread& thread : threads_) thread.request_stop();
        }
        work_.notify_all();
        threads_.clear();
    }

    unsigned worker_count() const override { return static_cast<unsigned>(threads_.size()) + 1; }

    void parallel_for(std::size_t count, std::size_t grain, Body body) override {
        grain = std::max<std::size_t>(grain, 1);
        if (threads_.empty() || count <= grain) {
            if (count > 0) body(0, count, 0);
            return;
        }
        // Before any worker can begin: what workers add to `busy` then lies within `wall`.
        const auto start = Clock::now();
        open_loop(count, grain, body);
        claim_ranges(Loop{&body, count, grain}, 0);
        close_loop(start);
    }

    LoopTimes take_times() override {
        const std::lock_guard lock(mutex_);
        return std::exchange(times_, {});
    }

  private:
    struct Loop {
        const Body* body = nullptr;  ///< null between loops
        std::size_t count = 0, grain = 1;
    };

    void open_loop(std::size_t count, std::size_t grain, const Body& body) {
        {
            const std::lock_guard lock(mutex_);
            CLAYBOX_ASSERT(loop_.body == nullptr);  // one loop at a time
            loop_ = Loop{&body, count, grain};
            next_.store(0, std::memory_order_relaxed);
            loop_number_.fetch_add(1, std::memory_order_relaxed);
        }
        work_.notify_all();
    }

    void close_loop(Clock::time_point start) {
        const double own = seconds_since(start);  // opening the loop is part of the caller's share
        {
            const std::lock_guard lock(mutex_);
            loop_ = Loop{};
        }
        if (awake_) at_end_.wait([this] { return active_.load(std::memory_order_relaxed) == 0; });
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return active_.load(std::memory_order_relaxed) == 0; });
        times_.busy += own;
        times_.wall += seconds_since(start);
    }

    void claim_ranges(const Loop& loop, unsigned worker) {
        for (;;) {
            const std::size_t begin = next_.fetch_add(loop.grain, std::memory_order_relaxed);
            if (begin >= loop.count) return;
            (*loop.body)(begin, std::min(begin + loop.grain, loop.count), worker);
        }
    }

    void run_worker(const std::stop_token& stop, unsigned worker) {
        AwakeTime before_loop;
        std::uint64_t seen = 0;  // loops that this worker has entered or missed
        const auto number = [this] { return loop_number_.load(std::memory_order_relaxed); };
        for (;;) {
            if (awake_) before_loop.wait([&] { return stop.stop_requested() || number() != seen; });
            std::unique_lock lock(mutex_);
            if (!loop_.body) seen = number();
            work_.wait(lock, [&] { return stop.stop_requested() || (loop_.body && number() != seen); });
            if (stop.stop_requested()) return;
            seen = number();
            const Loop loop = loop_;
            active_.fetch_add(1, std::memory_order_relaxed);
            lock.unlock();
            const auto start = Clock::now();
            claim_ranges(loop, worker);
            const double busy = seconds_since(start);
            lock.lock();
            times_.busy += busy;
            if (active_.fetch_sub(1, std::memory_order_relaxed) == 1) done_.notify_one();
        }
    }

    const bool awake_;  ///< there may be a core for each worker
    std::mutex mutex_;
    std::condition_variable work_, done_;
    Loop loop_;
    LoopTimes times_;
    AwakeTime at_end_;  ///< of the caller
    // Written under the mutex only; who reads them without it looks again with it.
    std::atomic<std::uint64_t> loop_number_{0};
    std::atomic<unsigned> active_{0};  ///< threads inside the loop, the caller not counted
    alignas(kCacheLine) std::atomic<std::size_t> next_{0};
    std::vector<std::jthread> threads_;  // last: joined before the rest goes
};

}  // namespace

unsigned processor_count() {
    return std::max(std::thread::hardware_concurrency(), 1u);
}

std::unique_ptr<Executor> make_serial_executor() {
    return std::make_unique<SerialExecutor>();
}

std::unique_ptr<Executor> make_thread_executor(unsigned workers) {
    return std::make_unique<ThreadExecutor>(std::max(workers, 1u));
}

}  // namespace claybox::collision
