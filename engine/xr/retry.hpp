#pragma once

namespace claybox::engine {

/// When to ask a runtime again that was lost or would not answer: after 1, 2, 4 ... 30 seconds. A session
/// that lasted longer than that was a good one, and the waits begin anew. Has no clock: `now` is seconds of
/// any one.
class XrRetry {
  public:
    /// A session opened.
    void opened(double now);
    /// It was lost, or none could be opened.
    void failed(double now);
    /// Nobody wants a session any more.
    void cancel();
    /// True once the wait after failed() is over; false when nothing failed.
    bool due(double now) const;
    /// Until then; 0 when due or when nothing failed.
    double seconds_left(double now) const;

    static constexpr double kFirst = 1, kLongest = 30;

  private:
    double wait_ = 0;  ///< of the last failure, 0 none
    double asked_at_ = 0, opened_at_ = 0;
    bool waiting_ = false, open_ = false;
};

}  // namespace claybox::engine
