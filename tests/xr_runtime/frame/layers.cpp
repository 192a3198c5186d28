// Submitted layers: projection and quad layers, depth, and their pictures.

#include "tests/xr_runtime/frame/frames.hpp"

#include <cstdio>
#include <filesystem>

namespace claybox::xr_runtime {

namespace {

constexpr const char* kCall = "xrEndFrame";

XrResult check_image(const XrSwapchainSubImage& image, Json& entry) {
    const Swapchain* swapchain = find<Swapchain>(image.swapchain);
    if (swapchain == nullptr) return misuse(kCall, XR_ERROR_HANDLE_INVALID, "a swapchain is gone");
    if (!swapchain->released)
        return misuse(kCall, XR_ERROR_LAYER_INVALID, "a swapchain's image was never released");
    const XrOffset2Di& at = image.imageRect.offset;
    const XrExtent2Di& size = image.imageRect.extent;
    const bool inside = at.x >= 0 && at.y >= 0 && size.width > 0 && size.height > 0 &&
                        std::int64_t{at.x} + size.width <= std::int64_t{swapchain->info.width} &&
                        std::int64_t{at.y} + size.height <= std::int64_t{swapchain->info.height};
    if (!inside) return misuse(kCall, XR_ERROR_SWAPCHAIN_RECT_INVALID, "a rectangle exceeds its image");
    if (image.imageArrayIndex != 0)
        return misuse(kCall, XR_ERROR_VALIDATION_FAILURE, "an array index outside the swapchain");
    entry["swapchain"] = swapchain->id;
    entry["image"] = *swapchain->released;
    entry["rect"] = {at.x, at.y, size.width, size.height};
    return XR_SUCCESS;
}

XrResult check_depth(const XrCompositionLayerDepthInfoKHR& depth, Json& entry) {
    if (!runtime().instance->has(XR_KHR_COMPOSITION_LAYER_DEPTH_EXTENSION_NAME))
        return misuse(kCall, XR_ERROR_LAYER_INVALID, "depth without its extension");
    if (const XrResult result = check_image(depth.subImage, entry); result != XR_SUCCESS) return result;
    const bool range = depth.minDepth >= 0 && depth.maxDepth <= 1 && depth.minDepth <= depth.maxDepth;
    if (!range || depth.nearZ == depth.farZ || !(depth.nearZ >= 0) || !(depth.farZ >= 0))
        return misuse(kCall, XR_ERROR_VALIDATION_FAILURE, "invalid depth range or planes");
    entry["min"] = depth.minDepth;
    entry["max"] = depth.maxDepth;
    entry["near"] = depth.nearZ;
    entry["far"] = depth.farZ;
    return XR_SUCCESS;
}

XrResult check_view(const XrCompositionLayerProjectionView& view, Json& entry) {
    if (!is_type(&view, XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW))
        return misuse(kCall, XR_ERROR_VALIDATION_FAILURE, "the type of a view is wrong");
    if (!is_valid_pose(view.pose))
        return misuse(kCall, XR_ERROR_POSE_INVALID, "a view's rotation is no unit quaternion");
    entry["pose"] = to_json(view.pose);
    entry["fov"] = to_json(view.fov);
    if (const XrResult result = check_image(view.subImage, entry); result != XR_SUCCESS) return result;
    const auto* depth =
        chained<XrCompositionLayerDepthInfoKHR>(view.next, XR_TYPE_COMPOSITION_LAYER_DEPTH_INFO_KHR);
    return depth != nullptr ? check_depth(*depth, entry["depth"]) : XR_SUCCESS;
}

XrResult check_projection(const XrCompositionLayerProjection& layer, Json& entry) {
    if (layer.viewCount != 2 || layer.views == nullptr)
        return misuse(kCall, XR_ERROR_VALIDATION_FAILURE, "a projection layer has two views");
    entry["views"] = Json::array();
    for (std::uint32_t i = 0; i < 2; ++i) {
        Json view;
        if (const XrResult result = check_view(layer.views[i], view); result != XR_SUCCESS) return result;
        entry["views"].push_back(std::move(view));
    }
    return XR_SUCCESS;
}

XrResult check_quad(const XrCompositionLayerQuad& layer, Json& entry) {
    if (!is_valid_pose(layer.pose))
        return misuse(kCall, XR_ERROR_POSE_INVALID, "a quad's rotation is no unit quaternion");
    entry["pose"] = to_json(layer.pose);
    entry["size"] = {layer.size.width, layer.size.height};
    return check_image(layer.subImage, entry);
}

void write_eye(const XrSwapchainSubImage& image, int eye) {
    const Swapchain& swapchain = *find<Swapchain>(image.swapchain);
    const XrRect2Di& rect = image.imageRect;
    char name[64];
    std::snprintf(name, sizeof name, "frame_%06lld_%s.png", static_cast<long long>(runtime().frame),
                  eye == 0 ? "left" : "right");
    const std::filesystem::path folder = runtime().script.picture_folder;
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    const bool good = write_picture((folder / name).string(), swapchain.textures[*swapchain.released],
                                    {rect.offset.x, rect.offset.y, rect.extent.width, rect.extent.height});
    note("picture", {{"file", name}, {"written", good}});
}

}  // namespace

XrResult check_layer(const XrCompositionLayerBaseHeader* layer, Json& entry) {
    if (layer == nullptr) return misuse(kCall, XR_ERROR_LAYER_INVALID, "a layer is null");
    const bool projection = layer->type == XR_TYPE_COMPOSITION_LAYER_PROJECTION;
    if (!projection && layer->type != XR_TYPE_COMPOSITION_LAYER_QUAD)
        return misuse(kCall, XR_ERROR_LAYER_INVALID, "only projection and quad layers are supported");
    const Space* space = find<Space>(layer->space);
    if (space == nullptr) return misuse(kCall, XR_ERROR_HANDLE_INVALID, "the space of a layer is gone");
    entry["type"] = projection ? "projection" : "quad";
    entry["space"] = space->id;
    if (projection)
        return check_projection(*reinterpret_cast<const XrCompositionLayerProjection*>(layer), entry);
    return check_quad(*reinterpret_cast<const XrCompositionLayerQuad*>(layer), entry);
}

void write_pictures(const XrFrameEndInfo& info) {
    const Script& script = runtime().script;
    if (!script.pictures.contains(runtime().frame) || script.picture_folder.empty()) return;
    for (std::uint32_t i = 0; i < info.layerCount; ++i) {
        if (info.layers[i]->type != XR_TYPE_COMPOSITION_LAYER_PROJECTION) continue;
        const auto& layer = *reinterpret_cast<const XrCompositionLayerProjection*>(info.layers[i]);
        for (int eye = 0; eye < 2; ++eye) write_eye(layer.views[eye].subImage, eye);
        return;
    }
}

}  // namespace claybox::xr_runtime
