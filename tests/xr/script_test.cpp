// The script's content reaches the client: hands, head, eyes, spaces, refresh rates; and errors in scripts.

#include "tests/xr/client.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace claybox::test {
namespace {

constexpr float kHalf = 0.70710678f;

/// Numbers of joint i of an artificial hand; all joints and numbers differ.
std::array<float, 8> joint_numbers(int i) {
    const float f = static_cast<float>(i);
    const float angle = 0.1f * f;
    return {0.1f + 0.01f * f,    1.2f - 0.02f * f,    -0.3f - 0.003f * f, std::sin(angle / 2), 0, 0,
            std::cos(angle / 2), 0.005f + 0.0005f * f};
}

std::string hand_line(int frame, const std::string& side, float shift, const std::string& more = "") {
    Json joints = Json::array();
    for (int i = 0; i < 26; ++i) {
        auto numbers = joint_numbers(i);
        numbers[0] += shift;
        joints.push_back(numbers);
    }
    return R"({"frame": )" + std::to_string(frame) + R"(, "hand": ")" + side + R"(", "joints": )" +
           joints.dump() + more + "}";
}

struct Hand {
    XrHandJointLocationsEXT locations = typed<XrHandJointLocationsEXT>(XR_TYPE_HAND_JOINT_LOCATIONS_EXT);
    std::array<XrHandJointLocationEXT, XR_HAND_JOINT_COUNT_EXT> joint{};
};

class HandTest : public testing::Test {
  protected:
    void start(const std::vector<std::string>& lines) {
        runtime_ = std::make_unique<ScriptedRuntime>(lines);
        ASSERT_EQ(client_.open(), XR_SUCCESS);
        client_.poll();
        const auto create = client_.function<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT");
        auto info = typed<XrHandTrackerCreateInfoEXT>(XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT);
        info.hand = XR_HAND_RIGHT_EXT;
        ASSERT_EQ(create(client_.session, &info, &tracker_), XR_SUCCESS);
        ASSERT_EQ(client_.frame(), XR_SUCCESS);
    }

    Hand locate(XrTime time) {
        Hand hand;
        hand.locations.jointCount = XR_HAND_JOINT_COUNT_EXT;
        hand.locations.jointLocations = hand.joint.data();
        auto info = typed<XrHandJointsLocateInfoEXT>(XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT);
        info.baseSpace = client_.stage;
        info.time = time;
        const auto ask = client_.function<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT");
        EXPECT_EQ(ask(tracker_, &info, &hand.locations), XR_SUCCESS);
        hand.locations.jointLocations = nullptr;
        return hand;
    }

    Hand next() {
        EXPECT_EQ(client_.frame(), XR_SUCCESS);
        client_.poll();
        return locate(client_.last.predictedDisplayTime);
    }

