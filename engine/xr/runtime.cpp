#include "engine/xr/runtime.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace claybox::engine {

namespace {

constexpr std::array<const char*, static_cast<std::size_t>(XrExtension::count)> kNames = {
    XR_KHR_OPENGL_ENABLE_EXTENSION_NAME,
    XR_KHR_COMPOSITION_LAYER_DEPTH_EXTENSION_NAME,
    XR_FB_DISPLAY_REFRESH_RATE_EXTENSION_NAME,
    XR_EXT_HAND_TRACKING_EXTENSION_NAME,
    XR_EXT_HAND_TRACKING_DATA_SOURCE_EXTENSION_NAME,
    XR_EXT_HAND_INTERACTION_EXTENSION_NAME,
    XR_EXT_LOCAL_FLOOR_EXTENSION_NAME,
    XR_EXT_USER_PRESENCE_EXTENSION_NAME,
};

std::string no_runtime_error() {
    const char* manifest = std::getenv("XR_RUNTIME_JSON");
    if (manifest != nullptr && *manifest != '\0')
        return std::string("no OpenXR runtime: XR_RUNTIME_JSON names '") + manifest +
               "', but that manifest names no runtime that can be loaded";
    return "no OpenXR runtime: start one and set XR_RUNTIME_JSON to its manifest, or link the manifest to "
           "~/.config/openxr/1/active_runtime.json";
}

std::string no_headset_error(const std::string& name, XrResult result) {
    if (result == XR_ERROR_FORM_FACTOR_UNAVAILABLE)
        return name + " is running, but no headset is connected: plug it in and try again";
    return name + " is running, but offers no headset" + result_note("xrGetSystem", result);
}

}  // namespace

XrResult XrRuntime::list_extensions() {
    std::uint32_t count = 0;
    XrResult result = xrEnumerateInstanceExtensionProperties(nullptr, 0, &count, nullptr);
    if (XR_FAILED(result)) return result;
    std::vector<XrExtensionProperties> listed(count,
                                              typed<XrExtensionProperties>(XR_TYPE_EXTENSION_PROPERTIES));
    if (count > 0) result = xrEnumerateInstanceExtensionProperties(nullptr, count, &count, listed.data());
    if (XR_FAILED(result)) return result;
    has_.fill(false);
    for (const XrExtensionProperties& extension : listed)
        for (std::size_t i = 0; i < kNames.size(); ++i)
            has_[i] = has_[i] || std::strcmp(extension.extensionName, kNames[i]) == 0;
    // The data source extends hand tracking and is useless without it.
    bool& data_source = has_[static_cast<std::size_t>(XrExtension::hand_data_source)];
    data_source = data_source && has(XrExtension::hand_tracking);
    return XR_SUCCESS;
}

XrResult XrRuntime::create() {
    std::vector<const char*> names;
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (has_[i]) names.push_back(kNames[i]);
    auto info = typed<XrInstanceCreateInfo>(XR_TYPE_INSTANCE_CREATE_INFO);
    XrApplicationInfo& app = info.applicationInfo;
    std::snprintf(app.applicationName, sizeof app.applicationName, "Claybox");
    std::snprintf(app.engineName, sizeof app.engineName, "Claybox");
    app.applicationVersion = app.engineVersion = 1;
    app.apiVersion = XR_MAKE_VERSION(1, 0, 0);
    info.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
    info.enabledExtensionNames = names.data();
    const XrResult result = xrCreateInstance(&info, instance_.receive());
    if (XR_FAILED(result)) instance_.failed();
    return result;
}

bool XrRuntime::open(std::string& error) {
    if (XR_FAILED(list_extensions())) {
        error = no_runtime_error();
        return false;
    }
    const XrResult created = create();
    if (XR_FAILED(created)) {
        error = "an OpenXR runtime is installed, but it does not respond" +
                result_note("xrCreateInstance", created) + ": is its service running?";
        return false;
    }
    auto properties = typed<XrInstanceProperties>(XR_TYPE_INSTANCE_PROPERTIES);
    const bool named = XR_SUCCEEDED(xrGetInstanceProperties(handle(), &properties));
    name_ = named && properties.runtimeName[0] != '\0' ? properties.runtimeName : "the OpenXR runtime";
    return true;
}

bool XrRuntime::find_headset(std::string& error) {
    auto info = typed<XrSystemGetInfo>(XR_TYPE_SYSTEM_GET_INFO);
    info.formFactor = XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY;
    const XrResult found = xrGetSystem(handle(), &info, &system_);
    if (XR_FAILED(found)) {
        error = no_headset_error(name_, found);
        return false;
    }
    if (!has(XrExtension::opengl)) {
        error = name_ + " has a headset, but does not support OpenGL (it does not list " +
                XR_KHR_OPENGL_ENABLE_EXTENSION_NAME + "): use a runtime that does, such as SteamVR or Monado";
        return false;
    }
    query_properties();
    return true;
}

void XrRuntime::query_properties() {
    auto properties = typed<XrSystemProperties>(XR_TYPE_SYSTEM_PROPERTIES);
    auto hands = typed<XrSystemHandTrackingPropertiesEXT>(XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT);
    if (has(XrExtension::hand_tracking)) properties.next = &hands;
    if (XR_FAILED(xrGetSystemProperties(handle(), system_, &properties))) return;
    tracks_hands_ = has(XrExtension::hand_tracking) && hands.supportsHandTracking == XR_TRUE;
    max_width_ = properties.graphicsProperties.maxSwapchainImageWidth;
    max_height_ = properties.graphicsProperties.maxSwapchainImageHeight;
}

void XrRuntime::close() {
    instance_.reset();
    system_ = XR_NULL_SYSTEM_ID;
}

}  // namespace claybox::engine
