#pragma once
// Protects OpenGL state around calls into a runtime, because both share the context.

#include "engine/gl/gl.hpp"
#include "engine/xr/graphics/graphics_binding.hpp"

#include <array>

namespace claybox::engine {

/// While it lives, a runtime may change OpenGL state. The destructor makes the context current again,
/// restores the saved bindings and switches, and clears pending errors: some runtimes leave their own errors
/// behind, others mistake the program's errors for theirs.
class GlGuard {
  public:
    explicit GlGuard(const XrGraphics& graphics);
    ~GlGuard();
    GlGuard(const GlGuard&) = delete;
    GlGuard& operator=(const GlGuard&) = delete;
    /// Makes the context current and clears errors, for our own OpenGL calls between runtime calls.
    void reclaim() const;

  private:
    static constexpr std::size_t kBindings = 9, kSwitches = 6;
    const XrGraphics& graphics_;
    std::array<GLint, kBindings> bindings_{};
    std::array<GLboolean, kSwitches> switches_{};
    std::array<GLint, 4> viewport_{};
};

}  // namespace claybox::engine
