// Buttons that several sources press: one that is lost neither releases nor presses, and blocks no other.

#include "tests/engine/device_fixture.hpp"

namespace claybox::engine {
namespace {

class ButtonSources : public testing::Test {
  protected:
    void SetUp() override {
        hall_.load(
            "button undo = keyboard.ctrl+z | gamepad.x\nbutton long = keyboard.l | gamepad.a hold 0.1\n"
            "hand right = xr.right\nbutton pinched = @right.pinch above 0.7 below 0.4 | keyboard.x\n"
            "button flips = @undo toggle\n");
        plug(false);
        hall_.frame();
    }
    void plug(bool x, bool a = false) {
        hall_.pad.present = true;
        hall_.pad.button[2] = x;
        hall_.pad.button[0] = a;
    }
    void unplug() { hall_.pad = {}; }
    /// Whether the button went down and up in the next frame, "du"; nothing where it says nothing.
    std::string next(const char* name) {
        hall_.frame();
        std::string out;
        for (const Reading& r : hall_.events(name)) out += r.down ? 'd' : 'u';
        return out;
    }
    std::string key(bool down) {
        hall_.key('Z', down, true);
        return next("undo");
    }
    Hall hall_;
};

TEST_F(ButtonSources, Z_9_logical_a_pad_that_is_lost_while_held_neither_releases_nor_presses) {
    plug(true);
    EXPECT_EQ(next("undo"), "d");
    unplug();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(next("undo"), "") << "nothing is released by being lost";
    EXPECT_TRUE(hall_.poll("undo").valid && hall_.poll("undo").down);
    plug(true);
    EXPECT_EQ(next("undo"), "") << "it was held all the while";
    plug(false);
    EXPECT_EQ(next("undo"), "u");
    unplug();
    EXPECT_EQ(next("undo"), "");
    EXPECT_FALSE(hall_.poll("undo").down) << "who was up when it got lost is up";
}

TEST_F(ButtonSources, Z_9_logical_another_source_takes_over_from_one_that_is_gone) {
    plug(true);
    EXPECT_EQ(next("undo"), "d");
    unplug();
    EXPECT_EQ(next("undo"), "");
    EXPECT_EQ(key(true), "ud") << "a press of its own";
    EXPECT_EQ(key(false), "u");
    EXPECT_EQ(key(true), "d") << "the pad is forgotten";
    EXPECT_EQ(key(false), "u");
    EXPECT_TRUE(hall_.poll("flips").down) << "three presses";
    plug(true);
    EXPECT_EQ(next("undo"), "") << "what was held all the while is no press";
    EXPECT_FALSE(hall_.poll("undo").down);
    plug(false);
    EXPECT_EQ(next("undo"), "");
    plug(true);
    EXPECT_EQ(next("undo"), "d");
}

TEST_F(ButtonSources, Z_9_logical_a_map_that_is_changed_elsewhere_forgets_no_held_button) {
    plug(true);
    EXPECT_EQ(next("undo"), "d");
    unplug();
    EXPECT_EQ(next("undo"), "");
    std::string error;
    ASSERT_TRUE(hall_.devices.remap("flips", "@undo", error)) << error;
    EXPECT_EQ(next("undo"), "");
    EXPECT_TRUE(hall_.poll("undo").down);
}

TEST_F(ButtonSources, Z_9_logical_what_was_held_long_enough_is_not_held_anew_when_it_is_back) {
    plug(false, true);
    for (int i = 0; i < 10; ++i) hall_.frame();
    ASSERT_TRUE(hall_.poll("long").down);
    unplug();
    EXPECT_EQ(next("long"), "");
    plug(false, true);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(next("long"), "") << i;
    plug(false, false);
    EXPECT_EQ(next("long"), "u");
    plug(false, true);
    for (int i = 0; i < 3; ++i) hall_.frame();
    unplug();
    for (int i = 0; i < 10; ++i) hall_.frame();
    plug(false, true);
    EXPECT_EQ(next("long"), "") << "what was not held long enough is held anew";
}

TEST_F(ButtonSources, Z_9_logical_a_hand_that_is_lost_while_it_pinches_pinches_once) {
    hall_.headset_on = true;
    hall_.input.hand[1] = joints_from_pose(with_pinch({}, 1));
    EXPECT_EQ(next("pinched"), "d");
    hall_.input.hand[1].active = false;
    EXPECT_EQ(next("pinched"), "");
    hall_.input.hand[1].active = true;
    EXPECT_EQ(next("pinched"), "");
    hall_.input.hand[1] = make_hand({});
    EXPECT_EQ(next("pinched"), "u");
}

}  // namespace
}  // namespace claybox::engine
