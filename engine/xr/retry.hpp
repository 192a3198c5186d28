#pragma once

namespace claybox::engine {

/// Schedules retries after a runtime was lost or did not respond: after 1, 2, 4 ... 30 seconds. The delay
/// restarts at 1 after a session that lasted longer than 30 seconds. Reads no clock: `now` is seconds of any
/// clock.
class XrRetry {
  public:
    /// A session has opened.
    void opened(double now);
    /// The session was lost, or none could be opened.
    void failed(double now);
    /// No session is wanted any longer.
    void cancel();
    /// True once the delay after failed() has passed; false when nothing failed.
    bool due(double now) const;
    /// Time until the retry; 0 when due or when nothing failed.
    double seconds_left(double now) const;

    static constexpr double kFirst = 1, kLongest = 30;

  private:
    double wait_ = 0;  ///< seconds, after the last failure; 0 none
    double failed_at_ = 0, opened_at_ = 0;
    bool waiting_ = false, open_ = false;
};

}  // namespace claybox::engine
