// Opens a session, from the loader to the wait for its first state; and closes it.

#include "engine/xr/graphics/refresh_rate.hpp"
#include "engine/xr/session/session_parts.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::engine {

namespace {

constexpr XrViewConfigurationType kStereo = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;

std::string version_text(XrVersion version) {
    return std::to_string(XR_VERSION_MAJOR(version)) + "." + std::to_string(XR_VERSION_MINOR(version));
}

/// A share of the recommended size, limited by view, system and OpenGL; even, as video codecs prefer.
std::uint32_t pixels(std::uint32_t recommended, float share, std::uint32_t view_max,
                     std::uint32_t system_max) {
    GLint gl_max = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &gl_max);
    const auto zero_is_unlimited = [](std::uint32_t limit) { return limit > 0 ? limit : 16384u; };
    const std::uint32_t limit =
        std::min({zero_is_unlimited(view_max), zero_is_unlimited(system_max),
                  zero_is_unlimited(static_cast<std::uint32_t>(std::max(gl_max, 0)))});
    const double wanted = std::round(static_cast<double>(recommended) * static_cast<double>(share) / 2) * 2;
    return std::clamp(static_cast<std::uint32_t>(std::max(wanted, 2.0)), 1u, limit);
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
    const bool ready = runtime.open(error) && runtime.find_headset(error) && check_opengl(error) &&
                       make_session(error) && make_eyes(guard, error);
    if (!ready) {
        close();
        return false;
    }
    runtime_name = runtime.name();
    request_rate(runtime, session.get(), watch);
    actions.create(runtime, session.get(), watch);
    hands.create(runtime, session.get(), watch);
    choose_blend();
    if (!watch.lost()) return true;
    error = runtime.name() + " was lost while the session was being created (" + watch.reason() + ")";
    close();
    return false;
}

/// Runtimes refuse a session if the program has not queried their requirements.
bool XrSession::Impl::check_opengl(std::string& error) {
    PFN_xrGetOpenGLGraphicsRequirementsKHR ask = nullptr;
    auto needs = typed<XrGraphicsRequirementsOpenGLKHR>(XR_TYPE_GRAPHICS_REQUIREMENTS_OPENGL_KHR);
    const XrResult result = runtime.load("xrGetOpenGLGraphicsRequirementsKHR", ask)
                                ? ask(runtime.handle(), runtime.system(), &needs)
                                : XR_ERROR_FUNCTION_UNSUPPORTED;
    if (!watch.ok(result, "xrGetOpenGLGraphicsRequirementsKHR")) {
        error = runtime.name() + " does not report which OpenGL version it needs" +
                result_note("xrGetOpenGLGraphicsRequirementsKHR", result);
        return false;
    }
    GLint major = 0, minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    const XrVersion ours = XR_MAKE_VERSION(major, minor, 0);
    if (ours >= (needs.minApiVersionSupported & ~XrVersion{0xffffffff})) return true;
    error = runtime.name() + " needs OpenGL " + version_text(needs.minApiVersionSupported) +
            ", but this window has " + version_text(ours) + ": update the graphics driver";
    return false;
}

bool XrSession::Impl::make_session(std::string& error) {
    const XrResult created = create_session(runtime.handle(), runtime.system(), graphics, session.receive());
    if (!watch.created(created, session, "xrCreateSession")) {
        error = runtime.name() + " cannot create a session for this window's OpenGL" +
                result_note("xrCreateSession", created) +
                ": headset and window must use the same graphics card";
        return false;
    }
    if (spaces.create(runtime, session.get(), options.seated, watch)) return true;
    error = runtime.name() + " offers no reference space" +
            (watch.lost() ? " (" + watch.reason() + ")" : std::string());
    return false;
}

bool XrSession::Impl::choose_sizes(std::array<EyeTarget::Request, 2>& requests, std::string& error) {
    std::array<XrViewConfigurationView, 2> sizes;
    sizes.fill(typed<XrViewConfigurationView>(XR_TYPE_VIEW_CONFIGURATION_VIEW));
    std::uint32_t count = 0;
    const XrResult result = xrEnumerateViewConfigurationViews(runtime.handle(), runtime.system(), kStereo, 2,
                                                              &count, sizes.data());
    if (!watch.ok(result, "xrEnumerateViewConfigurationViews") || count != 2) {
        error = runtime.name() + " offers no stereo view" +
                result_note("xrEnumerateViewConfigurationViews", result);
        return false;
    }
    const float share = std::isfinite(options.resolution) ? std::clamp(options.resolution, 0.25f, 2.0f) : 1;
    for (std::size_t eye = 0; eye < 2; ++eye) {
        requests[eye].session = session.get();
        requests[eye].width = pixels(sizes[eye].recommendedImageRectWidth, share,
                                     sizes[eye].maxImageRectWidth, runtime.max_width());
        requests[eye].height = pixels(sizes[eye].recommendedImageRectHeight, share,
                                      sizes[eye].maxImageRectHeight, runtime.max_height());
    }
    return true;
}

bool XrSession::Impl::make_eyes(const GlGuard& guard, std::string& error) {
    guard.reclaim();
    std::array<EyeTarget::Request, 2> requests;
    if (!choose_sizes(requests, error)) return false;
    ChainFormats formats = choose_formats(offered_formats(session.get(), watch));
    guard.reclaim();
    if (formats.colour == 0) {
        error = runtime.name() +
                " offers no image format that claybox can draw into (sRGB8_A8, RGBA16F or RGBA8)";
        return false;
    }
    if (!runtime.has(XrExtension::depth_layer)) formats.depth = 0;
    if (needs_linear(formats.colour) && !linear_copy.create(error)) return false;
    for (std::size_t eye = 0; eye < 2; ++eye) {
        requests[eye].formats = formats;
        if (!eyes[eye].create(requests[eye], guard, watch, error)) return false;
    }
    return true;
}

/// Prefers the opaque mode. Nearly all runtimes offer it; see-through glasses do not.
void XrSession::Impl::choose_blend() {
    std::array<XrEnvironmentBlendMode, 8> modes{};
    std::uint32_t count = 0;
    const XrResult result =
        xrEnumerateEnvironmentBlendModes(runtime.handle(), runtime.system(), kStereo,
                                         static_cast<std::uint32_t>(modes.size()), &count, modes.data());
    if (!watch.ok(result, "xrEnumerateEnvironmentBlendModes") || count == 0) return;
    const auto end = modes.begin() + std::min<std::ptrdiff_t>(count, std::ssize(modes));
    blend = std::find(modes.begin(), end, XR_ENVIRONMENT_BLEND_MODE_OPAQUE) != end
                ? XR_ENVIRONMENT_BLEND_MODE_OPAQUE
                : modes[0];
}

void XrSession::Impl::close() {
    if (runtime.handle() == XR_NULL_HANDLE) return;
    const GlGuard guard(graphics);
    frame_open = drawing = false;
    hands.close();
    actions.close();
    for (EyeTarget& eye : eyes) eye.close(guard);
    guard.reclaim();
    linear_copy = {};
    spaces.close();
    session.reset();
    runtime.close();
}

}  // namespace claybox::engine
