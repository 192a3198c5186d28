#pragma once
// The multisampled picture that everything is drawn into, and its way to the caller's framebuffer.

#include "engine/gl/objects.hpp"

#include <array>

namespace claybox::engine {

/// Two pictures' sizes are kept at a time, those used last: the eyes of a headset and the window take turns
/// without making anything anew.
class MultisampleTarget {
  public:
    /// Binds the buffers of that size, made when there are none; `depth_format` as of Renderer::draw(), 0 for
    /// any. False when the driver refuses the size.
    bool bind(int width, int height, unsigned depth_format);
    /// How many samples the next bind uses; no more than the driver has.
    void set_samples(int samples);
    /// Whether the picture may have another size than the one it is resolved into.
    bool can_stretch() const { return samples_ == 0; }
    /// What is bound, into a picture of that size; smoothed where it is another one. With the depth too when
    /// it was asked for.
    void resolve_into(GLuint framebuffer, int width, int height, bool with_depth) const;
    /// How often buffers were made.
    int made() const { return made_; }

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
    std::array<Buffers, 2> kept_;  ///< the first is bound
    int samples_ = 4, made_ = 0;
};

}  // namespace claybox::engine
