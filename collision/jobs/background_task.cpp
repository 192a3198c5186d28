#include "collision/jobs/background_task.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace claybox::collision {

struct BackgroundTask::Impl {
    void run(const std::function<void()>& work) {
        bool exhausted = false;
        try {
            work();
        } catch (const std::bad_alloc&) {
            exhausted = true;
        }
        const std::lock_guard lock(mutex);
        ran_out_of_memory = exhausted;
        done = true;
        ended.notify_all();
    }
    std::thread thread;
    mutable std::mutex mutex;
    std::condition_variable ended;
    bool done = true, cancelled = false, ran_out_of_memory = false;  ///< guarded by the mutex
};

BackgroundTask::BackgroundTask() : impl_(std::make_unique<Impl>()) {}

BackgroundTask::~BackgroundTask() {
    wait();
}

void BackgroundTask::start(const std::function<void()>& work) {
    wait();
    impl_->done = impl_->cancelled = impl_->ran_out_of_memory = false;
    try {
        impl_->thread = std::thread([impl = impl_.get(), work] { impl->run(work); });
    } catch (const std::system_error&) {
        impl_->run(work);
    }
}

bool BackgroundTask::done() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->done;
}

bool BackgroundTask::ran_out_of_memory() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->ran_out_of_memory;
}

void BackgroundTask::cancel() {
    const std::lock_guard lock(impl_->mutex);
    impl_->cancelled = true;
}

bool BackgroundTask::cancelled() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->cancelled;
}

void BackgroundTask::wait() {
    if (impl_->thread.joinable()) impl_->thread.join();
}

bool BackgroundTask::wait_for(double seconds) {
    std::unique_lock lock(impl_->mutex);
    return impl_->ended.wait_for(lock, std::chrono::duration<double>(seconds),
                                 [this] { return impl_->done; });
}

}  // namespace claybox::collision
