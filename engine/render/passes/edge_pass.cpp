#include "engine/render/passes/passes.hpp"

namespace claybox::engine {

namespace {
// Beyond this many quads the lines cost more than they are useful; batches that exceed the limit get none.
constexpr std::size_t kMaxEdgeQuads = 400'000;
}  // namespace

bool EdgePass::create(std::string& error) {
    program_ = load_program("edge.vert", "edge.frag", {}, error);
    return static_cast<bool>(program_);
}

void EdgePass::draw(const Batches& batches, Stage stage, RenderStats& stats) const {
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    glUseProgram(program_.id());
    std::size_t quads = 0;
    for (const Batch& batch : batches.all()) {
        if (batch.stage != stage || !batch.edges || !MeshStore::prepare_edges(*batch.mesh)) continue;
        const std::size_t more = static_cast<std::size_t>(batch.mesh->edge_index_count / 6) * batch.count;
        if (quads + more > kMaxEdgeQuads) continue;
        quads += more;
        glBindVertexArray(batch.mesh->edges_array.id());
        batches.bind_attributes(batch);
        glDrawElementsInstanced(GL_TRIANGLES, batch.mesh->edge_index_count, GL_UNSIGNED_INT, nullptr,
                                static_cast<GLsizei>(batch.count));
        ++stats.draw_calls;
        stats.triangles += 2 * more;
    }
}

}  // namespace claybox::engine
