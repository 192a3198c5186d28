// Logical devices of every class over physical sources, asked and by events; maps, virtual devices and
// mistakes.

#include "tests/engine/device_fixture.hpp"
#include "tests/pairwise/counting_new.hpp"

#include <cmath>

namespace claybox::engine {
namespace {

const char* const kTrack =
    "{\"claybox_track\":1}\n"
    "{\"t\":0,\"fire\":{\"button\":false},\"mode\":{\"choice\":0},\"level\":{\"value\":0.25},\"tip\":{"
    "\"location\":[1,2,3]},"
    "\"turn\":{\"orientation\":[1,0,0,0]},\"head\":{\"space\":[0,1.5,0,1,0,0,0]}}\n"
    "{\"t\":0.1,\"fire\":{\"button\":true},\"mode\":{\"choice\":2},\"level\":{\"value\":0.75},\"tip\":{"
    "\"location\":[4,5,6]},"
    "\"turn\":{\"orientation\":[0.8,0.6,0,0]},\"head\":{\"space\":[0.5,1.5,0,0.8,0,0.6,0]}}\n"
    "{\"t\":9,\"fire\":{\"button\":false}}\n";

TEST(LogicalDevices, Z_9_logical_buttons_by_key_pad_and_track_asked_and_as_events) {
    Hall hall({}, kTrack);
    hall.load("button a = keyboard.ctrl+z | gamepad.x\nbutton b = track.fire\n");
    hall.frame();
    EXPECT_TRUE(hall.poll("a").valid);
    EXPECT_FALSE(hall.poll("a").down);
    hall.key('Z', true, true);
    hall.frame();
    EXPECT_TRUE(hall.poll("a").down);
    ASSERT_EQ(hall.events("a").size(), 1u);
    EXPECT_TRUE(hall.events("a")[0].down);
    hall.frame();
    EXPECT_TRUE(hall.poll("a").down) << "while it is held";
    EXPECT_TRUE(hall.events("a").empty()) << "and nothing new";
    hall.key('Z', false);
    hall.frame();
    EXPECT_FALSE(hall.poll("a").down);
    ASSERT_EQ(hall.events("a").size(), 1u);
    EXPECT_FALSE(hall.events("a")[0].down);

    hall.pad.present = hall.pad.button[2] = true;
    hall.frame();
    EXPECT_TRUE(hall.poll("a").down) << "of buttons any";
    EXPECT_EQ(hall.events("a").size(), 1u);

    bool pressed = false;
    for (int i = 0; i < 8 && !pressed; ++i) {
        hall.frame();
        pressed = !hall.events("b").empty();
    }
    EXPECT_TRUE(pressed);
    EXPECT_TRUE(hall.poll("b").down);
}

TEST(LogicalDevices, Z_9_logical_a_choice_by_keys_by_turning_on_and_by_track) {
    Hall hall({}, kTrack);
    hall.load(
        "choice a = keyboard.1 | keyboard.2 | keyboard.3\nchoice b = gamepad.a steps 3\nchoice c = "
        "track.mode\n"
        "choice d = mouse.x steps 4\n");
    hall.pad.present = true;
    hall.frame();
    EXPECT_EQ(hall.poll("a").choice, 0);
    hall.key('3', true);
    hall.frame();
    EXPECT_EQ(hall.poll("a").choice, 2);
    ASSERT_EQ(hall.events("a").size(), 1u);
    EXPECT_EQ(hall.events("a")[0].choice, 2);
    hall.key('3', false);
    hall.frame();
    EXPECT_EQ(hall.poll("a").choice, 2) << "it stays when the key is let go";
    for (const int expected : {1, 2, 0}) {
        hall.pad.button[0] = true;
        hall.frame();
        EXPECT_EQ(hall.poll("b").choice, expected);
        EXPECT_EQ(hall.events("b").size(), 1u);
        hall.pad.button[0] = false;
        hall.frame();
        EXPECT_TRUE(hall.events("b").empty());
    }
    EXPECT_EQ(hall.poll("c").choice, 2);
    hall.window.width = 100;
    hall.window.x = 60;
    hall.frame();
    EXPECT_EQ(hall.poll("d").choice, 2);
}

TEST(LogicalDevices, Z_9_logical_a_value_by_mouse_pad_keys_and_track) {
    Hall hall({}, kTrack);
    hall.load(
        "value a = mouse.wheel scale 2\nvalue b = gamepad.left_trigger\nvalue c = keyboard.d minus "
        "keyboard.a\n"
        "value d = track.level\n");
    hall.window.wheel = 1.5f;
    hall.pad.present = true;
    hall.pad.axis[4] = 0;
    hall.key('A', true);
    hall.frame();
    EXPECT_EQ(hall.poll("a").number, 3);
    EXPECT_EQ(hall.poll("b").number, 0.5);
    EXPECT_EQ(hall.poll("c").number, -1);
    EXPECT_EQ(hall.poll("d").number, 0.25);
    for (const char* name : {"a", "b", "c", "d"}) EXPECT_EQ(hall.events(name).size(), 1u) << name;
    for (int i = 0; i < 8; ++i) hall.frame();
    EXPECT_EQ(hall.poll("d").number, 0.75);
    for (const char* name : {"a", "b", "c", "d"}) EXPECT_TRUE(hall.events(name).empty()) << name;
}

TEST(LogicalDevices, Z_9_logical_location_orientation_and_space_by_headset_mouse_and_track) {
    Hall hall({}, kTrack);
    hall.load(
        "location a = mouse.point\nlocation b = track.tip\nlocation c = xr.right.index_tip\n"
        "orientation d = xr.head\norientation e = track.turn\nspace f = controller.right.grip\nspace g = "
        "track.head\n"
        "space h = track.tip with track.turn\n");
    hall.headset_on = true;
    hall.input.hand[1] = make_hand({0.1f, 0.2f, 0.3f, 0.4f, 0.5f});
    hall.input.head = {{0, 1.6, 0}, glm::dquat(0.8, 0, 0.6, 0), true};
    hall.input.controller[1].active = true;
    hall.input.controller[1].grip = {{0.1, 0.2, 0.3}, glm::dquat(0, 1, 0, 0), true};
    hall.window.width = hall.window.height = 100;
    hall.window.x = 25;
    hall.frame();
    EXPECT_EQ(hall.poll("a").position, glm::dvec3(0.25, 0, 0));
    EXPECT_EQ(hall.poll("b").position, glm::dvec3(1, 2, 3));
    EXPECT_EQ(hall.poll("c").position, hall.input.hand[1].joint[joint::kIndexTip].position);
    EXPECT_EQ(hall.poll("d").rotation, glm::dquat(0.8, 0, 0.6, 0));
    EXPECT_EQ(hall.poll("e").rotation, glm::dquat(1, 0, 0, 0));
    EXPECT_EQ(hall.poll("f").position, glm::dvec3(0.1, 0.2, 0.3));
    EXPECT_EQ(hall.poll("f").rotation, glm::dquat(0, 1, 0, 0));
    EXPECT_EQ(hall.poll("g").position, glm::dvec3(0, 1.5, 0));
    for (int i = 0; i < 8; ++i) hall.frame();
    EXPECT_EQ(hall.poll("h").position, glm::dvec3(4, 5, 6));
    EXPECT_EQ(hall.poll("h").rotation, glm::dquat(0.8, 0.6, 0, 0));
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
        EXPECT_TRUE(hall.poll(name).valid) << name;
        EXPECT_TRUE(hall.events(name).empty()) << name;
    }
    hall.input.head.position.x = 0.5;
    hall.input.head.rotation = {1, 0, 0, 0};
    hall.input.controller[1].grip.position.x = 1;
    hall.input.hand[1] = make_hand({}, {0, 1.1, 0});
    hall.window.y = 50;
    hall.frame();
    for (const char* name : {"a", "c", "d", "f"}) EXPECT_EQ(hall.events(name).size(), 1u) << name;
    EXPECT_EQ(hall.events("d")[0].rotation, glm::dquat(1, 0, 0, 0));
}

TEST(LogicalDevices, Z_9_logical_a_hand_by_joints_and_by_controller_has_20_angles_and_26_joints) {
    Hall hall;
    hall.load("hand a = xr.right\nhand b = controller.right\nvalue bend = @a.index_bend\n");
    hall.headset_on = true;
    hall.input.hand[1] = make_hand({0.5f, 0.5f, 0.5f, 0.5f, 0.5f});
    hall.input.controller[1].active = true;
    hall.input.controller[1].grip.valid = true;
    hall.frame();
    for (const char* name : {"a", "b"}) {
        ASSERT_TRUE(hall.poll(name).valid) << name;
        ASSERT_EQ(hall.events(name).size(), 1u) << name;
        for (const HandJoint& j : hall.poll(name).hand->joint) EXPECT_TRUE(j.valid);
        for (const double angle : hand_angles(*hall.poll(name).hand)) EXPECT_LT(std::abs(angle), 2.5);
    }
    const HandAngles half = hand_angles(*hall.poll("a").hand);
    EXPECT_EQ(hall.poll("bend").number, half[4]);
    hall.frame();
    EXPECT_TRUE(hall.events("a").empty());
    hall.input.hand[1] = make_hand({1, 1, 1, 1, 1});
    hall.input.controller[1].squeeze = 1;
    hall.frame();
    EXPECT_EQ(hall.events("a").size(), 1u);
    const HandAngles fist = hand_angles(*hall.events("a")[0].hand);
    for (std::size_t f = 1; f < 5; ++f)
        for (const std::size_t bend : {0u, 2u, 3u}) EXPECT_GT(fist[4 * f + bend], half[4 * f + bend] + 0.3);
    EXPECT_EQ(hall.events("b").size(), 1u) << "squeezing closes the fingers";
}

TEST(LogicalDevices, Z_9_logical_what_is_not_there_is_not_valid_keeps_its_value_and_says_nothing) {
    Hall hall;
    hall.load("button a = gamepad.x\nvalue b = gamepad.left_x\nhand c = xr.left\n");
    hall.frame();
    for (const char* name : {"a", "b", "c"}) EXPECT_FALSE(hall.poll(name).valid) << name;
    EXPECT_TRUE(hall.devices.events().empty());
    hall.pad.present = hall.pad.button[2] = hall.headset_on = true;
    hall.pad.axis[0] = -0.75f;
    hall.input.hand[0] = make_hand({}, {0, 1, 0}, true);
    hall.frame();
    EXPECT_EQ(hall.devices.events().size(), 3u);
    hall.pad = {};
    hall.headset_on = false;
    hall.frame();
    EXPECT_TRUE(hall.devices.events().empty()) << "nothing is released by being lost";
    EXPECT_TRUE(hall.poll("a").down);
    EXPECT_EQ(hall.poll("b").number, -0.75);
    EXPECT_TRUE(hall.poll("c").hand->joint[joint::kIndexTip].valid);
    for (const char* name : {"a", "b", "c"}) EXPECT_FALSE(hall.poll(name).valid) << name;
    hall.pad.present = true;
    hall.frame();
    EXPECT_EQ(hall.events("a").size(), 1u) << "it comes back and is up";
}

TEST(LogicalDevices, Z_9_remap_a_value_goes_from_mouse_to_tracker_to_a_joint_of_a_finger_while_it_runs) {
    const DeviceDeclaration declared[] = {{DeviceClass::value, "bend", "Bend", "mouse.x"}};
    Hall hall(declared, kTrack);
    hall.window.width = 100;
    hall.window.x = 50;
    hall.frame();
    EXPECT_EQ(hall.poll("bend").number, 0.5);
    std::string error;
    ASSERT_TRUE(hall.devices.remap("bend", "track.head axis y", error)) << error;
    hall.frame();
    EXPECT_EQ(hall.poll("bend").number, 1.5);
    ASSERT_EQ(hall.events("bend").size(), 1u);
    hall.window.x = 80;
    hall.frame();
    EXPECT_TRUE(hall.events("bend").empty()) << "the mouse has no part in it any more";
    ASSERT_TRUE(hall.devices.remap("bend", "xr.right.index_bend2", error)) << error;
    hall.frame();
    EXPECT_FALSE(hall.poll("bend").valid);
    EXPECT_EQ(hall.poll("bend").number, 1.5);
    hall.headset_on = true;
    hall.input.hand[1] = make_hand({0, 0.5f, 0, 0, 0});
    hall.frame();
    EXPECT_TRUE(hall.poll("bend").valid);
    EXPECT_EQ(hall.poll("bend").number, hand_angles(hall.input.hand[1])[6]);
    EXPECT_EQ(hall.devices.changes().substr(hall.devices.changes().find('\n') + 1),
              "value bend = xr.right.index_bend2\n");
    hall.load(hall.devices.changes());
    EXPECT_EQ(hall.devices.find("bend")->mapping, "xr.right.index_bend2");
    hall.load("");
    EXPECT_EQ(hall.devices.find("bend")->mapping, "mouse.x");
}

TEST(LogicalDevices, Z_9_remap_a_wrong_line_says_what_was_expected_and_changes_nothing) {
    const DeviceDeclaration declared[] = {{DeviceClass::value, "bend", "Bend", "mouse.x"}};
    Hall hall(declared);
    std::string error;
    EXPECT_FALSE(hall.devices.remap("bend", "mouse.x scale much", error));
    EXPECT_EQ(error, "expected a number after 'scale'");
    EXPECT_FALSE(hall.devices.remap("bend", "mouse.point", error));
    EXPECT_NE(error.find("expected what makes a value, not a location"), std::string::npos) << error;
    EXPECT_FALSE(hall.devices.remap("bent", "mouse.x", error));
    EXPECT_EQ(hall.devices.find("bend")->mapping, "mouse.x");
    const std::string circle = hall.refused("value a = @b\nvalue b = @c scale 2\nvalue c = @a\n");
    EXPECT_EQ(circle, "map.txt:1: expected no circle: a reads b reads c reads a");
    EXPECT_FALSE(hall.devices.remap("bend", "@bend", error));
    EXPECT_EQ(error, "expected no circle: bend reads bend");
}

TEST(LogicalDevices, Z_9_remap_listening_takes_the_next_control_that_moves) {
    const DeviceDeclaration declared[] = {{DeviceClass::button, "undo", "Undo", "keyboard.ctrl+z"},
                                          {DeviceClass::value, "zoom", "Zoom", "mouse.wheel"},
                                          {DeviceClass::hand, "right", "Right", "none"}};
    Hall hall(declared);
    hall.pad.present = true;
    hall.pad.axis[4] = hall.pad.axis[5] = -1;
    hall.frame();
    hall.devices.listen(0);
    hall.window.x = 500;  // a mouse on its way presses nothing
    hall.frame();
    EXPECT_FALSE(hall.devices.take_heard());
    hall.key('U', true, true);
    hall.frame();
    EXPECT_EQ(hall.devices.take_heard(), "keyboard.ctrl+u");
    EXPECT_FALSE(hall.devices.listening());
    hall.devices.listen(0);
    hall.pad.button[1] = true;
    hall.frame();
    EXPECT_EQ(hall.devices.take_heard(), "gamepad.b");
    hall.devices.listen(1);
    hall.pad.axis[3] = 0.9f;
    hall.frame();
    EXPECT_EQ(hall.devices.take_heard(), "gamepad.right_y");
    hall.devices.listen(2);
    hall.headset_on = true;
    hall.input.hand[1] = make_hand({});
    hall.frame();
    EXPECT_EQ(hall.devices.take_heard(), "xr.right");
}

TEST(LogicalDevices, Z_9_remap_what_is_held_while_it_is_mapped_was_not_pressed_for_it) {
    const DeviceDeclaration declared[] = {{DeviceClass::button, "undo", "Undo", "keyboard.u"},
                                          {DeviceClass::button, "flip", "Flip", "keyboard.f toggle"}};
    Hall hall(declared);
    hall.frame();
    hall.key('K', true);
    hall.frame();
    std::string error;
    ASSERT_TRUE(hall.devices.remap("undo", "keyboard.k", error));
    ASSERT_TRUE(hall.devices.remap("flip", "keyboard.k toggle", error));
    hall.frame();
    EXPECT_TRUE(hall.poll("undo").down);
    EXPECT_TRUE(hall.devices.events().empty());
    hall.key('K', false);
    hall.frame();
    hall.key('K', true);
    hall.frame();
    EXPECT_EQ(hall.events("undo").size(), 1u);
    EXPECT_TRUE(hall.poll("flip").down);
}

TEST(LogicalDevices, modifiers_do_what_they_say) {
    Hall hall;
    hall.load(
        "value dead = gamepad.left_x deadzone 0.2 scale 2 offset 1\nbutton level = gamepad.left_x above 0.7 "
        "below 0.4\n"
        "button low = gamepad.left_x below -0.5 above -0.2\nbutton long = gamepad.a hold 0.1\nbutton flips = "
        "gamepad.b toggle\n"
        "button up = gamepad.a invert\nvalue inverted = gamepad.left_x invert\nvalue speed = gamepad.left_x "
        "rate 60\n"
        "value snapped = gamepad.left_x steps 5\nvalue sum = gamepad.a plus gamepad.b\n");
    hall.pad.present = true;
    const auto at = [&](float x) {
        hall.pad.axis[0] = x;
        hall.frame();
    };
    at(0.2f);
    EXPECT_NEAR(hall.poll("dead").number, 1, 1e-6);
    at(1);
    EXPECT_NEAR(hall.poll("dead").number, 3, 1e-12);
    EXPECT_NEAR(hall.poll("speed").number, 1, 1e-9) << "60 a second, a 60th of a second";
    EXPECT_TRUE(hall.poll("level").down);
    at(0.5f);
    EXPECT_TRUE(hall.poll("level").down) << "it lets go below 0.4 only";
    EXPECT_EQ(hall.poll("inverted").number, -0.5);
    at(0.35f);
    EXPECT_FALSE(hall.poll("level").down);
    at(0.6f);
    EXPECT_FALSE(hall.poll("level").down);
    EXPECT_EQ(hall.poll("snapped").number, 0.5);
    at(-0.6f);
    EXPECT_TRUE(hall.poll("low").down);
    at(-0.3f);
    EXPECT_TRUE(hall.poll("low").down);
    at(0);
    EXPECT_FALSE(hall.poll("low").down);
    EXPECT_TRUE(hall.poll("up").down);

    hall.pad.button[0] = true;
    for (int i = 0; i < 6; ++i) hall.frame();
    EXPECT_FALSE(hall.poll("long").down);
    EXPECT_FALSE(hall.poll("up").down);
    for (int i = 0; i < 2; ++i) hall.frame();
    EXPECT_TRUE(hall.poll("long").down);
    for (const bool expected : {true, false}) {
        hall.pad.button[1] = true;
        hall.frame();
        hall.frame();
        EXPECT_EQ(hall.poll("sum").number, 2);
        hall.pad.button[1] = false;
        hall.frame();
        EXPECT_EQ(hall.poll("flips").down, expected);
    }
}

TEST(LogicalDevices, axes_of_turns_are_radians_and_a_pinch_is_a_virtual_button) {
    Hall hall;
    hall.load(
        "orientation look = xr.head\nvalue yaw = @look axis y\nhand right = xr.right\n"
        "button pinched = @right.pinch above 0.7 below 0.4\nbutton twice = @pinched toggle\n");
    hall.headset_on = true;
    hall.input.head.valid = true;
    hall.input.head.rotation = glm::angleAxis(0.5, glm::dvec3(0, 1, 0));
    hall.input.hand[1] = make_hand({});
    hall.frame();
    EXPECT_NEAR(hall.poll("yaw").number, 0.5, 1e-12);
    EXPECT_FALSE(hall.poll("pinched").down);
    hall.input.head.rotation = -hall.input.head.rotation;
    hall.input.hand[1] = joints_from_pose(with_pinch({}, 1));
    hall.frame();
    EXPECT_NEAR(hall.poll("yaw").number, 0.5, 1e-12) << "the same turn";
    EXPECT_TRUE(hall.poll("pinched").down);
    EXPECT_TRUE(hall.poll("twice").down) << "read in the same frame";
}

TEST(LogicalDevices, the_first_that_is_there_counts_and_a_control_at_rest_lets_the_next_speak) {
    Hall hall;
    hall.load(
        "value zoom = mouse.wheel | gamepad.right_y scale -0.5\nhand right = xr.right | controller.right\n"
        "hand same = @right\nvalue bend = @same.index_bend\n");
    hall.pad.present = true;
    hall.pad.axis[3] = 1;
    hall.frame();
    EXPECT_EQ(hall.poll("zoom").number, -0.5);
    hall.window.wheel = 2;
    hall.frame();
    EXPECT_EQ(hall.poll("zoom").number, 2);
    hall.headset_on = true;
    hall.input.controller[1].active = hall.input.controller[1].grip.valid = true;
    hall.frame();
    const auto source = [&](const char* device) {
        const InputSource* from = hall.poll(device).source;
        return from != nullptr ? from->id() : "nobody";
    };
    EXPECT_EQ(source("right"), "controller");
    const glm::dvec3 held = hall.poll("right").hand->joint[joint::kWrist].position;
    hall.input.hand[1] = make_hand({}, {5, 5, 5});
    hall.frame();
    EXPECT_NE(held, glm::dvec3(5, 5, 5));
    for (const char* device : {"right", "same", "bend"}) EXPECT_EQ(source(device), "xr") << device;
    EXPECT_EQ(hall.poll("right").hand->joint[joint::kWrist].position, glm::dvec3(5, 5, 5));
}

TEST(LogicalDevices, keys_that_go_down_and_up_within_a_frame_count_each_and_not_while_somebody_types) {
    Hall hall;
    hall.load("button a = keyboard.a\nbutton z = keyboard.z\n");
    hall.frame();
    for (int i = 0; i < 2; ++i) {
        hall.key('A', true);
        hall.key('A', false);
    }
    hall.frame();
    EXPECT_EQ(hall.events("a").size(), 3u) << "down, up, down";
    hall.frame();
    EXPECT_EQ(hall.events("a").size(), 1u) << "and up";
    hall.key('Z', true, true);
    hall.frame();
    EXPECT_FALSE(hall.poll("z").down) << "Ctrl+Z is another key";
    hall.window.typing = true;
    hall.key('A', true);
    hall.frame();
    EXPECT_TRUE(hall.events("a").empty());
}

TEST(LogicalDevices, mistakes_of_a_map_name_file_line_and_what_was_expected_and_leave_it_as_it_was) {
    const DeviceDeclaration declared[] = {{DeviceClass::button, "undo", "Undo", "keyboard.ctrl+z"}};
    Hall hall(declared);
    hall.load("# mine\n\nbutton undo = keyboard.u   # another key\n");
    const std::pair<const char*, const char*> faults[] = {
        {"knob a = mouse.x",
         "expected button, choice, value, location, orientation, space or hand instead of 'knob'"},
        {"value Zoom = mouse.x", "expected a name of small letters"},
        {"value a mouse.x", "expected '=' after 'a'"},
        {"value a =", "expected source.channel, @device or none"},
        {"value a = mouse", "expected source.channel or @device instead of 'mouse'"},
        {"value a = rat.x", "'rat' is no source, expected one of keyboard, mouse"},
        {"value a = mouse.z", "'z' is no channel of mouse, expected x, y, point"},
        {"value a = mouse.x |", "expected a source beside '|'"},
        {"value a = mouse.x scale", "expected a number after 'scale'"},
        {"value a = mouse.x scale nan", "expected a number after 'scale'"},
        {"value a = mouse.x deadzone 1", "from 0 to 0.99"},
        {"value a = mouse.x steps 2.5", "whole number"},
        {"value a = mouse.x faster", "instead of 'faster'"},
        {"value a = mouse.point axis w", "expected x, y or z"},
        {"value a = mouse.x minus", "expected a second source after 'minus'"},
        {"value a = xr.right.elbow", "'elbow' is nothing of a hand"},
        {"value a = mouse.x.tip", "'x' is no hand"},
        {"value a = @nobody", "there is no device 'nobody'"},
        {"button a = mouse.x above 0.4 below 0.7", "on the other side"},
        {"button a = mouse.x toggle", "expected a button before 'toggle', not a value"},
        {"hand a = xr.head", "expected what makes a hand, not a space"},
        {"space a = mouse.point with mouse.x", "expected a location 'with' an orientation"},
        {"value undo = mouse.x", "expected button undo, as the program asks for it"},
    };
    for (const auto& [line, expected] : faults) {
        const std::string error = hall.refused("button fine = keyboard.f\n" + std::string(line) + "\n");
        EXPECT_EQ(error.find("map.txt:2: "), 0u) << line << ": " << error;
        EXPECT_NE(error.find(expected), std::string::npos) << line << ": " << error;
    }
    EXPECT_NE(hall.refused("button a = none\nbutton a = none\n")
                  .find("map.txt:2: expected one line for 'a', line 1"),
              std::string::npos);
    EXPECT_EQ(hall.devices.devices().size(), 1u);
    EXPECT_EQ(hall.devices.find("undo")->mapping, "keyboard.u");
}

TEST(LogicalDevices, a_frame_allocates_nothing) {
    Hall hall({}, kTrack);
    hall.load(
        "button a = keyboard.a | gamepad.x\nhand right = xr.right | network.right\nvalue bend = "
        "@right.index_curl\n"
        "space tip = @right.index_tip\nvalue w = mouse.wheel | gamepad.left_x deadzone 0.1\n");
    hall.headset_on = hall.pad.present = true;
    const auto busy = [&](int i) {
        hall.window.presses.push_back({'A', false, false});
        hall.pad.axis[0] = 0.01f * static_cast<float>(i % 100);
        hall.input.hand[1] = make_hand({}, {0.001 * i, 1, 0});
        hall.frame();
    };
    for (int i = 0; i < 20; ++i) busy(i);
    const auto before = test::allocations_of_this_thread();
    for (int i = 0; i < 200; ++i) busy(i);
    EXPECT_EQ(test::allocations_of_this_thread(), before);
    EXPECT_FALSE(hall.devices.events().empty());
}

TEST(HandFeatures, curls_of_the_modelled_hand_come_back_on_both_sides_wherever_it_is) {
    for (const bool left : {false, true})
        for (const float c : {0.0f, 0.3f, 0.7f, 1.0f}) {
            HandPose pose;
            pose.left = left;
            pose.curl = {c, c, c, c, c};
            pose.rotation = glm::normalize(glm::dquat(0.3, 0.5, -0.7, 0.2));
            pose.wrist = {1, -2, 3};
            const HandJoints hand = joints_from_pose(pose);
            for (const char* finger : {"thumb", "index", "middle", "ring", "little"}) {
                const auto feature = hand_feature(std::string(finger) + "_curl");
                const Reading r = read_hand_feature(hand, *feature);
                ASSERT_TRUE(r.valid);
                EXPECT_NEAR(r.number, static_cast<double>(c), 0.03)
                    << finger << (left ? " left " : " right ") << c;
            }
        }
}

}  // namespace
}  // namespace claybox::engine
