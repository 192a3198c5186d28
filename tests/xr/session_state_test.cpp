// The life of a session: every state, its ends from both sides, and losses that nobody announces.

#include "engine/xr/retry.hpp"
#include "engine/xr/session_states.hpp"
#include "tests/xr/headset.hpp"

#include <random>

namespace claybox::test {
namespace {

using namespace engine;
using Words = std::vector<std::string>;

TEST_F(Headset, APP_vr_a_session_goes_through_every_state_to_focus) {
    ASSERT_TRUE(open()) << error_;
    EXPECT_EQ(turn(), XrPhase::running) << "IDLE and READY were waiting";
    EXPECT_TRUE(begun_);
    EXPECT_FALSE(frame_.should_draw);
    EXPECT_FALSE(frame_.focused);
    EXPECT_EQ(turn(), XrPhase::running);
    EXPECT_TRUE(frame_.should_draw);
    EXPECT_TRUE(frame_.focused);
    EXPECT_EQ(session_->sentence(), "Claybox test runtime: focused, 90 Hz, hands");
}

TEST_F(Headset, APP_vr_the_user_ends_it) {
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(turns(3), XrPhase::running);
    session_->request_exit();
    EXPECT_EQ(turns(3), XrPhase::ended);
    EXPECT_EQ(place_->states(), (Words{"IDLE", "READY", "SYNCHRONIZED", "VISIBLE", "FOCUSED", "VISIBLE",
                                       "SYNCHRONIZED", "STOPPING", "IDLE", "EXITING"}));
    EXPECT_EQ(place_->log("create").size(), place_->log("destroy").size()) << "before the object is gone";
    EXPECT_EQ(session_->poll(), XrPhase::ended);
    EXPECT_FALSE(session_->begin_frame(frame_));
    session_->end_frame();
    session_->buzz(0, 0.1, 1);
    session_->request_exit();
    EXPECT_NE(session_->sentence().find("let go of the headset"), std::string::npos);
}

TEST_F(Headset, APP_vr_the_user_ends_it_before_it_runs) {
    ASSERT_TRUE(open()) << error_;
    session_->request_exit();
    EXPECT_EQ(session_->poll(), XrPhase::ended);
}

TEST_F(Headset, APP_vr_the_runtime_ends_it) {
    script({R"({"frame": 3, "session": "exit"})"});
    ASSERT_TRUE(open()) << error_;
    EXPECT_EQ(turns(20), XrPhase::ended);
    EXPECT_EQ(frames_, 4);
    EXPECT_NE(session_->sentence().find("ended the session"), std::string::npos);
}

TEST_F(Headset, APP_vr_a_headset_put_aside_waits_and_comes_back) {
    script({R"({"frame": 3, "session": "pause", "polls": 5})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(turns(4), XrPhase::running);
    int waited = 0;
    while (waited < 20 && turn() == XrPhase::waiting) ++waited;
    EXPECT_GE(waited, 3);
    EXPECT_LT(waited, 20);
    EXPECT_EQ(turns(4), XrPhase::running);
    EXPECT_TRUE(frame_.focused);
}

TEST_F(Headset, APP_vr_without_focus_there_is_a_picture_but_no_input) {
    script(
        {R"({"frame": 0, "session": "visible"})",
         R"({"controller": "left", "profile": "/interaction_profiles/oculus/touch_controller", "trigger": 1})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(turns(4), XrPhase::running);
    EXPECT_TRUE(frame_.should_draw);
    EXPECT_FALSE(frame_.focused);
    EXPECT_FALSE(frame_.controller[0].active);
    session_->buzz(0, 0.1, 1);
    EXPECT_TRUE(place_->log("haptic").empty());
    EXPECT_NE(session_->sentence().find("a menu has the input"), std::string::npos);
}

TEST_F(Headset, APP_vr_announced_losses_end_it) {
    for (const char* word : {"loss_pending", "instance_loss_pending"}) {
        script({std::string(R"({"frame": 2, "session": ")") + word + "\"}"});
        ASSERT_TRUE(open()) << error_;
        EXPECT_EQ(turns(20), XrPhase::lost) << word;
        EXPECT_EQ(place_->log("create").size(), place_->log("destroy").size());
        EXPECT_NE(session_->sentence().find("was lost"), std::string::npos);
        close_tidily();
    }
}

/// A runtime that dies sends no event: whichever call hears of it first, the session is over in order.
class LostAt : public Headset, public ::testing::WithParamInterface<const char*> {};

TEST_P(LostAt, APP_vr_a_loss_without_an_event) {
    for (const char* fault : {"session_lost", "instance_lost"}) {
        const std::string call = GetParam();
        if (call == "xrPollEvent" && std::string(fault) == "session_lost") continue;  // asks the instance
        script({Json{{"frame", 3}, {"fault", fault}, {"call", call}}.dump(),
                R"({"controller": "left", "profile": "/interaction_profiles/oculus/touch_controller",)"
                R"( "grip": [0,1,0, 0,0,0,1]})"});
        ASSERT_TRUE(open()) << error_;
        XrPhase phase = XrPhase::waiting;
        for (int i = 0; i < 12 && phase != XrPhase::lost; ++i) {
            phase = turn();
            if (i == 5) session_->buzz(0, 0.05, 0.5f);
            if (i == 6) session_->request_exit();
        }
        EXPECT_EQ(phase, XrPhase::lost) << fault << " at " << call;
        EXPECT_FALSE(place_->log("fault").empty());
        EXPECT_EQ(place_->log("create").size(), place_->log("destroy").size());
        EXPECT_NE(session_->sentence().find("was lost"), std::string::npos) << session_->sentence();
        ASSERT_TRUE(open()) << "again: " << error_;
        EXPECT_EQ(turns(3), XrPhase::running);
        close_tidily();
    }
}

INSTANTIATE_TEST_SUITE_P(Calls, LostAt,
                         ::testing::Values("xrPollEvent", "xrWaitFrame", "xrBeginFrame", "xrLocateViews",
                                           "xrLocateSpace", "xrLocateHandJointsEXT", "xrSyncActions",
                                           "xrGetActionStatePose", "xrGetActionStateFloat",
                                           "xrGetActionStateBoolean", "xrGetActionStateVector2f",
                                           "xrAcquireSwapchainImage", "xrWaitSwapchainImage",
                                           "xrReleaseSwapchainImage", "xrEndFrame", "xrApplyHapticFeedback",
                                           "xrRequestExitSession", "xrEndSession"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_F(Headset, APP_vr_a_frame_that_is_open_when_it_ends_does_no_harm) {
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(turns(3), XrPhase::running);
    ASSERT_EQ(session_->poll(), XrPhase::running);
    ASSERT_TRUE(session_->begin_frame(frame_));
    ASSERT_TRUE(session_->begin_frame(frame_)) << "the one before was ended without a picture";
    EXPECT_EQ(last_frame()["layers"].size(), 0u);
    ASSERT_EQ(session_->poll(), XrPhase::running) << "and so is this one";
    session_->end_frame();
    ASSERT_TRUE(session_->begin_frame(frame_));
    close_tidily();
}

TEST_F(Headset, APP_vr_a_runtime_that_refuses_every_frame_is_given_up) {
    expected_misuse_ = "XR_FRAME_DISCARDED";  // what the next frame hears after one that was refused
    script({failing("xrEndFrame", "XR_ERROR_LAYER_INVALID", 3, 1000)});
    ASSERT_TRUE(open()) << error_;
    EXPECT_EQ(turns(100), XrPhase::lost);
    EXPECT_NE(session_->sentence().find("xrEndFrame"), std::string::npos);
    close_tidily();
    script({failing("xrEndFrame", "XR_ERROR_LAYER_INVALID", 3, 2)});
    ASSERT_TRUE(open()) << error_;
    EXPECT_EQ(turns(50), XrPhase::running) << "two refused frames are no end";
}

TEST(XrSessionStates, APP_vr_in_any_order_a_session_is_begun_once_and_ended_once) {
    std::mt19937 random(11);
    for (int round = 0; round < 2000; ++round) {
        XrSessionStates states;
        bool running = false;
        for (int i = 0; i < 12; ++i) {
            const auto state = static_cast<XrSessionState>(random() % 9);
            const XrPhase before = states.phase();
            const XrSessionStates::Call call = states.enter(state);
            if (call == XrSessionStates::Call::begin) {
                ASSERT_FALSE(running);
                ASSERT_EQ(state, XR_SESSION_STATE_READY);
                states.began();
                running = true;
            }
            if (call == XrSessionStates::Call::end) {
                ASSERT_TRUE(running);
                ASSERT_EQ(state, XR_SESSION_STATE_STOPPING);
                states.stopped();
                running = false;
            }
            if (before == XrPhase::ended || before == XrPhase::lost) {
                ASSERT_EQ(states.phase(), before) << "an end is an end";
                ASSERT_EQ(call, XrSessionStates::Call::none);
            } else if (states.phase() != XrPhase::ended && states.phase() != XrPhase::lost) {
                ASSERT_EQ(states.phase() == XrPhase::running, running);
                ASSERT_EQ(states.focused(), running && state == XR_SESSION_STATE_FOCUSED);
            }
        }
    }
}

TEST(XrRetry, APP_vr_waits_double_up_to_half_a_minute_and_begin_anew_after_a_good_session) {
    XrRetry retry;
    double now = 100;
    EXPECT_FALSE(retry.due(now)) << "nothing failed";
    for (const double wait : {1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0}) {
        retry.failed(now);
        EXPECT_FALSE(retry.due(now + wait - 0.01));
        EXPECT_NEAR(retry.seconds_left(now + wait - 0.25), 0.25, 1e-9);
        EXPECT_TRUE(retry.due(now + wait));
        now += wait;
    }
    retry.opened(now);
    EXPECT_FALSE(retry.due(now + 1000));
    retry.failed(now + 5);
    EXPECT_FALSE(retry.due(now + 5 + 29)) << "a session of five seconds was none";
    retry.opened(now + 40);
    retry.failed(now + 80);
    EXPECT_TRUE(retry.due(now + 81));
    retry.cancel();
    EXPECT_FALSE(retry.due(now + 1000));
}

}  // namespace
}  // namespace claybox::test
