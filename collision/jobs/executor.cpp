#include "collision/jobs/executor.hpp"

#include "collision/core/assert.hpp"
#include "collision/core/ids.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
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

/// Workers sleep on a condition variable between loops. A loop is over for its caller when all ranges are
/// done: workers that did not wake up in time are not waited for, so a short loop never costs more than its
/// work.
class ThreadExecutor final : public Executor {
  public:
    explicit ThreadExecutor(unsigned workers) {
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
        open_loop(count, grain, body);
        claim_ranges(Loop{&body, count, grain}, 0);
        close_loop();
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
            ++loop_number_;
        }
        work_.notify_all();
    }

    void close_loop() {
        std::unique_lock lock(mutex_);
        loop_ = Loop{};
        done_.wait(lock, [this] { return active_ == 0; });
    }

    void claim_ranges(const Loop& loop, unsigned worker) {
        for (;;) {
            const std::size_t begin = next_.fetch_add(loop.grain, std::memory_order_relaxed);
            if (begin >= loop.count) return;
            (*loop.body)(begin, std::min(begin + loop.grain, loop.count), worker);
        }
    }

    void run_worker(const std::stop_token& stop, unsigned worker) {
        std::uint64_t seen = 0;
        std::unique_lock lock(mutex_);
        for (;;) {
            work_.wait(lock, [&] { return stop.stop_requested() || (loop_.body && loop_number_ != seen); });
            if (stop.stop_requested()) return;
            seen = loop_number_;
            const Loop loop = loop_;
            ++active_;
            lock.unlock();
            claim_ranges(loop, worker);
            lock.lock();
            if (--active_ == 0) done_.notify_one();
        }
    }

    std::mutex mutex_;
    std::condition_variable work_, done_;
    Loop loop_;
    std::uint64_t loop_number_ = 0;
    unsigned active_ = 0;  ///< threads inside the loop, the caller not counted
    alignas(kCacheLine) std::atomic<std::size_t> next_{0};
    std::vector<std::jthread> threads_;  // last: joined before the rest goes
};

}  // namespace

std::unique_ptr<Executor> make_serial_executor() {
    return std::make_unique<SerialExecutor>();
}

std::unique_ptr<Executor> make_thread_executor(unsigned workers) {
    return std::make_unique<ThreadExecutor>(std::max(workers, 1u));
}

}  // namespace claybox::collision
