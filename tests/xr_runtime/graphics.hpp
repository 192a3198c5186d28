#pragma once
// The client's OpenGL context: made current for the runtime's few calls and given back as it was.

#include "tests/xr_runtime/platform.hpp"

#include <string>
#include <vector>

namespace claybox::xr_runtime {

/// One of the two is set.
struct GraphicsBinding {
    Display* display = nullptr;
    GLXDrawable drawable = 0;
    GLXContext glx = nullptr;
    EGLDisplay egl_display = EGL_NO_DISPLAY;
    EGLContext egl = EGL_NO_CONTEXT;
};

/// From the `next` chain of XrSessionCreateInfo; false without a binding, or with one that names nothing.
bool read_binding(const void* next, GraphicsBinding& binding);

/// The binding's context is current as long as this lives. When the script says `steals_context` nothing is
/// current after it, as with runtimes that forget to put the client's context back.
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

/// With a context current; the caller's bindings stay.
std::vector<unsigned> make_textures(std::size_t count, std::int64_t format, int levels, int width,
                                    int height);
void delete_textures(const std::vector<unsigned>& textures);

struct Rect {
    int x = 0, y = 0, width = 0, height = 0;
};
/// The bytes of a texture as they are stored (sRGB stays sRGB, floats are clamped), written as PNG, the top
/// row first.
bool write_picture(const std::string& path, unsigned texture, const Rect& rect);

}  // namespace claybox::xr_runtime
