#include "engine/xr/runtime_probe.hpp"

#include <openxr/openxr.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace claybox::engine {

namespace {

/// The loader writes ten lines to the error stream when there is no runtime, unless it is told to be quiet.
void quiet_loader() {
#if defined(_WIN32)
    if (std::getenv("XR_LOADER_DEBUG") == nullptr) _putenv_s("XR_LOADER_DEBUG", "none");
#else
    setenv("XR_LOADER_DEBUG", "none", 0);
#endif
}

/// An instance that ends with this object.
struct InstanceOwner {
    XrInstance instance = XR_NULL_HANDLE;
    InstanceOwner() = default;
    InstanceOwner(const InstanceOwner&) = delete;
    InstanceOwner& operator=(const InstanceOwner&) = delete;
    ~InstanceOwner() {
        if (instance != XR_NULL_HANDLE) xrDestroyInstance(instance);
    }
};

XrResult create_instance(XrInstance& instance) {
    XrInstanceCreateInfo info{};
    info.type = XR_TYPE_INSTANCE_CREATE_INFO;
    std::snprintf(info.applicationInfo.applicationName, sizeof info.applicationInfo.applicationName,
                  "Claybox");
    std::snprintf(info.applicationInfo.engineName, sizeof info.applicationInfo.engineName, "Claybox");
    info.applicationInfo.applicationVersion = 1;
    info.applicationInfo.engineVersion = 1;
    info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
    return xrCreateInstance(&info, &instance);
}

std::string no_runtime_sentence() {
    const char* manifest = std::getenv("XR_RUNTIME_JSON");
    if (manifest != nullptr && *manifest != '\0')
        return std::string("no OpenXR runtime: XR_RUNTIME_JSON names '") + manifest +
               "', and that manifest does not lead to a runtime that loads";
    return "no OpenXR runtime: start one and let XR_RUNTIME_JSON name its manifest, or link the manifest to "
           "~/.config/openxr/1/active_runtime.json";
}

std::string runtime_name(XrInstance instance) {
    XrInstanceProperties properties{};
    properties.type = XR_TYPE_INSTANCE_PROPERTIES;
    if (XR_FAILED(xrGetInstanceProperties(instance, &properties))) return "the OpenXR runtime";
    return std::string("the OpenXR runtime '") + properties.runtimeName + "'";
}

XrResult find_headset(XrInstance instance) {
    XrSystemGetInfo info{};
    info.type = XR_TYPE_SYSTEM_GET_INFO;
    info.formFactor = XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY;
    XrSystemId system = XR_NULL_SYSTEM_ID;
    return xrGetSystem(instance, &info, &system);
}

}  // namespace

XrProbe probe_xr_runtime() {
    quiet_loader();
    XrProbe probe;
    std::uint32_t count = 0;
    if (XR_FAILED(xrEnumerateInstanceExtensionProperties(nullptr, 0, &count, nullptr))) {
        probe.sentence = no_runtime_sentence();
        return probe;
    }
    InstanceOwner owner;
    const XrResult created = create_instance(owner.instance);
    if (XR_FAILED(created)) {
        owner.instance = XR_NULL_HANDLE;
        probe.sentence = "an OpenXR runtime is installed, but it does not answer (result " +
                         std::to_string(static_cast<int>(created)) + "): is its service running?";
        return probe;
    }
    probe.runtime = true;
    const XrResult found = find_headset(owner.instance);
    probe.headset = XR_SUCCEEDED(found);
    const std::string name = runtime_name(owner.instance);
    if (probe.headset)
        probe.sentence = name + " has a headset";
    else if (found == XR_ERROR_FORM_FACTOR_UNAVAILABLE)
        probe.sentence = name + " is running, but no headset is connected: plug it in and try again";
    else
        probe.sentence = name + " is running, but offers no headset (result " +
                         std::to_string(static_cast<int>(found)) + ")";
    return probe;
}

}  // namespace claybox::engine
