#pragma once
// The negotiation between the Khronos loader and a runtime. The packaged headers omit it; layout and numbers
// follow the OpenXR loader's design document.

#include <openxr/openxr.h>

#include <cstddef>
#include <cstdint>

inline constexpr std::uint32_t kLoaderInfoStruct = 1, kRuntimeRequestStruct = 3;
inline constexpr std::uint32_t kLoaderRuntimeVersion = 1;

struct LoaderInfo {
    std::uint32_t struct_type, struct_version;
    std::size_t struct_size;
    std::uint32_t min_interface_version, max_interface_version;
    XrVersion min_api_version, max_api_version;
};

struct RuntimeRequest {
    std::uint32_t struct_type, struct_version;
    std::size_t struct_size;
    std::uint32_t runtime_interface_version;
    XrVersion runtime_api_version;
    PFN_xrGetInstanceProcAddr get_instance_proc_addr;
};
