#include "engine/files/background_job.hpp"

#include <exception>
#include <new>
#include <system_error>
#include <utility>

namespace claybox::engine {

namespace {

constexpr char kExhausted[] = "not enough memory";

}  // namespace

BackgroundJob::~BackgroundJob() {
    if (thread_.joinable()) thread_.join();
}

void BackgroundJob::start(Work work) {
    done_ = false;
    result_.clear();
    result_.reserve(sizeof kExhausted);
    try {
        thread_ = std::thread([this, work = std::move(work)] {
            try {
                result_ = work();
            } catch (const std::bad_alloc&) {
                result_ = kExhausted;  // has room
            } catch (const std::exception& e) {
                result_ = e.what();
            }
            done_.store(true, std::memory_order_release);
        });
    } catch (const std::system_error& e) {
        result_ = std::string("no thread can start: ") + e.what();
        result_now_ = true;
    }
}

std::optional<std::string> BackgroundJob::take_result() {
    if (result_now_) {
        result_now_ = false;
        return std::move(result_);
    }
    if (!thread_.joinable() || !done_.load(std::memory_order_acquire)) return std::nullopt;
    return wait();
}

std::optional<std::string> BackgroundJob::wait() {
    if (!thread_.joinable()) return result_now_ ? take_result() : std::nullopt;
    thread_.join();
    return std::move(result_);
}

}  // namespace claybox::engine
