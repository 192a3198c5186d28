#pragma once
// What one eye draws into: framebuffers of the runtime's images, with depth.

#include "engine/gl/program.hpp"
#include "engine/xr/gl_guard.hpp"
#include "engine/xr/swapchains.hpp"

namespace claybox::engine {

/// From a picture of sRGB bytes to a linear image, by the texture unit's own decoding.
class LinearCopy {
  public:
    bool create(std::string& error);
    /// Into the framebuffer that is bound.
    void draw(GLuint srgb_texture, int width, int height) const;

  private:
    Program program_;
    VertexArray empty_;
};

class EyeTarget {
  public:
    struct Request {
        ::XrSession session = XR_NULL_HANDLE;
        ChainFormats formats;  ///< depth 0: no depth for the runtime
        std::uint32_t width = 0, height = 0;
    };
    /// False with a sentence in `error`.
    bool create(const Request& request, const GlGuard& guard, CallWatch& watch, std::string& error);
    void close(const GlGuard& guard);
    /// False when this frame has no image for it. Only calls of the runtime; attach_taken() follows.
    bool take(CallWatch& watch);
    void attach_taken() const;
    /// Converts what was drawn if it must, and gives the images back. False when there was none.
    bool release(bool drawn, CallWatch& watch, const LinearCopy& copy);

    /// To draw into between take() and release().
    GLuint framebuffer() const;
    unsigned depth_format() const { return depth_format_; }
    int width() const { return static_cast<int>(request_.width); }
    int height() const { return static_cast<int>(request_.height); }
    XrSwapchainSubImage colour_image() const { return image_of(colour_); }
    XrSwapchainSubImage depth_image() const { return image_of(depth_); }
    bool has_depth_chain() const { return static_cast<bool>(depth_); }

  private:
    XrSwapchainSubImage image_of(const ImageChain& chain) const;
    bool make_framebuffers();
    void make_own_picture();
    void attach_depth() const;

    Request request_;
    ImageChain colour_, depth_;
    std::vector<Framebuffer> framebuffers_;  ///< one for each colour image
    Framebuffer own_;                        ///< of our texture, when the images are linear
    Texture own_colour_;
    Renderbuffer own_depth_;  ///< without a depth chain
    unsigned depth_format_ = 0;
};

}  // namespace claybox::engine