    std::unique_ptr<ScriptedRuntime> runtime_;
    XrClient client_;
    XrHandTrackerEXT tracker_ = XR_NULL_HANDLE;
};

TEST_F(HandTest, all_joints_arrive_exactly) {
    start({hand_line(0, "right", 0)});
    const Hand hand = next();
    ASSERT_EQ(hand.locations.isActive, XrBool32{XR_TRUE});
    for (int i = 0; i < 26; ++i) {
        const auto expected = joint_numbers(i);
        const XrHandJointLocationEXT& joint = hand.joint[static_cast<std::size_t>(i)];
        const XrVector3f& p = joint.pose.position;
        const XrQuaternionf& q = joint.pose.orientation;
        const std::array<float, 8> found{p.x, p.y, p.z, q.x, q.y, q.z, q.w, joint.radius};
        EXPECT_EQ(found, expected) << "joint " << i;
        EXPECT_EQ(joint.locationFlags, 15u);
    }
}

TEST_F(HandTest, joints_are_interpolated_between_two_keys) {
    start({hand_line(2, "right", 0), hand_line(6, "right", 0.4f)});
    next();
    const Hand two = next(), three = next();
    EXPECT_FLOAT_EQ(two.joint[3].pose.position.x, joint_numbers(3)[0]);
    EXPECT_FLOAT_EQ(three.joint[3].pose.position.x, joint_numbers(3)[0] + 0.1f);
    const XrTime half = client_.last.predictedDisplayTime + client_.last.predictedDisplayPeriod / 2;
    EXPECT_NEAR(locate(half).joint[3].pose.position.x, joint_numbers(3)[0] + 0.15f, 1e-6);
}

TEST_F(HandTest, rotations_are_interpolated_by_slerp) {
    Json joints = Json::array(), turned = Json::array();
    for (int i = 0; i < 26; ++i) {
        joints.push_back({0, 1, 0, 0, 0, 0, 1, 0.01});
        turned.push_back({0, 1, 0, 0, kHalf, 0, kHalf, 0.03});
    }
    start({R"({"hand": "right", "joints": )" + joints.dump() + "}",
           R"({"frame": 3, "hand": "right", "joints": )" + turned.dump() + "}"});
    const Hand one = next();
    EXPECT_NEAR(one.joint[9].pose.orientation.y, std::sin(M_PI / 12), 1e-6) << "a third of 90 degrees";
    EXPECT_NEAR(one.joint[9].radius, 0.01 + 0.02 / 3, 1e-6);
}

TEST_F(HandTest, an_inactive_hand_is_garbage_without_flags) {
    start({hand_line(0, "right", 0), R"({"frame": 2, "hand": "right", "active": false})",
           hand_line(4, "right", 0)});
    EXPECT_EQ(next().locations.isActive, XrBool32{XR_TRUE});
    const Hand away = next();
    EXPECT_EQ(away.locations.isActive, XrBool32{XR_FALSE});
    for (const auto& joint : away.joint) {
        EXPECT_EQ(joint.locationFlags, 0u);
        EXPECT_GT(std::abs(joint.pose.position.x), 1000);
    }
    next();
    EXPECT_EQ(next().locations.isActive, XrBool32{XR_TRUE});
}

TEST_F(HandTest, an_active_hand_may_have_invalid_joints) {
    std::string flags = R"(, "flags": [0,3)";
    for (int i = 2; i < 26; ++i) flags += ",15";
    start({hand_line(0, "right", 0, flags + "]")});
    const Hand hand = next();
    EXPECT_EQ(hand.locations.isActive, XrBool32{XR_TRUE});
    EXPECT_EQ(hand.joint[0].locationFlags, 0u);
    EXPECT_GT(std::abs(hand.joint[0].pose.position.x), 1000);
    EXPECT_EQ(hand.joint[1].locationFlags, 3u);
    EXPECT_EQ(hand.joint[2].locationFlags, 15u);
}

TEST_F(HandTest, a_moved_key_is_the_previous_key_with_an_offset) {
    start({hand_line(0, "right", 0), R"({"frame": 1, "hand": "right", "moved": [0, -0.5, 0]})"});
    const Hand hand = next();
    EXPECT_FLOAT_EQ(hand.joint[10].pose.position.y, joint_numbers(10)[1] - 0.5f);
    EXPECT_FLOAT_EQ(hand.joint[10].pose.position.x, joint_numbers(10)[0]);
}

TEST_F(HandTest, without_focus_hands_are_inactive) {
    start({hand_line(0, "right", 0), R"({"frame": 2, "session": "visible"})"});
    EXPECT_EQ(next().locations.isActive, XrBool32{XR_TRUE});
    EXPECT_EQ(next().locations.isActive, XrBool32{XR_FALSE});
}

TEST(XrScript, eyes_follow_the_head_and_the_scripted_views) {
    const ScriptedRuntime runtime(
        {R"({"head": [0.5, 1.5, 0.25, 0, 0.70710678118, 0, 0.70710678118]})",
         R"({"ipd": 0.06, "fov": [[-0.8, 0.6, 0.7, -0.7], [-0.6, 0.8, 0.7, -0.75]]})"});
    XrClient client;
    ASSERT_EQ(client.open(), XR_SUCCESS);
    client.poll();
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    auto info = typed<XrViewLocateInfo>(XR_TYPE_VIEW_LOCATE_INFO);
    info.viewConfigurationType = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
    info.displayTime = client.last.predictedDisplayTime;
    info.space = client.stage;
    auto state = typed<XrViewState>(XR_TYPE_VIEW_STATE);
    std::array<XrView, 2> views{typed<XrView>(XR_TYPE_VIEW), typed<XrView>(XR_TYPE_VIEW)};
    std::uint32_t count = 0;
    ASSERT_EQ(xrLocateViews(client.session, &info, &state, 2, &count, views.data()), XR_SUCCESS);
    EXPECT_EQ(state.viewStateFlags, 15u);
    // Turned left by 90 degrees: the head's right is -Z of the room.
    EXPECT_NEAR(views[0].pose.position.z, 0.28, 1e-6);
    EXPECT_NEAR(views[1].pose.position.z, 0.22, 1e-6);
    EXPECT_NEAR(views[1].pose.position.x, 0.5, 1e-6);
    EXPECT_FLOAT_EQ(views[0].fov.angleLeft, -0.8f);
    EXPECT_FLOAT_EQ(views[1].fov.angleDown, -0.75f);
}

XrSpace reference_space(XrClient& client, XrReferenceSpaceType type) {
    auto info = typed<XrReferenceSpaceCreateInfo>(XR_TYPE_REFERENCE_SPACE_CREATE_INFO);
    info.referenceSpaceType = type;
    info.poseInReferenceSpace.orientation.w = 1;
    XrSpace space = XR_NULL_HANDLE;
    EXPECT_EQ(xrCreateReferenceSpace(client.session, &info, &space), XR_SUCCESS);
    return space;
}

TEST(XrScript, recentring_moves_the_space_and_sends_events) {
    const ScriptedRuntime runtime({R"({"frame": 2, "space": "local", "origin": [1, 1.7, 0, 0, 0, 0, 1]})"});
    XrClient client;
    auto extensions = XrClient::kUsual;
    extensions.push_back("XR_EXT_local_floor");
    ASSERT_EQ(client.open(extensions), XR_SUCCESS);
    client.poll();
    const XrSpace local = reference_space(client, XR_REFERENCE_SPACE_TYPE_LOCAL);
    const XrSpace floor = reference_space(client, static_cast<XrReferenceSpaceType>(1000426000));
    const auto height = [&](XrSpace space) {
        auto at = typed<XrSpaceLocation>(XR_TYPE_SPACE_LOCATION);
        EXPECT_EQ(xrLocateSpace(space, client.stage, client.last.predictedDisplayTime, &at), XR_SUCCESS);
        EXPECT_EQ(at.locationFlags, 15u);
        return at.pose.position;
    };
    for (int i = 0; i < 2; ++i) ASSERT_EQ(client.frame(), XR_SUCCESS);
    EXPECT_FLOAT_EQ(height(local).y, 1.6f);
    client.events.clear();
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    EXPECT_FLOAT_EQ(height(local).y, 1.7f);
    EXPECT_FLOAT_EQ(height(local).x, 1);
    EXPECT_FLOAT_EQ(height(floor).y, 0);
    EXPECT_FLOAT_EQ(height(floor).x, 1);
    client.poll();
    std::vector<XrEventDataReferenceSpaceChangePending> reported;
    for (const auto& event : client.events)
        if (event.type == XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING)
            reported.push_back(reinterpret_cast<const XrEventDataReferenceSpaceChangePending&>(event));
    ASSERT_EQ(reported.size(), 2u);
    EXPECT_EQ(reported[0].changeTime, client.last.predictedDisplayTime);
    EXPECT_NEAR(reported[0].poseInPreviousSpace.position.y, 0.1, 1e-6);
}

TEST(XrScript, a_requested_refresh_rate_takes_effect) {
    const ScriptedRuntime runtime({R"({"runtime": "Fast", "rates": [72, 120]})"});
    XrClient client;
    ASSERT_EQ(client.open(), XR_SUCCESS);
    client.poll();
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    EXPECT_EQ(client.last.predictedDisplayPeriod, 13'888'888);
    const auto request = client.function<PFN_xrRequestDisplayRefreshRateFB>("xrRequestDisplayRefreshRateFB");
    EXPECT_EQ(request(client.session, 90), XR_ERROR_DISPLAY_REFRESH_RATE_UNSUPPORTED_FB);
    ASSERT_EQ(request(client.session, 120), XR_SUCCESS);
    const XrTime before = client.last.predictedDisplayTime;
    ASSERT_EQ(client.frame(), XR_SUCCESS);
    EXPECT_EQ(client.last.predictedDisplayTime - before, 8'333'333);
    client.poll();
    EXPECT_EQ(client.events.back().type, XR_TYPE_EVENT_DATA_DISPLAY_REFRESH_RATE_CHANGED_FB);
}

/// The runtime's error output when an instance is created with this script line.
std::string script_error(const std::string& line) {
    const ScriptedRuntime runtime({"# the first line is a comment", line});
    XrClient client;
    testing::internal::CaptureStderr();
    const XrResult result = client.create_instance();
    const std::string report = testing::internal::GetCapturedStderr();
    if (XR_FAILED(result)) client.instance = XR_NULL_HANDLE;
    EXPECT_EQ(result, XR_ERROR_INITIALIZATION_FAILED) << line;
    return report;
}

TEST(XrScript, an_error_names_file_line_and_expectation) {
    EXPECT_NE(script_error("{").find("script.jsonl:2: expected one JSON object"), std::string::npos);
    EXPECT_NE(script_error(R"({"hat": 3})").find(":2: expected one of 'runtime'"), std::string::npos);
    EXPECT_NE(script_error(R"({"head": [1, 2]})").find("'head' must contain 7 numbers, found 2"),
              std::string::npos);
    EXPECT_NE(script_error(R"({"head": [0,0,0, 0,0,0,2]})").find("unit quaternion"), std::string::npos);
    EXPECT_NE(script_error(R"({"head": [0,0,0, 0,0,0,1], "speed": 1})").find("'speed' has no meaning"),
              std::string::npos);
    EXPECT_NE(script_error(R"({"frame": -1, "user": true})").find("'frame' must be between"),
              std::string::npos);
    EXPECT_NE(script_error(R"({"hand": "middle"})").find("'hand' must be one of left, right"),
              std::string::npos);
    EXPECT_NE(script_error(R"({"hand": "left", "moved": [0,0,0]})").find("needs 'joints'"),
              std::string::npos);
    EXPECT_NE(script_error(R"({"fault": "fails", "call": "xrWaitFrame", "result": "XR_OUCH"})")
                  .find("found 'XR_OUCH'"),
              std::string::npos);
    EXPECT_NE(script_error(R"({"fault": "session_lost", "after": 2})").find("needs the name of a function"),
              std::string::npos);
    EXPECT_NE(script_error(R"({"runtime": "X", "rates": []})").find("one rate"), std::string::npos);
    EXPECT_NE(script_error(R"({"runtime": 7})").find("'runtime' must be a string"), std::string::npos);
}

}  // namespace
}  // namespace claybox::test
