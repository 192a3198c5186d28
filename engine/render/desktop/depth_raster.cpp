#include "engine/render/passes/depth_raster.hpp"

#include "engine/gl/errors.hpp"

#include <cmath>

namespace claybox::engine {

namespace {

constexpr GLsizei kTriangleBytes = DepthRaster::kTriangleWords * sizeof(std::int32_t);
constexpr float kSteps = DepthRaster::kNoDepth;

/// Saves the window's bindings and restores them, with a neutral state.
struct BindingGuard {
    GLint draw = 0, read = 0, viewport[4] = {};
    BindingGuard() {
        glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
        glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
        glGetIntegerv(GL_VIEWPORT, viewport);
    }
    ~BindingGuard() {
        glDisable(GL_STENCIL_TEST);
        glDisable(GL_DEPTH_TEST);
        glDisable(GL_BLEND);
        glDepthMask(GL_TRUE);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glBindTexture(GL_TEXTURE_2D, 0);
        glBindVertexArray(0);
        glUseProgram(0);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw));
        glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read));
        glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
    }
    BindingGuard(const BindingGuard&) = delete;
    BindingGuard& operator=(const BindingGuard&) = delete;
};

void make_texture(const Texture& texture, GLint format, int size, GLenum layout, GLenum type) {
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexImage2D(GL_TEXTURE_2D, 0, format, size, size, 0, layout, type, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

void clear(float depth) {
    glDepthMask(GL_TRUE);
    glClearBufferfi(GL_DEPTH_STENCIL, 0, depth, 0);
}

/// Depth and stencil functions of a rule; the stencil value is the colour. Rejected fragments change neither.
void set_rule(DepthRaster::Rule rule, int own) {
    using Rule = DepthRaster::Rule;
    const int other = 3 - own;
    const GLenum to_own = other == 1 ? GL_INCR : GL_DECR;
    const auto set = [](GLenum depth, bool keeps_depth, GLenum stencil, int reference, GLenum drawn) {
        glDepthFunc(depth);
        glDepthMask(keeps_depth ? GL_FALSE : GL_TRUE);
        glStencilFunc(stencil, reference, 0xff);
        glStencilOp(GL_KEEP, GL_KEEP, drawn);
    };
    switch (rule) {
        case Rule::nearer:
            return set(GL_LESS, false, GL_ALWAYS, own, GL_REPLACE);
        case Rule::nearer_unlike:
            return set(GL_LESS, false, GL_NOTEQUAL, own, GL_REPLACE);
        case Rule::not_behind_other:
            return set(GL_LEQUAL, false, GL_EQUAL, other, to_own);
        case Rule::recolour_other:
            return set(GL_LEQUAL, true, GL_EQUAL, other, to_own);
        case Rule::erase_like:
            return set(GL_ALWAYS, true, GL_EQUAL, own, GL_ZERO);
        case Rule::erase_where_behind:
            return set(GL_GREATER, true, GL_ALWAYS, own, GL_ZERO);
    }
}

std::int32_t steps(float depth) {
    return static_cast<std::int32_t>(std::lrint(depth * kSteps));
}

}  // namespace

std::unique_ptr<DepthRaster> DepthRaster::create(std::string& error) {
    std::unique_ptr<DepthRaster> raster(new DepthRaster);
    raster->plain_ = Program::load("depth_raster.vert", "depth_raster.frag", {}, error);
    const char* const defines[] = {"PEEL"};
    if (raster->plain_)
        raster->peel_ = Program::load("depth_raster.vert", "depth_raster.frag", defines, error);
    if (!raster->peel_) return nullptr;
    raster->peel_.set_sampler("peeled", 0);
    glUseProgram(0);
    raster->array_ = VertexArray::make();
    raster->buffer_ = Buffer::make();
    const BindingGuard bound;
    raster->size_ = 4;
    if (raster->make_targets()) return raster;
    error = "the graphics driver refuses a framebuffer of float depths and counts";
    return nullptr;
}

bool DepthRaster::make_targets() {
    if (made_size_ == size_) return true;
    made_size_ = 0;
    glActiveTexture(GL_TEXTURE0);
    counted_ = Texture::make();
    make_texture(counted_, GL_RG32F, size_, GL_RG, GL_FLOAT);
    for (const int i : {0, 1}) {
        depth_[i] = Texture::make();
        make_texture(depth_[i], GL_DEPTH32F_STENCIL8, size_, GL_DEPTH_STENCIL,
                     GL_FLOAT_32_UNSIGNED_INT_24_8_REV);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
        framebuffer_[i] = Framebuffer::make();
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_[i].id());
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D, depth_[i].id(), 0);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, counted_.id(), 0);
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) return false;
    }
    made_size_ = size_;
    return true;
}

bool DepthRaster::begin(Kind kind, int size, int layers) {
    if (failed_ || size < 1 || layers < 1) return false;
    kind_ = kind;
    size_ = size;
    layers_ = layers;
    triangles_.clear();
    batches_.clear();
    return true;
}

void DepthRaster::draw(int body, Rule rule, std::span<const std::int32_t> triangles) {
    const std::size_t first = triangles_.size() / kTriangleWords, count = triangles.size() / kTriangleWords;
    triangles_.insert(triangles_.end(), triangles.begin(), triangles.end());
    if (!batches_.empty() && batches_.back().body == body && batches_.back().rule == rule)
        batches_.back().count += count;
    else
        batches_.push_back({body, rule, first, count});
}

void DepthRaster::bind_target(int which) const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_[which].id());
    glViewport(0, 0, size_, size_);
}

