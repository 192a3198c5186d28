#include "engine/xr/graphics/swapchains.hpp"

#include <algorithm>

namespace claybox::engine {

namespace {

constexpr XrDuration kImageTimeout = 500'000'000;  // nanoseconds; a slower runtime gets no picture this frame

unsigned first_offered(std::span<const unsigned> wanted, std::span<const std::int64_t> offered) {
    for (const unsigned format : wanted)
        if (std::find(offered.begin(), offered.end(), static_cast<std::int64_t>(format)) != offered.end())
            return format;
    return 0;
}

bool list_images(XrSwapchain chain, std::vector<GLuint>& textures, CallWatch& watch) {
    std::uint32_t count = 0;
    if (!watch.ok(xrEnumerateSwapchainImages(chain, 0, &count, nullptr), "xrEnumerateSwapchainImages"))
        return false;
    std::vector<XrSwapchainImageOpenGLKHR> images(
        count, typed<XrSwapchainImageOpenGLKHR>(XR_TYPE_SWAPCHAIN_IMAGE_OPENGL_KHR));
    auto* base = reinterpret_cast<XrSwapchainImageBaseHeader*>(images.data());
    if (count == 0 ||
        !watch.ok(xrEnumerateSwapchainImages(chain, count, &count, base), "xrEnumerateSwapchainImages"))
        return false;
    textures.clear();
    for (const XrSwapchainImageOpenGLKHR& image : images) textures.push_back(image.image);
    return true;
}

}  // namespace

ChainFormats choose_formats(std::span<const std::int64_t> offered) {
    constexpr unsigned kColours[] = {GL_SRGB8_ALPHA8, GL_RGBA16F, GL_RGBA8};
    constexpr unsigned kDepths[] = {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT24, GL_DEPTH24_STENCIL8,
                                    GL_DEPTH32F_STENCIL8, GL_DEPTH_COMPONENT16};
    return {first_offered(kColours, offered), first_offered(kDepths, offered)};
}

bool needs_linear(unsigned colour_format) {
    // RGBA8 with linear values loses dark shades; it is the last resort. sRGB bytes in a linear format would
    // be shown too bright.
    return colour_format != GL_SRGB8_ALPHA8;
}

bool ImageChain::create(const ChainRequest& request, CallWatch& watch) {
    auto info = typed<XrSwapchainCreateInfo>(XR_TYPE_SWAPCHAIN_CREATE_INFO);
    info.usageFlags = request.depth
                          ? XR_SWAPCHAIN_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                          : XR_SWAPCHAIN_USAGE_COLOR_ATTACHMENT_BIT | XR_SWAPCHAIN_USAGE_SAMPLED_BIT;
    info.format = request.format;
    info.sampleCount = 1;  // the renderer resolves its own multisampled target
    info.width = request.width;
    info.height = request.height;
    info.faceCount = info.arraySize = info.mipCount = 1;
    if (!watch.created(xrCreateSwapchain(request.session, &info, chain_.receive()), chain_,
                       "xrCreateSwapchain"))
        return false;
    if (list_images(chain_.get(), textures_, watch)) return true;
    chain_.reset();
    return false;
}

bool ImageChain::acquire(CallWatch& watch) {
    if (state_ == State::idle) {
        const auto info = typed<XrSwapchainImageAcquireInfo>(XR_TYPE_SWAPCHAIN_IMAGE_ACQUIRE_INFO);
        if (!watch.ok(xrAcquireSwapchainImage(chain_.get(), &info, &index_), "xrAcquireSwapchainImage"))
            return false;
        state_ = State::acquired;
    }
    if (state_ == State::acquired) {
        auto info = typed<XrSwapchainImageWaitInfo>(XR_TYPE_SWAPCHAIN_IMAGE_WAIT_INFO);
        info.timeout = kImageTimeout;
        const XrResult waited = xrWaitSwapchainImage(chain_.get(), &info);
        if (!watch.ok(waited, "xrWaitSwapchainImage") || waited == XR_TIMEOUT_EXPIRED) return false;
        state_ = State::ready;
    }
    return index_ < textures_.size();
}

bool ImageChain::release(CallWatch& watch) {
    if (state_ != State::ready) return false;
    const auto info = typed<XrSwapchainImageReleaseInfo>(XR_TYPE_SWAPCHAIN_IMAGE_RELEASE_INFO);
    // An image that could not be released is still ours: the next frame draws into it and tries again.
    if (!watch.ok(xrReleaseSwapchainImage(chain_.get(), &info), "xrReleaseSwapchainImage")) return false;
    state_ = State::idle;
    return true;
}

}  // namespace claybox::engine
