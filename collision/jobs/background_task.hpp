#pragma once
// One piece of work beside the application's frames.

#include <functional>
#include <memory>

namespace claybox::collision {

/// Runs work on a thread of its own. Thread contract: one thread makes all calls. The destructor waits.
class BackgroundTask {
  public:
    BackgroundTask();
    ~BackgroundTask();
    BackgroundTask(const BackgroundTask&) = delete;
    BackgroundTask& operator=(const BackgroundTask&) = delete;

    /// Waits for earlier work, then starts `work`. It must throw nothing but std::bad_alloc, which ends it.
    /// Where the system refuses a thread, the work runs before this call returns.
    void start(const std::function<void()>& work);
    /// Whether the newest work has ended. True before the first start.
    bool done() const;
    /// Returns when the newest work has ended; its writes are visible then.
    void wait();
    /// The same, but for at most this time. Whether the work has ended.
    bool wait_for(double seconds);
    /// Whether std::bad_alloc ended the newest work. Precondition: done().
    bool ran_out_of_memory() const;

    /// Asks the newest work to end early. It asks cancelled(), from its own thread.
    void cancel();
    bool cancelled() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace claybox::collision
