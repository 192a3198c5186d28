#pragma once

#include <atomic>

namespace claybox::collision {

/// Requests that work stops early. Two competing algorithms stop each other with it; a program that closes
/// stops a long query. Thread-safe.
class StopSource {
  public:
    void request_stop() { stopped_.store(true, std::memory_order_relaxed); }
    void reset() { stopped_.store(false, std::memory_order_relaxed); }
    bool stop_requested() const { return stopped_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> stopped_{false};
};

/// A copyable view of one StopSource, or of two where either one stops the work. The sources must outlive the
/// token. A default-constructed token never stops.
class StopToken {
  public:
    StopToken() = default;
    explicit StopToken(const StopSource& source) : source_(&source) {}
    StopToken(const StopSource& part, const StopSource& whole) : source_(&part), whole_(&whole) {}
    bool stop_requested() const {
        return (source_ != nullptr && source_->stop_requested()) ||
               (whole_ != nullptr && whole_->stop_requested());
    }

  private:
    const StopSource *source_ = nullptr, *whole_ = nullptr;
};

}  // namespace claybox::collision
