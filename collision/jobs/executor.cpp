#include "collision/jobs/executor.hpp"

#include "collision/core/assert.hpp"
#include "collision/core/ids.hpp"
#include "collision/jobs/stop_token.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
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

/// Spins until `condition()` holds, for at most a fraction of a millisecond. Returns whether it holds.
template <class Condition>
bool spin_wait(Condition&& condition) {
    constexpr unsigned kMaxPauses = 1u << 14;  // pauses take 10 to 50 ns
    for (unsigned i = 0; i < kMaxPauses; ++i) {
        if (condition()) return true;
        pause_core();
    }
    return condition();
}

/// Workers sleep on a condition variable. In a burst they spin first, because sleeping and waking takes as
/// long as a short loop. The caller returns when all ranges are done. It does not wait for workers that woke
/// up too late to claim a range, so a short loop costs little more than its work.
class ThreadExecutor final : public Executor {
  public:
    explicit ThreadExecutor(unsigned workers) : may_spin_(workers <= processor_count()), shares_(workers) {
        threads_.reserve(workers - 1);
        try {
            for (unsigned worker = 1; worker < workers; ++worker)
                threads_.emplace_back([this, worker] { run_worker(worker); });
        } catch (const std::exception&) {
            // The system has no more threads or memory: go on with those that started. Leaving the
            // constructor here would join sleeping workers that nobody wakes.
        }
    }

    ~ThreadExecutor() override {
        // Request the stop under the lock, so a worker that is about to sleep cannot miss the notification.
        {
            const std::lock_guard lock(mutex_);
            stop_.request_stop();
        }
        work_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    unsigned worker_count() const override { return static_cast<unsigned>(threads_.size()) + 1; }

    void parallel_for(std::size_t count, std::size_t grain, Body body, std::size_t dynamic_count) override {
        grain = std::max<std::size_t>(grain, 1);
        if (threads_.empty() || count <= grain) {
            if (count > 0) body(0, count, 0);
            return;
        }
        // Start the clock before any worker can begin, so each worker's `busy` time lies within `wall`.
        const auto start = Clock::now();
        const Loop loop{&body, grain, std::min(dynamic_count, count)};
        open_loop(loop, count);
        try_claiming_ranges(loop, 0);
        close_loop(start);
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    }

    void begin_burst() override {
        if (!may_spin_ || threads_.empty()) return;
        {
            const std::lock_guard lock(mutex_);
            CLAYBOX_ASSERT(!in_burst());
            burst_.fetch_add(1, std::memory_order_relaxed);
        }
        work_.notify_all();
    }

    void end_burst() override {
        if (!may_spin_ || threads_.empty()) return;
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
        std::size_t grain = 1, dynamic_count = 0;
    };
    /// One worker's share: the unclaimed items [next, end).
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
            const std::size_t ranges = (count - loop.dynamic_count + loop.grain - 1) / loop.grain;
            for (std::size_t i = 0; i < shares_.size(); ++i) {
                const auto share_begin = [&](std::size_t k) {
                    return std::min(count, loop.dynamic_count + ranges * k / shares_.size() * loop.grain);
                };
                shares_[i].next.store(share_begin(i), std::memory_order_relaxed);
                shares_[i].end = share_begin(i + 1);
            }
            loop_number_.fetch_add(1, std::memory_order_relaxed);
        }
        work_.notify_all();
    }

    void close_loop(Clock::time_point start) {
        const double own = seconds_since(start);  // includes opening the loop
        {
            const std::lock_guard lock(mutex_);
            loop_ = Loop{};
        }
        if (may_spin_) spin_wait([this] { return active_.load(std::memory_order_relaxed) == 0; });
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return active_.load(std::memory_order_relaxed) == 0; });
        times_.busy += own;
        times_.wall += seconds_since(start);
    }

    /// Keeps the first exception of the loop's body, and leaves the unclaimed ranges out.
    void try_claiming_ranges(const Loop& loop, unsigned worker) {
        try {
            claim_ranges(loop, worker);
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!thrown_) thrown_ = std::current_exception();
            next_.store(loop.dynamic_count, std::memory_order_relaxed);
            for (Share& share : shares_) share.next.store(share.end, std::memory_order_relaxed);
        }
    }
    void claim_ranges(const Loop& loop, unsigned worker) {
        if (loop.dynamic_count > 0) claim_ranges(loop, next_, loop.dynamic_count, worker);
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            Share& share = shares_[(worker + i) % shares_.size()];
            claim_ranges(loop, share.next, share.end, worker);
        }
    }
    static void claim_ranges(const Loop& loop, std::atomic<std::size_t>& next, std::size_t end,
                             unsigned worker) {
        // Read before fetch_add: visitors of a finished share must not steal its cache line from each other.
        while (next.load(std::memory_order_relaxed) < end) {
            const std::size_t begin = next.fetch_add(loop.grain, std::memory_order_relaxed);
            if (begin < end) (*loop.body)(begin, std::min(begin + loop.grain, end), worker);
        }
    }

    bool in_burst() const { return burst_.load(std::memory_order_relaxed) % 2 == 1; }

    void run_worker(unsigned worker) {
        std::uint64_t seen = 0;  // loops that this worker has entered or missed
        const auto number = [this] { return loop_number_.load(std::memory_order_relaxed); };
        for (;;) {
            if (in_burst())
                spin_wait([&] { return stop_.stop_requested() || number() != seen || !in_burst(); });
            std::unique_lock lock(mutex_);
            if (!loop_.body && number() != seen) {
                seen = number();  // missed this loop; the next one may start soon
                if (in_burst()) continue;
            }
            const std::uint64_t burst = burst_.load(std::memory_order_relaxed);
            work_.wait(lock, [&] {
                const bool new_burst = in_burst() && burst_.load(std::memory_order_relaxed) != burst;
                return stop_.stop_requested() || (loop_.body && number() != seen) || new_burst;
            });
            if (stop_.stop_requested()) return;
            if (!loop_.body || number() == seen) continue;
            seen = number();
            const Loop loop = loop_;
            active_.fetch_add(1, std::memory_order_relaxed);
            lock.unlock();
            const auto start = Clock::now();
            try_claiming_ranges(loop, worker);
            const double busy = seconds_since(start);
            lock.lock();
            times_.busy += busy;
            if (active_.fetch_sub(1, std::memory_order_relaxed) == 1) done_.notify_one();
        }
    }

    const bool may_spin_;  ///< the machine has a core for each worker
    std::mutex mutex_;
    std::condition_variable work_, done_;
    Loop loop_;
    LoopTimes times_;
    std::exception_ptr thrown_;  ///< by the body of the loop; written under the mutex
    // Written under the mutex only. Threads that read them without the mutex read again under it.
    std::atomic<std::uint64_t> loop_number_{0};
    std::atomic<std::uint64_t> burst_{0};                   ///< odd during a burst
    std::atomic<unsigned> active_{0};                       ///< threads inside the loop, without the caller
    alignas(kCacheLine) std::atomic<std::size_t> next_{0};  ///< next item below dynamic_count
    std::vector<Share> shares_;                             ///< per worker
    StopSource stop_;
    std::vector<std::thread> threads_;
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
