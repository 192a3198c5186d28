#pragma once
// Every function of the runtime, under its OpenXR name.

#include "tests/xr_runtime/platform.hpp"

#include <type_traits>

// clang-format is not stable on such lists.
// clang-format off
// All of core 1.0, except functions that the loader itself implements (xrEnumerateApiLayerProperties).
#define CLAYBOX_XR_CORE(_)                                                                                   \
    _(GetInstanceProcAddr)                                                                                   \
    _(EnumerateInstanceExtensionProperties)                                                                  \
    _(CreateInstance) _(DestroyInstance) _(GetInstanceProperties) _(PollEvent) _(ResultToString)             \
        _(StructureTypeToString) _(GetSystem) _(GetSystemProperties) _(EnumerateEnvironmentBlendModes)       \
            _(CreateSession) _(DestroySession) _(EnumerateReferenceSpaces) _(CreateReferenceSpace)           \
                _(GetReferenceSpaceBoundsRect) _(CreateActionSpace) _(LocateSpace) _(DestroySpace)           \
                    _(EnumerateViewConfigurations) _(GetViewConfigurationProperties)                         \
                        _(EnumerateViewConfigurationViews) _(EnumerateSwapchainFormats) _(CreateSwapchain)   \
                            _(DestroySwapchain) _(EnumerateSwapchainImages) _(AcquireSwapchainImage)         \
                                _(WaitSwapchainImage) _(ReleaseSwapchainImage) _(BeginSession) _(EndSession) \
                                    _(RequestExitSession) _(WaitFrame) _(BeginFrame) _(EndFrame)             \
                                        _(LocateViews) _(StringToPath) _(PathToString) _(CreateActionSet)    \
                                            _(DestroyActionSet) _(CreateAction) _(DestroyAction)             \
                                                _(SuggestInteractionProfileBindings)                         \
                                                    _(AttachSessionActionSets)                               \
                                                        _(GetCurrentInteractionProfile)                      \
                                                            _(GetActionStateBoolean) _(GetActionStateFloat)  \
                                                                _(GetActionStateVector2f)                    \
                                                                    _(GetActionStatePose) _(SyncActions)     \
                                                                        _(EnumerateBoundSourcesForAction)    \
                                                                            _(GetInputSourceLocalizedName)   \
                                                                                _(ApplyHapticFeedback)       \
                                                                                    _(StopHapticFeedback)

// Extension functions: name, and the extension that must be enabled.
#define CLAYBOX_XR_EXTENSIONS(_)                                                 \
    _(GetOpenGLGraphicsRequirementsKHR, XR_KHR_OPENGL_ENABLE_EXTENSION_NAME)     \
    _(CreateHandTrackerEXT, XR_EXT_HAND_TRACKING_EXTENSION_NAME)                 \
    _(DestroyHandTrackerEXT, XR_EXT_HAND_TRACKING_EXTENSION_NAME)                \
    _(LocateHandJointsEXT, XR_EXT_HAND_TRACKING_EXTENSION_NAME)                  \
    _(EnumerateDisplayRefreshRatesFB, XR_FB_DISPLAY_REFRESH_RATE_EXTENSION_NAME) \
    _(GetDisplayRefreshRateFB, XR_FB_DISPLAY_REFRESH_RATE_EXTENSION_NAME)        \
    _(RequestDisplayRefreshRateFB, XR_FB_DISPLAY_REFRESH_RATE_EXTENSION_NAME)

// clang-format on
namespace claybox::xr_runtime {

#define CLAYBOX_XR_DECLARE_CORE(name) std::remove_pointer_t<PFN_xr##name> xr##name;
#define CLAYBOX_XR_DECLARE_EXTENSION(name, extension) std::remove_pointer_t<PFN_xr##name> xr##name;
CLAYBOX_XR_CORE(CLAYBOX_XR_DECLARE_CORE)
CLAYBOX_XR_EXTENSIONS(CLAYBOX_XR_DECLARE_EXTENSION)
#undef CLAYBOX_XR_DECLARE_CORE
#undef CLAYBOX_XR_DECLARE_EXTENSION

}  // namespace claybox::xr_runtime
