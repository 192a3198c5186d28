#pragma once
// Swapchains, whose images belong to the runtime: format choice and acquire/release.

#include "engine/gl/gl.hpp"
#include "engine/xr/openxr_api.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace claybox::engine {

/// OpenGL internal formats; 0 means none.
struct ChainFormats {
    unsigned colour = 0, depth = 0;
};

/// Colour: SRGB8_ALPHA8, RGBA16F or RGBA8, in this order of preference; depth: the most precise one offered.
/// The runtime lists both kinds in one list, in its own order, so its first entry has no special meaning.
ChainFormats choose_formats(std::span<const std::int64_t> offered);

/// The renderer writes sRGB bytes. An sRGB image stores them unchanged (GL_FRAMEBUFFER_SRGB off). OpenXR
/// treats every other format as linear, so the picture must be converted.
bool needs_linear(unsigned colour_format);

struct ChainRequest {
    ::XrSession session = XR_NULL_HANDLE;
    unsigned format = 0;
    bool depth = false;
    std::uint32_t width = 0, height = 0;
};

/// A swapchain and its currently acquired image.
class ImageChain {
  public:
    bool create(const ChainRequest& request, CallWatch& watch);
    /// Acquires an image and waits for it. False when none is ready: the next call resumes where this one
    /// stopped, as OpenXR requires.
    bool acquire(CallWatch& watch);
    bool release(CallWatch& watch);
    std::size_t index() const { return index_; }
    const std::vector<GLuint>& textures() const { return textures_; }
    XrSwapchain handle() const { return chain_.get(); }
    explicit operator bool() const { return static_cast<bool>(chain_); }

  private:
    enum class State : unsigned char { idle, acquired, ready };
    XrOwned<XrSwapchain, xrDestroySwapchain> chain_;
    std::vector<GLuint> textures_;  ///< owned by the runtime, never freed here
    std::uint32_t index_ = 0;
    State state_ = State::idle;
};

}  // namespace claybox::engine
