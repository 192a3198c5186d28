#include "engine/render/targets.hpp"

#include <algorithm>

namespace claybox::engine {

void MultisampleTarget::set_samples(int samples) {
    samples = std::clamp(samples, 0, 16);
    if (samples == samples_) return;
    samples_ = samples;
    width_ = height_ = 0;
}

bool MultisampleTarget::make(int samples) {
    framebuffer_ = Framebuffer::make();
    colour_ = Renderbuffer::make();
    depth_ = Renderbuffer::make();
    glBindRenderbuffer(GL_RENDERBUFFER, colour_.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width_, height_);
    glBindRenderbuffer(GL_RENDERBUFFER, depth_.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width_, height_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.id());
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool MultisampleTarget::bind(int width, int height) {
    GLint largest = 0, most_samples = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    if (width < 1 || height < 1 || width > largest || height > largest) return false;
    if (width != width_ || height != height_) {
        width_ = width;
        height_ = height;
        glGetIntegerv(GL_MAX_SAMPLES, &most_samples);
        if (!make(std::min(samples_, static_cast<int>(most_samples))) && !make(0)) {
            width_ = height_ = 0;
            return false;
        }
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glViewport(0, 0, width, height);
    return true;
}

void MultisampleTarget::resolve_into(GLuint framebuffer, int width, int height) const {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    const bool same = width == width_ && height == height_;
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                      same ? GL_NEAREST : GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

}  // namespace claybox::engine
