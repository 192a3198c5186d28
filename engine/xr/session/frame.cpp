// One frame: timing, poses and composition layers.

#include "engine/xr/session/session_parts.hpp"

#include <chrono>
#include <cmath>

namespace claybox::engine {

namespace {

constexpr int kMaxRefusedFrames = 20;  // consecutive frames; then the session counts as lost

/// Adds its lifetime in seconds to `sum`.
class Stopwatch {
  public:
    explicit Stopwatch(double& sum) : sum_(sum) {}
    ~Stopwatch() { sum_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

  private:
    using Clock = std::chrono::steady_clock;
    double& sum_;
    Clock::time_point start_ = Clock::now();
};

bool usable(const XrFovf& fov) {
    constexpr float kMaxAngle = 1.56f;
    for (const float angle : {fov.angleLeft, fov.angleRight, fov.angleUp, fov.angleDown})
        if (!(std::abs(angle) < kMaxAngle)) return false;
    return fov.angleLeft < fov.angleRight && fov.angleDown < fov.angleUp;
}

}  // namespace

bool XrSession::Impl::wait_and_begin() {
    waited = 0;
    const Stopwatch stopwatch(waited);
    const auto wait_info = typed<XrFrameWaitInfo>(XR_TYPE_FRAME_WAIT_INFO);
    frame_state = typed<XrFrameState>(XR_TYPE_FRAME_STATE);
    const XrResult woken = xrWaitFrame(session.get(), &wait_info, &frame_state);
    // The runtime stopped the session before we read the event: no frame now; the event follows.
    if (woken == XR_ERROR_SESSION_NOT_RUNNING) return false;
    if (!watch.ok(woken, "xrWaitFrame")) {
        mark_lost("xrWaitFrame", woken);
        return false;
    }
    const auto begin_info = typed<XrFrameBeginInfo>(XR_TYPE_FRAME_BEGIN_INFO);
    const XrResult begun = xrBeginFrame(session.get(), &begin_info);
    if (watch.ok(begun, "xrBeginFrame")) return true;
    if (begun != XR_ERROR_SESSION_NOT_RUNNING) mark_lost("xrBeginFrame", begun);
    return false;
}

void XrSession::Impl::fill(XrFrame& frame) {
    frame = {};
    const XrTime time = frame_state.predictedDisplayTime;
    frame.focused = states.focused();
    frame.worn = worn;
    frame.display_time = static_cast<double>(time) * 1e-9;
    if (frame_state.predictedDisplayPeriod > 0)
        frame.period = static_cast<double>(frame_state.predictedDisplayPeriod) * 1e-9;
    if (std::abs(1 / frame.period - rate) > 1) {
        rate = 1 / frame.period;
        sentence_outdated = true;
    }
    frame.space_changed = spaces.changed_by(time);
    frame.head = locate(watch, spaces.head(), spaces.base(), time);
    const bool seen = locate_eyes(frame);
    hands.read(spaces.base(), time, watch, frame.hand);
    actions.read(session.get(), spaces.base(), time, watch, frame.controller);
    drawing = frame_state.shouldRender == XR_TRUE && seen && acquire_images(frame);
    frame.should_draw = drawing;
    frame.waited = waited;
}

/// False when the runtime does not know where the eyes are: then nothing can be shown.
bool XrSession::Impl::locate_eyes(XrFrame& frame) {
    auto info = typed<XrViewLocateInfo>(XR_TYPE_VIEW_LOCATE_INFO);
    info.viewConfigurationType = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
    info.displayTime = frame_state.predictedDisplayTime;
    info.space = spaces.base();
    auto state = typed<XrViewState>(XR_TYPE_VIEW_STATE);
    std::array<XrView, 2> located;
    located.fill(typed<XrView>(XR_TYPE_VIEW));
    std::uint32_t count = 0;
    if (!watch.ok(xrLocateViews(session.get(), &info, &state, 2, &count, located.data()), "xrLocateViews"))
        return false;
    bool known = count == 2;
    for (std::size_t i = 0; i < 2; ++i) {
        // Without a position the head keeps its last one and still turns.
        if ((state.viewStateFlags & XR_VIEW_STATE_POSITION_VALID_BIT) == 0)
            located[i].pose.position = views[i].pose.position;
        views[i] = located[i];
        // Views and space locations use the same two flag bits.
        const XrSpaceLocationFlags flags = state.viewStateFlags | XR_SPACE_LOCATION_POSITION_VALID_BIT;
        XrEye& eye = frame.eye[i];
        eye.pose = pose_of(located[i].pose, flags);
        const XrFovf& fov = located[i].fov;
        eye.left = fov.angleLeft;
        eye.right = fov.angleRight;
        eye.up = fov.angleUp;
        eye.down = fov.angleDown;
        eye.width = eyes[i].width();
        eye.height = eyes[i].height();
        known = known && eye.pose.valid && usable(fov);
    }
    return known;
}

bool XrSession::Impl::acquire_images(XrFrame& frame) {
    const Stopwatch stopwatch(waited);  // images may still be on display
    bool acquired = true;
    for (EyeTarget& eye : eyes) acquired = eye.acquire(watch) && acquired;
    if (!acquired) release_images(false);
    for (std::size_t i = 0; acquired && i < 2; ++i) {
        frame.eye[i].framebuffer = eyes[i].framebuffer();
        frame.eye[i].depth_format = eyes[i].depth_format();
    }
    return acquired;
}

bool XrSession::Impl::release_images(bool drawn) {
    bool released = true;
    for (EyeTarget& eye : eyes) released = eye.release(drawn, watch, linear_copy) && released;
    return released;
}

void XrSession::Impl::end(bool drawn) {
    frame_open = false;
    if (watch.lost()) return;
    const bool acquired = drawing;
    drawing = false;
    const bool released = acquired && release_images(drawn);
    std::array<XrCompositionLayerDepthInfoKHR, 2> depths;
    std::array<XrCompositionLayerProjectionView, 2> pictures;
    for (std::size_t i = 0; i < 2; ++i) describe(i, pictures[i], depths[i]);
    auto layer = typed<XrCompositionLayerProjection>(XR_TYPE_COMPOSITION_LAYER_PROJECTION);
    layer.space = spaces.base();
    layer.viewCount = 2;
    layer.views = pictures.data();
    const auto* base = reinterpret_cast<const XrCompositionLayerBaseHeader*>(&layer);
    auto info = typed<XrFrameEndInfo>(XR_TYPE_FRAME_END_INFO);
    info.displayTime = frame_state.predictedDisplayTime;
    info.environmentBlendMode = blend;
    info.layerCount = released && drawn ? 1 : 0;
    info.layers = info.layerCount > 0 ? &base : nullptr;
    const XrResult ended = xrEndFrame(session.get(), &info);
    const bool shown = watch.ok(ended, "xrEndFrame") && released == acquired;
    refused_frames = shown ? 0 : refused_frames + 1;
    if (refused_frames >= kMaxRefusedFrames)
        mark_lost(released == acquired ? "xrEndFrame" : "xrReleaseSwapchainImage", ended);
}

/// Describes one eye's picture, and its depth if the runtime accepts depth.
void XrSession::Impl::describe(std::size_t i, XrCompositionLayerProjectionView& picture,
                               XrCompositionLayerDepthInfoKHR& depth) const {
    picture = typed<XrCompositionLayerProjectionView>(XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW);
    picture.pose = views[i].pose;
    picture.fov = views[i].fov;
    picture.subImage = eyes[i].colour_image();
    if (!eyes[i].has_depth_chain()) return;
    depth = typed<XrCompositionLayerDepthInfoKHR>(XR_TYPE_COMPOSITION_LAYER_DEPTH_INFO_KHR);
    depth.subImage = eyes[i].depth_image();
    depth.minDepth = 0;
    depth.maxDepth = 1;
    depth.nearZ = options.near_plane;
    depth.farZ = options.far_plane;
    picture.next = &depth;
}

}  // namespace claybox::engine
