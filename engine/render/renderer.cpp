#include "engine/render/renderer.hpp"

#include "engine/gl/dialect.hpp"
#include "engine/render/passes/passes.hpp"
#include "engine/render/run_fill.hpp"
#include "engine/render/targets.hpp"

#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace claybox::engine {

struct Renderer::Impl {
    MeshStore meshes;
    Batches batches;
    ShadowPass shadow;
    ScenePass scene;
    EdgePass edges;
    WirePass wire;
    TextPass text;
    MarkPass marks;
    BoardPass boards;
    PickPass picking;
    MultisampleTarget target;
    StreamBuffer frame_buffer;
    FrameBlock frame;
    Occluders occluders;
    RenderStats stats;
    float resolution = 1;

    RenderTargetSize inner_size(const RenderTargetSize& size) const;
    bool create(std::string& error) {
        return shadow.create(error) && scene.create(error) && edges.create(error) && wire.create(error) &&
               text.create(error) && marks.create(error) && boards.create(error) && picking.create(error);
    }
    void prepare(const RenderList& list, const RenderTargetSize& size);
    void upload_frame();
    void draw_scene(const RenderList& list);
};

RenderTargetSize Renderer::Impl::inner_size(const RenderTargetSize& size) const {
    if (resolution >= 1 || !target.can_stretch()) return size;
    const auto share = [&](int pixels) {
        return std::max(1, static_cast<int>(std::lround(resolution * static_cast<float>(pixels))));
    };
    return {share(size.width), share(size.height), resolution * size.scale};
}

void Renderer::Impl::prepare(const RenderList& list, const RenderTargetSize& size) {
    frame = frame_block(list, size);
    occluders.choose(list);
    frame.cells = occluders.cells();
    std::copy(occluders.spheres().begin(), occluders.spheres().end(), frame.occluders);
    batches.build(list, meshes, occluders,
                  ViewVolume(frame.clip_from_world, static_cast<float>(size.height)));
    frame.sun_colour.w = batches.has_casters() ? 1.0f : 0.0f;
}

void Renderer::Impl::upload_frame() {
    frame_buffer.upload(GL_UNIFORM_BUFFER, &frame, sizeof frame);
    glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, frame_buffer.id());
}

void Renderer::Impl::draw_scene(const RenderList& list) {
    glClear(GL_DEPTH_BUFFER_BIT);
    shadow.bind_map();
    occluders.upload_and_bind();
    scene.draw_opaque(batches, stats);
    scene.draw_sky(glm::inverse(frame.clip_from_world));
    edges.draw(batches, Stage::opaque, stats);
    wire.draw(batches, stats);
    text.draw(list, stats);
    marks.draw_halos(list, stats);
    scene.draw_faded(batches, stats);
    edges.draw(batches, Stage::faded, stats);
    scene.draw_glass(batches, stats);
    boards.draw(list, stats);
    marks.draw_quads(list, stats);
    marks.draw_lines(list, stats);
    marks.draw_discs(list, stats);
}

namespace {

/// Switches sRGB conversion off while drawing, because the shaders write sRGB; restores the caller's setting.
struct SrgbGuard {
    const bool on = converts_to_srgb();
    SrgbGuard() = default;
    SrgbGuard(const SrgbGuard&) = delete;
    SrgbGuard& operator=(const SrgbGuard&) = delete;
    ~SrgbGuard() {
        if (on) convert_to_srgb(true);
    }
};

/// Other drawing, such as the panels' backend, leaves its own state behind.
void set_known_state() {
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_STENCIL_TEST);
    convert_to_srgb(false);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

void reset_state() {
    glBindVertexArray(0);
    glUseProgram(0);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glActiveTexture(GL_TEXTURE0);
}

/// A projection whose image is one pixel of the picture.
glm::mat4 pixel_only(const RenderTargetSize& size, float x, float y) {
    const auto width = static_cast<float>(size.width), height = static_cast<float>(size.height);
    const float centre_x = (2 * x + 1) / width - 1, centre_y = 1 - (2 * y + 1) / height;
    const glm::mat4 enlarged = glm::scale(glm::mat4(1), glm::vec3(width, height, 1));
    return enlarged * glm::translate(glm::mat4(1), glm::vec3(-centre_x, -centre_y, 0));
}

}  // namespace

Renderer::Renderer() : impl_(std::make_unique<Impl>()) {}

Renderer::~Renderer() = default;

std::unique_ptr<Renderer> Renderer::create(std::string& error) {
    std::unique_ptr<Renderer> renderer(new Renderer);
    if (!renderer->impl_->create(error)) return nullptr;
    return renderer;
}

MeshHandle Renderer::create_mesh(const MeshData& data) {
    return impl_->meshes.create(data);
}

void Renderer::update_mesh(MeshHandle mesh, const MeshData& data) {
    impl_->meshes.update(mesh, data);
}

void Renderer::update_vertices(MeshHandle mesh, std::size_t first, const MeshData& data) {
    impl_->meshes.update_vertices(mesh, first, data);
}

void Renderer::destroy_mesh(MeshHandle mesh) {
    impl_->meshes.destroy(mesh);
}

void Renderer::draw(const RenderList& list, const RenderTargetSize& outer, unsigned framebuffer,
                    unsigned depth_format, Shadows shadows) {
    impl_->stats = {};
    if (outer.width < 1 || outer.height < 1) return;
    const RenderTargetSize size = impl_->inner_size(outer);
    const SrgbGuard srgb;
    set_known_state();
    impl_->prepare(list, size);
    impl_->stats.instances = static_cast<std::uint32_t>(impl_->batches.instance_count());
    impl_->upload_frame();
    if (shadows == Shadows::draw && impl_->batches.has_casters())
        impl_->shadow.draw(impl_->batches, impl_->stats);
    if (!impl_->target.bind(size.width, size.height, depth_format)) return;
    impl_->draw_scene(list);
    impl_->target.resolve_into(framebuffer, outer.width, outer.height, depth_format != 0);
    reset_state();
}

std::uint32_t Renderer::pick(const RenderList& list, const RenderTargetSize& size, float x, float y) {
    const bool inside =
        x >= 0 && y >= 0 && x < static_cast<float>(size.width) && y < static_cast<float>(size.height);
    if (!inside) return kNoPick;
    GLint before = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
    const SrgbGuard srgb;
    set_known_state();
    impl_->prepare(list, size);
    impl_->frame.clip_from_world =
        pixel_only(size, std::floor(x), std::floor(y)) * impl_->frame.clip_from_world;
    impl_->upload_frame();
    const std::uint32_t picked = impl_->picking.draw(impl_->batches);
    reset_state();
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before));
    return picked;
}

void Renderer::set_samples(int samples) {
    impl_->target.set_samples(samples);
}

void Renderer::set_resolution(float share) {
    impl_->resolution = std::clamp(share, 0.25f, 1.0f);
}

std::string Renderer::device_name() {
    return engine::device_name();
}

bool Renderer::is_software() {
    const std::string text = device_name();
    for (const std::string_view known : {"llvmpipe", "softpipe", "SwiftShader", "GDI Generic"})
        if (text.find(known) != std::string_view::npos) return true;
    return false;
}

int Renderer::target_allocations() const {
    return impl_->target.allocations();
}

const RenderStats& Renderer::stats() const {
    return impl_->stats;
}

std::vector<std::uint8_t> read_pixels(unsigned framebuffer, int width, int height) {
    std::vector<std::uint8_t> pixels;
    if (width < 1 || height < 1) return pixels;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    return read_rgb_rows(width, height);
}

}  // namespace claybox::engine
