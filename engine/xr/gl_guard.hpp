#pragma once
// OpenGL around calls into a runtime, which shares the context.

#include "engine/gl/gl.hpp"
#include "engine/xr/graphics_binding.hpp"

#include <array>

namespace claybox::engine {

/// While it lives a runtime may do with OpenGL what it likes. Afterwards the context is current again, with
/// the bindings and switches that were found, and no error waits for somebody else: some runtimes leave their
/// own errors behind, and some take those of the program for theirs.
class GlGuard {
  public:
    explicit GlGuard(const XrGraphics& graphics);
    ~GlGuard();
    GlGuard(const GlGuard&) = delete;
    GlGuard& operator=(const GlGuard&) = delete;
    /// For OpenGL of our own between calls: the context is current and no error waits.
    void take_back() const;

  private:
    static constexpr std::size_t kBindings = 9, kSwitches = 6;
    const XrGraphics& graphics_;
    std::array<GLint, kBindings> bindings_{};
    std::array<GLboolean, kSwitches> switches_{};
    std::array<GLint, 4> viewport_{};
};

}  // namespace claybox::engine