/// Sets all state that other drawing may have changed.
void DepthRaster::set_state() const {
    for (const GLenum off :
         {GL_SCISSOR_TEST, GL_CULL_FACE, GL_BLEND, GL_STENCIL_TEST, GL_POLYGON_OFFSET_FILL})
        glDisable(static_cast<GLenum>(off));
    glEnable(GL_DEPTH_TEST);
    glDepthRange(0, 1);
    glStencilMask(0xff);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    glActiveTexture(GL_TEXTURE0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindVertexArray(array_.id());
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
}

void DepthRaster::draw_batch(const Program& program, const Batch& batch) const {
    if (batch.count == 0) return;
    glUseProgram(program.id());
    glUniform1i(program.uniform("size"), size_);
    glUniform2f(program.uniform("body"), batch.body == 0 ? 1.0f : 0.0f, batch.body == 0 ? 0.0f : 1.0f);
    for (GLuint i = 0; i < kTriangleWords / 4; ++i) {
        const std::size_t offset = batch.first * kTriangleBytes + 16 * i;
        glEnableVertexAttribArray(i);
        glVertexAttribIPointer(i, 4, GL_INT, kTriangleBytes, reinterpret_cast<const void*>(offset));
        glVertexAttribDivisor(i, 1);
    }
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(batch.count));
}

/// Draws all batches of one body; of both for -1.
void DepthRaster::draw_batches(const Program& program, int body) const {
    for (const Batch& batch : batches_)
        if (body < 0 || batch.body == body) draw_batch(program, batch);
}

void DepthRaster::read_depth(std::size_t plane) {
    const std::size_t n = depths_.size();
    glReadPixels(0, 0, size_, size_, GL_DEPTH_COMPONENT, GL_FLOAT, depths_.data());
    for (std::size_t i = 0; i < n; ++i) words_[plane * n + i] = steps(depths_[i]);
}

void DepthRaster::finish_two_valued() {
    const std::size_t n = depths_.size();
    words_.resize(4 * n);
    bind_target(0);
    for (const int body : {0, 1}) {
        const auto plane = 2 * static_cast<std::size_t>(body);
        clear(1);
        glDepthFunc(GL_LESS);
        draw_batches(plain_, body);
        read_depth(plane);
        clear(0);
        glDepthFunc(GL_GEQUAL);
        draw_batches(plain_, body);
        read_depth(plane + 1);
        for (std::size_t i = 0; i < n; ++i)
            if (words_[plane * n + i] == kNoDepth) words_[(plane + 1) * n + i] = -1;
    }
}

void DepthRaster::finish_one_valued() {
    const std::size_t n = depths_.size();
    words_.resize(2 * n);
    colours_.resize(n);
    bind_target(0);
    clear(1);
    glEnable(GL_STENCIL_TEST);
    for (const Batch& batch : batches_) {
        set_rule(batch.rule, batch.body + 1);
        draw_batch(plain_, batch);
    }
    read_depth(0);
    glReadPixels(0, 0, size_, size_, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, colours_.data());
    for (std::size_t i = 0; i < n; ++i) words_[n + i] = colours_[i];
}

/// Finds the nearest depth behind the previous layer, then counts all surfaces at exactly that depth.
void DepthRaster::peel(int layer) const {
    const Program& program = layer == 0 ? plain_ : peel_;
    bind_target(layer & 1);
    glBindTexture(GL_TEXTURE_2D, depth_[(layer + 1) & 1].id());
    clear(1);
    glDepthFunc(GL_LESS);
    draw_batches(program, -1);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    const float none[4] = {0, 0, 0, 0};
    glClearBufferfv(GL_COLOR, 0, none);
    glDepthFunc(GL_EQUAL);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    draw_batches(program, -1);
    glDisable(GL_BLEND);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
}

/// Reads a layer back. False when it is empty.
bool DepthRaster::read_layer(int layer) {
    const std::size_t n = depths_.size();
    glReadPixels(0, 0, size_, size_, GL_DEPTH_COMPONENT, GL_FLOAT, depths_.data());
    glReadPixels(0, 0, size_, size_, GL_RG, GL_FLOAT, counts_.data());
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t depth = steps(depths_[i]);
        if (depth == kNoDepth) continue;
        any = true;
        std::int32_t bits = 0;
        for (const std::size_t body : {0u, 1u}) {
            const long count = std::lrint(counts_[2 * i + body]);
            bits |= static_cast<std::int32_t>((count & 1) | (count > 0 ? 4 : 0)) << body;
        }
        words_[i] = layer + 1;
        words_[n + i * static_cast<std::size_t>(layers_) + static_cast<std::size_t>(layer)] =
            depth << 4 | bits;
    }
    return any;
}

void DepthRaster::finish_layered() {
    const std::size_t n = depths_.size();
    words_.assign(n * (1 + static_cast<std::size_t>(layers_)), 0);
    counts_.resize(2 * n);
    for (int layer = 0; layer < layers_; ++layer) {
        peel(layer);
        if (!read_layer(layer)) return;
    }
}

std::span<const std::int32_t> DepthRaster::finish() {
    take_opengl_errors();  // those of others
    const BindingGuard bound;
    failed_ = !make_targets();
    if (failed_) return {};
    depths_.resize(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_));
    set_state();
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(triangles_.size() * sizeof(std::int32_t)),
                 triangles_.data(), GL_STREAM_DRAW);
    switch (kind_) {
        case Kind::two_valued:
            finish_two_valued();
            break;
        case Kind::one_valued:
            finish_one_valued();
            break;
        case Kind::layered:
            finish_layered();
            break;
    }
    failed_ = glGetError() != GL_NO_ERROR;
    return failed_ ? std::span<const std::int32_t>() : std::span<const std::int32_t>(words_);
}

}  // namespace claybox::engine
