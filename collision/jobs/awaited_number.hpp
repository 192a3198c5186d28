#pragma once
/// \file
/// A number for which a thread waits.

#include <atomic>
#include <cstdint>
// libstdc++ 12 without a futex, as on Windows, can lose the notification of std::atomic: a thread that is
// about to wait reads the value before it takes the lock.
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_HAVE_PLATFORM_WAIT)
#define CLAYBOX_WAITS_WITH_LOCK
#include <condition_variable>
#include <mutex>
#endif

namespace claybox::collision {

/// Any thread may call anything. Takes no lock where the system can wait for an atomic number.
class AwaitedNumber {
  public:
    std::uint32_t load() const { return value_.load(); }
    /// Wakes those who wait for another value.
    void store(std::uint32_t value) {
        change([&] { value_.store(value); });
    }
    void increment() {
        change([&] { value_.fetch_add(1); });
    }
    /// Returns when the value is not `old`.
    void wait(std::uint32_t old) const {
#if defined(CLAYBOX_WAITS_WITH_LOCK)
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return value_.load() != old; });
#else
        value_.wait(old);
#endif
    }

  private:
    template <class Change>
    void change(Change&& change) {
#if defined(CLAYBOX_WAITS_WITH_LOCK)
        {
            const std::lock_guard lock(mutex_);
            change();
        }
        changed_.notify_all();
#else
        change();
        value_.notify_all();
#endif
    }

    std::atomic<std::uint32_t> value_{0};
#if defined(CLAYBOX_WAITS_WITH_LOCK)
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
#endif
};

}  // namespace claybox::collision
