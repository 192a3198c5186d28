// What the runtime tells between frames, and what of it people are told.

#include "engine/xr/session_parts.hpp"

#include <cmath>

namespace claybox::engine {

namespace {

/// An event as what its type says it is: the buffer is larger than any of them.
template <class Event>
const Event& as(const XrEventDataBuffer& buffer) {
    static_assert(sizeof(Event) <= sizeof(XrEventDataBuffer));
    return *reinterpret_cast<const Event*>(&buffer);
}

}  // namespace

void XrSession::Impl::take_events() {
    if (frame_open) end(false);  // xrEndSession in the middle of a frame would be refused
    // Bounded: a runtime that never stops telling must not keep the window waiting.
    for (int i = 0; i < 256 && !watch.lost(); ++i) {
        auto event = typed<XrEventDataBuffer>(XR_TYPE_EVENT_DATA_BUFFER);
        const XrResult polled = xrPollEvent(instance.handle(), &event);
        if (!watch.ok(polled, "xrPollEvent") || polled == XR_EVENT_UNAVAILABLE) return;
        take_event(event);
    }
}

void XrSession::Impl::take_event(const XrEventDataBuffer& event) {
    telling = true;
    switch (static_cast<int>(event.type)) {
        case XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED:
            enter(as<XrEventDataSessionStateChanged>(event).state);
            break;
        case XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING:
            give_up("it announced its end", XR_SUCCESS);
            break;
        case XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING: {
            const auto& change = as<XrEventDataReferenceSpaceChangePending>(event);
            spaces.change_at(change.referenceSpaceType, change.changeTime);
            break;
        }
        case XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED:
            actions.ask_profiles(session.get(), watch);
            break;
        case XR_TYPE_EVENT_DATA_DISPLAY_REFRESH_RATE_CHANGED_FB:
            rate = as<XrEventDataDisplayRefreshRateChangedFB>(event).toDisplayRefreshRate;
            break;
        case static_cast<int>(XR_TYPE_EVENT_DATA_USER_PRESENCE_CHANGED_EXT):
            worn = as<XrEventDataUserPresenceChangedEXT>(event).isUserPresent == XR_TRUE;
            break;
        case XR_TYPE_EVENT_DATA_EVENTS_LOST:
            actions.ask_profiles(session.get(), watch);
            spaces.change_now();
            break;
        default:
            break;
    }
}

void XrSession::Impl::enter(XrSessionState state) {
    const SessionStates::Call call = states.enter(state);
    if (call == SessionStates::Call::begin) {
        auto info = typed<XrSessionBeginInfo>(XR_TYPE_SESSION_BEGIN_INFO);
        info.primaryViewConfigurationType = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
        const XrResult begun = xrBeginSession(session.get(), &info);
        if (watch.ok(begun, "xrBeginSession"))
            states.began();
        else if (begun != XR_ERROR_SESSION_NOT_READY)  // it changed its mind, and a new state follows
            give_up("xrBeginSession", begun);
    }
    if (call == SessionStates::Call::end) {
        watch.ok(xrEndSession(session.get()), "xrEndSession");
        states.stopped();
    }
    if (state == XR_SESSION_STATE_FOCUSED) actions.ask_profiles(session.get(), watch);
}

void XrSession::Impl::give_up(const char* call, XrResult result) {
    watch.lose(call, result);
    states.end(XrPhase::lost);
    telling = true;
}

void XrSession::Impl::tell() {
    telling = false;
    const XrPhase phase = states.phase();
    if (phase == XrPhase::lost) {
        sentence = runtime_name + " was lost" + (watch.lost() ? " (" + watch.reason() + ")" : "") +
                   ": the window goes on, and the headset will be asked again";
        return;
    }
    if (phase == XrPhase::ended) {
        sentence = runtime_name + (exit_asked ? " has let go of the headset"
                                              : " ended the session: somebody closed it there");
        return;
    }
    if (phase == XrPhase::waiting) {
        sentence = runtime_name + ": waiting until somebody puts the headset on";
        return;
    }
    sentence = runtime_name + (states.focused()   ? ": focused"
                               : states.visible() ? ": seen, but a menu has the input"
                                                  : ": running, but not seen");
    if (rate > 0) sentence += ", " + std::to_string(std::lround(rate)) + " Hz";
    const bool controllers = *actions.profile(0) != '\0' || *actions.profile(1) != '\0';
    sentence += hands.available() ? (controllers ? ", hands and controllers" : ", hands")
                                  : (controllers ? ", controllers" : ", neither hands nor controllers");
}

}  // namespace claybox::engine
