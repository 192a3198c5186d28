// Swapchains of three immutable textures; images are acquired, waited for and released in order.

#include "tests/xr_runtime/functions.hpp"
#include "tests/xr_runtime/session/session.hpp"

#include <algorithm>

namespace claybox::xr_runtime {

namespace {

constexpr std::size_t kImages = 3;

XrResult check_swapchain(const XrSwapchainCreateInfo* info) {
    const char* call = "xrCreateSwapchain";
    if (!is_type(info, XR_TYPE_SWAPCHAIN_CREATE_INFO))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the create info is wrong");
    const auto& formats = runtime().script.formats;
    if (std::find(formats.begin(), formats.end(), info->format) == formats.end())
        return misuse(call, XR_ERROR_SWAPCHAIN_FORMAT_UNSUPPORTED, "that format is not in the list");
    if (info->faceCount != 1 || info->arraySize != 1)
        return misuse(call, XR_ERROR_FEATURE_UNSUPPORTED, "only plain textures are supported");
    const bool sane = info->sampleCount == 1 && info->mipCount >= 1 && info->width >= 1 &&
                      info->height >= 1 && info->width <= 4096 && info->height <= 4096;
    if (!sane) return misuse(call, XR_ERROR_VALIDATION_FAILURE, "samples, levels or size are out of range");
    return XR_SUCCESS;
}

Json words_of(const XrSwapchainCreateInfo& info, std::size_t images) {
    return {{"format", info.format},
            {"width", info.width},
            {"height", info.height},
            {"usage", info.usageFlags},
            {"images", images}};
}

}  // namespace

void Swapchain::end() {
    const CurrentContext current(session->graphics);
    if (current.good()) delete_textures(textures);
}

XrResult xrEnumerateSwapchainFormats(XrSession handle, std::uint32_t capacity, std::uint32_t* count,
                                     std::int64_t* list) {
    Session* session = nullptr;
    const char* call = "xrEnumerateSwapchainFormats";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    const auto& formats = runtime().script.formats;
    return copy_list(call, formats.size(), capacity, count, list,
                     [&](std::int64_t& format, std::size_t i) { format = formats[i]; });
}

XrResult xrCreateSwapchain(XrSession handle, const XrSwapchainCreateInfo* info, XrSwapchain* created) {
    Session* session = nullptr;
    const char* call = "xrCreateSwapchain";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    if (const XrResult result = check_swapchain(info); result != XR_SUCCESS) return result;
    auto swapchain = std::make_unique<Swapchain>();
    swapchain->session = session;
    swapchain->info = *info;
    const bool one = (info->createFlags & XR_SWAPCHAIN_CREATE_STATIC_IMAGE_BIT) != 0;
    const CurrentContext current(session->graphics);
    if (!current.good()) return misuse(call, XR_ERROR_RUNTIME_FAILURE, "the context is gone");
    swapchain->textures = make_textures(one ? 1 : kImages, info->format, static_cast<int>(info->mipCount),
                                        static_cast<int>(info->width), static_cast<int>(info->height));
    const Swapchain& made = *swapchain;
    const std::size_t images = made.textures.size();
    add_object(std::move(swapchain), session, words_of(*info, images));
    *created = handle_of<XrSwapchain>(made);
    return XR_SUCCESS;
}

XrResult xrDestroySwapchain(XrSwapchain handle) {
    return destroy<Swapchain>("xrDestroySwapchain", handle);
}

XrResult xrEnumerateSwapchainImages(XrSwapchain handle, std::uint32_t capacity, std::uint32_t* count,
                                    XrSwapchainImageBaseHeader* list) {
    Swapchain* swapchain = nullptr;
    const char* call = "xrEnumerateSwapchainImages";
    if (const XrResult result = enter(call, handle, swapchain); result != XR_SUCCESS) return result;
    if (capacity > 0 && !is_type(list, XR_TYPE_SWAPCHAIN_IMAGE_OPENGL_KHR))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of an image is wrong");
    auto* images = reinterpret_cast<XrSwapchainImageOpenGLKHR*>(list);
    return copy_list(
        call, swapchain->textures.size(), capacity, count, images,
        [&](XrSwapchainImageOpenGLKHR& image, std::size_t i) { image.image = swapchain->textures[i]; });
}

XrResult xrAcquireSwapchainImage(XrSwapchain handle, const XrSwapchainImageAcquireInfo*,
                                 std::uint32_t* index) {
    Swapchain* swapchain = nullptr;
    const char* call = "xrAcquireSwapchainImage";
    if (const XrResult result = enter(call, handle, swapchain); result != XR_SUCCESS) return result;
    const std::size_t images = swapchain->textures.size();
    if (swapchain->acquired.size() == images)
        return misuse(call, XR_ERROR_CALL_ORDER_INVALID, "every image is acquired");
    if (images == 1 && swapchain->released)
        return misuse(call, XR_ERROR_CALL_ORDER_INVALID, "a static image is acquired once");
    *index = swapchain->next;
    swapchain->acquired.push_back(*index);
    swapchain->next = (*index + 1) % static_cast<std::uint32_t>(images);
    return XR_SUCCESS;
}

XrResult xrWaitSwapchainImage(XrSwapchain handle, const XrSwapchainImageWaitInfo* info) {
    Swapchain* swapchain = nullptr;
    const char* call = "xrWaitSwapchainImage";
    if (const XrResult result = enter(call, handle, swapchain); result != XR_SUCCESS) return result;
    if (!is_type(info, XR_TYPE_SWAPCHAIN_IMAGE_WAIT_INFO))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the wait info is wrong");
    if (swapchain->acquired.empty()) return misuse(call, XR_ERROR_CALL_ORDER_INVALID, "wait without acquire");
    if (swapchain->waited) return misuse(call, XR_ERROR_CALL_ORDER_INVALID, "waited twice without release");
    swapchain->waited = true;
    return XR_SUCCESS;
}

XrResult xrReleaseSwapchainImage(XrSwapchain handle, const XrSwapchainImageReleaseInfo*) {
    Swapchain* swapchain = nullptr;
    const char* call = "xrReleaseSwapchainImage";
    if (const XrResult result = enter(call, handle, swapchain); result != XR_SUCCESS) return result;
    if (!swapchain->waited)
        return misuse(call, XR_ERROR_CALL_ORDER_INVALID,
                      swapchain->acquired.empty() ? "release without acquire" : "release without wait");
    swapchain->waited = false;
    swapchain->released = swapchain->acquired.front();
    swapchain->acquired.pop_front();
    return XR_SUCCESS;
}

}  // namespace claybox::xr_runtime
