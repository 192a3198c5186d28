#pragma once
// Maps the session's states to the calls that they require, whatever the order in which a runtime sends them.

#include "engine/xr/openxr_api.hpp"
#include "engine/xr/session/xr_session.hpp"

namespace claybox::engine {

class XrSessionStates {
  public:
    enum class Call : unsigned char { none, begin, end };

    /// The call to make now; began() and stopped() report its success.
    Call enter(XrSessionState state);
    void began() { running_ = true; }
    void stopped() { running_ = false; }
    /// Ends permanently; the first reason is kept.
    void end(XrPhase phase);

    XrPhase phase() const;
    bool running() const { return running_ && end_ == XrPhase::waiting; }
    /// Input counts, and haptics work.
    bool focused() const { return running() && state_ == XR_SESSION_STATE_FOCUSED; }
    bool visible() const { return focused() || (running() && state_ == XR_SESSION_STATE_VISIBLE); }

  private:
    XrSessionState state_ = XR_SESSION_STATE_UNKNOWN;
    bool running_ = false;
    XrPhase end_ = XrPhase::waiting;  ///< ended or lost permanently
};

}  // namespace claybox::engine
