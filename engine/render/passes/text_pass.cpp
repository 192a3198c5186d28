#include "engine/gl/dialect.hpp"
#include "engine/render/passes/passes.hpp"

#include <cstddef>

namespace claybox::engine {

namespace {
constexpr float kLinePitch = 1.75f;  // cap heights between baselines
}

bool TextPass::create(std::string& error) {
    program_ = load_program("text.vert", "text.frag", {}, error);
    array_ = VertexArray::make();
    return static_cast<bool>(program_);
}

void TextPass::append(const EngravedText& text) {
    const glm::mat4& pose = text.world_from_text;
    const glm::vec3 normal(pose[2]);
    const glm::vec4 colour(linear_from_srgb(glm::vec3(text.colour)), text.colour.a);
    int lines = 1;
    for (const char c : text.text) lines += c == '\n' ? 1 : 0;
    float y = 0.5f * kLinePitch * static_cast<float>(lines - 1);
    std::string_view rest = text.text;
    for (int k = 0; k < lines; ++k, y -= kLinePitch) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        float x = text.from_left ? 0 : -0.5f * atlas_.width(line);
        while (!line.empty()) {
            const Glyph* glyph = atlas_.find(next_code_point(line));
            if (glyph == nullptr) continue;
            const auto corner = [&](bool right, bool upper) {
                const glm::vec2 at(x + (right ? glyph->high.x : glyph->low.x),
                                   y + (upper ? glyph->high.y : glyph->low.y));
                const glm::vec2 uv(right ? glyph->uv_high.x : glyph->uv_low.x,
                                   upper ? glyph->uv_high.y : glyph->uv_low.y);
                corners_.push_back({glm::vec3(pose * glm::vec4(at * text.height, 0, 1)), normal, uv, colour});
            };
            for (const int c : {0, 1, 3, 0, 3, 2}) corner((c & 1) != 0, (c & 2) != 0);
            x += glyph->advance;
        }
    }
}

void TextPass::draw(const RenderList& list, RenderStats& stats) {
    if (list.texts.empty()) return;
    if (!texture_) {  // the atlas is built on first use: it takes a moment
        atlas_ = bake_glyphs();
        texture_ = Texture::make();
        glActiveTexture(GL_TEXTURE0 + kGlyphUnit);
        glBindTexture(GL_TEXTURE_2D, texture_.id());
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
        sharpen_at_an_angle(4);  // as most text is seen
        if (atlas_.size > 0) {
            glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
            glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, atlas_.size, atlas_.size, 0, GL_RED, GL_UNSIGNED_BYTE,
                         atlas_.texels.data());
            glGenerateMipmap(GL_TEXTURE_2D);
        }
    }
    if (atlas_.size == 0) return;
    corners_.clear();
    for (const EngravedText& text : list.texts) append(text);
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    glActiveTexture(GL_TEXTURE0 + kGlyphUnit);
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glUseProgram(program_.id());
    glBindVertexArray(array_.id());
    buffer_.upload(GL_ARRAY_BUFFER, corners_.data(), corners_.size() * sizeof(Corner));
    set_attribute(0, 3, sizeof(Corner), offsetof(Corner, position));
    set_attribute(1, 3, sizeof(Corner), offsetof(Corner, normal));
    set_attribute(2, 2, sizeof(Corner), offsetof(Corner, at));
    set_attribute(3, 4, sizeof(Corner), offsetof(Corner, colour));
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(corners_.size()));
    ++stats.draw_calls;
    stats.triangles += corners_.size() / 3;
    glActiveTexture(GL_TEXTURE0);
}

}  // namespace claybox::engine
