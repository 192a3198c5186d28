#include "tests/xr_runtime/frame/graphics.hpp"

#include "tests/xr_runtime/runtime.hpp"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

namespace claybox::xr_runtime {

namespace {

/// The thread's current context; GLX and EGL must both be queried.
GraphicsBinding current_binding() {
    GraphicsBinding binding;
    binding.glx = glXGetCurrentContext();
    if (binding.glx != nullptr) {
        binding.display = glXGetCurrentDisplay();
        binding.drawable = glXGetCurrentDrawable();
        return binding;
    }
    binding.egl = eglGetCurrentContext();
    if (binding.egl != EGL_NO_CONTEXT) binding.egl_display = eglGetCurrentDisplay();
    return binding;
}

void release_current(const GraphicsBinding& binding) {
    if (binding.glx != nullptr) glXMakeContextCurrent(binding.display, 0, 0, nullptr);
    if (binding.egl != EGL_NO_CONTEXT)
        eglMakeCurrent(binding.egl_display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

/// Reads through its own framebuffer and restores every changed binding.
class ReadState {
  public:
    explicit ReadState(unsigned texture) {
        glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &framebuffer_);
        glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &pack_buffer_);
        for (std::size_t i = 0; i < kPack.size(); ++i) glGetIntegerv(kPack[i], &pack_[i]);
        glGenFramebuffers(1, &own_);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, own_);
        glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
        for (const GLenum name : kPack) glPixelStorei(name, name == GL_PACK_ALIGNMENT ? 1 : 0);
    }
    ReadState(const ReadState&) = delete;
    ReadState& operator=(const ReadState&) = delete;
    ~ReadState() {
        for (std::size_t i = 0; i < kPack.size(); ++i) glPixelStorei(kPack[i], pack_[i]);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, static_cast<GLuint>(pack_buffer_));
        glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(framebuffer_));
        glDeleteFramebuffers(1, &own_);
    }

  private:
    static constexpr std::array<GLenum, 4> kPack{GL_PACK_ALIGNMENT, GL_PACK_ROW_LENGTH, GL_PACK_SKIP_ROWS,
                                                 GL_PACK_SKIP_PIXELS};
    GLint framebuffer_ = 0, pack_buffer_ = 0;
    std::array<GLint, 4> pack_{};
    GLuint own_ = 0;
};

}  // namespace

bool read_binding(const void* next, GraphicsBinding& binding) {
    const auto* xlib =
        chained<XrGraphicsBindingOpenGLXlibKHR>(next, XR_TYPE_GRAPHICS_BINDING_OPENGL_XLIB_KHR);
    if (xlib != nullptr) {
        binding.display = xlib->xDisplay;
        binding.drawable = xlib->glxDrawable;
        binding.glx = xlib->glxContext;
        return xlib->xDisplay != nullptr && xlib->glxDrawable != 0 && xlib->glxContext != nullptr &&
               xlib->glxFBConfig != nullptr && xlib->visualid != 0;
    }
    const auto* egl = chained<XrGraphicsBindingEGLMNDX>(next, XR_TYPE_GRAPHICS_BINDING_EGL_MNDX);
    if (egl == nullptr) return false;
    binding.egl_display = egl->display;
    binding.egl = egl->context;
    return egl->display != EGL_NO_DISPLAY && egl->context != EGL_NO_CONTEXT;
}

CurrentContext::CurrentContext(const GraphicsBinding& binding) : before_(current_binding()) {
    if (before_.glx != nullptr) before_read_ = glXGetCurrentReadDrawable();
    if (before_.egl != EGL_NO_CONTEXT) {
        before_draw_surface_ = eglGetCurrentSurface(EGL_DRAW);
        before_read_surface_ = eglGetCurrentSurface(EGL_READ);
    }
    if (before_.glx == binding.glx && before_.egl == binding.egl) {
        good_ = true;
        return;
    }
    release_current(before_);
    if (binding.glx != nullptr)
        good_ = glXMakeCurrent(binding.display, binding.drawable, binding.glx) != 0;
    else
        good_ = eglMakeCurrent(binding.egl_display, EGL_NO_SURFACE, EGL_NO_SURFACE, binding.egl) == EGL_TRUE;
}

CurrentContext::~CurrentContext() {
    const GraphicsBinding now = current_binding();
    const bool steals = runtime().script.steals_context;
    if (!steals && now.glx == before_.glx && now.egl == before_.egl) return;
    release_current(now);
    if (steals) return;
    if (before_.glx != nullptr)
        glXMakeContextCurrent(before_.display, before_.drawable, before_read_, before_.glx);
    if (before_.egl != EGL_NO_CONTEXT)
        eglMakeCurrent(before_.egl_display, before_draw_surface_, before_read_surface_, before_.egl);
}

std::vector<unsigned> make_textures(std::size_t count, std::int64_t format, int levels, int width,
                                    int height) {
    std::vector<unsigned> textures(count);
    GLint before = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    glGenTextures(static_cast<GLsizei>(count), textures.data());
    for (const unsigned texture : textures) {
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexStorage2D(GL_TEXTURE_2D, levels, static_cast<GLenum>(format), width, height);
    }
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
    return textures;
}

void delete_textures(const std::vector<unsigned>& textures) {
    glDeleteTextures(static_cast<GLsizei>(textures.size()), textures.data());
}

bool write_picture(const std::string& path, unsigned texture, const Rect& rect) {
    const std::size_t row = static_cast<std::size_t>(rect.width) * 3;
    std::vector<unsigned char> rgb(row * static_cast<std::size_t>(rect.height));
    {
        const ReadState state(texture);
        glReadPixels(rect.x, rect.y, rect.width, rect.height, GL_RGB, GL_UNSIGNED_BYTE, rgb.data());
    }
    std::vector<unsigned char> top_first;
    for (std::size_t y = static_cast<std::size_t>(rect.height); y-- > 0;)
        top_first.insert(top_first.end(), rgb.begin() + static_cast<std::ptrdiff_t>(y * row),
                         rgb.begin() + static_cast<std::ptrdiff_t>((y + 1) * row));
    return stbi_write_png(path.c_str(), rect.width, rect.height, 3, top_first.data(),
                          static_cast<int>(row)) != 0;
}

}  // namespace claybox::xr_runtime
