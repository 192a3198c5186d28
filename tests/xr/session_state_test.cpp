// Session states: every transition, an end from either side, and losses without notice.

#include "engine/xr/retry.hpp"
#include "engine/xr/session/session_states.hpp"
#include "tests/xr/headset.hpp"

#include <random>

namespace claybox::test {
namespace {

using namespace engine;
using Words = std::vector<std::string>;

TEST_F(Headset, APP_vr_a_session_passes_through_every_state_to_focus) {
    ASSERT_TRUE(open()) << error_;
    EXPECT_EQ(step(), XrPhase::running) << "IDLE and READY were queued";
    EXPECT_TRUE(begun_);
    EXPECT_FALSE(frame_.should_draw);
    EXPECT_FALSE(frame_.focused);
    EXPECT_EQ(step(), XrPhase::running);
    EXPECT_TRUE(frame_.should_draw);
    EXPECT_TRUE(frame_.focused);
    EXPECT_EQ(session_->sentence(), "Claybox test runtime: focused, 90 Hz, hands");
}

TEST_F(Headset, APP_vr_the_user_ends_a_session) {
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(3), XrPhase::running);
    session_->request_exit();
    EXPECT_EQ(run_frames(3), XrPhase::ended);
    EXPECT_EQ(runtime_->states(), (Words{"IDLE", "READY", "SYNCHRONIZED", "VISIBLE", "FOCUSED", "VISIBLE",
                                         "SYNCHRONIZED", "STOPPING", "IDLE", "EXITING"}));
    EXPECT_EQ(runtime_->log("create").size(), runtime_->log("destroy").size())
        << "before the session object is destroyed";
    EXPECT_EQ(session_->poll(), XrPhase::ended);
    EXPECT_FALSE(session_->begin_frame(frame_));
    session_->end_frame();
    session_->buzz(0, 0.1, 1);
    session_->request_exit();
    EXPECT_NE(session_->sentence().find("released the headset"), std::string::npos);
}

TEST_F(Headset, APP_vr_the_user_ends_a_session_before_it_runs) {
    ASSERT_TRUE(open()) << error_;
    session_->request_exit();
    EXPECT_EQ(session_->poll(), XrPhase::ended);
}

TEST_F(Headset, APP_vr_the_runtime_ends_a_session) {
    script({R"({"frame": 3, "session": "exit"})"});
    ASSERT_TRUE(open()) << error_;
    EXPECT_EQ(run_frames(20), XrPhase::ended);
    EXPECT_EQ(frames_, 4);
    EXPECT_NE(session_->sentence().find("ended the session"), std::string::npos);
}

TEST_F(Headset, APP_vr_a_headset_put_aside_pauses_and_resumes) {
    script({R"({"frame": 3, "session": "pause", "polls": 5})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(4), XrPhase::running);
    int waited = 0;
    while (waited < 20 && step() == XrPhase::waiting) ++waited;
    EXPECT_GE(waited, 3);
    EXPECT_LT(waited, 20);
    EXPECT_EQ(run_frames(4), XrPhase::running);
    EXPECT_TRUE(frame_.focused);
}

TEST_F(Headset, APP_vr_without_focus_there_is_a_picture_but_no_input) {
    script(
        {R"({"frame": 0, "session": "visible"})",
         R"({"controller": "left", "profile": "/interaction_profiles/oculus/touch_controller", "trigger": 1})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(4), XrPhase::running);
    EXPECT_TRUE(frame_.should_draw);
    EXPECT_FALSE(frame_.focused);
    EXPECT_FALSE(frame_.controller[0].active);
    session_->buzz(0, 0.1, 1);
    EXPECT_TRUE(runtime_->log("haptic").empty());
    EXPECT_NE(session_->sentence().find("a menu has the input"), std::string::npos);
}

TEST_F(Headset, APP_vr_announced_losses_end_a_session) {
    for (const char* word : {"loss_pending", "instance_loss_pending"}) {
        script({std::string(R"({"frame": 2, "session": ")") + word + "\"}"});
        ASSERT_TRUE(open()) << error_;
        EXPECT_EQ(run_frames(20), XrPhase::lost) << word;
        EXPECT_EQ(runtime_->log("create").size(), runtime_->log("destroy").size());
        EXPECT_NE(session_->sentence().find("was lost"), std::string::npos);
        close_and_check();
    }
}

TEST_F(Headset, APP_vr_a_session_may_end_during_an_open_frame) {
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(3), XrPhase::running);
    ASSERT_EQ(session_->poll(), XrPhase::running);
    ASSERT_TRUE(session_->begin_frame(frame_));
    ASSERT_TRUE(session_->begin_frame(frame_)) << "the previous frame was ended without a picture";
    EXPECT_EQ(last_frame()["layers"].size(), 0u);
    ASSERT_EQ(session_->poll(), XrPhase::running) << "this one is ended too";
    session_->end_frame();
    ASSERT_TRUE(session_->begin_frame(frame_));
    close_and_check();
}

TEST_F(Headset, APP_vr_a_runtime_that_refuses_every_frame_counts_as_lost) {
    expected_misuse_ = "XR_FRAME_DISCARDED";  // result of the next xrBeginFrame after a refused frame
    script({failing_call("xrEndFrame", "XR_ERROR_LAYER_INVALID", 3, 1000)});
    ASSERT_TRUE(open()) << error_;
    EXPECT_EQ(run_frames(100), XrPhase::lost);
    EXPECT_NE(session_->sentence().find("xrEndFrame"), std::string::npos);
    close_and_check();
    script({failing_call("xrEndFrame", "XR_ERROR_LAYER_INVALID", 3, 2)});
    ASSERT_TRUE(open()) << error_;
    EXPECT_EQ(run_frames(50), XrPhase::running) << "two refused frames do not end the session";
}

TEST_F(Headset, APP_vr_images_that_are_never_released_count_as_lost) {
    script({failing_call("xrReleaseSwapchainImage", "XR_ERROR_RUNTIME_FAILURE", 3, 1000)});
    ASSERT_TRUE(open()) << error_;
    EXPECT_EQ(run_frames(100), XrPhase::lost);
    EXPECT_NE(session_->sentence().find("xrReleaseSwapchainImage"), std::string::npos)
        << session_->sentence();
    close_and_check();
}

TEST(XrSessionStates, APP_vr_for_any_order_of_states_begin_and_end_alternate) {
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
                ASSERT_EQ(states.phase(), before) << "an end is final";
                ASSERT_EQ(call, XrSessionStates::Call::none);
            } else if (states.phase() != XrPhase::ended && states.phase() != XrPhase::lost) {
                ASSERT_EQ(states.phase() == XrPhase::running, running);
                ASSERT_EQ(states.focused(), running && state == XR_SESSION_STATE_FOCUSED);
            }
        }
    }
}

TEST(XrRetry, APP_vr_the_delay_doubles_to_30_seconds_and_restarts_after_a_long_session) {
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
    EXPECT_FALSE(retry.due(now + 5 + 29)) << "five seconds are too short to reset the delay";
    retry.opened(now + 40);
    retry.failed(now + 80);
    EXPECT_TRUE(retry.due(now + 81));
    retry.cancel();
    EXPECT_FALSE(retry.due(now + 1000));
}

}  // namespace
}  // namespace claybox::test
