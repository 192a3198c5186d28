#pragma once
// The multisampled render target and its resolve into the caller's framebuffer.

#include "engine/gl/objects.hpp"

#include <array>

namespace claybox::engine {

/// Keeps the two sizes used last, so the eyes of a headset and the window can alternate without reallocation.
class MultisampleTarget {
  public:
    /// Binds buffers of that size, allocating them if needed; `depth_format` as in Renderer::draw(), 0 for
    /// any. False when the driver refuses the size.
    bool bind(int width, int height, unsigned depth_format);
    /// Samples for the next bind(), limited by the driver.
    void set_samples(int samples);
    /// Whether the target may differ in size from the framebuffer that it is resolved into.
    bool can_stretch() const { return samples_ == 0; }
    /// Copies the bound buffers into a framebuffer of that size, with linear filtering if sizes differ; with
    /// depth on request.
    void resolve_into(GLuint framebuffer, int width, int height, bool with_depth) const;
    /// Number of buffer allocations.
    int allocations() const { return allocations_; }

  private:
    struct Buffers {
        Framebuffer framebuffer;
        Renderbuffer colour, depth;
        int width = 0, height = 0;
        GLenum depth_format = 0;
        bool fits(int w, int h, GLenum format) const {
            return width == w && height == h && (format == 0 || format == depth_format);
        }
    };
    bool make(Buffers& buffers, int samples);
    std::array<Buffers, 2> buffers_;  ///< the first is bound
    int samples_ = 4, allocations_ = 0;
};

}  // namespace claybox::engine
