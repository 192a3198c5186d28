#pragma once
// The window's OpenGL context in the form that a runtime needs. Includes no header of X11, Windows or OpenXR.

#include <string>

struct GLFWwindow;

namespace claybox::engine {

/// Valid while the window lives. X11: Display, GLXFBConfig, GLXContext, GLXDrawable and the visual's number.
/// Windows: `display` is the HDC, `context` the HGLRC.
struct XrGraphics {
    GLFWwindow* window = nullptr;
    void *display = nullptr, *config = nullptr, *context = nullptr;
    unsigned long drawable = 0, visual = 0;
    std::string error;  ///< one sentence: why no runtime can use the context; empty when usable
};

/// Main thread. Makes the window's context current.
XrGraphics graphics_of(GLFWwindow* window);

}  // namespace claybox::engine
