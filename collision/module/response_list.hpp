#pragma once

#include <mutex>
#include <utility>
#include <vector>

namespace claybox::collision {

/// The buffers "in" and "out" between callbacks that only take notes and the application that responds later
/// (Zachmann, thesis, 7.2 and figure 7.1), with the lock that the thesis hands out as colArena. The lock is
/// held for one entry or one swap. Events alone need none of it: World::poll_events is such a pair of
/// buffers.
template <class T>
class ResponseList {
  public:
    /// By callbacks, on the thread of the pass.
    void add(T response) {
        const std::lock_guard lock(mutex_);
        in_.push_back(std::move(response));
    }
    /// By the application: all that was added since the last call, in order. `out` is cleared first and its
    /// memory is used again.
    void swap_out(std::vector<T>& out) {
        out.clear();
        const std::lock_guard lock(mutex_);
        std::swap(in_, out);
    }

  private:
    std::mutex mutex_;
    std::vector<T> in_;
};

}  // namespace claybox::collision
