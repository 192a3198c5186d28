// From the loader to a session that waits for its first state, and back.

#include "engine/xr/refresh_rate.hpp"
#include "engine/xr/session_parts.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::engine {

namespace {

constexpr XrViewConfigurationType kStereo = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;

std::string version_text(XrVersion version) {
    return std::to_string(XR_VERSION_MAJOR(version)) + "." + std::to_string(XR_VERSION_MINOR(version));
}

/// Of a recommended size, within what the view, the system and OpenGL can do; even, as codecs like it.
std::uint32_t pixels(std::uint32_t recommended, float share, std::uint32_t view_most,
                     std::uint32_t system_most) {
    GLint gl_most = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &gl_most);
    const auto none_is_any = [](std::uint32_t most) { return most > 0 ? most : 16384u; };
    const std::uint32_t most = std::min({none_is_any(view_most), none_is_any(system_most),
                                         none_is_any(static_cast<std::uint32_t>(std::max(gl_most, 0)))});
    const double wanted = std::round(static_cast<double>(recommended) * static_cast<double>(share) / 2) * 2;
    return std::clamp(static_cast<std::uint32_t>(std::max(wanted, 2.0)), 1u, most);
}

std::vector<std::int64_t> offered_formats(::XrSession session, CallWatch& watch) {
    std::uint32_t count = 0;
    if (!watch.ok(xrEnumerateSwapchainFormats(session, 0, &count, nullptr), "xrEnumerateSwapchainFormats"))
        return {};
    std::vector<std::int64_t> formats(count);
    if (count == 0 || !watch.ok(xrEnumerateSwapchainFormats(session, count, &count, formats.data()),
                                "xrEnumerateSwapchainFormats"))
        return {};
    return formats;
}

}  // namespace

bool XrSession::Impl::open(std::string& error) {
    error = graphics.error;
    if (!error.empty()) return false;
    const GlGuard guard(graphics);
    const bool ready = instance.open(error) && instance.find_headset(error) && check_opengl(error) &&
                       make_session(error) && make_eyes(guard, error);
    if (!ready) {
        close();
        return false;
    }
    runtime_name = instance.runtime_name();
    request_rate(instance, session.get(), watch);
    actions.create(instance, session.get(), watch);
    hands.create(instance, session.get(), watch);
    choose_blend();
    if (!watch.lost()) return true;
    error = instance.runtime_name() + " was lost while the session was made (" + watch.reason() + ")";
    close();
    return false;
}

/// Runtimes refuse a session whose program has not asked for their requirements.
bool XrSession::Impl::check_opengl(std::string& error) {
    PFN_xrGetOpenGLGraphicsRequirementsKHR ask = nullptr;
    auto needs = typed<XrGraphicsRequirementsOpenGLKHR>(XR_TYPE_GRAPHICS_REQUIREMENTS_OPENGL_KHR);
    const XrResult asked = instance.load("xrGetOpenGLGraphicsRequirementsKHR", ask)
                               ? ask(instance.handle(), instance.system(), &needs)
                               : XR_ERROR_FUNCTION_UNSUPPORTED;
    if (!watch.ok(asked, "xrGetOpenGLGraphicsRequirementsKHR")) {
        error = instance.runtime_name() + " does not say which OpenGL it needs" +
                result_note("xrGetOpenGLGraphicsRequirementsKHR", asked);
        return false;
    }
    GLint major = 0, minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    const XrVersion ours = XR_MAKE_VERSION(major, minor, 0);
    if (ours >= (needs.minApiVersionSupported & ~XrVersion{0xffffffff})) return true;
    error = instance.runtime_name() + " needs OpenGL " + version_text(needs.minApiVersionSupported) +
            ", and this window has " + version_text(ours) + ": update the graphics driver";
    return false;
}

