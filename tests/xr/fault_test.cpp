// Every fault of a runtime, one at a time.

#include "tests/xr/client.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace claybox::test {
namespace {

using Words = std::vector<std::string>;

/// Opens a client and runs it until it has focus.
void start(XrClient& client, const std::vector<const char*>& extensions = XrClient::kUsual) {
    ASSERT_EQ(client.open(extensions), XR_SUCCESS);
    client.poll();
    ASSERT_TRUE(client.running);
    ASSERT_EQ(client.make_images(), XR_SUCCESS);
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    client.poll();
    ASSERT_EQ(client.state, XR_SESSION_STATE_FOCUSED);
}

TEST(XrFaults, a_lost_session_fails_every_call_and_a_new_session_works) {
    const ScriptedRuntime runtime({R"({"frame": 3, "fault": "session_lost"})"});
    XrClient client;
    start(client);
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    EXPECT_EQ(client.frame(), XR_ERROR_SESSION_LOST);
    auto location = typed<XrSpaceLocation>(XR_TYPE_SPACE_LOCATION);
    EXPECT_EQ(xrLocateSpace(client.stage, client.stage, 1, &location), XR_ERROR_SESSION_LOST);
    EXPECT_EQ(xrRequestExitSession(client.session), XR_ERROR_SESSION_LOST);
    EXPECT_EQ(xrEndSession(client.session), XR_ERROR_SESSION_LOST);
    auto properties = typed<XrInstanceProperties>(XR_TYPE_INSTANCE_PROPERTIES);
    EXPECT_EQ(xrGetInstanceProperties(client.instance, &properties), XR_SUCCESS);
    client.close();
    EXPECT_EQ(runtime.log("destroy").size(), 7u) << runtime.log_text();
    start(client);
    EXPECT_EQ(client.frame(), XR_SUCCESS);
}

TEST(XrFaults, a_session_is_lost_in_the_scripted_call) {
    const ScriptedRuntime runtime({R"({"frame": 1, "fault": "session_lost", "call": "xrEndFrame"})"});
    XrClient client;
    start(client);
    auto state = typed<XrFrameState>(XR_TYPE_FRAME_STATE);
    ASSERT_EQ(xrWaitFrame(client.session, nullptr, &state), XR_SUCCESS);
    ASSERT_EQ(xrBeginFrame(client.session, nullptr), XR_SUCCESS);
    auto end = typed<XrFrameEndInfo>(XR_TYPE_FRAME_END_INFO);
    end.displayTime = state.predictedDisplayTime;
    end.environmentBlendMode = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;
    EXPECT_EQ(xrEndFrame(client.session, &end), XR_ERROR_SESSION_LOST);
}

TEST(XrFaults, an_instance_is_lost_without_an_event) {
    const ScriptedRuntime runtime({R"({"frame": 2, "fault": "instance_lost"})"});
    XrClient client;
    start(client);
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    const std::size_t events = client.events.size();
    EXPECT_EQ(client.frame(), XR_ERROR_INSTANCE_LOST);
    auto event = typed<XrEventDataBuffer>(XR_TYPE_EVENT_DATA_BUFFER);
    EXPECT_EQ(xrPollEvent(client.instance, &event), XR_ERROR_INSTANCE_LOST);
    EXPECT_EQ(client.events.size(), events);
    EXPECT_EQ(client.get_system(), XR_ERROR_INSTANCE_LOST);
    client.close();
    start(client);
    EXPECT_EQ(client.frame(), XR_SUCCESS);
}

TEST(XrFaults, an_instance_can_be_created_again_after_the_scripted_number_of_calls) {
    const ScriptedRuntime runtime({R"({"frame": 1, "fault": "instance_lost"})",
                                   R"({"frame": 1, "fault": "fails", "call": "xrCreateInstance",)"
                                   R"( "result": "XR_ERROR_RUNTIME_UNAVAILABLE", "calls": 2})"});
    XrClient client;
    start(client);
    EXPECT_EQ(client.frame(), XR_ERROR_INSTANCE_LOST);
    client.close();
    EXPECT_EQ(client.create_instance(), XR_ERROR_RUNTIME_UNAVAILABLE);
    EXPECT_EQ(client.create_instance(), XR_ERROR_RUNTIME_UNAVAILABLE);
    client.instance = XR_NULL_HANDLE;
    start(client);
}

TEST(XrFaults, the_headset_is_found_after_three_failed_calls) {
    const ScriptedRuntime runtime({R"({"fault": "fails", "call": "xrGetSystem", "calls": 3,)"
                                   R"( "result": "XR_ERROR_FORM_FACTOR_UNAVAILABLE"})"});
    XrClient client;
    ASSERT_EQ(client.create_instance(), XR_SUCCESS);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(client.get_system(), XR_ERROR_FORM_FACTOR_UNAVAILABLE);
    EXPECT_EQ(client.get_system(), XR_SUCCESS);
}

TEST(XrFaults, creating_a_session_can_fail) {
    const ScriptedRuntime runtime({R"({"fault": "fails", "call": "xrCreateSession",)"
                                   R"( "result": "XR_ERROR_GRAPHICS_DEVICE_INVALID"})"});
    XrClient client;
    EXPECT_EQ(client.open(), XR_ERROR_GRAPHICS_DEVICE_INVALID);
    EXPECT_EQ(client.create_session(), XR_SUCCESS);
}

TEST(XrFaults, an_excluded_extension_is_neither_listed_nor_accepted) {
    const ScriptedRuntime runtime({R"({"runtime": "No OpenGL", "without": ["XR_KHR_opengl_enable"]})"});
    std::uint32_t count = 0;
    ASSERT_EQ(xrEnumerateInstanceExtensionProperties(nullptr, 0, &count, nullptr), XR_SUCCESS);
    std::vector<XrExtensionProperties> list(count,
                                            typed<XrExtensionProperties>(XR_TYPE_EXTENSION_PROPERTIES));
    ASSERT_EQ(xrEnumerateInstanceExtensionProperties(nullptr, count, &count, list.data()), XR_SUCCESS);
    bool hands = false;
    for (const auto& extension : list) {
        EXPECT_STRNE(extension.extensionName, "XR_KHR_opengl_enable");
        hands = hands || std::string(extension.extensionName) == "XR_EXT_hand_tracking";
    }
    EXPECT_TRUE(hands);
    XrClient client;
    EXPECT_EQ(client.create_instance(), XR_ERROR_EXTENSION_NOT_PRESENT);
    client.instance = XR_NULL_HANDLE;
}

TEST(XrFaults, a_stall_skips_display_periods) {
    const ScriptedRuntime runtime({R"({"frame": 2, "fault": "stall", "periods": 4})"});
    XrClient client;
    start(client);
    const XrTime first = client.last.predictedDisplayTime;
    const XrDuration period = client.last.predictedDisplayPeriod;
    EXPECT_EQ(period, 11'111'111);
    for (const int periods : {1, 6, 7}) {
        ASSERT_EQ(client.frame(), XR_SUCCESS);
        EXPECT_EQ(client.last.predictedDisplayTime, first + periods * period);
    }
}

TEST(XrFaults, a_headset_taken_off_and_put_on_again_changes_states_and_presence) {
    const ScriptedRuntime runtime({R"({"frame": 2, "session": "synchronized"})",
                                   R"({"frame": 2, "user": false})", R"({"frame": 4, "session": "focused"})",
                                   R"({"frame": 4, "user": true})"});
    XrClient client;
    auto extensions = XrClient::kUsual;
    extensions.push_back("XR_EXT_user_presence");
    start(client, extensions);
    const bool seen[] = {true, false, false, true};
    for (const bool expected : seen) {
        ASSERT_EQ(client.frame(), XR_SUCCESS);
        client.poll();
        EXPECT_EQ(client.last.shouldRender == XR_TRUE, expected);
    }
    EXPECT_EQ(runtime.states(), (Words{"IDLE", "READY", "SYNCHRONIZED", "VISIBLE", "FOCUSED", "VISIBLE",
                                       "SYNCHRONIZED", "VISIBLE", "FOCUSED"}));
    int presence = 0;
    for (const auto& event : client.events) presence += event.type == 1000470000;
    EXPECT_EQ(presence, 2);
}

TEST(XrFaults, a_pause_ends_the_session_and_makes_it_ready_again) {
    const ScriptedRuntime runtime({R"({"frame": 1, "session": "pause", "polls": 5})"});
    XrClient client;
    start(client);
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    client.poll();
    EXPECT_FALSE(client.running);
    for (int i = 0; i < 5; ++i) client.poll();
    ASSERT_TRUE(client.running);
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    client.poll();
    EXPECT_EQ(client.state, XR_SESSION_STATE_FOCUSED);
}

TEST(XrFaults, the_runtime_can_end_the_session) {
    const ScriptedRuntime runtime({R"({"frame": 1, "session": "exit"})"});
    XrClient client;
    start(client);
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    client.poll();
    client.poll();
    EXPECT_EQ(client.state, XR_SESSION_STATE_EXITING);
    EXPECT_FALSE(client.running);
}

TEST(XrFaults, pending_losses_are_announced_by_events) {
    const ScriptedRuntime runtime({R"({"frame": 1, "session": "loss_pending"})",
                                   R"({"frame": 2, "session": "instance_loss_pending"})"});
    XrClient client;
    start(client);
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    client.poll();
    EXPECT_EQ(client.state, XR_SESSION_STATE_LOSS_PENDING);
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    client.poll();
    EXPECT_EQ(client.events.back().type, XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING);
}

TEST(XrFaults, steals_context_leaves_no_context_current) {
    const ScriptedRuntime runtime({R"({"runtime": "Thief", "steals_context": true})"});
    XrClient client;
    ASSERT_EQ(client.open(), XR_SUCCESS);
    EXPECT_EQ(eglGetCurrentContext(), EGL_NO_CONTEXT);
}

TEST(XrFaults, the_context_and_its_state_are_preserved_by_default) {
    const ScriptedRuntime runtime;
    setenv("CLAYBOX_XR_PICTURES", (runtime.folder().string() + ":2").c_str(), 1);
    XrClient client;
    start(client);
    const EGLContext before = eglGetCurrentContext();
    ASSERT_NE(before, EGL_NO_CONTEXT);
    GLuint texture = 0, framebuffer = 0;
    glGenTextures(1, &texture);
    glGenFramebuffers(1, &framebuffer);
    for (int i = 0; i < 3; ++i) {
        glBindTexture(GL_TEXTURE_2D, texture);
        glPixelStorei(GL_PACK_ALIGNMENT, 8);
        ASSERT_EQ(client.frame(), XR_SUCCESS);
        GLint bound = 0, alignment = 0;
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
        glGetIntegerv(GL_PACK_ALIGNMENT, &alignment);
        EXPECT_EQ(static_cast<GLuint>(bound), texture);
        EXPECT_EQ(alignment, 8);
        EXPECT_EQ(eglGetCurrentContext(), before);
        EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
    }
    EXPECT_EQ(runtime.log("picture").size(), 2u);
    glDeleteTextures(1, &texture);
    glDeleteFramebuffers(1, &framebuffer);
}

}  // namespace
}  // namespace claybox::test
