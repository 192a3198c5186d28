// Buttons with several sources: a lost source neither releases nor presses the button, and blocks no other
// source.

#include "tests/engine/device_fixture.hpp"

namespace claybox::engine {
namespace {

class ButtonSources : public testing::Test {
  protected:
    void SetUp() override {
        rig_.load(
            "button undo = keyboard.ctrl+z | gamepad.x\nbutton long = keyboard.l | gamepad.a hold 0.1\n"
            "hand right = xr.right\nbutton pinched = @right.pinch above 0.7 below 0.4 | keyboard.x\n"
            "button flips = @undo toggle\n");
        plug(false);
        rig_.frame();
    }
    void plug(bool x, bool a = false) {
        rig_.pad.present = true;
        rig_.pad.button[2] = x;
        rig_.pad.button[0] = a;
    }
    void unplug() { rig_.pad = {}; }
    /// Events of the button in the next frame, "du" for down and up; empty without events.
    std::string next(const char* name) {
        rig_.frame();
        std::string out;
        for (const Reading& r : rig_.events(name)) out += r.down ? 'd' : 'u';
        return out;
    }
    std::string key(bool down) {
        rig_.key('Z', down, true);
        return next("undo");
    }
    DeviceRig rig_;
};

TEST_F(ButtonSources, Z_9_logical_a_gamepad_lost_while_held_neither_releases_nor_presses) {
    plug(true);
    EXPECT_EQ(next("undo"), "d");
    unplug();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(next("undo"), "") << "a loss releases nothing";
    EXPECT_TRUE(rig_.poll("undo").valid && rig_.poll("undo").down);
    plug(true);
    EXPECT_EQ(next("undo"), "") << "held the whole time";
    plug(false);
    EXPECT_EQ(next("undo"), "u");
    unplug();
    EXPECT_EQ(next("undo"), "");
    EXPECT_FALSE(rig_.poll("undo").down) << "a source lost while up stays up";
}

TEST_F(ButtonSources, Z_9_logical_another_source_takes_over_from_a_lost_one) {
    plug(true);
    EXPECT_EQ(next("undo"), "d");
    unplug();
    EXPECT_EQ(next("undo"), "");
    EXPECT_EQ(key(true), "ud") << "counts as a new press";
    EXPECT_EQ(key(false), "u");
    EXPECT_EQ(key(true), "d") << "the gamepad no longer matters";
    EXPECT_EQ(key(false), "u");
    EXPECT_TRUE(rig_.poll("flips").down) << "three presses";
    plug(true);
    EXPECT_EQ(next("undo"), "") << "held the whole time: not a press";
    EXPECT_FALSE(rig_.poll("undo").down);
    plug(false);
    EXPECT_EQ(next("undo"), "");
    plug(true);
    EXPECT_EQ(next("undo"), "d");
}

TEST_F(ButtonSources, Z_9_logical_a_choice_ignores_a_button_held_since_before_a_loss) {
    rig_.load("choice tool = gamepad.a | gamepad.x | keyboard.3\n");
    const auto frame = [&] {
        rig_.frame();
        return rig_.poll("tool").choice;
    };
    plug(true);
    EXPECT_EQ(frame(), 1);
    unplug();
    EXPECT_EQ(frame(), 1) << "a loss changes no choice";
    rig_.key('3', true);
    EXPECT_EQ(frame(), 2);
    rig_.key('3', false);
    plug(true);
    EXPECT_EQ(frame(), 2) << "held the whole time: not a new choice";
    plug(false);
    EXPECT_EQ(frame(), 2);
    plug(true);
    EXPECT_EQ(frame(), 1);
    EXPECT_EQ(rig_.events("tool").size(), 1u);
    plug(false);
    unplug();
    EXPECT_EQ(frame(), 1);
    plug(false, true);
    EXPECT_EQ(frame(), 0) << "lost while up: a button that returns down chooses";
}

TEST_F(ButtonSources, Z_9_logical_remapping_another_device_keeps_held_buttons) {
    plug(true);
    EXPECT_EQ(next("undo"), "d");
    unplug();
    EXPECT_EQ(next("undo"), "");
    std::string error;
    ASSERT_TRUE(rig_.devices.remap("flips", "@undo", error)) << error;
    EXPECT_EQ(next("undo"), "");
    EXPECT_TRUE(rig_.poll("undo").down);
}

TEST_F(ButtonSources, Z_9_logical_an_elapsed_hold_survives_a_loss) {
    plug(false, true);
    for (int i = 0; i < 10; ++i) rig_.frame();
    ASSERT_TRUE(rig_.poll("long").down);
    unplug();
    EXPECT_EQ(next("long"), "");
    plug(false, true);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(next("long"), "") << i;
    plug(false, false);
    EXPECT_EQ(next("long"), "u");
    plug(false, true);
    for (int i = 0; i < 3; ++i) rig_.frame();
    unplug();
    for (int i = 0; i < 10; ++i) rig_.frame();
    plug(false, true);
    EXPECT_EQ(next("long"), "") << "the hold time starts again";
}

TEST_F(ButtonSources, Z_9_logical_a_hand_lost_during_a_pinch_pinches_once) {
    rig_.headset_on = true;
    rig_.input.hand[1] = joints_from_pose(with_pinch({}, 1));
    EXPECT_EQ(next("pinched"), "d");
    rig_.input.hand[1].active = false;
    EXPECT_EQ(next("pinched"), "");
    rig_.input.hand[1].active = true;
    EXPECT_EQ(next("pinched"), "");
    rig_.input.hand[1] = make_hand({});
    EXPECT_EQ(next("pinched"), "u");
}

}  // namespace
}  // namespace claybox::engine
