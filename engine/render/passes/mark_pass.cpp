#include "engine/render/passes/passes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace claybox::engine {

namespace {

struct LineData {
    glm::vec4 from_width, to_hidden, colour;
};

struct DiscData {
    glm::vec4 p_radius, inner, border;
};

struct FlatCorner {
    glm::vec3 position;
    glm::vec4 colour;
};

constexpr float kCasing = 2.5f;  // extra width of a casing, pixels at scale 1

bool is_finite(const glm::vec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// All casings before all lines, so no casing covers another line.
std::vector<LineData> line_data(const std::vector<Line>& lines) {
    std::vector<LineData> data;
    for (const bool casing : {true, false}) {
        for (const Line& line : lines) {
            if (!is_finite(line.from) || !is_finite(line.to) || !(line.width > 0)) continue;
            const glm::vec4& colour = casing ? line.casing : line.colour;
            if (!(colour.a > 0)) continue;
            const float width = line.width + (casing ? kCasing : 0.0f);
            data.push_back({glm::vec4(line.from, width), glm::vec4(line.to, line.hidden_alpha), colour});
        }
    }
    return data;
}

void begin_blended(GLenum depth_func) {
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(depth_func);
}

void count(RenderStats& stats, std::size_t triangles) {
    ++stats.draw_calls;
    stats.triangles += triangles;
}

void draw_disc_data(const VertexArray& array, StreamBuffer& buffer, const std::vector<DiscData>& data) {
    glBindVertexArray(array.id());
    buffer.upload(GL_ARRAY_BUFFER, data.data(), data.size() * sizeof(DiscData));
    set_attribute(0, 4, sizeof(DiscData), offsetof(DiscData, p_radius), 1);
    set_attribute(1, 4, sizeof(DiscData), offsetof(DiscData, inner), 1);
    set_attribute(2, 4, sizeof(DiscData), offsetof(DiscData, border), 1);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(data.size()));
}

}  // namespace

bool MarkPass::create(std::string& error) {
    static constexpr const char* kHaloDefines[] = {"HALO"};
    line_ = load_program("line.vert", "line.frag", {}, error);
    disc_ = load_program("disc.vert", "disc.frag", {}, error);
    halo_ = load_program("disc.vert", "disc.frag", kHaloDefines, error);
    flat_ = load_program("flat.vert", "flat.frag", {}, error);
    if (!line_ || !disc_ || !halo_ || !flat_) return false;
    hidden_ = line_.uniform("hidden");
    line_array_ = VertexArray::make();
    disc_array_ = VertexArray::make();
    flat_array_ = VertexArray::make();
    return true;
}

void MarkPass::draw_quads(const RenderList& list, RenderStats& stats) {
    std::vector<FlatCorner> corners;
    for (const Quad& quad : list.quads) {
        if (!std::all_of(quad.corner, quad.corner + 4, is_finite)) continue;
        for (const int k : {0, 1, 2, 0, 2, 3}) corners.push_back({quad.corner[k], quad.colour});
    }
    if (corners.empty()) return;
    begin_blended(GL_LEQUAL);
    glUseProgram(flat_.id());
    glBindVertexArray(flat_array_.id());
    buffer_.upload(GL_ARRAY_BUFFER, corners.data(), corners.size() * sizeof(FlatCorner));
    set_attribute(0, 3, sizeof(FlatCorner), offsetof(FlatCorner, position));
    set_attribute(1, 4, sizeof(FlatCorner), offsetof(FlatCorner, colour));
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(corners.size()));
    count(stats, corners.size() / 3);
}

void MarkPass::draw_lines(const RenderList& list, RenderStats& stats) {
    const std::vector<LineData> data = line_data(list.lines);
    if (data.empty()) return;
    glUseProgram(line_.id());
    glBindVertexArray(line_array_.id());
    buffer_.upload(GL_ARRAY_BUFFER, data.data(), data.size() * sizeof(LineData));
    set_attribute(0, 4, sizeof(LineData), offsetof(LineData, from_width), 1);
    set_attribute(1, 4, sizeof(LineData), offsetof(LineData, to_hidden), 1);
    set_attribute(2, 4, sizeof(LineData), offsetof(LineData, colour), 1);
    for (const bool hidden : {true, false}) {
        begin_blended(hidden ? GL_GREATER : GL_LEQUAL);
        glUniform1f(hidden_, hidden ? 1.0f : 0.0f);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(data.size()));
        count(stats, 2 * data.size());
    }
    glDepthFunc(GL_LEQUAL);
}

void MarkPass::draw_discs(const RenderList& list, RenderStats& stats) {
    std::vector<DiscData> data;
    for (const Disc& disc : list.discs)
        if (is_finite(disc.p) && disc.radius > 0)
            data.push_back({glm::vec4(disc.p, disc.radius), disc.colour, disc.border});
    if (data.empty()) return;
    begin_blended(GL_ALWAYS);  // markers are labels: never hidden
    glUseProgram(disc_.id());
    draw_disc_data(disc_array_, buffer_, data);
    count(stats, 2 * data.size());
    glDepthFunc(GL_LEQUAL);
}

void MarkPass::draw_halos(const RenderList& list, RenderStats& stats) {
    std::vector<DiscData> data;
    for (const Halo& halo : list.halos)
        if (is_finite(halo.p) && halo.radius > 0)
            data.push_back(
                {glm::vec4(halo.p, halo.radius), glm::vec4(halo.colour, halo.strength), glm::vec4(0)});
    if (data.empty()) return;
    begin_blended(GL_LEQUAL);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE);
    glUseProgram(halo_.id());
    draw_disc_data(disc_array_, buffer_, data);
    count(stats, 2 * data.size());
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

}  // namespace claybox::engine
