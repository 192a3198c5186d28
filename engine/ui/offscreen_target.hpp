#pragma once

#include <cstdint>
#include <vector>

namespace claybox::engine {

/// A framebuffer with one colour texture, for pictures without a window. Needs a current context for its
/// whole life.
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
    void bind(float r, float g, float b, float alpha = 1) const;  ///< and clears it
    /// What was drawn becomes smooth where the texture is seen at another size. Leaves no texture bound.
    void make_smaller_sizes() const;
    std::vector<std::uint8_t> pixels() const;  ///< RGB rows from the top

  private:
    int width_, height_;
    unsigned framebuffer_ = 0, texture_ = 0;
    bool complete_ = false;
};

}  // namespace claybox::engine
