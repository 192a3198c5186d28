#pragma once

#include "collision/core/function_ref.hpp"

#include <cstddef>
#include <memory>

namespace claybox::collision {

/// Seconds of loops that were shared, so that speed-up and efficiency can be told: what one worker would have
/// taken is about `busy`, where the work is divided and nothing of it done twice.
struct LoopTimes {
    double wall = 0;  ///< from the caller's beginning of each loop to its end, added up
    double busy = 0;  ///< of all workers inside these loops
};

/// Runs loops. The results of correct loop bodies do not depend on which twin runs them.
class Executor {
  public:
    using Body = FunctionRef<void(std::size_t begin, std::size_t end, unsigned worker)>;

    virtual ~Executor() = default;
    /// Workers number 0 .. worker_count()-1; the caller of parallel_for is worker 0.
    virtual unsigned worker_count() const = 0;
    /// Calls `body` on disjoint ranges that cover [0, count), each about `grain` long (at least 1), and
    /// returns when all are done. A worker's index is its own during the loop, so it may address per-worker
    /// scratch. One loop at a time per executor; bodies must not throw and must not start loops on the same
    /// executor.
    virtual void parallel_for(std::size_t count, std::size_t grain, Body body) = 0;
    /// Of the loops since the last call that more than one worker could enter; two clock readings a worker
    /// and loop. Between loops only.
    virtual LoopTimes take_times() { return {}; }
};

/// How many threads can run at once on this machine; at least 1.
unsigned processor_count();

/// The serial twin: worker 0 does everything, in order.
std::unique_ptr<Executor> make_serial_executor();

/// `workers` >= 1 workers: the caller and workers-1 threads. Ranges are claimed dynamically. Between loops
/// threads wait awake for some microseconds, as long as the next loop comes that soon and every worker can
/// have a core of its own, then they sleep.
std::unique_ptr<Executor> make_thread_executor(unsigned workers);

}  // namespace claybox::collision
