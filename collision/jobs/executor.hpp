#pragma once
/// \file
/// Parallel loops. docs/explanation/parallel.md explains the design.

#include "collision/core/function_ref.hpp"

#include <cstddef>
#include <memory>

namespace claybox::collision {

/// Time spent in loops that several workers shared, in seconds. If no work is done twice, one worker would
/// have needed about `busy`, so speed-up = busy / wall.
struct LoopTimes {
    double wall = 0;  ///< sum over the loops: time from the caller's start to the loop's end
    double busy = 0;  ///< sum over the loops and workers: time inside the loop
};

/// Runs loops on one or more workers. A loop body that writes only its own items and its own worker's scratch
/// memory gives the same results on every executor.
class Executor {
  public:
    /// Processes the items [begin, end) as worker `worker`.
    using Body = FunctionRef<void(std::size_t begin, std::size_t end, unsigned worker)>;

    virtual ~Executor() = default;
    /// The number of workers, at least 1. Worker indices are 0 .. worker_count()-1; the caller of
    /// parallel_for is worker 0.
    virtual unsigned worker_count() const = 0;
    /// Calls `body` on disjoint ranges that cover [0, count) and returns when all are done.
    ///
    /// Ranges have about `grain` items (at least 1). Free workers claim the first `dynamic_count` items from
    /// the front, range by range. The remaining items are split into one share per worker: each worker starts
    /// with its own share, then helps the others. Equal arguments give equal shares, so a core finds the data
    /// that it wrote in the previous loop in its own cache.
    ///
    /// During a loop each worker index belongs to one thread, so the body may use it to address per-worker
    /// scratch memory. Run one loop at a time per executor. Bodies must not start loops on the same executor.
    ///
    /// A body that throws ends the loop: no worker claims another range, and when the running ones are done,
    /// parallel_for throws the first exception again.
    virtual void parallel_for(std::size_t count, std::size_t grain, Body body,
                              std::size_t dynamic_count = 0) = 0;
    /// Announces that loops follow each other closely until end_burst(). Workers then spin between loops
    /// instead of sleeping. Affects speed only. Call it between loops, from the thread that starts them; do
    /// not nest.
    virtual void begin_burst() {}
    /// Ends the burst.
    virtual void end_burst() {}
    /// Returns and resets the times of the loops that more than one worker could enter. Measuring costs two
    /// clock readings per worker and loop. Call it between loops.
    virtual LoopTimes take_times() { return {}; }
};

/// Keeps an executor in a burst for the lifetime of this object.
class Burst {
  public:
    /// Begins the burst. The executor must outlive this object.
    explicit Burst(Executor& executor) : executor_(executor) { executor_.begin_burst(); }
    /// Ends the burst.
    ~Burst() { executor_.end_burst(); }
    Burst(const Burst&) = delete;
    Burst& operator=(const Burst&) = delete;

  private:
    Executor& executor_;
};

/// The number of hardware threads of this machine; at least 1.
unsigned processor_count();

/// An executor without threads: the caller is worker 0 and processes all items in order, in one range.
std::unique_ptr<Executor> make_serial_executor();

/// An executor with `workers` workers (at least 1): the caller and workers - 1 threads, or fewer when the
/// system refuses to start more; see worker_count(). Its destructor joins the threads. In a burst, threads
/// spin for up to a fraction of a millisecond before they sleep, but only if the machine has a core for
/// every worker.
std::unique_ptr<Executor> make_thread_executor(unsigned workers);

}  // namespace claybox::collision
