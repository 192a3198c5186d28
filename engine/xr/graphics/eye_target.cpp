#include "engine/xr/graphics/eye_target.hpp"

namespace claybox::engine {

bool LinearCopy::create(std::string& error) {
    program_ = Program::load("sky.vert", "linear_copy.frag", {}, error);
    if (!program_) return false;
    program_.set_sampler("encoded", 0);
    empty_ = VertexArray::make();
    return true;
}

void LinearCopy::draw(GLuint srgb_texture, int width, int height) const {
    for (const GLenum off :
         {GL_BLEND, GL_DEPTH_TEST, GL_SCISSOR_TEST, GL_CULL_FACE, GL_STENCIL_TEST, GL_FRAMEBUFFER_SRGB})
        glDisable(off);
    glViewport(0, 0, width, height);
    glUseProgram(program_.id());
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, srgb_texture);
    glBindVertexArray(empty_.id());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindTexture(GL_TEXTURE_2D, 0);
}

bool EyeTarget::create(const Request& request, const GlGuard& guard, CallWatch& watch, std::string& error) {
    request_ = request;
    const ChainFormats& formats = request.formats;
    const bool created =
        colour_.create({request.session, formats.colour, false, request.width, request.height}, watch);
    // The depth chain is optional: it helps the runtime, but pictures are shown without it too.
    if (created && formats.depth != 0)
        depth_.create({request.session, formats.depth, true, request.width, request.height}, watch);
    guard.reclaim();
    if (created && !watch.lost() && make_framebuffers()) return true;
    error = "cannot draw into the runtime's images of " + std::to_string(request.width) + " x " +
            std::to_string(request.height) + " pixels: lower the headset's resolution and try again";
    return false;
}

void EyeTarget::close(const GlGuard& guard) {
    guard.reclaim();
    framebuffers_.clear();
    own_ = {};
    own_colour_ = {};
    own_depth_ = {};
    depth_ = {};
    colour_ = {};
}

bool EyeTarget::make_framebuffers() {
    depth_format_ = depth_ ? request_.formats.depth : GL_DEPTH_COMPONENT24;
    if (!depth_) {
        own_depth_ = Renderbuffer::make();
        glBindRenderbuffer(GL_RENDERBUFFER, own_depth_.id());
        glRenderbufferStorage(GL_RENDERBUFFER, depth_format_, width(), height());
    }
    framebuffers_.clear();
    for (const GLuint texture : colour_.textures()) {
        framebuffers_.push_back(Framebuffer::make());
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_.back().id());
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        if (!needs_linear(request_.formats.colour)) attach_depth();
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) return false;
    }
    if (!needs_linear(request_.formats.colour)) return true;
    make_own_picture();
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void EyeTarget::make_own_picture() {
    own_colour_ = Texture::make();
    glBindTexture(GL_TEXTURE_2D, own_colour_.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, width(), height(), 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    own_ = Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, own_.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, own_colour_.id(), 0);
    attach_depth();
}

/// Attaches depth to the bound framebuffer. Colour and depth chains rotate independently, so this repeats
/// each frame.
void EyeTarget::attach_depth() const {
    if (depth_)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D,
                               depth_.textures()[depth_.index()], 0);
    else
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, own_depth_.id());
}

GLuint EyeTarget::framebuffer() const {
    return own_ ? own_.id() : framebuffers_[colour_.index()].id();
}

bool EyeTarget::acquire(CallWatch& watch) {
    const bool colour = colour_.acquire(watch);
    const bool depth = !depth_ || depth_.acquire(watch);
    return colour && depth;
}

void EyeTarget::attach_acquired() const {
    if (!depth_) return;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer());
    attach_depth();
}

bool EyeTarget::release(bool drawn, CallWatch& watch, const LinearCopy& copy) {
    if (drawn && own_) {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[colour_.index()].id());
        copy.draw(own_colour_.id(), width(), height());
    }
    if (drawn) glFlush();  // not every runtime flushes, and it may read from its own context
    const bool colour = colour_.release(watch);
    const bool depth = !depth_ || depth_.release(watch);
    return colour && depth;
}

XrSwapchainSubImage EyeTarget::image_of(const ImageChain& chain) const {
    return {chain.handle(), {{0, 0}, {width(), height()}}, 0};
}

}  // namespace claybox::engine
