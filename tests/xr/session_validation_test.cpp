// A whole session under Khronos' validation layer, which checks every structure of every call.

#include "tests/xr/headset.hpp"
#include "tests/xr/validation.hpp"

namespace claybox::test {
namespace {

using namespace engine;

TEST_F(Headset, APP_vr_the_validation_layer_finds_nothing_in_a_whole_session) {
    if (!Validation::installed()) GTEST_SKIP() << "package openxr-layer-corevalidation is not installed";
    script({R"({"controller": "left", "profile": "/interaction_profiles/oculus/touch_controller"})",
            R"({"frame": 5, "space": "stage", "origin": [1, 0, 0, 0,0,0,1]})",
            R"({"frame": 8, "session": "pause", "polls": 3})"});
    const Validation validation(runtime_->folder());
    ASSERT_TRUE(open()) << error_ << validation.report();
    EXPECT_TRUE(Validation::loaded());
    EXPECT_EQ(run_frames(8), XrPhase::running) << validation.report();
    session_->buzz(0, 0.1, 1);
    for (int i = 0; i < 10; ++i) step();
    EXPECT_EQ(run_frames(3), XrPhase::running);
    session_->request_exit();
    EXPECT_EQ(run_frames(4), XrPhase::ended);
    close_and_check();
    EXPECT_EQ(validation.report(), "");
}

}  // namespace
}  // namespace claybox::test
