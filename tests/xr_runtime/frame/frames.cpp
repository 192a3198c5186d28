// The frame loop and the views: call order, and validity of submitted layers.

#include "tests/xr_runtime/frame/frames.hpp"

#include "tests/xr_runtime/functions.hpp"

#include <algorithm>
#include <thread>

namespace claybox::xr_runtime {

namespace {

/// Advances the display by one period, or by more during a scripted stall.
void next_frame(Session& session) {
    Runtime& all = runtime();
    const std::int64_t before = all.frame;
    ++all.frame;
    int milliseconds = 0;
    for (Fault& fault : all.script.faults) {
        if (fault.kind != FaultKind::stall || fault.calls <= 0 || fault.frame > all.frame) continue;
        --fault.calls;
        all.frame += fault.periods;
        milliseconds += fault.milliseconds;
        note("fault", {{"call", "xrWaitFrame"}, {"missed", fault.periods}});
    }
    if (milliseconds > 0) std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    run_script_events(session, before);
}

void sleep_until_next_frame() {
    Runtime& all = runtime();
    if (!all.script.real_time) return;
    const auto now = std::chrono::steady_clock::now();
    all.next_frame = std::max(all.next_frame + std::chrono::nanoseconds(all.clock.period()), now);
    std::this_thread::sleep_until(all.next_frame);
}

XrResult check_stereo(const char* call, XrViewConfigurationType type) {
    if (type == XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO) return XR_SUCCESS;
    return misuse(call, XR_ERROR_VIEW_CONFIGURATION_TYPE_UNSUPPORTED, "only stereo is supported");
}

XrResult check_headset(const char* call, XrInstance handle, XrSystemId system) {
    Instance* instance = nullptr;
    if (const XrResult result = enter(call, handle, instance); result != XR_SUCCESS) return result;
    if (system == 1) return XR_SUCCESS;
    return misuse(call, XR_ERROR_SYSTEM_INVALID, "not the system of xrGetSystem");
}

XrResult check_end(const Session& session, const XrFrameEndInfo* info) {
    const char* call = "xrEndFrame";
    if (!is_type(info, XR_TYPE_FRAME_END_INFO))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the end info is wrong");
    if (!session.running) return misuse(call, XR_ERROR_SESSION_NOT_RUNNING, "the session is not running");
    if (!session.begun) return misuse(call, XR_ERROR_CALL_ORDER_INVALID, "end without begin");
    if (info->displayTime <= 0)
        return misuse(call, XR_ERROR_TIME_INVALID, "the display time is not positive");
    if (info->environmentBlendMode != XR_ENVIRONMENT_BLEND_MODE_OPAQUE)
        return misuse(call, XR_ERROR_ENVIRONMENT_BLEND_MODE_UNSUPPORTED, "only opaque is supported");
    if (info->layerCount > 16) return misuse(call, XR_ERROR_LAYER_LIMIT_EXCEEDED, "more than 16 layers");
    if (info->layerCount > 0 && info->layers == nullptr)
        return misuse(call, XR_ERROR_LAYER_INVALID, "the layer count is not 0, but the list is null");
    return XR_SUCCESS;
}

}  // namespace

XrResult xrWaitFrame(XrSession handle, const XrFrameWaitInfo*, XrFrameState* state) {
    const char* call = "xrWaitFrame";
    Session* session = find<Session>(handle);
    // First, because faults of the coming frame already apply.
    const bool goes_on = session != nullptr && session->running && !session->waited && !session->lost;
    if (goes_on && !runtime().instance->lost) next_frame(*session);
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    if (!is_type(state, XR_TYPE_FRAME_STATE))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the frame state is wrong");
    if (!session->running) return misuse(call, XR_ERROR_SESSION_NOT_RUNNING, "the session is not running");
    // A single-threaded client would wait forever for the previous frame to begin.
    if (session->waited) return misuse(call, XR_ERROR_CALL_ORDER_INVALID, "waited twice without begin");
    sleep_until_next_frame();
    session->waited = true;
    state->predictedDisplayTime = runtime().now();
    state->predictedDisplayPeriod = runtime().clock.period();
    state->shouldRender = session->seen() && !runtime().script.unseen ? XR_TRUE : XR_FALSE;
    return XR_SUCCESS;
}

XrResult xrBeginFrame(XrSession handle, const XrFrameBeginInfo*) {
    Session* session = nullptr;
    const char* call = "xrBeginFrame";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    if (!session->running) return misuse(call, XR_ERROR_SESSION_NOT_RUNNING, "the session is not running");
    if (!session->waited) return misuse(call, XR_ERROR_CALL_ORDER_INVALID, "begin without wait");
    session->waited = false;
    const bool discarded = session->begun;
    session->begun = true;
    return discarded ? misuse(call, XR_FRAME_DISCARDED, "the previous frame was not ended") : XR_SUCCESS;
}

XrResult xrEndFrame(XrSession handle, const XrFrameEndInfo* info) {
    Session* session = nullptr;
    if (const XrResult result = enter("xrEndFrame", handle, session); result != XR_SUCCESS) return result;
    if (const XrResult result = check_end(*session, info); result != XR_SUCCESS) return result;
    Json layers = Json::array();
    for (std::uint32_t i = 0; i < info->layerCount; ++i) {
        Json layer;
        if (const XrResult result = check_layer(info->layers[i], layer); result != XR_SUCCESS) return result;
        layers.push_back(std::move(layer));
    }
    note("end_frame", {{"display_time", info->displayTime}, {"layers", layers}});
    if (info->displayTime != runtime().now())
        note("remark", {{"call", "xrEndFrame"}, {"why", "the display time is not that of xrWaitFrame"}});
    const CurrentContext current(session->graphics);
    if (current.good()) write_pictures(*info);
    session->begun = false;
    if (session->frames_ended++ == 0) move_to_state(*session, session->goal);
    return XR_SUCCESS;
}

XrResult xrLocateViews(XrSession handle, const XrViewLocateInfo* info, XrViewState* state,
                       std::uint32_t capacity, std::uint32_t* count, XrView* views) {
    Session* session = nullptr;
    const char* call = "xrLocateViews";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    if (!is_type(info, XR_TYPE_VIEW_LOCATE_INFO) || !is_type(state, XR_TYPE_VIEW_STATE))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "a type is wrong");
    if (const XrResult result = check_stereo(call, info->viewConfigurationType); result != XR_SUCCESS)
        return result;
    if (info->displayTime <= 0)
        return misuse(call, XR_ERROR_TIME_INVALID, "the display time is not positive");
    const Space* space = find<Space>(info->space);
    if (space == nullptr) return misuse(call, XR_ERROR_HANDLE_INVALID, "the space is gone");
    const double frame = runtime().clock.frame_of(info->displayTime);
    const HeadKey head = runtime().script.head_at(frame);
    const ViewKey view = runtime().script.view_at(frame);
    const Located base = locate(*space, info->displayTime);
    state->viewStateFlags = base.flags == 0 ? 0 : head.flags & kTracked;
    return copy_list(call, 2, capacity, count, views, [&](XrView& eye, std::size_t i) {
        const Pose head_from_eye{{(i == 0 ? -0.5 : 0.5) * view.ipd, 0, 0}, {1, 0, 0, 0}};
        eye.pose = to_xr(base_from(base, head.pose * head_from_eye));
        eye.fov = view.fov[i];
    });
}

