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
    void bind(float r, float g, float b) const;  ///< and clears it
    std::vector<std::uint8_t> pixels() const;    ///< RGB rows from the top

  private:
    int width_, height_;
    unsigned framebuffer_ = 0, texture_ = 0;
    bool complete_ = false;
};

}  // namespace claybox::engine
