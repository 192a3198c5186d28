// Controllers of the test runtime: bindings, states, poses and haptics.

#include "tests/xr/client.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace claybox::test {
namespace {

constexpr const char* kTouch = "/interaction_profiles/oculus/touch_controller";
constexpr const char* kSimple = "/interaction_profiles/khr/simple_controller";

class ActionTest : public testing::Test {
  protected:
    void start(const std::vector<std::string>& lines) {
        runtime_ = std::make_unique<ScriptedRuntime>(lines);
        ASSERT_EQ(client_.open(), XR_SUCCESS);
        auto info = typed<XrActionSetCreateInfo>(XR_TYPE_ACTION_SET_CREATE_INFO);
        std::strcpy(info.actionSetName, "all");
        std::strcpy(info.localizedActionSetName, "All");
        ASSERT_EQ(xrCreateActionSet(client_.instance, &info, &set_), XR_SUCCESS);
        hands_ = {path("/user/hand/left"), path("/user/hand/right")};
        trigger_ = action("trigger", XR_ACTION_TYPE_FLOAT_INPUT);
        click_ = action("click", XR_ACTION_TYPE_BOOLEAN_INPUT);
        stick_ = action("stick", XR_ACTION_TYPE_VECTOR2F_INPUT);
        grip_ = action("grip", XR_ACTION_TYPE_POSE_INPUT);
        buzz_ = action("buzz", XR_ACTION_TYPE_VIBRATION_OUTPUT);
    }

    XrPath path(const std::string& text) {
        XrPath made = XR_NULL_PATH;
        EXPECT_EQ(xrStringToPath(client_.instance, text.c_str(), &made), XR_SUCCESS) << text;
        return made;
    }

    XrAction action(const char* name, XrActionType type) {
        auto info = typed<XrActionCreateInfo>(XR_TYPE_ACTION_CREATE_INFO);
        std::strcpy(info.actionName, name);
        std::strcpy(info.localizedActionName, name);
        info.actionType = type;
        info.countSubactionPaths = 2;
        info.subactionPaths = hands_.data();
        XrAction made = XR_NULL_HANDLE;
        EXPECT_EQ(xrCreateAction(set_, &info, &made), XR_SUCCESS);
        return made;
    }

    XrResult suggest(const char* profile, const std::vector<std::pair<XrAction, std::string>>& bindings) {
        std::vector<XrActionSuggestedBinding> list;
        for (const auto& [of, text] : bindings) list.push_back({of, path(text)});
        auto info =
            typed<XrInteractionProfileSuggestedBinding>(XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING);
        info.interactionProfile = path(profile);
        info.countSuggestedBindings = static_cast<std::uint32_t>(list.size());
        info.suggestedBindings = list.data();
        return xrSuggestInteractionProfileBindings(client_.instance, &info);
    }

    XrResult suggest_touch() {
        return suggest(kTouch, {{trigger_, "/user/hand/left/input/trigger/value"},
                                {trigger_, "/user/hand/right/input/trigger/value"},
                                {click_, "/user/hand/left/input/x/click"},
                                {click_, "/user/hand/right/input/a/click"},
                                {stick_, "/user/hand/right/input/thumbstick"},
                                {grip_, "/user/hand/right/input/grip/pose"},
                                {buzz_, "/user/hand/right/output/haptic"}});
    }

    XrResult attach() {
        auto info = typed<XrSessionActionSetsAttachInfo>(XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO);
        info.countActionSets = 1;
        info.actionSets = &set_;
        return xrAttachSessionActionSets(client_.session, &info);
    }

    XrResult sync() {
        const XrActiveActionSet active{set_, XR_NULL_PATH};
        auto info = typed<XrActionsSyncInfo>(XR_TYPE_ACTIONS_SYNC_INFO);
        info.countActiveActionSets = 1;
        info.activeActionSets = &active;
        return xrSyncActions(client_.session, &info);
    }

    void frame() {
        ASSERT_EQ(client_.frame(), XR_SUCCESS);
        client_.poll();
    }

    template <class State>
    State state(XrAction of, XrStructureType type,
                XrResult (*get)(XrSession, const XrActionStateGetInfo*, State*), XrPath hand) {
        auto info = typed<XrActionStateGetInfo>(XR_TYPE_ACTION_STATE_GET_INFO);
        info.action = of;
        info.subactionPath = hand;
        auto found = typed<State>(type);
        EXPECT_EQ(get(client_.session, &info, &found), XR_SUCCESS);
        return found;
    }
    XrActionStateFloat trigger(XrPath hand) {
        return state(trigger_, XR_TYPE_ACTION_STATE_FLOAT, xrGetActionStateFloat, hand);
    }
    XrActionStateBoolean click(XrPath hand) {
        return state(click_, XR_TYPE_ACTION_STATE_BOOLEAN, xrGetActionStateBoolean, hand);
    }

