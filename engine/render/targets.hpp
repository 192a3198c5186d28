#pragma once
// The multisampled picture that everything is drawn into, and its way to the caller's framebuffer.

#include "engine/gl/objects.hpp"

namespace claybox::engine {

class MultisampleTarget {
  public:
    /// Makes or remakes the buffers and binds them. False when the driver refuses the size.
    bool bind(int width, int height);
    /// How many samples the next bind uses; no more than the driver has.
    void set_samples(int samples);
    /// Whether the picture may have another size than the one it is resolved into.
    bool can_stretch() const { return samples_ == 0; }
    /// Into a picture of that size; smoothed where it is another one.
    void resolve_into(GLuint framebuffer, int width, int height) const;

  private:
    bool make(int samples);
    Framebuffer framebuffer_;
    Renderbuffer colour_, depth_;
    int width_ = 0, height_ = 0, samples_ = 4;
};

}  // namespace claybox::engine
