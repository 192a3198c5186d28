#pragma once
// What the states of a session ask for, in whatever order a runtime sends them.

#include "engine/xr/openxr_api.hpp"
#include "engine/xr/xr_session.hpp"

namespace claybox::engine {

class SessionStates {
  public:
    enum class Call : unsigned char { none, begin, end };

    /// What has to be called now; began() and stopped() say that it was.
    Call enter(XrSessionState state);
    void began() { running_ = true; }
    void stopped() { running_ = false; }
    /// There is nothing to wait for any more; the first end stays.
    void end(XrPhase phase);

    XrPhase phase() const;
    bool running() const { return running_ && end_ == XrPhase::waiting; }
    /// Input counts, and a buzz is felt.
    bool focused() const { return running() && state_ == XR_SESSION_STATE_FOCUSED; }
    bool visible() const { return focused() || (running() && state_ == XR_SESSION_STATE_VISIBLE); }

  private:
    XrSessionState state_ = XR_SESSION_STATE_UNKNOWN;
    bool running_ = false;
    XrPhase end_ = XrPhase::waiting;  ///< ended or lost for good
};

}  // namespace claybox::engine
