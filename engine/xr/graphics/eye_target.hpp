#pragma once
// The render target of one eye: framebuffers around the runtime's images, with depth.

#include "engine/gl/program.hpp"
#include "engine/xr/graphics/gl_guard.hpp"
#include "engine/xr/graphics/swapchains.hpp"

namespace claybox::engine {

/// Converts a picture of sRGB bytes to a linear image; the texture unit decodes.
class LinearCopy {
  public:
    bool create(std::string& error);
    /// Draws into the bound framebuffer.
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
    /// Returns false with a sentence in `error`.
    bool create(const Request& request, const GlGuard& guard, CallWatch& watch, std::string& error);
    void close(const GlGuard& guard);
    /// Acquires this frame's images; false when there are none. Makes runtime calls only: attach_acquired()
    /// must follow.
    bool acquire(CallWatch& watch);
    void attach_acquired() const;
    /// Converts the drawing if the format needs it, and releases the images. False when none were acquired.
    bool release(bool drawn, CallWatch& watch, const LinearCopy& copy);

    /// The framebuffer to draw into between acquire() and release().
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
    std::vector<Framebuffer> framebuffers_;  ///< one per colour image
    Framebuffer own_;                        ///< our own target, when the images are linear
    Texture own_colour_;
    Renderbuffer own_depth_;  ///< used without a depth chain
    unsigned depth_format_ = 0;
};

}  // namespace claybox::engine
