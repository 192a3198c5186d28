#include "engine/render/vertex_texels.hpp"

namespace claybox::engine {

namespace {

constexpr GLsizei kRow = 2048;  // texels; wire.vert knows it too

void copy(std::size_t first, GLint row, GLsizei width, GLsizei height) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, row, width, height, GL_RGBA, GL_FLOAT,
                    reinterpret_cast<const void*>(first * 4 * sizeof(float)));
}

}  // namespace

bool VertexTexels::can_hold(std::size_t texels) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    return most >= kRow && texels <= static_cast<std::size_t>(most) * kRow;
}

/// WebGL has no buffer textures. The driver copies the buffer into a texture of rows, which costs no way
/// through the processor.
void VertexTexels::bind(GLenum unit, GLuint vertices, std::size_t texels) {
    glActiveTexture(unit);
    const bool fresh = texels_ < texels;
    if (fresh) texture_ = Texture::make();
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    const auto rows = static_cast<GLsizei>(texels / kRow), rest = static_cast<GLsizei>(texels % kRow);
    if (fresh) {
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, kRow, rows + 1);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        texels_ = texels;
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, vertices);
    if (rows > 0) copy(0, 0, kRow, rows);
    if (rest > 0) copy(static_cast<std::size_t>(rows) * kRow, rows, rest, 1);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

}  // namespace claybox::engine
