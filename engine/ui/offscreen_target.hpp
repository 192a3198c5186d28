#pragma once

#include <cstdint>
#include <vector>

namespace claybox::engine {

/// A framebuffer with one colour texture, for rendering without a window. Needs a current context during its
/// lifetime.
class OffscreenTarget {
  public:
    OffscreenTarget(int width, int height);
    ~OffscreenTarget();
    OffscreenTarget(const OffscreenTarget&) = delete;
    OffscreenTarget& operator=(const OffscreenTarget&) = delete;

    /// False when the driver refuses the size.
    bool complete() const { return complete_; }
    unsigned framebuffer() const { return framebuffer_; }
    unsigned texture() const { return texture_; }
    void bind(float r, float g, float b, float alpha = 1) const;  ///< binds and clears
    /// Builds mipmaps, for smooth display at other sizes. Leaves no texture bound.
    void generate_mipmaps() const;
    /// Returns when everything is drawn, for measurements.
    void wait() const;
    std::vector<std::uint8_t> pixels() const;  ///< RGB rows, top row first

  private:
    int width_, height_;
    unsigned framebuffer_ = 0, texture_ = 0;
    bool complete_ = false;
};

}  // namespace claybox::engine