XrResult xrEnumerateViewConfigurations(XrInstance handle, XrSystemId system, std::uint32_t capacity,
                                       std::uint32_t* count, XrViewConfigurationType* list) {
    const char* call = "xrEnumerateViewConfigurations";
    if (const XrResult result = check_headset(call, handle, system); result != XR_SUCCESS) return result;
    return copy_list(call, 1, capacity, count, list, [](XrViewConfigurationType& type, std::size_t) {
        type = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
    });
}

XrResult xrGetViewConfigurationProperties(XrInstance handle, XrSystemId system, XrViewConfigurationType type,
                                          XrViewConfigurationProperties* properties) {
    const char* call = "xrGetViewConfigurationProperties";
    if (const XrResult result = check_headset(call, handle, system); result != XR_SUCCESS) return result;
    if (const XrResult result = check_stereo(call, type); result != XR_SUCCESS) return result;
    properties->viewConfigurationType = type;
    properties->fovMutable = XR_TRUE;
    return XR_SUCCESS;
}

XrResult xrEnumerateViewConfigurationViews(XrInstance handle, XrSystemId system, XrViewConfigurationType type,
                                           std::uint32_t capacity, std::uint32_t* count,
                                           XrViewConfigurationView* list) {
    const char* call = "xrEnumerateViewConfigurationViews";
    if (const XrResult result = check_headset(call, handle, system); result != XR_SUCCESS) return result;
    if (const XrResult result = check_stereo(call, type); result != XR_SUCCESS) return result;
    const Script& script = runtime().script;
    return copy_list(call, 2, capacity, count, list, [&](XrViewConfigurationView& view, std::size_t) {
        view.recommendedImageRectWidth = script.width;
        view.recommendedImageRectHeight = script.height;
        view.maxImageRectWidth = view.maxImageRectHeight = 4096;
        view.recommendedSwapchainSampleCount = view.maxSwapchainSampleCount = 1;
    });
}

XrResult xrEnumerateEnvironmentBlendModes(XrInstance handle, XrSystemId system, XrViewConfigurationType type,
                                          std::uint32_t capacity, std::uint32_t* count,
                                          XrEnvironmentBlendMode* list) {
    const char* call = "xrEnumerateEnvironmentBlendModes";
    if (const XrResult result = check_headset(call, handle, system); result != XR_SUCCESS) return result;
    if (const XrResult result = check_stereo(call, type); result != XR_SUCCESS) return result;
    return copy_list(call, 1, capacity, count, list, [](XrEnvironmentBlendMode& mode, std::size_t) {
        mode = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;
    });
}

}  // namespace claybox::xr_runtime
