#pragma once

#include <mutex>
#include <utility>
#include <vector>

namespace claybox::collision {

/// Buffers "in" and "out" between callbacks that only record and an application that responds later
/// (Zachmann, thesis, 7.2 and figure 7.1), with the lock that the thesis calls colArena. The lock is held for
/// one entry or one swap. Not needed for events alone: World::poll_events is such a pair of buffers.
template <class T>
class ResponseList {
  public:
    /// Called by callbacks on the pass thread.
    void add(T response) {
        const std::lock_guard lock(mutex_);
        in_.push_back(std::move(response));
    }
    /// Called by the application: swaps the responses added since the last call into `out`, in order. `out`
    /// is cleared first; its memory is reused.
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
