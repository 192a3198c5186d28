#include "engine/render/vertex_texels.hpp"

namespace claybox::engine {

bool VertexTexels::can_hold(std::size_t texels) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    return texels <= static_cast<std::size_t>(most);
}

/// A buffer texture is a view of the buffer: moved vertices need no upload.
void VertexTexels::bind(GLenum unit, GLuint vertices, std::size_t texels) {
    glActiveTexture(unit);
    if (!texture_) texture_ = Texture::make();
    glBindTexture(GL_TEXTURE_BUFFER, texture_.id());
    if (texels_ != texels) glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, vertices);
    texels_ = texels;
}

}  // namespace claybox::engine
