#pragma once

#include <mutex>
#include <utility>

namespace claybox::collision {

/// Lets one thread at a time run a function, for what the workers of a loop share.
class Exclusive {
  public:
    /// Waits for its turn; returns and throws what the function does.
    template <class Run>
    decltype(auto) run(Run&& run) {
        const std::scoped_lock lock(mutex_);
        return std::forward<Run>(run)();
    }

  private:
    std::mutex mutex_;
};

}  // namespace claybox::collision
