#pragma once
// RAII owners of OpenGL object names: movable, not copyable. A context must be current.

#include "engine/gl/gl.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace claybox::engine {

/// `Kind` creates and destroys the object. Default-constructed: owns nothing (name 0).
template <class Kind>
class GlObject {
  public:
    GlObject() = default;
    GlObject(GlObject&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    GlObject& operator=(GlObject&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    GlObject(const GlObject&) = delete;
    GlObject& operator=(const GlObject&) = delete;
    ~GlObject() {
        if (id_ != 0) Kind::destroy(id_);
    }

    static GlObject make() {
        GlObject object;
        object.id_ = Kind::create();
        return object;
    }
    GLuint id() const { return id_; }
    explicit operator bool() const { return id_ != 0; }

  private:
    GLuint id_ = 0;
};

struct BufferKind {
    static GLuint create();
    static void destroy(GLuint id);
};
struct VertexArrayKind {
    static GLuint create();
    static void destroy(GLuint id);
};
struct TextureKind {
    static GLuint create();
    static void destroy(GLuint id);
};
struct RenderbufferKind {
    static GLuint create();
    static void destroy(GLuint id);
};
struct FramebufferKind {
    static GLuint create();
    static void destroy(GLuint id);
};

using Buffer = GlObject<BufferKind>;
using VertexArray = GlObject<VertexArrayKind>;
using Texture = GlObject<TextureKind>;
using Renderbuffer = GlObject<RenderbufferKind>;
using Framebuffer = GlObject<FramebufferKind>;

/// A buffer that is refilled each frame. Grows, never shrinks; orphans its storage so the driver need not
/// wait.
class StreamBuffer {
  public:
    void upload(GLenum target, const void* data, std::size_t bytes);
    GLuint id() const { return buffer_.id(); }

  private:
    Buffer buffer_;
    std::size_t capacity_ = 0;
};

/// Sets a float attribute of the bound array buffer; `stride` and `offset` in bytes.
void set_attribute(GLuint location, GLint components, std::size_t stride, std::size_t offset,
                   GLuint divisor = 0);

/// The bytes R, G, B of the bound framebuffer, top row first.
std::vector<std::uint8_t> read_rgb_rows(int width, int height);

}  // namespace claybox::engine
