#include "engine/platform/gl_context.hpp"

#include "engine/gl/desktop/load.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <cstring>

namespace claybox::engine {

namespace {

class EglContext final : public OffscreenContext {
  public:
    EglContext(EGLDisplay display, EGLContext context) : display_(display), context_(context) {}
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;
    ~EglContext() override {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, context_);
        eglTerminate(display_);
        eglReleaseThread();
    }

  private:
    EGLDisplay display_;
    EGLContext context_;
};

bool has_extension(const char* list, const char* name) {
    const std::size_t length = std::strlen(name);
    for (const char* at = list; at != nullptr && (at = std::strstr(at, name)) != nullptr; at += length) {
        const bool starts = at == list || at[-1] == ' ';
        if (starts && (at[length] == ' ' || at[length] == '\0')) return true;
    }
    return false;
}

EGLDisplay initialized(EGLDisplay display) {
    if (display == EGL_NO_DISPLAY) return EGL_NO_DISPLAY;
    return eglInitialize(display, nullptr, nullptr) == EGL_TRUE ? display : EGL_NO_DISPLAY;
}

EGLDisplay device_display(PFNEGLGETPLATFORMDISPLAYEXTPROC get_display) {
    const auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (query == nullptr || query(16, devices, &count) != EGL_TRUE) return EGL_NO_DISPLAY;
    for (EGLint i = 0; i < count; ++i) {
        const EGLDisplay display = initialized(get_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
        if (display != EGL_NO_DISPLAY) return display;
    }
    return EGL_NO_DISPLAY;
}

/// Tries Mesa's surfaceless platform first, because it behaves the same everywhere; then the first device
/// that works.
EGLDisplay open_display() {
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const auto get_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (get_display == nullptr) return EGL_NO_DISPLAY;
    if (has_extension(extensions, "EGL_MESA_platform_surfaceless")) {
        const EGLDisplay display =
            initialized(get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
        if (display != EGL_NO_DISPLAY) return display;
    }
    if (has_extension(extensions, "EGL_EXT_platform_device")) return device_display(get_display);
    return EGL_NO_DISPLAY;
}

EGLContext make_context(EGLDisplay display) {
    if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return EGL_NO_CONTEXT;
    const EGLint config_attributes[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                        EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    // Without a surface any configuration works, even none.
    if (eglChooseConfig(display, config_attributes, &config, 1, &count) != EGL_TRUE || count == 0)
        config = EGL_NO_CONFIG_KHR;
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 3,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 3,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE};
    return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
}

}  // namespace

std::unique_ptr<OffscreenContext> OffscreenContext::create(std::string& error) {
    const EGLDisplay display = open_display();
    if (display == EGL_NO_DISPLAY) {
        error =
            "EGL cannot draw without a display here: install a graphics driver or the software one "
            "('apt-get install libegl1 libgl1-mesa-dri')";
        return nullptr;
    }
    const EGLContext context = make_context(display);
    if (context == EGL_NO_CONTEXT) {
        eglTerminate(display);
        error =
            "EGL works but offers no OpenGL 3.3 core context: update the graphics driver, or use the "
            "software one ('apt-get install libgl1-mesa-dri', LIBGL_ALWAYS_SOFTWARE=1)";
        return nullptr;
    }
    auto owner = std::make_unique<EglContext>(display, context);
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE) {
        error = "the OpenGL context without a display could not be made current";
        return nullptr;
    }
    if (!load_opengl(eglGetProcAddress, error)) return nullptr;
    return owner;
}

}  // namespace claybox::engine
