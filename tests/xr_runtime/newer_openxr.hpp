#pragma once
// Extensions newer than the packaged header (1.0.20), under our own names.

#include <openxr/openxr.h>

namespace claybox::xr_runtime {

inline constexpr const char* kLocalFloorExtension = "XR_EXT_local_floor";
inline constexpr auto kLocalFloorSpace = static_cast<XrReferenceSpaceType>(1000426000);

inline constexpr const char* kHandInteractionExtension = "XR_EXT_hand_interaction";
inline constexpr const char* kHandInteractionProfile = "/interaction_profiles/ext/hand_interaction_ext";

inline constexpr const char* kUserPresenceExtension = "XR_EXT_user_presence";
inline constexpr auto kUserPresenceChangedType = static_cast<XrStructureType>(1000470000);
inline constexpr auto kSystemUserPresenceType = static_cast<XrStructureType>(1000470001);

struct EventUserPresenceChanged {
    XrStructureType type;
    const void* next;
    XrSession session;
    XrBool32 is_user_present;
};

struct SystemUserPresence {
    XrStructureType type;
    void* next;
    XrBool32 supports_user_presence;
};

}  // namespace claybox::xr_runtime
