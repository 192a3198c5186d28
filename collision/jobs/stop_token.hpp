#pragma once
/// \file
/// How work is asked to stop early.

#include <atomic>

namespace claybox::collision {

/// Requests that work stops early. Two competing algorithms stop each other with it; a program that closes
/// stops a long query. Thread-safe.
class StopSource {
  public:
    /// Asks all work that holds a token of this source to stop. It stops soon, not at once.
    void request_stop() { stopped_.store(true, std::memory_order_relaxed); }
    /// Takes the request back, for the next piece of work.
    void reset() { stopped_.store(false, std::memory_order_relaxed); }
    /// Whether request_stop() was called since the last reset().
    bool stop_requested() const { return stopped_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> stopped_{false};
};

/// A copyable view of one StopSource, or of two where either one stops the work. The sources must outlive the
/// token. A default-constructed token never stops.
class StopToken {
  public:
    StopToken() = default;
    /// Stops when `source` says so.
    explicit StopToken(const StopSource& source) : source_(&source) {}
    /// Stops when either source says so.
    StopToken(const StopSource& part, const StopSource& whole) : source_(&part), whole_(&whole) {}
    /// Whether the work should stop. Cheap enough for an inner loop.
    bool stop_requested() const {
        return (source_ != nullptr && source_->stop_requested()) ||
               (whole_ != nullptr && whole_->stop_requested());
    }

  private:
    const StopSource *source_ = nullptr, *whole_ = nullptr;
};

}  // namespace claybox::collision
