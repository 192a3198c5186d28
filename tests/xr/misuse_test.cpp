// A client's mistake returns the same code as in other runtimes, and the log names the mistake.

#include "tests/xr/client.hpp"

#include <gtest/gtest.h>

#include <dlfcn.h>

namespace claybox::test {
namespace {

TEST(XrMisuse, a_session_needs_requirements_and_a_binding) {
    const ScriptedRuntime runtime;
    XrClient client;
    ASSERT_EQ(client.create_instance(), XR_SUCCESS);
    ASSERT_EQ(client.get_system(), XR_SUCCESS);
    EXPECT_EQ(client.create_session(), XR_ERROR_GRAPHICS_REQUIREMENTS_CALL_MISSING);
    ASSERT_EQ(client.requirements(), XR_SUCCESS);
    auto info = typed<XrSessionCreateInfo>(XR_TYPE_SESSION_CREATE_INFO);
    info.systemId = client.system;
    EXPECT_EQ(xrCreateSession(client.instance, &info, &client.session), XR_ERROR_GRAPHICS_DEVICE_INVALID);
    client.session = XR_NULL_HANDLE;
    EXPECT_EQ(client.create_session(), XR_SUCCESS);
    EXPECT_EQ(runtime.log("misuse").size(), 2u);
}

TEST(XrMisuse, calls_in_the_wrong_order_are_rejected) {
    const ScriptedRuntime runtime;
    XrClient client;
    ASSERT_EQ(client.open(), XR_SUCCESS);
    EXPECT_FALSE(client.begin()) << "READY has not been polled";
    auto state = typed<XrFrameState>(XR_TYPE_FRAME_STATE);
    EXPECT_EQ(xrWaitFrame(client.session, nullptr, &state), XR_ERROR_SESSION_NOT_RUNNING);
    EXPECT_EQ(xrRequestExitSession(client.session), XR_ERROR_SESSION_NOT_RUNNING);
    client.poll();
    ASSERT_TRUE(client.running);
    auto begin = typed<XrSessionBeginInfo>(XR_TYPE_SESSION_BEGIN_INFO);
    begin.primaryViewConfigurationType = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
    EXPECT_EQ(xrBeginSession(client.session, &begin), XR_ERROR_SESSION_RUNNING);
    EXPECT_EQ(xrEndSession(client.session), XR_ERROR_SESSION_NOT_STOPPING);
    EXPECT_EQ(xrBeginFrame(client.session, nullptr), XR_ERROR_CALL_ORDER_INVALID);
    auto end = typed<XrFrameEndInfo>(XR_TYPE_FRAME_END_INFO);
    end.environmentBlendMode = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;
    EXPECT_EQ(xrEndFrame(client.session, &end), XR_ERROR_CALL_ORDER_INVALID);
    ASSERT_EQ(xrWaitFrame(client.session, nullptr, &state), XR_SUCCESS);
    EXPECT_EQ(xrWaitFrame(client.session, nullptr, &state), XR_ERROR_CALL_ORDER_INVALID);
    ASSERT_EQ(xrBeginFrame(client.session, nullptr), XR_SUCCESS);
    EXPECT_EQ(xrEndFrame(client.session, &end), XR_ERROR_TIME_INVALID);
    end.displayTime = state.predictedDisplayTime;
    EXPECT_EQ(xrEndFrame(client.session, &end), XR_SUCCESS) << "no layers are fine";
    ASSERT_EQ(xrWaitFrame(client.session, nullptr, &state), XR_SUCCESS);
    ASSERT_EQ(xrBeginFrame(client.session, nullptr), XR_SUCCESS);
    ASSERT_EQ(xrWaitFrame(client.session, nullptr, &state), XR_SUCCESS);
    EXPECT_EQ(xrBeginFrame(client.session, nullptr), XR_FRAME_DISCARDED);
    EXPECT_EQ(runtime.log("misuse").size(), 10u) << runtime.log_text();
}

TEST(XrMisuse, invalid_swapchains_and_images_out_of_order_are_rejected) {
    const ScriptedRuntime runtime;
    XrClient client;
    ASSERT_EQ(client.open(), XR_SUCCESS);
    std::int64_t formats[8];
    std::uint32_t count = 0;
    ASSERT_EQ(xrEnumerateSwapchainFormats(client.session, 8, &count, formats), XR_SUCCESS);
    EXPECT_NE(formats[0], GL_SRGB8_ALPHA8) << "taking the first format would be wrong";
    auto info = typed<XrSwapchainCreateInfo>(XR_TYPE_SWAPCHAIN_CREATE_INFO);
    info.format = GL_RGB8;
    info.width = info.height = 16;
    info.sampleCount = info.faceCount = info.arraySize = info.mipCount = 1;
    XrSwapchain swapchain = XR_NULL_HANDLE;
    EXPECT_EQ(xrCreateSwapchain(client.session, &info, &swapchain), XR_ERROR_SWAPCHAIN_FORMAT_UNSUPPORTED);
    info.format = GL_SRGB8_ALPHA8;
    info.sampleCount = 4;
    EXPECT_EQ(xrCreateSwapchain(client.session, &info, &swapchain), XR_ERROR_VALIDATION_FAILURE);
    info.sampleCount = 1;
    ASSERT_EQ(xrCreateSwapchain(client.session, &info, &swapchain), XR_SUCCESS);
    EXPECT_EQ(xrReleaseSwapchainImage(swapchain, nullptr), XR_ERROR_CALL_ORDER_INVALID);
    auto wait = typed<XrSwapchainImageWaitInfo>(XR_TYPE_SWAPCHAIN_IMAGE_WAIT_INFO);
    EXPECT_EQ(xrWaitSwapchainImage(swapchain, &wait), XR_ERROR_CALL_ORDER_INVALID);
    std::uint32_t index = 9;
    for (std::uint32_t i = 0; i < 3; ++i) {
        ASSERT_EQ(xrAcquireSwapchainImage(swapchain, nullptr, &index), XR_SUCCESS);
        EXPECT_EQ(index, i);
    }
    EXPECT_EQ(xrAcquireSwapchainImage(swapchain, nullptr, &index), XR_ERROR_CALL_ORDER_INVALID);
    const auto misuses = runtime.log("misuse");
    ASSERT_EQ(misuses.size(), 5u) << runtime.log_text();
    EXPECT_EQ(misuses[2]["why"], "release without acquire");
    EXPECT_EQ(misuses[2]["result"], "XR_ERROR_CALL_ORDER_INVALID");
}

TEST(XrMisuse, leaked_objects_are_logged) {
    const ScriptedRuntime runtime;
    XrClient client;
    ASSERT_EQ(client.open(), XR_SUCCESS);
    ASSERT_EQ(client.make_images(), XR_SUCCESS);
    ASSERT_EQ(xrDestroySwapchain(client.images.colour[0]), XR_SUCCESS);
    EXPECT_EQ(xrDestroySwapchain(client.images.colour[0]), XR_ERROR_HANDLE_INVALID);
    ASSERT_EQ(xrDestroyInstance(client.instance), XR_SUCCESS);
    client.instance = XR_NULL_HANDLE, client.session = XR_NULL_HANDLE, client.stage = XR_NULL_HANDLE;
    std::vector<std::string> kinds;
    for (const Json& line : runtime.log("leaked")) kinds.push_back(line["kind"]);
    EXPECT_EQ(kinds, (std::vector<std::string>{"session", "space", "swapchain", "swapchain", "swapchain"}));
}

constexpr const char* kFunctions[] = {"xrGetInstanceProcAddr",
                                      "xrEnumerateInstanceExtensionProperties",
                                      "xrCreateInstance",
                                      "xrDestroyInstance",
                                      "xrGetInstanceProperties",
                                      "xrPollEvent",
                                      "xrResultToString",
                                      "xrStructureTypeToString",
                                      "xrGetSystem",
                                      "xrGetSystemProperties",
                                      "xrEnumerateEnvironmentBlendModes",
                                      "xrCreateSession",
                                      "xrDestroySession",
                                      "xrEnumerateReferenceSpaces",
                                      "xrCreateReferenceSpace",
                                      "xrGetReferenceSpaceBoundsRect",
                                      "xrCreateActionSpace",
                                      "xrLocateSpace",
                                      "xrDestroySpace",
                                      "xrEnumerateViewConfigurations",
                                      "xrGetViewConfigurationProperties",
                                      "xrEnumerateViewConfigurationViews",
                                      "xrEnumerateSwapchainFormats",
                                      "xrCreateSwapchain",
                                      "xrDestroySwapchain",
                                      "xrEnumerateSwapchainImages",
                                      "xrAcquireSwapchainImage",
                                      "xrWaitSwapchainImage",
                                      "xrReleaseSwapchainImage",
                                      "xrBeginSession",
                                      "xrEndSession",
                                      "xrRequestExitSession",
                                      "xrWaitFrame",
                                      "xrBeginFrame",
                                      "xrEndFrame",
                                      "xrLocateViews",
                                      "xrStringToPath",
                                      "xrPathToString",
                                      "xrCreateActionSet",
                                      "xrDestroyActionSet",
                                      "xrCreateAction",
                                      "xrDestroyAction",
                                      "xrSuggestInteractionProfileBindings",
                                      "xrAttachSessionActionSets",
                                      "xrGetCurrentInteractionProfile",
                                      "xrGetActionStateBoolean",
                                      "xrGetActionStateFloat",
                                      "xrGetActionStateVector2f",
                                      "xrGetActionStatePose",
                                      "xrSyncActions",
                                      "xrEnumerateBoundSourcesForAction",
                                      "xrGetInputSourceLocalizedName",
                                      "xrApplyHapticFeedback",
                                      "xrStopHapticFeedback",
                                      "xrGetOpenGLGraphicsRequirementsKHR"};

TEST(XrMisuse, every_core_function_is_available_and_no_other) {
    const ScriptedRuntime runtime;
    XrClient client;
    ASSERT_EQ(client.create_instance({"XR_KHR_opengl_enable"}), XR_SUCCESS);
    void* library = dlopen(CLAYBOX_XR_RUNTIME_LIBRARY, RTLD_NOW);
    ASSERT_NE(library, nullptr);
    EXPECT_NE(dlsym(library, "xrNegotiateLoaderRuntimeInterface"), nullptr);
    EXPECT_EQ(dlsym(library, "xrWaitFrame"), nullptr) << "no other symbol is exported";
    for (const char* name : kFunctions) {
        PFN_xrVoidFunction found = nullptr;
        EXPECT_EQ(xrGetInstanceProcAddr(client.instance, name, &found), XR_SUCCESS) << name;
        EXPECT_NE(found, nullptr) << name;
    }
    PFN_xrVoidFunction found = nullptr;
    EXPECT_EQ(xrGetInstanceProcAddr(client.instance, "xrNothing", &found), XR_ERROR_FUNCTION_UNSUPPORTED);
    EXPECT_EQ(found, nullptr);
    dlclose(library);
}

}  // namespace
}  // namespace claybox::test
