#pragma once
// The window's OpenGL context as a runtime must know it. No header of X11, Windows or OpenXR comes with this.

#include <string>

struct GLFWwindow;

namespace claybox::engine {

/// Lives no longer than the window. On X11: Display, GLXFBConfig, GLXContext, GLXDrawable and the visual's
/// number; on Windows `display` is the HDC and `context` the HGLRC.
struct XrGraphics {
    GLFWwindow* window = nullptr;
    void *display = nullptr, *config = nullptr, *context = nullptr;
    unsigned long drawable = 0, visual = 0;
    std::string error;  ///< why no runtime can draw with it, one sentence; empty when one can
};

/// Main thread. The window's context is current afterwards.
XrGraphics graphics_of(GLFWwindow* window);

}  // namespace claybox::engine
