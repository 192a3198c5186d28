#pragma once
// The client's OpenGL context: made current for the runtime's calls, then restored.

#include "tests/xr_runtime/platform.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace claybox::xr_runtime {

/// Either `glx` or `egl` is set.
struct GraphicsBinding {
    Display* display = nullptr;
    GLXDrawable drawable = 0;
    GLXContext glx = nullptr;
    EGLDisplay egl_display = EGL_NO_DISPLAY;
    EGLContext egl = EGL_NO_CONTEXT;
};

/// Reads the `next` chain of XrSessionCreateInfo; false without a binding or with empty fields.
bool read_binding(const void* next, GraphicsBinding& binding);

/// Makes the binding's context current during its lifetime. With `steals_context` in the script no context is
/// current afterwards, as with runtimes that do not restore the client's context.
class CurrentContext {
  public:
    explicit CurrentContext(const GraphicsBinding& binding);
    CurrentContext(const CurrentContext&) = delete;
    CurrentContext& operator=(const CurrentContext&) = delete;
    ~CurrentContext();
    bool good() const { return good_; }

  private:
    GraphicsBinding before_;
    GLXDrawable before_read_ = 0;
    EGLSurface before_draw_surface_ = EGL_NO_SURFACE, before_read_surface_ = EGL_NO_SURFACE;
    bool good_ = false;
};

/// Requires a current context; keeps the caller's bindings.
std::vector<unsigned> make_textures(std::size_t count, std::int64_t format, int levels, int width,
                                    int height);
void delete_textures(const std::vector<unsigned>& textures);

struct Rect {
    int x = 0, y = 0, width = 0, height = 0;
};
/// Writes a texture's stored bytes as PNG, top row first (sRGB stays sRGB, floats are clamped).
bool write_picture(const std::string& path, unsigned texture, const Rect& rect);

}  // namespace claybox::xr_runtime
