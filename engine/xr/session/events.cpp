// Handles the runtime's events and writes the status sentence.

#include "engine/xr/session/session_parts.hpp"

#include <cmath>

namespace claybox::engine {

namespace {

/// Casts an event to the type that it names; the buffer is larger than any event.
template <class Event>
const Event& as(const XrEventDataBuffer& buffer) {
    static_assert(sizeof(Event) <= sizeof(XrEventDataBuffer));
    return *reinterpret_cast<const Event*>(&buffer);
}

}  // namespace

void XrSession::Impl::handle_events() {
    if (frame_open) end(false);  // xrEndSession in the middle of a frame would be refused
    // Bounded: a runtime that never stops sending must not block the window.
    for (int i = 0; i < 256 && !watch.lost(); ++i) {
        auto event = typed<XrEventDataBuffer>(XR_TYPE_EVENT_DATA_BUFFER);
        const XrResult polled = xrPollEvent(runtime.handle(), &event);
        if (!watch.ok(polled, "xrPollEvent") || polled == XR_EVENT_UNAVAILABLE) return;
        handle_event(event);
    }
}

void XrSession::Impl::handle_event(const XrEventDataBuffer& event) {
    sentence_outdated = true;
    switch (static_cast<int>(event.type)) {
        case XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED:
            enter(as<XrEventDataSessionStateChanged>(event).state);
            break;
        case XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING:
            mark_lost("the runtime announced that it will end", XR_SUCCESS);
            break;
        case XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING: {
            const auto& change = as<XrEventDataReferenceSpaceChangePending>(event);
            spaces.change_at(change.referenceSpaceType, change.changeTime);
            break;
        }
        case XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED:
            actions.query_profiles(session.get(), watch);
            break;
        case XR_TYPE_EVENT_DATA_DISPLAY_REFRESH_RATE_CHANGED_FB:
            rate = as<XrEventDataDisplayRefreshRateChangedFB>(event).toDisplayRefreshRate;
            break;
        case static_cast<int>(XR_TYPE_EVENT_DATA_USER_PRESENCE_CHANGED_EXT):
            worn = as<XrEventDataUserPresenceChangedEXT>(event).isUserPresent == XR_TRUE;
            break;
        case XR_TYPE_EVENT_DATA_EVENTS_LOST:
            actions.query_profiles(session.get(), watch);
            spaces.change_now();
            break;
        default:
            break;
    }
}

void XrSession::Impl::enter(XrSessionState state) {
    const XrSessionStates::Call call = states.enter(state);
    if (call == XrSessionStates::Call::begin) {
        auto info = typed<XrSessionBeginInfo>(XR_TYPE_SESSION_BEGIN_INFO);
        info.primaryViewConfigurationType = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
        const XrResult begun = xrBeginSession(session.get(), &info);
        if (watch.ok(begun, "xrBeginSession"))
            states.began();
        else if (begun != XR_ERROR_SESSION_NOT_READY)  // the runtime changed its mind; a new state follows
            mark_lost("xrBeginSession", begun);
    }
    if (call == XrSessionStates::Call::end) {
        const XrResult ended = xrEndSession(session.get());
        if (watch.ok(ended, "xrEndSession"))
            states.stopped();
        else
            mark_lost("xrEndSession", ended);  // the runtime would wait for the end for ever
    }
    if (state == XR_SESSION_STATE_FOCUSED) actions.query_profiles(session.get(), watch);
}

void XrSession::Impl::mark_lost(const char* call, XrResult result) {
    watch.lose(call, result);
    states.end(XrPhase::lost);
    sentence_outdated = true;
}

void XrSession::Impl::write_sentence() {
    sentence_outdated = false;
    const XrPhase phase = states.phase();
    if (phase == XrPhase::lost) {
        sentence = runtime_name + " was lost" + (watch.lost() ? " (" + watch.reason() + ")" : "") +
                   ": the program continues in the window and tries the headset again";
        return;
    }
    if (phase == XrPhase::ended) {
        sentence = runtime_name + (exit_requested ? " has released the headset" : " ended the session");
        return;
    }
    if (phase == XrPhase::waiting) {
        sentence = runtime_name + ": put the headset on to continue";
        return;
    }
    sentence = runtime_name + (states.focused()   ? ": focused"
                               : states.visible() ? ": visible, but a menu has the input"
                                                  : ": running, but not visible");
    if (rate > 0) sentence += ", " + std::to_string(std::lround(rate)) + " Hz";
    const bool controllers = *actions.profile(0) != '\0' || *actions.profile(1) != '\0';
    sentence += hands.available() ? (controllers ? ", hands and controllers" : ", hands")
                                  : (controllers ? ", controllers" : ", neither hands nor controllers");
}

}  // namespace claybox::engine
