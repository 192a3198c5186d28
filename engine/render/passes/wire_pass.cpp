#include "engine/render/passes/passes.hpp"

namespace claybox::engine {

namespace {
constexpr GLuint kAllEdges = 0x7fffffffu;  // every edge of a mesh gets the data of the same instance
}  // namespace

bool WirePass::create(std::string& error) {
    program_ = load_program("wire.vert", "edge.frag", {}, error);
    if (program_) program_.set_sampler("vertices", kVertexUnit);
    return static_cast<bool>(program_);
}

void WirePass::draw(const Batches& batches, RenderStats& stats) const {
    for (const Batch& batch : batches.all()) {
        if (batch.stage != Stage::opaque || !batch.edges || batch.mesh->wire_count == 0) continue;
        glEnable(GL_BLEND);
        glDepthMask(GL_FALSE);
        glUseProgram(program_.id());
        batch.mesh->vertex_texels.bind(GL_TEXTURE0 + kVertexUnit, batch.mesh->vertices.id(),
                                       batch.mesh->vertex_bytes / sizeof(glm::vec4));
        glActiveTexture(GL_TEXTURE0);
        glBindVertexArray(batch.mesh->wire_array.id());
        for (std::size_t i = 0; i < batch.count; ++i) {
            Batch one = batch;
            one.first += i;
            batches.bind_attributes(one, kAllEdges);
            glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, batch.mesh->wire_count);
            ++stats.draw_calls;
            stats.triangles += 2 * static_cast<std::uint64_t>(batch.mesh->wire_count);
        }
    }
}

}  // namespace claybox::engine
