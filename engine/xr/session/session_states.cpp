#include "engine/xr/session/session_states.hpp"

namespace claybox::engine {

XrSessionStates::Call XrSessionStates::enter(XrSessionState state) {
    if (end_ != XrPhase::waiting) return Call::none;
    state_ = state;
    switch (state) {
        case XR_SESSION_STATE_READY:
            return running_ ? Call::none : Call::begin;
        case XR_SESSION_STATE_STOPPING:
            return running_ ? Call::end : Call::none;
        case XR_SESSION_STATE_LOSS_PENDING:
            end(XrPhase::lost);
            return Call::none;
        case XR_SESSION_STATE_EXITING:
            end(XrPhase::ended);
            return Call::none;
        // Another READY may follow IDLE, when the headset was put aside.
        default:
            return Call::none;
    }
}

void XrSessionStates::end(XrPhase phase) {
    if (end_ == XrPhase::waiting) end_ = phase;
    running_ = false;
}

XrPhase XrSessionStates::phase() const {
    if (end_ != XrPhase::waiting) return end_;
    return running_ ? XrPhase::running : XrPhase::waiting;
}

}  // namespace claybox::engine