    std::string profile(XrPath hand) {
        auto found = typed<XrInteractionProfileState>(XR_TYPE_INTERACTION_PROFILE_STATE);
        EXPECT_EQ(xrGetCurrentInteractionProfile(client_.session, hand, &found), XR_SUCCESS);
        if (found.interactionProfile == XR_NULL_PATH) return "";
        char text[XR_MAX_PATH_LENGTH];
        std::uint32_t count = 0;
        xrPathToString(client_.instance, found.interactionProfile, sizeof text, &count, text);
        return text;
    }

    std::unique_ptr<ScriptedRuntime> runtime_;
    XrClient client_;
    XrActionSet set_ = XR_NULL_HANDLE;
    std::array<XrPath, 2> hands_{};
    XrAction trigger_ = XR_NULL_HANDLE, click_ = XR_NULL_HANDLE, stick_ = XR_NULL_HANDLE,
             grip_ = XR_NULL_HANDLE, buzz_ = XR_NULL_HANDLE;
};

const std::vector<std::string> kController{
    R"({"controller": "right", "profile": "/interaction_profiles/oculus/touch_controller", "trigger": 0,)"
    R"( "grip": [0.2, 1, -0.3, 0, 0, 0, 1], "thumbstick": [0.5, -0.25]})",
    R"({"frame": 4, "controller": "right", "trigger": 1, "grip": [0.2, 1, -0.7, 0, 0, 0, 1],)"
    R"( "thumbstick": [0.5, -0.25], "buttons": ["a"]})",
    R"({"frame": 6, "controller": "right", "active": false})"};

TEST_F(ActionTest, values_buttons_and_poses_follow_the_script) {
    start(kController);
    ASSERT_EQ(suggest_touch(), XR_SUCCESS);
    ASSERT_EQ(attach(), XR_SUCCESS);
    client_.poll();
    frame();
    EXPECT_EQ(trigger(hands_[1]).isActive, XrBool32{XR_FALSE}) << "not before the first sync";
    for (int i = 0; i < 2; ++i) frame();
    ASSERT_EQ(sync(), XR_SUCCESS);
    EXPECT_EQ(profile(hands_[1]), kTouch);
    EXPECT_EQ(profile(hands_[0]), "");
    EXPECT_FLOAT_EQ(trigger(hands_[1]).currentState, 0.5f) << "half-way between two key frames";
    EXPECT_FLOAT_EQ(trigger(XR_NULL_PATH).currentState, 0.5f);
    EXPECT_EQ(trigger(hands_[0]).isActive, XrBool32{XR_FALSE});
    EXPECT_EQ(click(hands_[1]).currentState, XrBool32{XR_FALSE});
    const auto stick = state(stick_, XR_TYPE_ACTION_STATE_VECTOR2F, xrGetActionStateVector2f, hands_[1]);
    EXPECT_FLOAT_EQ(stick.currentState.x, 0.5f);
    EXPECT_FLOAT_EQ(stick.currentState.y, -0.25f);
    for (int i = 0; i < 2; ++i) frame();
    ASSERT_EQ(sync(), XR_SUCCESS);
    EXPECT_EQ(click(hands_[1]).currentState, XrBool32{XR_TRUE});
    EXPECT_EQ(click(hands_[1]).changedSinceLastSync, XrBool32{XR_TRUE});
    EXPECT_EQ(click(hands_[1]).lastChangeTime, client_.last.predictedDisplayTime);
    for (int i = 0; i < 2; ++i) frame();
    ASSERT_EQ(sync(), XR_SUCCESS);
    EXPECT_EQ(click(hands_[1]).isActive, XrBool32{XR_FALSE}) << "the controller is inactive";
    EXPECT_EQ(profile(hands_[1]), "");
    int changes = 0;
    client_.poll();
    for (const auto& event : client_.events)
        changes += event.type == XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED;
    EXPECT_EQ(changes, 2);
}

TEST_F(ActionTest, a_grip_action_has_a_space) {
    start(kController);
    ASSERT_EQ(suggest_touch(), XR_SUCCESS);
    ASSERT_EQ(attach(), XR_SUCCESS);
    client_.poll();
    auto info = typed<XrActionSpaceCreateInfo>(XR_TYPE_ACTION_SPACE_CREATE_INFO);
    info.action = grip_;
    info.subactionPath = hands_[1];
    info.poseInActionSpace.orientation.w = 1;
    XrSpace space = XR_NULL_HANDLE;
    ASSERT_EQ(xrCreateActionSpace(client_.session, &info, &space), XR_SUCCESS);
    for (int i = 0; i < 2; ++i) frame();
    ASSERT_EQ(sync(), XR_SUCCESS);
    auto at = typed<XrSpaceLocation>(XR_TYPE_SPACE_LOCATION);
    ASSERT_EQ(xrLocateSpace(space, client_.stage, client_.last.predictedDisplayTime, &at), XR_SUCCESS);
    EXPECT_EQ(at.locationFlags, 15u);
    EXPECT_FLOAT_EQ(at.pose.position.z, -0.4f);
    for (int i = 0; i < 5; ++i) frame();
    ASSERT_EQ(sync(), XR_SUCCESS);
    ASSERT_EQ(xrLocateSpace(space, client_.stage, client_.last.predictedDisplayTime, &at), XR_SUCCESS);
    EXPECT_EQ(at.locationFlags, 0u);
}

TEST_F(ActionTest, a_client_without_bindings_for_a_profile_gets_the_simple_profile) {
    start(kController);
    ASSERT_EQ(suggest(kSimple, {{click_, "/user/hand/right/input/select/click"}}), XR_SUCCESS);
    ASSERT_EQ(attach(), XR_SUCCESS);
    client_.poll();
    for (int i = 0; i < 5; ++i) frame();
    ASSERT_EQ(sync(), XR_SUCCESS);
    EXPECT_EQ(profile(hands_[1]), kSimple);
    EXPECT_EQ(click(hands_[1]).currentState, XrBool32{XR_TRUE}) << "the trigger is pulled";
}

TEST_F(ActionTest, a_vibration_is_logged_with_its_hand) {
    start(kController);
    ASSERT_EQ(suggest_touch(), XR_SUCCESS);
    ASSERT_EQ(attach(), XR_SUCCESS);
    client_.poll();
    auto where = typed<XrHapticActionInfo>(XR_TYPE_HAPTIC_ACTION_INFO);
    where.action = buzz_;
    where.subactionPath = hands_[1];
    auto what = typed<XrHapticVibration>(XR_TYPE_HAPTIC_VIBRATION);
    what.duration = 30'000'000;
    what.amplitude = 0.5f;
    const auto* feedback = reinterpret_cast<const XrHapticBaseHeader*>(&what);
    frame();
    ASSERT_EQ(sync(), XR_SUCCESS);
    ASSERT_EQ(xrApplyHapticFeedback(client_.session, &where, feedback), XR_SUCCESS);
    const auto buzzes = runtime_->log("haptic");
    ASSERT_EQ(buzzes.size(), 1u);
    EXPECT_EQ(buzzes[0]["hands"], Json::array({"right"}));
    EXPECT_EQ(buzzes[0]["nanoseconds"], 30'000'000);
    EXPECT_EQ(buzzes[0]["amplitude"], 0.5);
}

TEST_F(ActionTest, bindings_to_missing_components_are_rejected) {
    start({});
    EXPECT_EQ(suggest(kTouch, {{click_, "/user/hand/left/input/a/click"}}), XR_ERROR_PATH_UNSUPPORTED)
        << "A is on the right controller";
    EXPECT_EQ(suggest(kTouch, {{trigger_, "/user/hand/left/input/trigger/force"}}),
              XR_ERROR_PATH_UNSUPPORTED);
    EXPECT_EQ(suggest(kTouch, {{grip_, "/user/hand/left/input/trigger/value"}}), XR_ERROR_PATH_UNSUPPORTED);
    EXPECT_EQ(suggest("/interaction_profiles/ext/hand_interaction_ext",
                      {{trigger_, "/user/hand/left/input/pinch_ext/value"}}),
              XR_ERROR_PATH_UNSUPPORTED)
        << "its extension is not enabled";
    EXPECT_EQ(runtime_->log("misuse").size(), 4u);
    ASSERT_EQ(suggest_touch(), XR_SUCCESS);
    ASSERT_EQ(attach(), XR_SUCCESS);
    EXPECT_EQ(suggest_touch(), XR_ERROR_ACTIONSETS_ALREADY_ATTACHED);
    EXPECT_EQ(attach(), XR_ERROR_ACTIONSETS_ALREADY_ATTACHED);
}

TEST_F(ActionTest, without_focus_there_is_no_input) {
    start({kController[0], R"({"session": "visible"})"});
    ASSERT_EQ(suggest_touch(), XR_SUCCESS);
    ASSERT_EQ(attach(), XR_SUCCESS);
    client_.poll();
    for (int i = 0; i < 3; ++i) frame();
    EXPECT_EQ(sync(), XR_SESSION_NOT_FOCUSED);
    EXPECT_EQ(trigger(hands_[1]).isActive, XrBool32{XR_FALSE});
}

}  // namespace
}  // namespace claybox::test
