#include "engine/render/targets.hpp"

#include <algorithm>
#include <utility>

namespace claybox::engine {

void MultisampleTarget::set_samples(int samples) {
    samples = std::clamp(samples, 0, 16);
    if (samples == samples_) return;
    samples_ = samples;
    for (Buffers& buffers : buffers_) buffers.width = buffers.height = 0;
}

bool MultisampleTarget::make(Buffers& buffers, int samples) {
    ++allocations_;
    buffers.framebuffer = Framebuffer::make();
    buffers.colour = Renderbuffer::make();
    buffers.depth = Renderbuffer::make();
    glBindRenderbuffer(GL_RENDERBUFFER, buffers.colour.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, buffers.width, buffers.height);
    glBindRenderbuffer(GL_RENDERBUFFER, buffers.depth.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, buffers.depth_format, buffers.width,
                                     buffers.height);
    glBindFramebuffer(GL_FRAMEBUFFER, buffers.framebuffer.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers.colour.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers.depth.id());
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool MultisampleTarget::bind(int width, int height, unsigned depth_format) {
    GLint max_size = 0, max_samples = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &max_size);
    if (width < 1 || height < 1 || width > max_size || height > max_size) return false;
    if (!buffers_[0].fits(width, height, depth_format)) std::swap(buffers_[0], buffers_[1]);
    Buffers& buffers = buffers_[0];
    if (!buffers.fits(width, height, depth_format)) {
        buffers.width = width;
        buffers.height = height;
        buffers.depth_format = depth_format != 0 ? depth_format : GL_DEPTH_COMPONENT24;
        glGetIntegerv(GL_MAX_SAMPLES, &max_samples);
        if (!make(buffers, std::min(samples_, static_cast<int>(max_samples))) && !make(buffers, 0)) {
            buffers.width = buffers.height = 0;
            return false;
        }
    }
    glBindFramebuffer(GL_FRAMEBUFFER, buffers.framebuffer.id());
    glViewport(0, 0, width, height);
    return true;
}

void MultisampleTarget::resolve_into(GLuint framebuffer, int width, int height, bool with_depth) const {
    const Buffers& from = buffers_[0];
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    const bool same = width == from.width && height == from.height;
    glBlitFramebuffer(0, 0, from.width, from.height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                      same ? GL_NEAREST : GL_LINEAR);
    if (with_depth)
        glBlitFramebuffer(0, 0, from.width, from.height, 0, 0, width, height, GL_DEPTH_BUFFER_BIT,
                          GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

}  // namespace claybox::engine