bool XrSession::Impl::make_session(std::string& error) {
    const XrResult made = create_session(instance.handle(), instance.system(), graphics, session.fresh());
    if (!watch.made(made, session, "xrCreateSession")) {
        error = instance.runtime_name() + " makes no session for this window's OpenGL" +
                result_note("xrCreateSession", made) + ": headset and window must use the same graphics card";
        return false;
    }
    if (spaces.create(instance, session.get(), options.seated, watch)) return true;
    error = instance.runtime_name() + " offers no space to place things in" +
            (watch.lost() ? " (" + watch.reason() + ")" : std::string());
    return false;
}

bool XrSession::Impl::choose_sizes(std::array<EyeTarget::Request, 2>& requests, std::string& error) {
    std::array<XrViewConfigurationView, 2> sizes;
    sizes.fill(typed<XrViewConfigurationView>(XR_TYPE_VIEW_CONFIGURATION_VIEW));
    std::uint32_t count = 0;
    const XrResult asked = xrEnumerateViewConfigurationViews(instance.handle(), instance.system(), kStereo, 2,
                                                             &count, sizes.data());
    if (!watch.ok(asked, "xrEnumerateViewConfigurationViews") || count != 2) {
        error = instance.runtime_name() + " has no picture for each of two eyes" +
                result_note("xrEnumerateViewConfigurationViews", asked);
        return false;
    }
    const float share = std::isfinite(options.resolution) ? std::clamp(options.resolution, 0.25f, 2.0f) : 1;
    for (std::size_t eye = 0; eye < 2; ++eye) {
        requests[eye].session = session.get();
        requests[eye].width = pixels(sizes[eye].recommendedImageRectWidth, share,
                                     sizes[eye].maxImageRectWidth, instance.most_width());
        requests[eye].height = pixels(sizes[eye].recommendedImageRectHeight, share,
                                      sizes[eye].maxImageRectHeight, instance.most_height());
    }
    return true;
}

bool XrSession::Impl::make_eyes(const GlGuard& guard, std::string& error) {
    guard.take_back();
    std::array<EyeTarget::Request, 2> requests;
    if (!choose_sizes(requests, error)) return false;
    ChainFormats formats = choose_formats(offered_formats(session.get(), watch));
    guard.take_back();
    if (formats.colour == 0) {
        error = instance.runtime_name() +
                " offers no image format that can be drawn into (sRGB8_A8, RGBA16F or RGBA8)";
        return false;
    }
    if (!instance.has(Extension::depth_layer)) formats.depth = 0;
    if (needs_linear(formats.colour) && !linear_copy.create(error)) return false;
    for (std::size_t eye = 0; eye < 2; ++eye) {
        requests[eye].formats = formats;
        if (!eyes[eye].create(requests[eye], guard, watch, error)) return false;
    }
    return true;
}

/// Nearly all offer the opaque one; glasses that one sees through do not.
void XrSession::Impl::choose_blend() {
    std::array<XrEnvironmentBlendMode, 8> modes{};
    std::uint32_t count = 0;
    const XrResult asked =
        xrEnumerateEnvironmentBlendModes(instance.handle(), instance.system(), kStereo,
                                         static_cast<std::uint32_t>(modes.size()), &count, modes.data());
    if (!watch.ok(asked, "xrEnumerateEnvironmentBlendModes") || count == 0) return;
    const auto end = modes.begin() + std::min<std::ptrdiff_t>(count, std::ssize(modes));
    blend = std::find(modes.begin(), end, XR_ENVIRONMENT_BLEND_MODE_OPAQUE) != end
                ? XR_ENVIRONMENT_BLEND_MODE_OPAQUE
                : modes[0];
}

void XrSession::Impl::close() {
    if (instance.handle() == XR_NULL_HANDLE) return;
    const GlGuard guard(graphics);
    frame_open = drawing = false;
    hands.close();
    actions.close();
    for (EyeTarget& eye : eyes) eye.close(guard);
    guard.take_back();
    linear_copy = {};
    spaces.close();
    session.reset();
    instance.close();
}

}  // namespace claybox::engine
