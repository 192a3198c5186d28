#pragma once
// Extensions missing from the OpenXR header of Debian 12 (1.0.20). Names and numbers are from the Khronos
// registry. Each is used only when the runtime lists it.

#include <openxr/openxr.h>

#include <cstdint>

#ifndef XR_EXT_local_floor
#define XR_EXT_local_floor 1
#define XR_EXT_LOCAL_FLOOR_EXTENSION_NAME "XR_EXT_local_floor"
inline constexpr XrReferenceSpaceType XR_REFERENCE_SPACE_TYPE_LOCAL_FLOOR_EXT =
    static_cast<XrReferenceSpaceType>(1000426000);
#endif

#ifndef XR_EXT_hand_interaction
#define XR_EXT_hand_interaction 1
#define XR_EXT_HAND_INTERACTION_EXTENSION_NAME "XR_EXT_hand_interaction"
#endif

#ifndef XR_EXT_hand_tracking_data_source
#define XR_EXT_hand_tracking_data_source 1
#define XR_EXT_HAND_TRACKING_DATA_SOURCE_EXTENSION_NAME "XR_EXT_hand_tracking_data_source"
inline constexpr XrStructureType XR_TYPE_HAND_TRACKING_DATA_SOURCE_INFO_EXT =
    static_cast<XrStructureType>(1000428000);
enum XrHandTrackingDataSourceEXT : int {
    XR_HAND_TRACKING_DATA_SOURCE_UNOBSTRUCTED_EXT = 1,
    XR_HAND_TRACKING_DATA_SOURCE_CONTROLLER_EXT = 2,
};
/// Extends XrHandTrackerCreateInfoEXT.
struct XrHandTrackingDataSourceInfoEXT {
    XrStructureType type;
    const void* next;
    std::uint32_t requestedDataSourceCount;
    XrHandTrackingDataSourceEXT* requestedDataSources;
};
#endif

#ifndef XR_EXT_user_presence
#define XR_EXT_user_presence 1
#define XR_EXT_USER_PRESENCE_EXTENSION_NAME "XR_EXT_user_presence"
inline constexpr XrStructureType XR_TYPE_EVENT_DATA_USER_PRESENCE_CHANGED_EXT =
    static_cast<XrStructureType>(1000470000);
struct XrEventDataUserPresenceChangedEXT {
    XrStructureType type;
    const void* next;
    XrSession session;
    XrBool32 isUserPresent;
};
#endif
