// Loader negotiation, instance, system, paths, names and events.

#include "tests/xr_runtime/functions.hpp"
#include "tests/xr_runtime/loader_interface.hpp"
#include "tests/xr_runtime/newer_openxr.hpp"
#include "tests/xr_runtime/session/session.hpp"

#include <openxr/openxr_reflection.h>

#include <algorithm>
#include <cstdio>

namespace claybox::xr_runtime {

namespace {

constexpr XrSystemId kHeadset = 1;

struct Extension {
    const char* name;
    std::uint32_t version;
};

constexpr Extension kExtensions[] = {
    {XR_KHR_OPENGL_ENABLE_EXTENSION_NAME, XR_KHR_opengl_enable_SPEC_VERSION},
    {XR_MNDX_EGL_ENABLE_EXTENSION_NAME, XR_MNDX_egl_enable_SPEC_VERSION},
    {XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_EXT_hand_tracking_SPEC_VERSION},
    {XR_KHR_COMPOSITION_LAYER_DEPTH_EXTENSION_NAME, XR_KHR_composition_layer_depth_SPEC_VERSION},
    {XR_FB_DISPLAY_REFRESH_RATE_EXTENSION_NAME, XR_FB_display_refresh_rate_SPEC_VERSION},
    {kUserPresenceExtension, 1},
    {kLocalFloorExtension, 1},
    {kHandInteractionExtension, 1},
};

std::vector<Extension> offered_extensions() {
    std::vector<Extension> offered;
    for (const Extension& extension : kExtensions)
        if (!runtime().script.without.contains(extension.name)) offered.push_back(extension);
    return offered;
}

bool is_offered(const std::string& name) {
    const auto offered = offered_extensions();
    return std::any_of(offered.begin(), offered.end(), [&](const Extension& e) { return name == e.name; });
}

XrResult check_create_info(const XrInstanceCreateInfo* info) {
    const char* call = "xrCreateInstance";
    if (!is_type(info, XR_TYPE_INSTANCE_CREATE_INFO))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the create info is wrong");
    if (XR_VERSION_MAJOR(info->applicationInfo.apiVersion) != 1 ||
        XR_VERSION_MINOR(info->applicationInfo.apiVersion) != 0)
        return misuse(call, XR_ERROR_API_VERSION_UNSUPPORTED, "only OpenXR 1.0 is supported");
    if (info->applicationInfo.applicationName[0] == '\0')
        return misuse(call, XR_ERROR_NAME_INVALID, "the application has no name");
    for (std::uint32_t i = 0; i < info->enabledExtensionCount; ++i)
        if (!is_offered(info->enabledExtensionNames[i]))
            return misuse(call, XR_ERROR_EXTENSION_NOT_PRESENT, info->enabledExtensionNames[i]);
    if (runtime().instance != nullptr)
        return misuse(call, XR_ERROR_LIMIT_REACHED, "the previous instance was not destroyed");
    return XR_SUCCESS;
}

PFN_xrVoidFunction served_function(const std::string& name, const Instance* instance) {
#define CLAYBOX_XR_FIND(function) \
    if (name == "xr" #function) return reinterpret_cast<PFN_xrVoidFunction>(&xr##function);
#define CLAYBOX_XR_FIND_ENABLED(function, extension) \
    if (instance->has(extension)) CLAYBOX_XR_FIND(function)
    CLAYBOX_XR_CORE(CLAYBOX_XR_FIND)
    CLAYBOX_XR_EXTENSIONS(CLAYBOX_XR_FIND_ENABLED)
#undef CLAYBOX_XR_FIND
#undef CLAYBOX_XR_FIND_ENABLED
    return nullptr;
}

/// Only these can be missing: the loader asks for all functions of the core, and crashes without them.
bool is_extension_function(const std::string& name) {
#define CLAYBOX_XR_COMPARE(function, extension) \
    if (name == "xr" #function) return true;
    CLAYBOX_XR_EXTENSIONS(CLAYBOX_XR_COMPARE)
#undef CLAYBOX_XR_COMPARE
    return false;
}

bool path_is_well_formed(const std::string& path) {
    if (path.empty() || path[0] != '/' || path.back() == '/' || path.size() >= XR_MAX_PATH_LENGTH)
        return false;
    if (path.find("//") != std::string::npos) return false;
    return path.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_./") == std::string::npos;
}

XrResult check_system(const char* call, XrSystemId system) {
    if (system == kHeadset) return XR_SUCCESS;
    return misuse(call, XR_ERROR_SYSTEM_INVALID, "not the system of xrGetSystem");
}

void fill_tracking(XrSystemProperties& properties) {
    const Script& script = runtime().script;
    if (auto* hands = chained<XrSystemHandTrackingPropertiesEXT>(properties.next,
                                                                 XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT))
        hands->supportsHandTracking = script.hand_tracking ? XR_TRUE : XR_FALSE;
    if (auto* presence = chained<SystemUserPresence>(properties.next, kSystemUserPresenceType))
        presence->supports_user_presence = XR_TRUE;
}

}  // namespace

XrResult xrEnumerateInstanceExtensionProperties(const char* layer, std::uint32_t capacity,
                                                std::uint32_t* count, XrExtensionProperties* list) {
    prepare();
    const char* call = "xrEnumerateInstanceExtensionProperties";
    if (const XrResult result = apply_faults(call, nullptr); result != XR_SUCCESS) return result;
    const auto offered = offered_extensions();
    const std::size_t size = layer == nullptr ? offered.size() : 0;
    return copy_list(call, size, capacity, count, list, [&](XrExtensionProperties& entry, std::size_t i) {
        copy_text(entry.extensionName, sizeof entry.extensionName, offered[i].name);
        entry.extensionVersion = offered[i].version;
    });
}

XrResult xrCreateInstance(const XrInstanceCreateInfo* info, XrInstance* handle) {
    if (!prepare()) return XR_ERROR_INITIALIZATION_FAILED;
    if (const XrResult result = apply_faults("xrCreateInstance", nullptr); result != XR_SUCCESS)
        return result;
    if (const XrResult result = check_create_info(info); result != XR_SUCCESS) return result;
    auto instance = std::make_unique<Instance>();
    for (std::uint32_t i = 0; i < info->enabledExtensionCount; ++i)
        instance->extensions.insert(info->enabledExtensionNames[i]);
    runtime().instance = instance.get();
    Json more{{"application", info->applicationInfo.applicationName}, {"extensions", instance->extensions}};
    add_object(std::move(instance), nullptr, more);
    *handle = handle_of<XrInstance>(*runtime().instance);
    return XR_SUCCESS;
}

XrResult xrDestroyInstance(XrInstance handle) {
    const XrResult result = destroy<Instance>("xrDestroyInstance", handle);
    const Runtime& all = runtime();
    note("calls",
         {{"session", all.session_calls}, {"other", all.other_calls}, {"destroying", all.destroying_calls}});
    return result;
}

XrResult xrGetInstanceProperties(XrInstance handle, XrInstanceProperties* properties) {
    Instance* instance = nullptr;
    const char* call = "xrGetInstanceProperties";
    if (const XrResult result = enter(call, handle, instance); result != XR_SUCCESS) return result;
    if (!is_type(properties, XR_TYPE_INSTANCE_PROPERTIES))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the properties is wrong");
    properties->runtimeVersion = XR_MAKE_VERSION(0, 1, 0);
    copy_text(properties->runtimeName, sizeof properties->runtimeName, runtime().script.name);
    return XR_SUCCESS;
}

XrResult xrGetInstanceProcAddr(XrInstance handle, const char* name, PFN_xrVoidFunction* function) {
    *function = nullptr;
    const std::string wanted = name != nullptr ? name : "";
    const bool early = wanted == "xrEnumerateInstanceExtensionProperties" || wanted == "xrCreateInstance";
    Instance* instance = find<Instance>(handle);
    if (instance == nullptr && !early) return XR_ERROR_HANDLE_INVALID;
    if (is_extension_function(wanted))
        if (const XrResult result = apply_faults("xrGetInstanceProcAddr", nullptr); result != XR_SUCCESS)
            return result;
    *function = served_function(wanted, instance);
    return *function != nullptr ? XR_SUCCESS : XR_ERROR_FUNCTION_UNSUPPORTED;
}

XrResult xrPollEvent(XrInstance handle, XrEventDataBuffer* buffer) {
    Instance* instance = nullptr;
    const char* call = "xrPollEvent";
    if (const XrResult result = enter(call, handle, instance); result != XR_SUCCESS) return result;
    if (!is_type(buffer, XR_TYPE_EVENT_DATA_BUFFER))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the buffer was not set again");
    if (instance->events.empty()) {
        count_empty_poll();
        return XR_EVENT_UNAVAILABLE;
    }
    const XrEventDataBuffer event = instance->events.front();
    instance->events.pop_front();
    const void* next = buffer->next;
    *buffer = event;
    buffer->next = next;
    const auto& change = *reinterpret_cast<const XrEventDataSessionStateChanged*>(&event);
    if (event.type != XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED) return XR_SUCCESS;
    Session* session = find<Session>(change.session);
    if (session != nullptr && change.state == XR_SESSION_STATE_READY) session->ready_polled = true;
    return XR_SUCCESS;
}

XrResult xrResultToString(XrInstance handle, XrResult value, char text[XR_MAX_RESULT_STRING_SIZE]) {
    Instance* instance = nullptr;
    if (const XrResult result = enter("xrResultToString", handle, instance); result != XR_SUCCESS)
        return result;
    const char* name = result_name(value);
    std::string words = value < 0 ? "XR_UNKNOWN_FAILURE_" : "XR_UNKNOWN_SUCCESS_";
    words = name != nullptr ? name : words + std::to_string(static_cast<int>(value));
    copy_text(text, XR_MAX_RESULT_STRING_SIZE, words);
    return XR_SUCCESS;
}

XrResult xrStructureTypeToString(XrInstance handle, XrStructureType value,
                                 char text[XR_MAX_STRUCTURE_NAME_SIZE]) {
    Instance* instance = nullptr;
    if (const XrResult result = enter("xrStructureTypeToString", handle, instance); result != XR_SUCCESS)
        return result;
    std::string words = "XR_UNKNOWN_STRUCTURE_TYPE_" + std::to_string(static_cast<int>(value));
#define CLAYBOX_XR_TYPE_NAME(name, number) \
    if (value == (name)) words = #name;
    XR_LIST_ENUM_XrStructureType(CLAYBOX_XR_TYPE_NAME)
#undef CLAYBOX_XR_TYPE_NAME
        copy_text(text, XR_MAX_STRUCTURE_NAME_SIZE, words);
    return XR_SUCCESS;
}

XrResult xrGetSystem(XrInstance handle, const XrSystemGetInfo* info, XrSystemId* system) {
    Instance* instance = nullptr;
    const char* call = "xrGetSystem";
    if (const XrResult result = enter(call, handle, instance); result != XR_SUCCESS) return result;
    if (!is_type(info, XR_TYPE_SYSTEM_GET_INFO))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the info is wrong");
    if (info->formFactor != XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY)
        return misuse(call, XR_ERROR_FORM_FACTOR_UNSUPPORTED, "only a head-mounted display is supported");
    *system = kHeadset;
    return XR_SUCCESS;
}

XrResult xrGetSystemProperties(XrInstance handle, XrSystemId system, XrSystemProperties* properties) {
    Instance* instance = nullptr;
    const char* call = "xrGetSystemProperties";
    if (const XrResult result = enter(call, handle, instance); result != XR_SUCCESS) return result;
    if (const XrResult result = check_system(call, system); result != XR_SUCCESS) return result;
    if (!is_type(properties, XR_TYPE_SYSTEM_PROPERTIES))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the properties is wrong");
    properties->systemId = system;
    properties->vendorId = 0xC1A7;
    copy_text(properties->systemName, sizeof properties->systemName, runtime().script.name);
    properties->graphicsProperties = {4096, 4096, 16};
    properties->trackingProperties = {XR_TRUE, XR_TRUE};
    fill_tracking(*properties);
    return XR_SUCCESS;
}

XrResult xrGetOpenGLGraphicsRequirementsKHR(XrInstance handle, XrSystemId system,
                                            XrGraphicsRequirementsOpenGLKHR* requirements) {
    Instance* instance = nullptr;
    const char* call = "xrGetOpenGLGraphicsRequirementsKHR";
    if (const XrResult result = enter(call, handle, instance); result != XR_SUCCESS) return result;
    if (const XrResult result = check_system(call, system); result != XR_SUCCESS) return result;
    if (!is_type(requirements, XR_TYPE_GRAPHICS_REQUIREMENTS_OPENGL_KHR))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the requirements is wrong");
    requirements->minApiVersionSupported = XR_MAKE_VERSION(3, 3, 0);
    requirements->maxApiVersionSupported = XR_MAKE_VERSION(4, 6, 0);
    instance->requirements_queried = true;
    return XR_SUCCESS;
}

XrResult xrStringToPath(XrInstance handle, const char* text, XrPath* path) {
    Instance* instance = nullptr;
    const char* call = "xrStringToPath";
    if (const XrResult result = enter(call, handle, instance); result != XR_SUCCESS) return result;
    if (!path_is_well_formed(text)) return misuse(call, XR_ERROR_PATH_FORMAT_INVALID, text);
    auto& paths = instance->paths;
    const auto found = std::find(paths.begin(), paths.end(), text);
    *path = static_cast<XrPath>(found - paths.begin()) + 1;
    if (found == paths.end()) paths.push_back(text);
    return XR_SUCCESS;
}

XrResult xrPathToString(XrInstance handle, XrPath path, std::uint32_t capacity, std::uint32_t* count,
                        char* text) {
    Instance* instance = nullptr;
    const char* call = "xrPathToString";
    if (const XrResult result = enter(call, handle, instance); result != XR_SUCCESS) return result;
    if (path == XR_NULL_PATH || path > instance->paths.size())
        return misuse(call, XR_ERROR_PATH_INVALID, "xrStringToPath never returned that path");
    const std::string& words = instance->paths[path - 1];
    return copy_list(call, words.size() + 1, capacity, count, text,
                     [&](char& letter, std::size_t i) { letter = words.c_str()[i]; });
}

}  // namespace claybox::xr_runtime

/// The only exported symbol: the loader's entry point.
extern "C" __attribute__((visibility("default"))) XrResult xrNegotiateLoaderRuntimeInterface(
    const LoaderInfo* loader, RuntimeRequest* request) {
    if (loader == nullptr || request == nullptr || loader->struct_type != kLoaderInfoStruct ||
        request->struct_type != kRuntimeRequestStruct ||
        loader->min_interface_version > kLoaderRuntimeVersion ||
        loader->max_interface_version < kLoaderRuntimeVersion)
        return XR_ERROR_INITIALIZATION_FAILED;
    request->runtime_interface_version = kLoaderRuntimeVersion;
    request->runtime_api_version = XR_CURRENT_API_VERSION;
    request->get_instance_proc_addr = claybox::xr_runtime::xrGetInstanceProcAddr;
    return XR_SUCCESS;
}
