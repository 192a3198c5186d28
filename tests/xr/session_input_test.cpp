// Input of a session: hands, controllers, haptics, and the reference space.

#include "engine/xr/input/actions.hpp"
#include "tests/xr/headset.hpp"

namespace claybox::test {
namespace {

using namespace engine;

/// A right hand with its joints in a row along x; the radius in millimetres is the joint's number.
Json hand_line(int frame, const std::vector<int>& flags = {}) {
    Json joints = Json::array();
    for (int i = 0; i < kHandJointCount; ++i)
        joints.push_back({0.01 * i, 1.2, -0.3, 0, 0.3826834, 0, 0.9238795, 0.001 * (i + 1)});
    Json line{{"frame", frame}, {"hand", "right"}, {"joints", joints}};
    if (!flags.empty()) line["flags"] = flags;
    return line;
}

TEST_F(Headset, APP_vr_joints_arrive_and_inactive_hands_have_none) {
    script({hand_line(4).dump(), R"({"frame": 8, "hand": "right", "active": false})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(3), XrPhase::running);
    const auto expect_nothing = [&](const HandJoints& hand) {
        EXPECT_FALSE(hand.active);
        for (const HandJoint& joint : hand.joint) {
            EXPECT_FALSE(joint.valid);
            EXPECT_EQ(glm::length(joint.position), 0) << "the runtime's garbage must not arrive";
        }
    };
    expect_nothing(frame_.hand[1]);
    ASSERT_EQ(run_frames(4), XrPhase::running);
    const HandJoints& hand = frame_.hand[1];
    ASSERT_TRUE(hand.active);
    EXPECT_FALSE(hand.left);
    EXPECT_TRUE(frame_.hand[0].left);
    for (std::size_t i = 0; i < hand.joint.size(); ++i) {
        ASSERT_TRUE(hand.joint[i].valid) << i;
        const glm::dvec3 expected(0.01 * static_cast<double>(i), 1.2, -0.3);
        EXPECT_NEAR(glm::distance(hand.joint[i].position, expected), 0, 1e-6);
        EXPECT_NEAR(hand.joint[i].rotation.y, 0.3826834, 1e-6);
        EXPECT_NEAR(hand.joint[i].radius, 0.001 * static_cast<double>(i + 1), 1e-6);
    }
    expect_nothing(frame_.hand[0]);
    ASSERT_EQ(run_frames(4), XrPhase::running);
    expect_nothing(frame_.hand[1]);
}

TEST_F(Headset, APP_vr_an_active_hand_may_have_invalid_joints) {
    std::vector<int> flags(kHandJointCount, 15);
    flags[joint::kIndexTip] = 0;
    flags[joint::kThumbTip] = 1;   // orientation only
    flags[joint::kLittleTip] = 2;  // position only
    flags[joint::kWrist] = 3;      // valid but not tracked
    script({hand_line(0, flags).dump()});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(4), XrPhase::running);
    const HandJoints& hand = frame_.hand[1];
    ASSERT_TRUE(hand.active);
    for (const std::size_t i : {joint::kIndexTip, joint::kThumbTip, joint::kLittleTip}) {
        EXPECT_FALSE(hand.joint[i].valid) << i;
        EXPECT_EQ(glm::length(hand.joint[i].position), 0);
    }
    EXPECT_TRUE(hand.joint[joint::kWrist].valid);
    EXPECT_TRUE(hand.joint[joint::kPalm].valid);
}

TEST_F(Headset, APP_vr_a_system_without_hand_tracking_gets_no_trackers) {
    script({R"({"runtime": "handless", "hand_tracking": false})", hand_line(0).dump()});
    ASSERT_TRUE(open()) << error_;
    EXPECT_FALSE(session_->has_hand_tracking());
    ASSERT_EQ(run_frames(3), XrPhase::running);
    EXPECT_FALSE(frame_.hand[1].active);
    for (const Json& line : runtime_->log("create")) EXPECT_NE(line["kind"], "hand_tracker");
}

struct ProfileCase {
    const char *path, *name, *buttons;
    bool primary[2], secondary[2], menu[2];
    bool analog_squeeze, stick;
};

/// The input of each kind of controller when trigger, squeeze, stick and all its buttons are used.
class EveryProfile : public Headset, public ::testing::WithParamInterface<ProfileCase> {};

TEST_P(EveryProfile, APP_vr_has_bindings) {
    const ProfileCase& c = GetParam();
    std::vector<std::string> lines;
    for (const char* side : {"left", "right"}) {
        Json line{{"controller", side},
                  {"profile", c.path},
                  {"grip", {0.2, 1.1, -0.4, 0, 0, 0, 1}},
                  {"aim", {0.3, 1.2, -0.5, 0, 0, 0, 1}},
                  {"trigger", 0.625},
                  {"squeeze", 0.75},
                  {"thumbstick", {0.5, -0.25}},
                  {"trackpad", {0.5, -0.25}},
                  {"buttons", Json::parse(c.buttons)}};
        line["pinch_ext"] = 0.625;
        line["grasp_ext"] = 0.75;
        lines.push_back(line.dump());
    }
    script(lines);
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(5), XrPhase::running);
    for (std::size_t side = 0; side < 2; ++side) {
        const XrController& got = frame_.controller[side];
        ASSERT_TRUE(got.active);
        EXPECT_STREQ(got.profile, c.name);
        ASSERT_TRUE(got.grip.valid && got.aim.valid);
        EXPECT_NEAR(glm::distance(got.grip.position, glm::dvec3(0.2, 1.1, -0.4)), 0, 1e-6);
        EXPECT_NEAR(glm::distance(got.aim.position, glm::dvec3(0.3, 1.2, -0.5)), 0, 1e-6);
        EXPECT_NEAR(got.trigger, std::string(c.name) == "simple" ? 1.0 : 0.625, 1e-6);
        EXPECT_NEAR(got.squeeze, std::string(c.name) == "simple" ? 0.0 : c.analog_squeeze ? 0.75 : 1.0, 1e-6);
        EXPECT_NEAR(got.stick.x, c.stick ? 0.5 : 0.0, 1e-6);
        EXPECT_NEAR(got.stick.y, c.stick ? -0.25 : 0.0, 1e-6);
        EXPECT_EQ(got.primary, c.primary[side]);
        EXPECT_EQ(got.secondary, c.secondary[side]);
        EXPECT_EQ(got.menu, c.menu[side]);
    }
    EXPECT_NE(session_->sentence().find("controllers"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Controllers, EveryProfile,
                         ::testing::Values(ProfileCase{"/interaction_profiles/khr/simple_controller",
                                                       "simple",
                                                       R"(["select", "menu"])",
                                                       {false, false},
                                                       {false, false},
                                                       {true, true},
                                                       false,
                                                       false},
                                           ProfileCase{"/interaction_profiles/oculus/touch_controller",
                                                       "Touch",
                                                       R"(["x", "b", "menu"])",
                                                       {true, false},
                                                       {false, true},
                                                       {true, false},
                                                       true,
                                                       true},
                                           ProfileCase{"/interaction_profiles/valve/index_controller",
                                                       "Index",
                                                       R"(["a", "thumbstick"])",
                                                       {true, true},
                                                       {false, false},
                                                       {true, true},
                                                       true,
                                                       true},
                                           ProfileCase{"/interaction_profiles/htc/vive_controller",
                                                       "Vive",
                                                       R"(["squeeze", "trackpad"])",
                                                       {true, true},
                                                       {false, false},
                                                       {false, false},
                                                       false,
                                                       true},
                                           ProfileCase{"/interaction_profiles/microsoft/motion_controller",
                                                       "Motion",
                                                       R"(["squeeze", "thumbstick", "menu"])",
                                                       {false, false},
                                                       {true, true},
                                                       {true, true},
                                                       false,
                                                       true},
                                           ProfileCase{"/interaction_profiles/ext/hand_interaction_ext",
                                                       "hand",
                                                       "[]",
                                                       {false, false},
                                                       {false, false},
                                                       {false, false},
                                                       true,
                                                       false}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(Headset, APP_vr_hand_interaction_is_bound_only_if_listed) {
    for (const bool listed : {true, false}) {
        script({listed ? R"({"runtime": "with"})"
                       : R"({"runtime": "without", "without": ["XR_EXT_hand_interaction"]})"});
        ASSERT_TRUE(open()) << error_;
        EXPECT_EQ(runtime_->log("bindings").size(), listed ? 6u : 5u);
        close_and_check();
    }
}

TEST_F(Headset, APP_vr_a_controller_may_appear_and_disappear) {
    script(
        {R"({"frame": 5, "controller": "right", "profile": "/interaction_profiles/valve/index_controller"})",
         R"({"frame": 10, "controller": "right", "active": false})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(4), XrPhase::running);
    EXPECT_FALSE(frame_.controller[1].active);
    EXPECT_STREQ(frame_.controller[1].profile, "");
    EXPECT_EQ(session_->sentence().find("controllers"), std::string::npos);
    ASSERT_EQ(run_frames(5), XrPhase::running);
    EXPECT_TRUE(frame_.controller[1].active);
    EXPECT_STREQ(frame_.controller[1].profile, "Index");
    EXPECT_FALSE(frame_.controller[0].active);
    EXPECT_NE(session_->sentence().find("controllers"), std::string::npos);
    ASSERT_EQ(run_frames(5), XrPhase::running);
    EXPECT_FALSE(frame_.controller[1].active);
}

TEST_F(Headset, APP_vr_a_vibration_reaches_the_right_controller) {
    script({R"({"controller": "left", "profile": "/interaction_profiles/oculus/touch_controller"})",
            R"({"controller": "right", "profile": "/interaction_profiles/oculus/touch_controller"})"});
    ASSERT_TRUE(open()) << error_;
    session_->buzz(0, 0.1, 1);
    EXPECT_TRUE(runtime_->log("haptic").empty()) << "no haptics without focus";
    ASSERT_EQ(run_frames(4), XrPhase::running);
    session_->buzz(1, 0.02, 0.5f);
    session_->buzz(0, 0, 7);
    for (const float wrong : {0.0f, -1.0f, std::nanf("")}) session_->buzz(0, 0.1, wrong);
    session_->buzz(0, std::nan(""), 1);
    session_->buzz(2, 0.1, 1);
    session_->buzz(-1, 0.1, 1);
    const auto felt = runtime_->log("haptic");
    ASSERT_EQ(felt.size(), 2u);
    EXPECT_EQ(felt[0]["hands"], Json::array({"right"}));
    EXPECT_EQ(felt[0]["nanoseconds"], 20'000'000);
    EXPECT_NEAR(felt[0]["amplitude"].get<double>(), 0.5, 1e-6);
    EXPECT_EQ(felt[1]["hands"], Json::array({"left"}));
    EXPECT_EQ(felt[1]["nanoseconds"], -1) << "the shortest that the controller can do";
    EXPECT_NEAR(felt[1]["amplitude"].get<double>(), 1, 1e-6);
}

TEST_F(Headset, APP_vr_recentring_is_reported_once_and_only_for_the_space_in_use) {
    for (const bool seated : {false, true}) {
        script({R"({"frame": 6, "space": "stage", "origin": [1, 0, 0, 0,0,0,1]})",
                R"({"frame": 10, "space": "local", "origin": [0, 1, 2, 0,0,0,1]})"});
        XrOptions options;
        options.seated = seated;
        ASSERT_TRUE(open(options)) << error_;
        int reported = 0;
        std::vector<double> x;
        for (int i = 0; i < 16; ++i) {
            ASSERT_EQ(step(), XrPhase::running);
            reported += frame_.space_changed ? 1 : 0;
            if (frame_.space_changed)
                x.push_back(frame_.head.position.x), x.push_back(frame_.head.position.z);
        }
        EXPECT_EQ(reported, 1) << (seated ? "seated" : "standing");
        ASSERT_EQ(x.size(), 2u);
        EXPECT_NEAR(x[0], seated ? 0 : -1, 1e-6) << "head position in the new space";
        EXPECT_NEAR(x[1], seated ? -2 : 0, 1e-6);
        close_and_check();
    }
}

TEST_F(Headset, APP_vr_seated_and_standing_can_change_during_a_session) {
    script({R"({"space": "stage", "origin": [1, 0, 0, 0,0,0,1]})",
            R"({"space": "local", "origin": [0, 1, 2, 0,0,0,1]})",
            R"({"frame": 14, "space": "stage", "origin": [3, 0, 0, 0,0,0,1]})",
            R"({"frame": 20, "space": "local", "origin": [0, 5, 2, 0,0,0,1]})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(3), XrPhase::running);
    const glm::dvec3 world = frame_.head.position + glm::dvec3(1, 0, 0);
    const auto expect = [&](const glm::dvec3& origin, bool changed) {
        ASSERT_EQ(step(), XrPhase::running);
        EXPECT_EQ(frame_.space_changed, changed);
        EXPECT_LT(glm::distance(frame_.head.position + origin, world), 1e-6);
        EXPECT_LT(glm::distance(frame_.eye[0].pose.position + origin, world), 0.1) << "the eyes too";
    };
    session_->set_seated(true);
    expect({0, 1, 2}, true);
    EXPECT_FALSE(session_->has_floor());
    session_->set_seated(true);
    expect({0, 1, 2}, false);
    session_->set_seated(false);
    session_->set_seated(true);
    expect({0, 1, 2}, false);
    session_->set_seated(false);
    expect({1, 0, 0}, true);
    EXPECT_TRUE(session_->has_floor());
    session_->set_seated(true);
    expect({0, 1, 2}, true);
    int reported = 0;
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(step(), XrPhase::running);
        reported += frame_.space_changed ? 1 : 0;
    }
    EXPECT_EQ(reported, 1) << "only for the space in use";
    EXPECT_LT(glm::distance(frame_.head.position + glm::dvec3(0, 5, 2), world), 1e-6);
}

TEST_F(Headset, APP_vr_if_a_space_cannot_be_created_the_old_one_stays) {
    script({failing_call("xrCreateReferenceSpace", "XR_ERROR_RUNTIME_FAILURE", 5)});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(6), XrPhase::running);
    session_->set_seated(true);
    ASSERT_EQ(run_frames(3), XrPhase::running);
    EXPECT_TRUE(session_->has_floor());
    EXPECT_TRUE(frame_.head.valid);
    session_->set_seated(false);
    session_->set_seated(true);
    ASSERT_EQ(run_frames(1), XrPhase::running);
    EXPECT_TRUE(session_->has_floor()) << "no new attempt in every frame";
    session_->set_seated(false);
    step();
    session_->set_seated(true);
    step();
    EXPECT_FALSE(session_->has_floor()) << "a new attempt after a new request";
}

TEST_F(Headset, APP_vr_a_headset_taken_off_is_reported) {
    script({R"({"frame": 4, "user": false})", R"({"frame": 8, "user": true})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(3), XrPhase::running);
    EXPECT_TRUE(frame_.worn);
    ASSERT_EQ(run_frames(4), XrPhase::running);
    EXPECT_FALSE(frame_.worn);
    ASSERT_EQ(run_frames(4), XrPhase::running);
    EXPECT_TRUE(frame_.worn);
}

}  // namespace
}  // namespace claybox::test
