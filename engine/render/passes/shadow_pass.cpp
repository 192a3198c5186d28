#include "engine/render/passes/passes.hpp"

namespace claybox::engine {

bool ShadowPass::create(std::string& error) {
    program_ = load_program("shadow.vert", "shadow.frag", {}, error);
    if (!program_) return false;
    map_ = Texture::make();
    glActiveTexture(GL_TEXTURE0 + kShadowUnit);
    glBindTexture(GL_TEXTURE_2D, map_.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, kShadowSize, kShadowSize, 0, GL_DEPTH_COMPONENT,
                 GL_UNSIGNED_INT, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    framebuffer_ = Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, map_.id(), 0);
    const GLenum no_colour = GL_NONE;
    glDrawBuffers(1, &no_colour);
    glReadBuffer(GL_NONE);
    const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (!complete) error = "the graphics driver refuses a depth texture for shadows";
    return complete;
}

void ShadowPass::draw(const Batches& batches, RenderStats& stats) const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glViewport(0, 0, kShadowSize, kShadowSize);
    glDepthMask(GL_TRUE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_BLEND);
    glClear(GL_DEPTH_BUFFER_BIT);
    glUseProgram(program_.id());
    for (const Batch& batch : batches.all()) {
        if (batch.casters == 0) continue;
        glBindVertexArray(batch.mesh->triangles_array.id());
        batches.bind_attributes(batch);
        glDrawElementsInstanced(GL_TRIANGLES, batch.mesh->index_count, GL_UNSIGNED_INT, nullptr,
                                static_cast<GLsizei>(batch.casters));
        ++stats.draw_calls;
        stats.triangles += static_cast<std::uint64_t>(batch.mesh->index_count / 3) * batch.casters;
    }
}

void ShadowPass::bind_map() const {
    glActiveTexture(GL_TEXTURE0 + kShadowUnit);
    glBindTexture(GL_TEXTURE_2D, map_.id());
}

}  // namespace claybox::engine
