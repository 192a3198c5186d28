#pragma once
// Work that takes long, such as building a scene or saving a mesh, beside the frames of a window.

#include "collision/jobs/background_task.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace claybox::app {

/// Runs one piece of work at a time. Thread contract: one thread makes all calls. The destructor waits.
class BackgroundBuild {
  public:
    /// `exhausted`: called in the place of a result if the memory was exhausted, with the title of the work.
    explicit BackgroundBuild(std::function<void(const std::string& title)> exhausted)
        : exhausted_(std::move(exhausted)) {}

    /// Uses the result, on the thread that makes the calls.
    using Finish = std::function<void()>;
    /// Runs on another thread, and may read only what it owns or what is constant. Throws nothing but
    /// std::bad_alloc.
    using Work = std::function<Finish()>;
    /// The same for work that ends early once `cancelled` returns true.
    using StoppableWork = std::function<Finish(const std::function<bool()>& cancelled)>;

    /// Drops unfinished work and starts this one. `title` says what it makes.
    void start(std::string title, StoppableWork work) {
        cancel();
        job_ = std::make_unique<Job>();
        job_->title = std::move(title);
        job_->task.start([job = job_.get(), work = std::move(work)] {
            job->finish = work([job] { return job->task.cancelled(); });
        });
    }
    void start(std::string title, Work work) {
        start(std::move(title), StoppableWork([work = std::move(work)](const auto&) { return work(); }));
    }
    /// Waits for at most `seconds`. If the work has ended by then, uses its result and returns true.
    bool finish(double seconds) {
        std::erase_if(dropped_, [](const std::unique_ptr<Job>& job) { return job->task.done(); });
        if (!job_ || !job_->task.wait_for(seconds)) return false;
        const std::unique_ptr<Job> job = std::move(job_);  // the result may start the next work
        job->task.wait();
        if (job->task.ran_out_of_memory())
            exhausted_(job->title);
        else
            job->finish();
        return true;
    }
    /// Drops the work. Its thread may go on to its end, but nothing uses the result.
    void cancel() {
        if (!job_) return;
        job_->task.cancel();
        dropped_.push_back(std::move(job_));
    }
    bool running() const { return job_ != nullptr; }
    /// Of the running work. Precondition: running().
    const std::string& title() const { return job_->title; }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - job_->start).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    struct Job {
        std::string title;
        Clock::time_point start = Clock::now();
        Finish finish;
        collision::BackgroundTask task;  ///< last: its destructor waits for the work, which writes `finish`
    };
    std::function<void(const std::string&)> exhausted_;
    std::unique_ptr<Job> job_;
    std::vector<std::unique_ptr<Job>> dropped_;  ///< still running
};

}  // namespace claybox::app
