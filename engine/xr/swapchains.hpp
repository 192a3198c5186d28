#pragma once
// Images that belong to the runtime: which format, and whose turn it is.

#include "engine/gl/gl.hpp"
#include "engine/xr/openxr_api.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace claybox::engine {

/// Internal formats of OpenGL, 0 none.
struct ChainFormats {
    unsigned colour = 0, depth = 0;
};

/// Colour: SRGB8_ALPHA8, RGBA16F, RGBA8 in this order; depth: the most exact that is offered. Formats of both
/// kinds share a list, in the runtime's own order, so that the first one means nothing.
ChainFormats choose_formats(std::span<const std::int64_t> offered);

/// The renderer writes sRGB. An sRGB image takes its bytes as they are (GL_FRAMEBUFFER_SRGB off); every other
/// format is linear by OpenXR's rules, so that what was drawn has to be converted first.
bool needs_linear(unsigned colour_format);

struct ChainRequest {
    ::XrSession session = XR_NULL_HANDLE;
    unsigned format = 0;
    bool depth = false;
    std::uint32_t width = 0, height = 0;
};

/// A swapchain and the image of it that is ours at the moment.
class ImageChain {
  public:
    bool create(const ChainRequest& request, CallWatch& watch);
    /// Acquires an image and waits for it. False when there is none this time: the next call goes on where
    /// this one stopped, as the runtime demands.
    bool take(CallWatch& watch);
    bool release(CallWatch& watch);
    bool taken() const { return state_ == State::ready; }
    std::size_t index() const { return index_; }
    const std::vector<GLuint>& textures() const { return textures_; }
    XrSwapchain handle() const { return chain_.get(); }
    explicit operator bool() const { return static_cast<bool>(chain_); }

  private:
    enum class State : unsigned char { idle, acquired, ready };
    XrOwned<XrSwapchain, xrDestroySwapchain> chain_;
    std::vector<GLuint> textures_;  ///< the runtime's: never freed here
    std::uint32_t index_ = 0;
    State state_ = State::idle;
};

}  // namespace claybox::engine
