#include "engine/gl/objects.hpp"

#include <algorithm>

namespace claybox::engine {

GLuint BufferKind::create() {
    GLuint id = 0;
    glGenBuffers(1, &id);
    return id;
}

void BufferKind::destroy(GLuint id) {
    glDeleteBuffers(1, &id);
}

GLuint VertexArrayKind::create() {
    GLuint id = 0;
    glGenVertexArrays(1, &id);
    return id;
}

void VertexArrayKind::destroy(GLuint id) {
    glDeleteVertexArrays(1, &id);
}

GLuint TextureKind::create() {
    GLuint id = 0;
    glGenTextures(1, &id);
    return id;
}

void TextureKind::destroy(GLuint id) {
    glDeleteTextures(1, &id);
}

GLuint RenderbufferKind::create() {
    GLuint id = 0;
    glGenRenderbuffers(1, &id);
    return id;
}

void RenderbufferKind::destroy(GLuint id) {
    glDeleteRenderbuffers(1, &id);
}

GLuint FramebufferKind::create() {
    GLuint id = 0;
    glGenFramebuffers(1, &id);
    return id;
}

void FramebufferKind::destroy(GLuint id) {
    glDeleteFramebuffers(1, &id);
}

void StreamBuffer::upload(GLenum target, const void* data, std::size_t bytes) {
    if (!buffer_) buffer_ = Buffer::make();
    glBindBuffer(target, buffer_.id());
    capacity_ = std::max(capacity_, bytes);
    glBufferData(target, static_cast<GLsizeiptr>(capacity_), nullptr, GL_STREAM_DRAW);
    if (bytes > 0) glBufferSubData(target, 0, static_cast<GLsizeiptr>(bytes), data);
}

void set_attribute(GLuint location, GLint components, std::size_t stride, std::size_t offset,
                   GLuint divisor) {
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                          reinterpret_cast<const void*>(offset));
    glVertexAttribDivisor(location, divisor);
}

/// Reads four bytes a pixel: three are not possible everywhere.
std::vector<std::uint8_t> read_rgb_rows(int width, int height) {
    const auto columns = static_cast<std::size_t>(width), rows = static_cast<std::size_t>(height);
    std::vector<std::uint8_t> rgba(4 * columns * rows), rgb(3 * columns * rows);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < columns; ++x)
            std::copy_n(&rgba[4 * ((rows - 1 - y) * columns + x)], 3, &rgb[3 * (y * columns + x)]);
    return rgb;
}

}  // namespace claybox::engine
