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
    /// returns when all are done. The first `in_turn` places are claimed from the front by whoever is free;
    /// of the rest each worker begins with a share of its own, the same for the same numbers, and helps the
    /// others when it is done: what one core has written in the last loop is far away for another. A
    /// worker's index is its own during the loop, so it may address per-worker scratch. One loop at a time
    /// per executor; bodies must not throw and must not start loops on the same executor.
    virtual void parallel_for(std::size_t count, std::size_t grain, Body body, std::size_t in_turn = 0) = 0;
    /// Loops follow each other closely from here to end_burst(): workers wake up and wait awake in between.
    /// Only makes them faster. By the thread that starts the loops, between loops, not nested.
    virtual void begin_burst() {}
    virtual void end_burst() {}
    /// Of the loops since the last call that more than one worker could enter; two clock readings a worker
    /// and loop. Between loops only.
    virtual LoopTimes take_times() { return {}; }
};

/// A burst of loops, as long as this lives.
class Burst {
  public:
    explicit Burst(Executor& executor) : executor_(executor) { executor_.begin_burst(); }
    ~Burst() { executor_.end_burst(); }
    Burst(const Burst&) = delete;
    Burst& operator=(const Burst&) = delete;

  private:
    Executor& executor_;
};

/// How many threads can run at once on this machine; at least 1.
unsigned processor_count();

/// The serial twin: worker 0 does everything, in order.
std::unique_ptr<Executor> make_serial_executor();

/// `workers` >= 1 workers: the caller and workers-1 threads. Ranges are claimed dynamically. In a burst, and
/// where every worker can have a core of its own, threads wait awake for the next loop, a fraction of a
/// millisecond at most; else they sleep.
std::unique_ptr<Executor> make_thread_executor(unsigned workers);

}  // namespace claybox::collision
