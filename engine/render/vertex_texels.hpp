#pragma once
// The vertices of a mesh as a texture, which a vertex shader reads at any place: see wire.vert.

#include "engine/gl/objects.hpp"

#include <cstddef>

namespace claybox::engine {

class VertexTexels {
  public:
    /// Whether a texture can hold that many texels of four floats.
    static bool can_hold(std::size_t texels);
    /// Binds the texture of a vertex buffer to a texture unit, with what the buffer holds now. `unit`: as for
    /// glActiveTexture.
    void bind(GLenum unit, GLuint vertices, std::size_t texels);

  private:
    Texture texture_;
    std::size_t texels_ = 0;  ///< that the texture has room for
};

}  // namespace claybox::engine
