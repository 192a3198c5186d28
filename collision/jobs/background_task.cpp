#include "collision/jobs/background_task.hpp"

#include <atomic>
#include <system_error>
#include <thread>

namespace claybox::collision {

struct BackgroundTask::Impl {
    std::thread thread;
    std::atomic<bool> done{true};
};

BackgroundTask::BackgroundTask() : impl_(std::make_unique<Impl>()) {}

BackgroundTask::~BackgroundTask() {
    wait();
}

void BackgroundTask::start(std::function<void()> work) {
    wait();
    impl_->done = false;
    try {
        impl_->thread = std::thread([impl = impl_.get(), work] {
            work();
            impl->done = true;
        });
    } catch (const std::system_error&) {
        work();
        impl_->done = true;
    }
}

bool BackgroundTask::done() const {
    return impl_->done;
}

void BackgroundTask::wait() {
    if (impl_->thread.joinable()) impl_->thread.join();
}

}  // namespace claybox::collision
