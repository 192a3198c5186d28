// The program may sleep only while nothing happens.

#include "tests/bridge/sandbox_fixture.hpp"

#include <unistd.h>

namespace claybox::app {
namespace {

constexpr int kLongRest = 64;       // frames, longer than a message is shown
constexpr double kSlowFrame = 0.1;  // seconds; two steps each

class SleepTest : public SandboxTest {
  protected:
    void SetUp() override {
        SandboxTest::SetUp();
        use_window(1024, 640);
        renderer_->set_resolution(0.1f);
    }
    bool sleeps_after(int count) {
        frames(count, kSlowFrame);
        return sandbox_->may_sleep();
    }
};

TEST_F(SleepTest, a_scene_that_waits_lets_the_program_sleep_and_a_moving_one_does_not) {
    EXPECT_FALSE(sleeps_after(kLongRest)) << "the bodies of the cage move";
    start("potter", "polygons", 500);
    EXPECT_TRUE(sleeps_after(kLongRest));
    start("buttons", "rearm", 80);
    EXPECT_TRUE(sleeps_after(kLongRest));
    start("workbench", "slowing", 2);
    EXPECT_TRUE(sleeps_after(kLongRest));
}

TEST_F(SleepTest, the_idle_hand_comes_to_rest_in_a_small_window) {
    use_window(640, 480);
    start("potter", "polygons", 500);
    EXPECT_TRUE(sleeps_after(2 * kLongRest + 20)) << "the drawn hand needs a second or two more to settle";
}

TEST_F(SleepTest, the_turning_wheel_keeps_the_program_awake) {
    start("potter", "spin_only_touched", 0);
    EXPECT_FALSE(sleeps_after(kLongRest));
}

TEST_F(SleepTest, pausing_lets_it_sleep_and_input_keeps_it_awake) {
    sandbox_->state().paused = true;
    EXPECT_TRUE(sleeps_after(kLongRest));
    ui_->inject_mouse(300, 300, false);
    EXPECT_FALSE(sleeps_after(1));
    EXPECT_TRUE(sleeps_after(kLongRest));
    ui_->inject_held_key('W', true);
    EXPECT_FALSE(sleeps_after(kLongRest)) << "a held key may move something";
    ui_->inject_held_key('W', false);
    EXPECT_TRUE(sleeps_after(kLongRest));
    sandbox_->state().paused = false;
    EXPECT_FALSE(sleeps_after(2));
}

TEST_F(SleepTest, a_message_and_a_comparison_are_finished_first) {
    sandbox_->state().paused = true;
    EXPECT_TRUE(sleeps_after(kLongRest));
    sandbox_->show_message("Saved");
    EXPECT_FALSE(sleeps_after(30));
    EXPECT_TRUE(sleeps_after(kLongRest));
    sandbox_->state().headset.on = true;
    EXPECT_FALSE(sleeps_after(kLongRest)) << "the headset may be put on";
}

TEST_F(SleepTest, unsaved_clay_keeps_it_awake_until_it_is_saved) {
    start("potter", "polygons", 500);
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / ("claybox-sleep-" + std::to_string(::getpid()));
    sandbox_->start_autosave(folder);
    EXPECT_TRUE(sleeps_after(kLongRest));
    StepInput input;
    for (std::uint64_t frame = 1; frame <= 200; ++frame) {
        input.hand[0] = scripted_hand(session().scene(), frame);
        session().step(input);
    }
    EXPECT_FALSE(sleeps_after(1));
    sandbox_->finish_autosave();
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace claybox::app
