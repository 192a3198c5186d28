#include "engine/xr/graphics/gl_guard.hpp"

namespace claybox::engine {

namespace {

// Read in this order. The texture binding is the active unit's.
constexpr GLenum kReads[] = {GL_DRAW_FRAMEBUFFER_BINDING,    GL_READ_FRAMEBUFFER_BINDING,
                             GL_RENDERBUFFER_BINDING,        GL_CURRENT_PROGRAM,
                             GL_VERTEX_ARRAY_BINDING,        GL_ARRAY_BUFFER_BINDING,
                             GL_PIXEL_UNPACK_BUFFER_BINDING, GL_ACTIVE_TEXTURE,
                             GL_TEXTURE_BINDING_2D};
constexpr GLenum kSwitchNames[] = {GL_FRAMEBUFFER_SRGB, GL_BLEND,     GL_DEPTH_TEST,
                                   GL_SCISSOR_TEST,     GL_CULL_FACE, GL_STENCIL_TEST};

/// Bounded: a lost or non-current context may report errors without end.
void drain_errors() {
    for (int i = 0; i < 32 && glGetError() != GL_NO_ERROR; ++i) {
    }
}

}  // namespace

GlGuard::GlGuard(const XrGraphics& graphics) : graphics_(graphics) {
    static_assert(std::size(kReads) == kBindings && std::size(kSwitchNames) == kSwitches);
    reclaim();
    for (std::size_t i = 0; i < kBindings; ++i) glGetIntegerv(kReads[i], &bindings_[i]);
    for (std::size_t i = 0; i < kSwitches; ++i) switches_[i] = glIsEnabled(kSwitchNames[i]);
    glGetIntegerv(GL_VIEWPORT, viewport_.data());
    drain_errors();
}

void GlGuard::reclaim() const {
    if (!is_current(graphics_)) make_current(graphics_);
    drain_errors();
}

GlGuard::~GlGuard() {
    reclaim();
    const auto name = [&](std::size_t i) { return static_cast<GLuint>(bindings_[i]); };
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, name(0));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, name(1));
    glBindRenderbuffer(GL_RENDERBUFFER, name(2));
    glUseProgram(name(3));
    glBindVertexArray(name(4));
    glBindBuffer(GL_ARRAY_BUFFER, name(5));
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, name(6));
    glActiveTexture(name(7));
    glBindTexture(GL_TEXTURE_2D, name(8));
    for (std::size_t i = 0; i < kSwitches; ++i)
        if (switches_[i] == GL_TRUE)
            glEnable(kSwitchNames[i]);
        else
            glDisable(kSwitchNames[i]);
    glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
    drain_errors();
}

}  // namespace claybox::engine
