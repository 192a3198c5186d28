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
    void parallel_for(std::size_t count, std::size_t, Body body, std::size_t) override {
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
#elif defined(__aarch64__)
    asm volatile("isb");  // about as long; "yield" takes no time
#endif
}

/// Waits awake for `happened()`, a fraction of a millisecond at most: whether it has.
template <class Happened>
bool wait_awake(Happened&& happened) {
    constexpr unsigned kMostPauses = 1u << 14;  // pauses take 10 to 50 ns
    for (unsigned i = 0; i < kMostPauses; ++i) {
        if (happened()) return true;
        pause_core();
    }
    return happened();
}

/// Workers sleep on a condition variable, and in a burst wait awake first: to fall asleep and wake up again
/// takes as long as a short loop. A loop is over for its caller when all ranges are done: workers that did
/// not wake up in time are not waited for, so a short loop never costs more than its work.
class ThreadExecutor final : public Executor {
  public:
    explicit ThreadExecutor(unsigned workers) : awake_(workers <= processor_count()), shares_(workers) {
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

    void parallel_for(std::size_t count, std::size_t grain, Body body, std::size_t in_turn) override {
        grain = std::max<std::size_t>(grain, 1);
        if (threads_.empty() || count <= grain) {
            if (count > 0) body(0, count, 0);
            return;
        }
        // Before any worker can begin: what workers add to `busy` then lies within `wall`.
        const auto start = Clock::now();
        const Loop loop{&body, grain, std::min(in_turn, count)};
        open_loop(loop, count);
        claim_ranges(loop, 0);
        close_loop(start);
    }

    void begin_burst() override {
        if (!awake_ || threads_.empty()) return;
        {
            const std::lock_guard lock(mutex_);
            CLAYBOX_ASSERT(!in_burst());
            burst_.fetch_add(1, std::memory_order_relaxed);
        }
        work_.notify_all();
    }

    void end_burst() override {
        if (!awake_ || threads_.empty()) return;
        const std::lock_guard lock(mutex_);
        CLAYBOX_ASSERT(in_burst());
        burst_.fetch_add(1, std::memory_order_relaxed);
    }

    LoopTimes take_times() override {
        const std::lock_guard lock(mutex_);
        return std::exchange(times_, {});
    }

  private:
    struct Loop {
        const Body* body = nullptr;  ///< null between loops
        std::size_t grain = 1, in_turn = 0;
    };
    /// Of a worker: places [next, end) that nobody has claimed.
    struct alignas(kCacheLine) Share {
        std::atomic<std::size_t> next{0};
        std::size_t end = 0;
    };

    void open_loop(const Loop& loop, std::size_t count) {
        {
            const std::lock_guard lock(mutex_);
            CLAYBOX_ASSERT(loop_.body == nullptr);  // one loop at a time
            loop_ = loop;
            next_.store(0, std::memory_order_relaxed);
            const std::size_t ranges = (count - loop.in_turn + loop.grain - 1) / loop.grain;
            for (std::size_t i = 0; i < shares_.size(); ++i) {
                const auto place = [&](std::size_t k) {
                    return std::min(count, loop.in_turn + ranges * k / shares_.size() * loop.grain);
                };
                shares_[i].next.store(place(i), std::memory_order_relaxed);
                shares_[i].end = place(i + 1);
            }
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
        if (awake_) wait_awake([this] { return active_.load(std::memory_order_relaxed) == 0; });
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return active_.load(std::memory_order_relaxed) == 0; });
        times_.busy += own;
        times_.wall += seconds_since(start);
    }

    void claim_ranges(const Loop& loop, unsigned worker) {
        if (loop.in_turn > 0) claim_ranges(loop, next_, loop.in_turn, worker);
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            Share& share = shares_[(worker + i) % shares_.size()];
            claim_ranges(loop, share.next, share.end, worker);
        }
    }
    static void claim_ranges(const Loop& loop, std::atomic<std::size_t>& next, std::size_t end,
                             unsigned worker) {
        // Looked at first: who comes to a share that is done must not take its line from those who look too.
        while (next.load(std::memory_order_relaxed) < end) {
            const std::size_t begin = next.fetch_add(loop.grain, std::memory_order_relaxed);
            if (begin < end) (*loop.body)(begin, std::min(begin + loop.grain, end), worker);
        }
    }

    bool in_burst() const { return burst_.load(std::memory_order_relaxed) % 2 == 1; }

    void run_worker(const std::stop_token& stop, unsigned worker) {
        std::uint64_t seen = 0;  // loops that this worker has entered or missed
        const auto number = [this] { return loop_number_.load(std::memory_order_relaxed); };
        for (;;) {
            if (in_burst())
                wait_awake([&] { return stop.stop_requested() || number() != seen || !in_burst(); });
            std::unique_lock lock(mutex_);
            if (!loop_.body && number() != seen) {
                seen = number();  // missed; the next one may come soon
                if (in_burst()) continue;
            }
            const std::uint64_t burst = burst_.load(std::memory_order_relaxed);
            work_.wait(lock, [&] {
                const bool new_burst = in_burst() && burst_.load(std::memory_order_relaxed) != burst;
                return stop.stop_requested() || (loop_.body && number() != seen) || new_burst;
            });
            if (stop.stop_requested()) return;
            if (!loop_.body || number() == seen) continue;
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
    // The next three are written under the mutex only; who reads them without it looks again with it.
    std::atomic<std::uint64_t> loop_number_{0};
    std::atomic<std::uint64_t> burst_{0};  ///< odd during one
    std::atomic<unsigned> active_{0};      ///< threads inside the loop, the caller not counted
    alignas(kCacheLine) std::atomic<std::size_t> next_{0};  ///< of the places in turn
    std::vector<Share> shares_;                             ///< by worker
    std::vector<std::jthread> threads_;                     // last: joined before the rest goes
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
