#include "engine/render/passes/passes.hpp"

namespace claybox::engine {

namespace {

enum ProgramIndex : std::size_t { kMatte, kClay, kWood, kPlinth, kFloor, kGlass };

ProgramIndex program_of(Surface surface) {
    switch (surface) {
        case Surface::clay:
            return kClay;
        case Surface::wood:
            return kWood;
        case Surface::plinth:
            return kPlinth;
        case Surface::floor:
            return kFloor;
        case Surface::glass:
            return kGlass;
        case Surface::matte:
        case Surface::emissive:
            break;  // every material has an emission value
    }
    return kMatte;
}

}  // namespace

Program load_program(std::string_view vertex, std::string_view fragment, std::span<const char* const> defines,
                     std::string& error) {
    Program program = Program::load(vertex, fragment, defines, error);
    if (!program) return program;
    program.set_block("Frame", kFrameBinding);
    program.set_sampler("shadow_map", kShadowUnit);
    program.set_sampler("occluder_cells", kOccluderUnit);
    program.set_sampler("glyphs", kGlyphUnit);
    program.set_sampler("board", kBoardUnit);
    glUseProgram(0);
    return program;
}

bool ScenePass::create(std::string& error) {
    static constexpr const char* kMatteDefines[] = {"SURFACE_MATTE"};
    static constexpr const char* kClayDefines[] = {"SURFACE_CLAY"};
    static constexpr const char* kWoodDefines[] = {"SURFACE_WOOD"};
    static constexpr const char* kPlinthDefines[] = {"SURFACE_GROUND"};
    static constexpr const char* kFloorDefines[] = {"SURFACE_GROUND", "SURFACE_FLOOR"};
    static constexpr const char* kGlassDefines[] = {"SURFACE_GLASS"};
    programs_[kMatte] = load_program("scene.vert", "scene.frag", kMatteDefines, error);
    programs_[kClay] = load_program("scene.vert", "scene.frag", kClayDefines, error);
    programs_[kWood] = load_program("scene.vert", "scene.frag", kWoodDefines, error);
    programs_[kPlinth] = load_program("scene.vert", "scene.frag", kPlinthDefines, error);
    programs_[kFloor] = load_program("scene.vert", "scene.frag", kFloorDefines, error);
    programs_[kGlass] = load_program("scene.vert", "glass.frag", kGlassDefines, error);
    for (const Program& program : programs_)
        if (!program) return false;
    sky_ = load_program("sky.vert", "sky.frag", {}, error);
    if (!sky_) return false;
    world_from_clip_ = sky_.uniform("world_from_clip");
    empty_ = VertexArray::make();
    return true;
}

void ScenePass::draw_batch(const Batches& batches, const Batch& batch, RenderStats& stats) const {
    glUseProgram(programs_[program_of(batch.surface)].id());
    glBindVertexArray(batch.mesh->triangles_array.id());
    batches.bind_attributes(batch);
    const bool two_sided = batch.surface == Surface::glass || batch.surface == Surface::floor;
    if (!two_sided) glEnable(GL_CULL_FACE);
    glFrontFace(batch.mirrored ? GL_CW : GL_CCW);
    glDrawElementsInstanced(GL_TRIANGLES, batch.mesh->index_count, GL_UNSIGNED_INT, nullptr,
                            static_cast<GLsizei>(batch.count));
    glDisable(GL_CULL_FACE);
    ++stats.draw_calls;
    stats.triangles += static_cast<std::uint64_t>(batch.mesh->index_count / 3) * batch.count;
}

void ScenePass::draw_opaque(const Batches& batches, RenderStats& stats) const {
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    // Floors last: other objects hide most of them, and shading is the main cost.
    for (const bool ground : {false, true}) {
        for (const Batch& batch : batches.all()) {
            const bool is_ground = batch.surface == Surface::floor || batch.surface == Surface::wood ||
                                   batch.surface == Surface::plinth;
            if (batch.stage == Stage::opaque && is_ground == ground) draw_batch(batches, batch, stats);
        }
    }
}

void ScenePass::draw_sky(const glm::mat4& world_from_clip) const {
    glUseProgram(sky_.id());
    glUniformMatrix4fv(world_from_clip_, 1, GL_FALSE, &world_from_clip[0][0]);
    glBindVertexArray(empty_.id());
    glDepthMask(GL_FALSE);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void ScenePass::draw_faded(const Batches& batches, RenderStats& stats) const {
    glEnable(GL_BLEND);
    for (const Batch& batch : batches.all()) {
        if (batch.stage != Stage::faded) continue;
        // Depth first, then colour where depth is equal: otherwise the inside of a fading hand would show
        // through.
        RenderStats uncounted;
        glDepthMask(GL_TRUE);
        glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        draw_batch(batches, batch, uncounted);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glDepthMask(GL_FALSE);
        draw_batch(batches, batch, stats);
    }
}

void ScenePass::draw_glass(const Batches& batches, RenderStats& stats) const {
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    for (const Batch& batch : batches.all())
        if (batch.stage == Stage::glass) draw_batch(batches, batch, stats);
}

}  // namespace claybox::engine
