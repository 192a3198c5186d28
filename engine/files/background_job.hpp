#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace claybox::engine {

/// Writes files on a thread of its own, one job at a time, so that a frame never waits for a disk. One thread
/// calls everything.
class BackgroundJob {
  public:
    /// Returns one sentence if it failed, or an empty text.
    using Work = std::function<std::string()>;

    BackgroundJob() = default;
    /// Waits for the job.
    ~BackgroundJob();
    BackgroundJob(const BackgroundJob&) = delete;
    BackgroundJob& operator=(const BackgroundJob&) = delete;

    /// True from start() until take_result() has returned the job's result.
    bool busy() const { return thread_.joinable() || result_now_; }
    /// Starts a job; not while busy.
    void start(Work work);
    /// The result of a finished job, once; nothing while it runs. Never waits.
    std::optional<std::string> take_result();
    /// Waits for the job, if one is running, and returns its result.
    std::optional<std::string> wait();

  private:
    std::thread thread_;
    std::atomic<bool> done_ = false;
    std::string result_;       ///< of the thread, until it is done
    bool result_now_ = false;  ///< no thread could start: the result is there already
};

}  // namespace claybox::engine
