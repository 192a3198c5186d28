// The window system's headers come first: they determine what OpenXR's platform header declares.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#if defined(_WIN32)
#define XR_USE_PLATFORM_WIN32
#include <unknwn.h>
#include <windows.h>
#else
#define XR_USE_PLATFORM_XLIB
#include <GL/glx.h>
#endif

#include "engine/xr/graphics/graphics_binding.hpp"

#if defined(_WIN32)
// Laptops with two graphics chips run a program on the slow one unless it exports these symbols.
extern "C" {
__declspec(dllexport) unsigned long NvOptimusEnablement = 1;
__declspec(dllexport) int AmdPowerXpressRequestHighPerformance = 1;
}
#endif

namespace claybox::engine {

#if defined(_WIN32)

XrGraphics graphics_of(GLFWwindow* window) {
    glfwMakeContextCurrent(window);
    XrGraphics graphics;
    graphics.window = window;
    graphics.display = wglGetCurrentDC();
    graphics.context = wglGetCurrentContext();
    if (graphics.context == nullptr) graphics.error = "the window has no WGL context, which a headset needs";
    return graphics;
}

XrResult create_session(XrInstance instance, XrSystemId system, const XrGraphics& graphics,
                        ::XrSession* session) {
    auto binding = typed<XrGraphicsBindingOpenGLWin32KHR>(XR_TYPE_GRAPHICS_BINDING_OPENGL_WIN32_KHR);
    binding.hDC = static_cast<HDC>(graphics.display);
    binding.hGLRC = static_cast<HGLRC>(graphics.context);
    auto info = typed<XrSessionCreateInfo>(XR_TYPE_SESSION_CREATE_INFO);
    info.next = &binding;
    info.systemId = system;
    return xrCreateSession(instance, &info, session);
}

bool is_current(const XrGraphics& graphics) {
    return wglGetCurrentContext() == graphics.context && wglGetCurrentDC() == graphics.display;
}

#else

namespace {

/// Finds the configuration of a context by its number; GLX offers no other way.
void find_config(Display* display, GLXContext context, XrGraphics& graphics) {
    int number = 0, screen = 0, count = 0;
    if (glXQueryContext(display, context, GLX_FBCONFIG_ID, &number) != 0) return;
    if (glXQueryContext(display, context, GLX_SCREEN, &screen) != 0) return;
    const int wanted[] = {GLX_FBCONFIG_ID, number, 0};
    GLXFBConfig* configs = glXChooseFBConfig(display, screen, wanted, &count);
    if (configs == nullptr) return;
    if (count > 0) graphics.config = configs[0];
    XFree(configs);
    if (graphics.config == nullptr) return;
    XVisualInfo* visual = glXGetVisualFromFBConfig(display, static_cast<GLXFBConfig>(graphics.config));
    if (visual == nullptr) return;
    graphics.visual = visual->visualid;
    XFree(visual);
}

}  // namespace

XrGraphics graphics_of(GLFWwindow* window) {
    glfwMakeContextCurrent(window);
    XrGraphics graphics;
    graphics.window = window;
    // Queries GLX, not GLFW: a GLFW built for Wayland lacks the native-access functions.
    Display* display = glXGetCurrentDisplay();
    const GLXContext context = glXGetCurrentContext();
    if (display == nullptr || context == nullptr) {
        graphics.error =
            "the window does not draw through X11 and GLX, which OpenXR needs here: start claybox with the "
            "X11 version of GLFW (package libglfw3), which also works under Wayland";
        return graphics;
    }
    graphics.display = display;
    graphics.context = context;
    graphics.drawable = glXGetCurrentDrawable();
    find_config(display, context, graphics);
    if (graphics.config == nullptr || graphics.visual == 0)
        graphics.error =
            "GLX does not report the configuration of the window's OpenGL context, which a headset needs: "
            "update the graphics driver";
    return graphics;
}

XrResult create_session(XrInstance instance, XrSystemId system, const XrGraphics& graphics,
                        ::XrSession* session) {
    auto binding = typed<XrGraphicsBindingOpenGLXlibKHR>(XR_TYPE_GRAPHICS_BINDING_OPENGL_XLIB_KHR);
    binding.xDisplay = static_cast<Display*>(graphics.display);
    binding.visualid = static_cast<std::uint32_t>(graphics.visual);
    binding.glxFBConfig = static_cast<GLXFBConfig>(graphics.config);
    binding.glxDrawable = graphics.drawable;
    binding.glxContext = static_cast<GLXContext>(graphics.context);
    auto info = typed<XrSessionCreateInfo>(XR_TYPE_SESSION_CREATE_INFO);
    info.next = &binding;
    info.systemId = system;
    return xrCreateSession(instance, &info, session);
}

bool is_current(const XrGraphics& graphics) {
    return glXGetCurrentContext() == graphics.context && glXGetCurrentDrawable() == graphics.drawable;
}

#endif

void make_current(const XrGraphics& graphics) {
    glfwMakeContextCurrent(graphics.window);
}

}  // namespace claybox::engine
