#include "engine/xr/session/session_parts.hpp"

#include <cstdlib>

namespace claybox::engine {

XrSession::XrSession() : impl_(std::make_unique<Impl>()) {}

XrSession::~XrSession() {
    impl_->close();
}

/// Without a runtime the loader prints ten lines to the error stream unless this variable is set.
void XrSession::silence_loader() {
#if defined(_WIN32)
    if (std::getenv("XR_LOADER_DEBUG") == nullptr) _putenv_s("XR_LOADER_DEBUG", "none");
#else
    setenv("XR_LOADER_DEBUG", "none", 0);
#endif
}

std::unique_ptr<XrSession> XrSession::open(const XrGraphics& graphics, const XrOptions& options,
                                           std::string& error) {
    std::unique_ptr<XrSession> session(new XrSession);
    session->impl_->graphics = graphics;
    session->impl_->options = options;
    if (!session->impl_->open(error)) return nullptr;
    return session;
}

XrPhase XrSession::poll() {
    Impl& s = *impl_;
    if (s.session) {
        const GlGuard guard(s.graphics);
        s.handle_events();
    }
    if (s.watch.lost() && s.session) {
        s.states.end(XrPhase::lost);
        s.sentence_outdated = true;
    }
    if (s.sentence_outdated) s.write_sentence();
    const XrPhase phase = s.states.phase();
    if (phase == XrPhase::ended || phase == XrPhase::lost) s.close();
    return phase;
}

bool XrSession::begin_frame(XrFrame& frame) {
    Impl& s = *impl_;
    if (!s.states.running() || s.watch.lost()) return false;
    const GlGuard guard(s.graphics);
    if (s.frame_open) s.end(false);
    if (s.spaces.seated() != s.options.seated)
        s.spaces.use(s.runtime, s.session.get(), s.options.seated, s.watch);
    if (!s.wait_and_begin()) return false;
    s.fill(frame);
    guard.reclaim();
    if (s.drawing)
        for (const EyeTarget& eye : s.eyes) eye.attach_acquired();
    s.frame_open = !s.watch.lost();
    return s.frame_open;
}

void XrSession::end_frame() {
    Impl& s = *impl_;
    if (!s.frame_open) return;
    const GlGuard guard(s.graphics);
    s.end(s.drawing);
}

void XrSession::request_exit() {
    Impl& s = *impl_;
    s.exit_requested = true;
    if (!s.session || s.watch.lost()) return;
    const GlGuard guard(s.graphics);
    // A session that is not running cannot be stopped, and the runtime would not respond.
    const bool asked =
        s.states.running() && s.watch.ok(xrRequestExitSession(s.session.get()), "xrRequestExitSession");
    if (!asked && !s.watch.lost()) s.states.end(XrPhase::ended);
    s.sentence_outdated = true;
}

void XrSession::set_seated(bool seated) {
    impl_->options.seated = seated;
}

void XrSession::buzz(int side, double seconds, float amplitude) {
    Impl& s = *impl_;
    if (side < 0 || side > 1 || !s.states.focused() || s.watch.lost()) return;
    s.actions.buzz(s.session.get(), static_cast<std::size_t>(side), seconds, amplitude, s.watch);
}

const std::string& XrSession::sentence() const {
    return impl_->sentence;
}

bool XrSession::has_hand_tracking() const {
    return impl_->hands.available();
}

bool XrSession::has_floor() const {
    return impl_->spaces.has_floor();
}

}  // namespace claybox::engine
