#include "engine/render/passes/passes.hpp"

namespace claybox::engine {

bool PickPass::create(std::string& error) {
    program_ = load_program("pick.vert", "pick.frag", {}, error);
    if (!program_) return false;
    number_ = Renderbuffer::make();
    depth_ = Renderbuffer::make();
    glBindRenderbuffer(GL_RENDERBUFFER, number_.id());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_R32UI, 1, 1);
    glBindRenderbuffer(GL_RENDERBUFFER, depth_.id());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, 1, 1);
    framebuffer_ = Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, number_.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.id());
    const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (!complete) error = "the graphics driver refuses a framebuffer of whole numbers, for picking";
    return complete;
}

std::uint32_t PickPass::draw(const Batches& batches) const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glViewport(0, 0, 1, 1);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    const GLuint none[4] = {Renderer::kNoPick, 0, 0, 0};
    glClearBufferuiv(GL_COLOR, 0, none);
    glClear(GL_DEPTH_BUFFER_BIT);
    glUseProgram(program_.id());
    for (const Batch& batch : batches.all()) {
        if (batch.stage == Stage::glass) continue;
        glBindVertexArray(batch.mesh->triangles_array.id());
        batches.bind_attributes(batch);
        glDrawElementsInstanced(GL_TRIANGLES, batch.mesh->index_count, GL_UNSIGNED_INT, nullptr,
                                static_cast<GLsizei>(batch.count));
    }
    GLuint picked[4] = {Renderer::kNoPick};  // WebGL reads four values at a time only
    glReadPixels(0, 0, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, picked);
    return picked[0];
}

}  // namespace claybox::engine
