// Session states, their changes by the script, and display refresh rates.

#include "tests/xr_runtime/session/session.hpp"

#include "tests/xr_runtime/functions.hpp"
#include "tests/xr_runtime/newer_openxr.hpp"

#include <openxr/openxr_reflection.h>

#include <algorithm>

namespace claybox::xr_runtime {

namespace {

const char* state_name(XrSessionState state) {
#define CLAYBOX_XR_STATE_CASE(name, value) \
    case name:                             \
        return &#name[sizeof "XR_SESSION_STATE"];
    switch (state) { XR_LIST_ENUM_XrSessionState(CLAYBOX_XR_STATE_CASE) default : return ""; }
#undef CLAYBOX_XR_STATE_CASE
}

int rank(XrSessionState state) {
    switch (state) {
        case XR_SESSION_STATE_SYNCHRONIZED:
            return 1;
        case XR_SESSION_STATE_VISIBLE:
            return 2;
        case XR_SESSION_STATE_FOCUSED:
            return 3;
        default:
            return 0;
    }
}

XrResult check_create(const XrSessionCreateInfo* info, const Instance& instance, GraphicsBinding& binding) {
    const char* call = "xrCreateSession";
    if (!is_type(info, XR_TYPE_SESSION_CREATE_INFO))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the create info is wrong");
    if (info->systemId != 1) return misuse(call, XR_ERROR_SYSTEM_INVALID, "not the system of xrGetSystem");
    if (!instance.requirements_queried)
        return misuse(call, XR_ERROR_GRAPHICS_REQUIREMENTS_CALL_MISSING,
                      "xrGetOpenGLGraphicsRequirementsKHR must be called first");
    if (!read_binding(info->next, binding))
        return misuse(call, XR_ERROR_GRAPHICS_DEVICE_INVALID,
                      "no graphics binding, or one with empty fields");
    if (runtime().session != nullptr)
        return misuse(call, XR_ERROR_LIMIT_REACHED, "the previous session was not destroyed");
    if (!CurrentContext(binding).good())
        return misuse(call, XR_ERROR_GRAPHICS_DEVICE_INVALID, "the context cannot be made current");
    return XR_SUCCESS;
}

void queue_user_presence(Session& session, bool present) {
    if (!runtime().instance->has(kUserPresenceExtension)) return;
    queue_event(EventUserPresenceChanged{kUserPresenceChangedType, nullptr, handle_of<XrSession>(session),
                                         present ? XrBool32{XR_TRUE} : XrBool32{XR_FALSE}});
}

void run(const ScriptEvent& event, Session& session) {
    switch (event.kind) {
        case EventKind::goal:
            session.goal = event.goal;
            if (session.frames_ended > 0) move_to_state(session, event.goal);
            break;
        case EventKind::pause:
            start_stopping(session, false, event.polls);
            break;
        case EventKind::exit:
            start_stopping(session, true, 0);
            break;
        case EventKind::loss_pending:
            push_state(session, XR_SESSION_STATE_LOSS_PENDING);
            break;
        case EventKind::user:
            queue_user_presence(session, event.user);
            break;
        case EventKind::instance_loss_pending:
            queue_event(XrEventDataInstanceLossPending{XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING, nullptr,
                                                       runtime().now()});
            break;
    }
}

void queue_space_change(XrReferenceSpaceType type, const Pose& old_from_new) {
    queue_event(XrEventDataReferenceSpaceChangePending{XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING,
                                                       nullptr, handle_of<XrSession>(*runtime().session),
                                                       type, runtime().now(), XR_TRUE, to_xr(old_from_new)});
    note("space_change", {{"space", type}});
}

/// Queues an event for every origin that has moved since the previous frame.
void queue_space_changes(std::int64_t before, std::int64_t now) {
    const Script& script = runtime().script;
    for (const auto& [type, keys] : script.origins) {
        const bool moved = std::any_of(keys.begin(), keys.end(), [&](const OriginKey& key) {
            return key.frame > 0 && key.frame > before && key.frame <= now;
        });
        if (!moved) continue;
        const Pose old = script.origin_at(type, static_cast<double>(before));
        const Pose old_from_new = inverse(old) * script.origin_at(type, static_cast<double>(now));
        queue_space_change(type, old_from_new);
        if (type == XR_REFERENCE_SPACE_TYPE_LOCAL && runtime().instance->has(kLocalFloorExtension))
            queue_space_change(kLocalFloorSpace, old_from_new);
    }
}

}  // namespace

void push_state(Session& session, XrSessionState state) {
    session.state = state;
    queue_event(XrEventDataSessionStateChanged{XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED, nullptr,
                                               handle_of<XrSession>(session), state, runtime().now()});
    note("state", {{"state", state_name(state)}});
}

void move_to_state(Session& session, XrSessionState goal) {
    static constexpr XrSessionState kChain[] = {XR_SESSION_STATE_STOPPING, XR_SESSION_STATE_SYNCHRONIZED,
                                                XR_SESSION_STATE_VISIBLE, XR_SESSION_STATE_FOCUSED};
    if (session.state == XR_SESSION_STATE_STOPPING || session.state == XR_SESSION_STATE_LOSS_PENDING) return;
    if (session.state == XR_SESSION_STATE_READY) push_state(session, XR_SESSION_STATE_SYNCHRONIZED);
    while (rank(session.state) != rank(goal)) {
        const int step = rank(session.state) < rank(goal) ? 1 : -1;
        push_state(session, kChain[rank(session.state) + step]);
    }
}

void start_stopping(Session& session, bool exiting, int polls_to_ready) {
    session.exiting = session.exiting || exiting;
    session.polls_to_ready = polls_to_ready;
    move_to_state(session, XR_SESSION_STATE_STOPPING);
}

void run_script_events(Session& session, std::int64_t before) {
    const std::int64_t now = runtime().frame;
    for (const ScriptEvent& event : runtime().script.events)
        if (event.frame > before && event.frame <= now) run(event, session);
    queue_space_changes(before, now);
}

void count_empty_poll() {
    Session* session = runtime().session;
    if (session == nullptr || session->running || session->polls_to_ready == 0) return;
    if (--session->polls_to_ready == 0) push_state(*session, XR_SESSION_STATE_READY);
}

XrResult xrCreateSession(XrInstance handle, const XrSessionCreateInfo* info, XrSession* created) {
    Instance* instance = nullptr;
    const char* call = "xrCreateSession";
    if (const XrResult result = enter(call, handle, instance); result != XR_SUCCESS) return result;
    auto session = std::make_unique<Session>();
    if (const XrResult result = check_create(info, *instance, session->graphics); result != XR_SUCCESS)
        return result;
    Session& made = *session;
    runtime().session = &made;
    add_object(std::move(session), instance, {{"binding", made.graphics.glx != nullptr ? "Xlib" : "EGL"}});
    *created = handle_of<XrSession>(made);
    push_state(made, XR_SESSION_STATE_IDLE);
    push_state(made, XR_SESSION_STATE_READY);
    return XR_SUCCESS;
}

XrResult xrDestroySession(XrSession handle) {
    return destroy<Session>("xrDestroySession", handle);
}

XrResult xrBeginSession(XrSession handle, const XrSessionBeginInfo* info) {
    Session* session = nullptr;
    const char* call = "xrBeginSession";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    if (!is_type(info, XR_TYPE_SESSION_BEGIN_INFO))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the begin info is wrong");
    if (session->running) return misuse(call, XR_ERROR_SESSION_RUNNING, "the session is already running");
    if (!session->ready_polled) return misuse(call, XR_ERROR_SESSION_NOT_READY, "READY has not been polled");
    if (info->primaryViewConfigurationType != XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO)
        return misuse(call, XR_ERROR_VIEW_CONFIGURATION_TYPE_UNSUPPORTED, "only stereo is supported");
    session->running = true;
    session->waited = session->begun = false;
    session->frames_ended = 0;
    note("begin_session");
    return XR_SUCCESS;
}

XrResult xrEndSession(XrSession handle) {
    Session* session = nullptr;
    const char* call = "xrEndSession";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    if (!session->running) return misuse(call, XR_ERROR_SESSION_NOT_RUNNING, "the session is not running");
    if (session->state != XR_SESSION_STATE_STOPPING)
        return misuse(call, XR_ERROR_SESSION_NOT_STOPPING, "the session is not stopping");
    session->running = session->ready_polled = false;
    note("end_session");
    push_state(*session, XR_SESSION_STATE_IDLE);
    if (session->exiting) push_state(*session, XR_SESSION_STATE_EXITING);
    return XR_SUCCESS;
}

XrResult xrRequestExitSession(XrSession handle) {
    Session* session = nullptr;
    const char* call = "xrRequestExitSession";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    if (!session->running) return misuse(call, XR_ERROR_SESSION_NOT_RUNNING, "the session is not running");
    note("request_exit");
    start_stopping(*session, true, 0);
    return XR_SUCCESS;
}

XrResult xrEnumerateDisplayRefreshRatesFB(XrSession handle, std::uint32_t capacity, std::uint32_t* count,
                                          float* list) {
    Session* session = nullptr;
    const char* call = "xrEnumerateDisplayRefreshRatesFB";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    std::vector<double> rates = runtime().script.rates;
    std::sort(rates.begin(), rates.end());
    return copy_list(call, rates.size(), capacity, count, list,
                     [&](float& rate, std::size_t i) { rate = static_cast<float>(rates[i]); });
}

XrResult xrGetDisplayRefreshRateFB(XrSession handle, float* rate) {
    Session* session = nullptr;
    const char* call = "xrGetDisplayRefreshRateFB";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    *rate = static_cast<float>(runtime().rate);
    return XR_SUCCESS;
}

XrResult xrRequestDisplayRefreshRateFB(XrSession handle, float wanted) {
    Session* session = nullptr;
    const char* call = "xrRequestDisplayRefreshRateFB";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    Runtime& all = runtime();
    const auto& rates = all.script.rates;
    if (wanted != 0 && std::none_of(rates.begin(), rates.end(),
                                    [&](double rate) { return static_cast<float>(rate) == wanted; }))
        return misuse(call, XR_ERROR_DISPLAY_REFRESH_RATE_UNSUPPORTED_FB, "that rate is not in the list");
    const double rate = wanted != 0 ? static_cast<double>(wanted) : rates.front();
    note("refresh_rate", {{"rate", rate}});
    if (rate == all.rate) return XR_SUCCESS;
    queue_event(XrEventDataDisplayRefreshRateChangedFB{XR_TYPE_EVENT_DATA_DISPLAY_REFRESH_RATE_CHANGED_FB,
                                                       nullptr, static_cast<float>(all.rate),
                                                       static_cast<float>(rate)});
    all.clock.change_rate(all.frame, rate);
    all.rate = rate;
    return XR_SUCCESS;
}

}  // namespace claybox::xr_runtime
