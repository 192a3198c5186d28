// Logical devices of every class over physical sources, polled and through events; maps, virtual devices and
// errors.

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

TEST(LogicalDevices, Z_9_logical_buttons_from_key_gamepad_and_track_by_poll_and_event) {
    DeviceRig rig({}, kTrack);
    rig.load("button a = keyboard.ctrl+z | gamepad.x\nbutton b = track.fire\n");
    rig.frame();
    EXPECT_TRUE(rig.poll("a").valid);
    EXPECT_FALSE(rig.poll("a").down);
    rig.key('Z', true, true);
    rig.frame();
    EXPECT_TRUE(rig.poll("a").down);
    ASSERT_EQ(rig.events("a").size(), 1u);
    EXPECT_TRUE(rig.events("a")[0].down);
    rig.frame();
    EXPECT_TRUE(rig.poll("a").down) << "while held";
    EXPECT_TRUE(rig.events("a").empty()) << "no new event";
    rig.key('Z', false);
    rig.frame();
    EXPECT_FALSE(rig.poll("a").down);
    ASSERT_EQ(rig.events("a").size(), 1u);
    EXPECT_FALSE(rig.events("a")[0].down);

    rig.pad.present = rig.pad.button[2] = true;
    rig.frame();
    EXPECT_TRUE(rig.poll("a").down) << "any source presses the button";
    EXPECT_EQ(rig.events("a").size(), 1u);

    bool pressed = false;
    for (int i = 0; i < 8 && !pressed; ++i) {
        rig.frame();
        pressed = !rig.events("b").empty();
    }
    EXPECT_TRUE(pressed);
    EXPECT_TRUE(rig.poll("b").down);
}

TEST(LogicalDevices, Z_9_logical_a_choice_from_keys_stepping_and_track) {
    DeviceRig rig({}, kTrack);
    rig.load(
        "choice a = keyboard.1 | keyboard.2 | keyboard.3\nchoice b = gamepad.a steps 3\nchoice c = "
        "track.mode\n"
        "choice d = mouse.x steps 4\n");
    rig.pad.present = true;
    rig.frame();
    EXPECT_EQ(rig.poll("a").choice, 0);
    rig.key('3', true);
    rig.frame();
    EXPECT_EQ(rig.poll("a").choice, 2);
    ASSERT_EQ(rig.events("a").size(), 1u);
    EXPECT_EQ(rig.events("a")[0].choice, 2);
    rig.key('3', false);
    rig.frame();
    EXPECT_EQ(rig.poll("a").choice, 2) << "unchanged after the key's release";
    for (const int expected : {1, 2, 0}) {
        rig.pad.button[0] = true;
        rig.frame();
        EXPECT_EQ(rig.poll("b").choice, expected);
        EXPECT_EQ(rig.events("b").size(), 1u);
        rig.pad.button[0] = false;
        rig.frame();
        EXPECT_TRUE(rig.events("b").empty());
    }
    EXPECT_EQ(rig.poll("c").choice, 2);
    rig.window.width = 100;
    rig.window.x = 60;
    rig.frame();
    EXPECT_EQ(rig.poll("d").choice, 2);
}

TEST(LogicalDevices, Z_9_logical_a_value_from_mouse_gamepad_keys_and_track) {
    DeviceRig rig({}, kTrack);
    rig.load(
        "value a = mouse.wheel scale 2\nvalue b = gamepad.left_trigger\nvalue c = keyboard.d minus "
        "keyboard.a\n"
        "value d = track.level\n");
    rig.window.wheel = 1.5f;
    rig.pad.present = true;
    rig.pad.axis[4] = 0;
    rig.key('A', true);
    rig.frame();
    EXPECT_EQ(rig.poll("a").number, 3);
    EXPECT_EQ(rig.poll("b").number, 0.5);
    EXPECT_EQ(rig.poll("c").number, -1);
    EXPECT_EQ(rig.poll("d").number, 0.25);
    for (const char* name : {"a", "b", "c", "d"}) EXPECT_EQ(rig.events(name).size(), 1u) << name;
    for (int i = 0; i < 8; ++i) rig.frame();
    EXPECT_EQ(rig.poll("d").number, 0.75);
    for (const char* name : {"a", "b", "c", "d"}) EXPECT_TRUE(rig.events(name).empty()) << name;
}

TEST(LogicalDevices, Z_9_logical_location_orientation_and_space_from_headset_mouse_and_track) {
    DeviceRig rig({}, kTrack);
    rig.load(
        "location a = mouse.point\nlocation b = track.tip\nlocation c = xr.right.index_tip\n"
        "orientation d = xr.head\norientation e = track.turn\nspace f = controller.right.grip\nspace g = "
        "track.head\n"
        "space h = track.tip with track.turn\n");
    rig.headset_on = true;
    rig.input.hand[1] = make_hand({0.1f, 0.2f, 0.3f, 0.4f, 0.5f});
    rig.input.head = {{0, 1.6, 0}, glm::dquat(0.8, 0, 0.6, 0), true};
    rig.input.controller[1].active = true;
    rig.input.controller[1].grip = {{0.1, 0.2, 0.3}, glm::dquat(0, 1, 0, 0), true};
    rig.window.width = rig.window.height = 100;
    rig.window.x = 25;
    rig.frame();
    EXPECT_EQ(rig.poll("a").position, glm::dvec3(0.25, 0, 0));
    EXPECT_EQ(rig.poll("b").position, glm::dvec3(1, 2, 3));
    EXPECT_EQ(rig.poll("c").position, rig.input.hand[1].joint[joint::kIndexTip].position);
    EXPECT_EQ(rig.poll("d").rotation, glm::dquat(0.8, 0, 0.6, 0));
    EXPECT_EQ(rig.poll("e").rotation, glm::dquat(1, 0, 0, 0));
    EXPECT_EQ(rig.poll("f").position, glm::dvec3(0.1, 0.2, 0.3));
    EXPECT_EQ(rig.poll("f").rotation, glm::dquat(0, 1, 0, 0));
    EXPECT_EQ(rig.poll("g").position, glm::dvec3(0, 1.5, 0));
    for (int i = 0; i < 8; ++i) rig.frame();
    EXPECT_EQ(rig.poll("h").position, glm::dvec3(4, 5, 6));
    EXPECT_EQ(rig.poll("h").rotation, glm::dquat(0.8, 0.6, 0, 0));
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
        EXPECT_TRUE(rig.poll(name).valid) << name;
        EXPECT_TRUE(rig.events(name).empty()) << name;
    }
    rig.input.head.position.x = 0.5;
    rig.input.head.rotation = {1, 0, 0, 0};
    rig.input.controller[1].grip.position.x = 1;
    rig.input.hand[1] = make_hand({}, {0, 1.1, 0});
    rig.window.y = 50;
    rig.frame();
    for (const char* name : {"a", "c", "d", "f"}) EXPECT_EQ(rig.events(name).size(), 1u) << name;
    EXPECT_EQ(rig.events("d")[0].rotation, glm::dquat(1, 0, 0, 0));
}

TEST(LogicalDevices, Z_9_logical_a_hand_from_joints_or_controller_has_20_angles_and_26_joints) {
    DeviceRig rig;
    rig.load("hand a = xr.right\nhand b = controller.right\nvalue bend = @a.index_bend\n");
    rig.headset_on = true;
    rig.input.hand[1] = make_hand({0.5f, 0.5f, 0.5f, 0.5f, 0.5f});
    rig.input.controller[1].active = true;
    rig.input.controller[1].grip.valid = true;
    rig.frame();
    for (const char* name : {"a", "b"}) {
        ASSERT_TRUE(rig.poll(name).valid) << name;
        ASSERT_EQ(rig.events(name).size(), 1u) << name;
        for (const HandJoint& j : rig.poll(name).hand->joint) EXPECT_TRUE(j.valid);
        for (const double angle : hand_angles(*rig.poll(name).hand)) EXPECT_LT(std::abs(angle), 2.5);
    }
    const HandAngles half = hand_angles(*rig.poll("a").hand);
    EXPECT_EQ(rig.poll("bend").number, half[4]);
    rig.frame();
    EXPECT_TRUE(rig.events("a").empty());
    rig.input.hand[1] = make_hand({1, 1, 1, 1, 1});
    rig.input.controller[1].squeeze = 1;
    rig.frame();
    EXPECT_EQ(rig.events("a").size(), 1u);
    const HandAngles fist = hand_angles(*rig.events("a")[0].hand);
    for (std::size_t f = 1; f < 5; ++f)
        for (const std::size_t bend : {0u, 2u, 3u}) EXPECT_GT(fist[4 * f + bend], half[4 * f + bend] + 0.3);
    EXPECT_EQ(rig.events("b").size(), 1u) << "the squeeze closes the fingers";
}

TEST(LogicalDevices, Z_9_logical_an_unavailable_device_is_invalid_keeps_its_value_and_sends_no_events) {
    DeviceRig rig;
    rig.load("button a = gamepad.x\nvalue b = gamepad.left_x\nhand c = xr.left\n");
    rig.frame();
    for (const char* name : {"a", "b", "c"}) EXPECT_FALSE(rig.poll(name).valid) << name;
    EXPECT_TRUE(rig.devices.events().empty());
    rig.pad.present = rig.pad.button[2] = rig.headset_on = true;
    rig.pad.axis[0] = -0.75f;
    rig.input.hand[0] = make_hand({}, {0, 1, 0}, true);
    rig.frame();
    EXPECT_EQ(rig.devices.events().size(), 3u);
    rig.pad = {};
    rig.headset_on = false;
    rig.frame();
    EXPECT_TRUE(rig.devices.events().empty()) << "a loss releases nothing";
    EXPECT_TRUE(rig.poll("a").down);
    EXPECT_EQ(rig.poll("b").number, -0.75);
    EXPECT_TRUE(rig.poll("c").hand->joint[joint::kIndexTip].valid);
    for (const char* name : {"a", "b", "c"}) EXPECT_FALSE(rig.poll(name).valid) << name;
    rig.pad.present = true;
    rig.frame();
    EXPECT_EQ(rig.events("a").size(), 1u) << "it returns with the button up";
}

TEST(LogicalDevices, Z_9_remap_a_value_moves_from_mouse_to_tracker_to_finger_joint_at_run_time) {
    const DeviceDeclaration declared[] = {{DeviceClass::value, "bend", "Bend", "mouse.x"}};
    DeviceRig rig(declared, kTrack);
    rig.window.width = 100;
    rig.window.x = 50;
    rig.frame();
    EXPECT_EQ(rig.poll("bend").number, 0.5);
    std::string error;
    ASSERT_TRUE(rig.devices.remap("bend", "track.head axis y", error)) << error;
    rig.frame();
    EXPECT_EQ(rig.poll("bend").number, 1.5);
    ASSERT_EQ(rig.events("bend").size(), 1u);
    rig.window.x = 80;
    rig.frame();
    EXPECT_TRUE(rig.events("bend").empty()) << "the mouse no longer drives it";
    ASSERT_TRUE(rig.devices.remap("bend", "xr.right.index_bend2", error)) << error;
    rig.frame();
    EXPECT_FALSE(rig.poll("bend").valid);
    EXPECT_EQ(rig.poll("bend").number, 1.5);
    rig.headset_on = true;
    rig.input.hand[1] = make_hand({0, 0.5f, 0, 0, 0});
    rig.frame();
    EXPECT_TRUE(rig.poll("bend").valid);
    EXPECT_EQ(rig.poll("bend").number, hand_angles(rig.input.hand[1])[6]);
    EXPECT_EQ(rig.devices.changes().substr(rig.devices.changes().find('\n') + 1),
              "value bend = xr.right.index_bend2\n");
    rig.load(rig.devices.changes());
    EXPECT_EQ(rig.devices.find("bend")->mapping, "xr.right.index_bend2");
    rig.load("");
    EXPECT_EQ(rig.devices.find("bend")->mapping, "mouse.x");
}

TEST(LogicalDevices, Z_9_remap_a_wrong_mapping_is_an_error_and_changes_nothing) {
    const DeviceDeclaration declared[] = {{DeviceClass::value, "bend", "Bend", "mouse.x"}};
    DeviceRig rig(declared);
    std::string error;
    EXPECT_FALSE(rig.devices.remap("bend", "mouse.x scale much", error));
    EXPECT_EQ(error, "expected a number after 'scale'");
    EXPECT_FALSE(rig.devices.remap("bend", "mouse.point", error));
    EXPECT_NE(error.find("expected a mapping to a value, not a location"), std::string::npos) << error;
    EXPECT_FALSE(rig.devices.remap("bent", "mouse.x", error));
    EXPECT_EQ(rig.devices.find("bend")->mapping, "mouse.x");
    const std::string circle = rig.load_error("value a = @b\nvalue b = @c scale 2\nvalue c = @a\n");
    EXPECT_EQ(circle, "map.txt:1: expected no cycle: a reads b reads c reads a");
    EXPECT_FALSE(rig.devices.remap("bend", "@bend", error));
    EXPECT_EQ(error, "expected no cycle: bend reads bend");
}

TEST(LogicalDevices, Z_9_remap_listening_detects_the_next_control_that_moves) {
    const DeviceDeclaration declared[] = {{DeviceClass::button, "undo", "Undo", "keyboard.ctrl+z"},
                                          {DeviceClass::value, "zoom", "Zoom", "mouse.wheel"},
                                          {DeviceClass::hand, "right", "Right", "none"}};
    DeviceRig rig(declared);
    rig.pad.present = true;
    rig.pad.axis[4] = rig.pad.axis[5] = -1;
    rig.frame();
    rig.devices.listen(0);
    rig.window.x = 500;  // a moving mouse presses nothing
    rig.frame();
    EXPECT_FALSE(rig.devices.take_heard_mapping());
    rig.key('U', true, true);
    rig.frame();
    EXPECT_EQ(rig.devices.take_heard_mapping(), "keyboard.ctrl+u");
    EXPECT_FALSE(rig.devices.listening());
    rig.devices.listen(0);
    rig.pad.button[1] = true;
    rig.frame();
    EXPECT_EQ(rig.devices.take_heard_mapping(), "gamepad.b");
    rig.devices.listen(1);
    rig.pad.axis[3] = 0.9f;
    rig.frame();
    EXPECT_EQ(rig.devices.take_heard_mapping(), "gamepad.right_y");
    rig.devices.listen(2);
    rig.headset_on = true;
    rig.input.hand[1] = make_hand({});
    rig.frame();
    EXPECT_EQ(rig.devices.take_heard_mapping(), "xr.right");
}

TEST(LogicalDevices, Z_9_remap_a_button_held_while_it_is_mapped_is_not_a_press) {
    const DeviceDeclaration declared[] = {{DeviceClass::button, "undo", "Undo", "keyboard.u"},
                                          {DeviceClass::button, "flip", "Flip", "keyboard.f toggle"}};
    DeviceRig rig(declared);
    rig.frame();
    rig.key('K', true);
    rig.frame();
    std::string error;
    ASSERT_TRUE(rig.devices.remap("undo", "keyboard.k", error));
    ASSERT_TRUE(rig.devices.remap("flip", "keyboard.k toggle", error));
    rig.frame();
    EXPECT_TRUE(rig.poll("undo").down);
    EXPECT_TRUE(rig.devices.events().empty());
    rig.key('K', false);
    rig.frame();
    rig.key('K', true);
    rig.frame();
    EXPECT_EQ(rig.events("undo").size(), 1u);
    EXPECT_TRUE(rig.poll("flip").down);
}

TEST(LogicalDevices, every_modifier_has_its_effect) {
    DeviceRig rig;
    rig.load(
        "value dead = gamepad.left_x deadzone 0.2 scale 2 offset 1\nbutton level = gamepad.left_x above 0.7 "
        "below 0.4\n"
        "button low = gamepad.left_x below -0.5 above -0.2\nbutton long = gamepad.a hold 0.1\nbutton flips = "
        "gamepad.b toggle\n"
        "button up = gamepad.a invert\nvalue inverted = gamepad.left_x invert\nvalue speed = gamepad.left_x "
        "rate 60\n"
        "value snapped = gamepad.left_x steps 5\nvalue sum = gamepad.a plus gamepad.b\n");
    rig.pad.present = true;
    const auto at = [&](float x) {
        rig.pad.axis[0] = x;
        rig.frame();
    };
    at(0.2f);
    EXPECT_NEAR(rig.poll("dead").number, 1, 1e-6);
    at(1);
    EXPECT_NEAR(rig.poll("dead").number, 3, 1e-12);
    EXPECT_NEAR(rig.poll("speed").number, 1, 1e-9) << "60 per second for 1/60 s";
    EXPECT_TRUE(rig.poll("level").down);
    at(0.5f);
    EXPECT_TRUE(rig.poll("level").down) << "releases only below 0.4";
    EXPECT_EQ(rig.poll("inverted").number, -0.5);
    at(0.35f);
    EXPECT_FALSE(rig.poll("level").down);
    at(0.6f);
    EXPECT_FALSE(rig.poll("level").down);
    EXPECT_EQ(rig.poll("snapped").number, 0.5);
    at(-0.6f);
    EXPECT_TRUE(rig.poll("low").down);
    at(-0.3f);
    EXPECT_TRUE(rig.poll("low").down);
    at(0);
    EXPECT_FALSE(rig.poll("low").down);
    EXPECT_TRUE(rig.poll("up").down);

    rig.pad.button[0] = true;
    for (int i = 0; i < 6; ++i) rig.frame();
    EXPECT_FALSE(rig.poll("long").down);
    EXPECT_FALSE(rig.poll("up").down);
    for (int i = 0; i < 2; ++i) rig.frame();
    EXPECT_TRUE(rig.poll("long").down);
    for (const bool expected : {true, false}) {
        rig.pad.button[1] = true;
        rig.frame();
        rig.frame();
        EXPECT_EQ(rig.poll("sum").number, 2);
        rig.pad.button[1] = false;
        rig.frame();
        EXPECT_EQ(rig.poll("flips").down, expected);
    }
}

TEST(LogicalDevices, rotation_axes_are_in_radians_and_a_pinch_is_a_virtual_button) {
    DeviceRig rig;
    rig.load(
        "orientation look = xr.head\nvalue yaw = @look axis y\nhand right = xr.right\n"
        "button pinched = @right.pinch above 0.7 below 0.4\nbutton twice = @pinched toggle\n");
    rig.headset_on = true;
    rig.input.head.valid = true;
    rig.input.head.rotation = glm::angleAxis(0.5, glm::dvec3(0, 1, 0));
    rig.input.hand[1] = make_hand({});
    rig.frame();
    EXPECT_NEAR(rig.poll("yaw").number, 0.5, 1e-12);
    EXPECT_FALSE(rig.poll("pinched").down);
    rig.input.head.rotation = -rig.input.head.rotation;
    rig.input.hand[1] = joints_from_pose(with_pinch({}, 1));
    rig.frame();
    EXPECT_NEAR(rig.poll("yaw").number, 0.5, 1e-12) << "the same rotation";
    EXPECT_TRUE(rig.poll("pinched").down);
    EXPECT_TRUE(rig.poll("twice").down) << "updated in the same frame";
}

TEST(LogicalDevices, the_first_available_source_counts_unless_it_is_at_rest) {
    DeviceRig rig;
    rig.load(
        "value zoom = mouse.wheel | gamepad.right_y scale -0.5\nhand right = xr.right | controller.right\n"
        "hand same = @right\nvalue bend = @same.index_bend\n");
    rig.pad.present = true;
    rig.pad.axis[3] = 1;
    rig.frame();
    EXPECT_EQ(rig.poll("zoom").number, -0.5);
    rig.window.wheel = 2;
    rig.frame();
    EXPECT_EQ(rig.poll("zoom").number, 2);
    rig.headset_on = true;
    rig.input.controller[1].active = rig.input.controller[1].grip.valid = true;
    rig.frame();
    const auto source = [&](const char* device) {
        const InputSource* from = rig.poll(device).source;
        return from != nullptr ? from->id() : "nobody";
    };
    EXPECT_EQ(source("right"), "controller");
    const glm::dvec3 held = rig.poll("right").hand->joint[joint::kWrist].position;
    rig.input.hand[1] = make_hand({}, {5, 5, 5});
    rig.frame();
    EXPECT_NE(held, glm::dvec3(5, 5, 5));
    for (const char* device : {"right", "same", "bend"}) EXPECT_EQ(source(device), "xr") << device;
    EXPECT_EQ(rig.poll("right").hand->joint[joint::kWrist].position, glm::dvec3(5, 5, 5));
}

TEST(LogicalDevices, every_key_press_within_a_frame_counts_except_while_typing) {
    DeviceRig rig;
    rig.load("button a = keyboard.a\nbutton z = keyboard.z\n");
    rig.frame();
    for (int i = 0; i < 2; ++i) {
        rig.key('A', true);
        rig.key('A', false);
    }
    rig.frame();
    EXPECT_EQ(rig.events("a").size(), 3u) << "down, up, down";
    rig.frame();
    EXPECT_EQ(rig.events("a").size(), 1u) << "then up";
    rig.key('Z', true, true);
    rig.frame();
    EXPECT_FALSE(rig.poll("z").down) << "Ctrl+Z is another key";
    rig.window.typing = true;
    rig.key('A', true);
    rig.frame();
    EXPECT_TRUE(rig.events("a").empty());
}

TEST(LogicalDevices, a_map_error_names_file_line_and_expectation_and_changes_nothing) {
    const DeviceDeclaration declared[] = {{DeviceClass::button, "undo", "Undo", "keyboard.ctrl+z"}};
    DeviceRig rig(declared);
    rig.load("# mine\n\nbutton undo = keyboard.u   # another key\n");
    const std::pair<const char*, const char*> faults[] = {
        {"knob a = mouse.x",
         "expected button, choice, value, location, orientation, space or hand instead of 'knob'"},
        {"value Zoom = mouse.x", "expected a name of small letters"},
        {"value a mouse.x", "expected '=' after 'a'"},
        {"value a =", "expected source.channel, @device or none"},
        {"value a = mouse", "expected source.channel or @device instead of 'mouse'"},
        {"value a = rat.x", "'rat' is not a source, expected one of keyboard, mouse"},
        {"value a = mouse.z", "'z' is not a channel of mouse, expected x, y, point"},
        {"value a = mouse.x |", "expected a source on both sides of '|'"},
        {"value a = mouse.x scale", "expected a number after 'scale'"},
        {"value a = mouse.x scale nan", "expected a number after 'scale'"},
        {"value a = mouse.x deadzone 1", "from 0 to 0.99"},
        {"value a = mouse.x steps 2.5", "whole number"},
        {"value a = mouse.x faster", "instead of 'faster'"},
        {"value a = mouse.point axis w", "expected x, y or z"},
        {"value a = mouse.x minus", "expected a second source after 'minus'"},
        {"value a = xr.right.elbow", "'elbow' is not a feature of a hand"},
        {"value a = mouse.x.tip", "'x' is not a hand"},
        {"value a = @nobody", "there is no device 'nobody'"},
        {"button a = mouse.x above 0.4 below 0.7", "on the other side"},
        {"button a = mouse.x toggle", "expected a button before 'toggle', not a value"},
        {"hand a = xr.head", "expected a mapping to a hand, not a space"},
        {"space a = mouse.point with mouse.x", "expected a location 'with' an orientation"},
        {"value undo = mouse.x", "expected button undo, as the program declares it"},
    };
    for (const auto& [line, expected] : faults) {
        const std::string error = rig.load_error("button fine = keyboard.f\n" + std::string(line) + "\n");
        EXPECT_EQ(error.find("map.txt:2: "), 0u) << line << ": " << error;
        EXPECT_NE(error.find(expected), std::string::npos) << line << ": " << error;
    }
    EXPECT_NE(rig.load_error("button a = none\nbutton a = none\n")
                  .find("map.txt:2: expected one line for 'a', line 1"),
              std::string::npos);
    EXPECT_EQ(rig.devices.devices().size(), 1u);
    EXPECT_EQ(rig.devices.find("undo")->mapping, "keyboard.u");
}

TEST(LogicalDevices, a_frame_allocates_nothing) {
    DeviceRig rig({}, kTrack);
    rig.load(
        "button a = keyboard.a | gamepad.x\nhand right = xr.right | network.right\nvalue bend = "
        "@right.index_curl\n"
        "space tip = @right.index_tip\nvalue w = mouse.wheel | gamepad.left_x deadzone 0.1\n");
    rig.headset_on = rig.pad.present = true;
    const auto busy = [&](int i) {
        rig.window.presses.push_back({'A', false, false});
        rig.pad.axis[0] = 0.01f * static_cast<float>(i % 100);
        rig.input.hand[1] = make_hand({}, {0.001 * i, 1, 0});
        rig.frame();
    };
    for (int i = 0; i < 20; ++i) busy(i);
    const auto before = test::allocations_of_this_thread();
    for (int i = 0; i < 200; ++i) busy(i);
    EXPECT_EQ(test::allocations_of_this_thread(), before);
    EXPECT_FALSE(rig.devices.events().empty());
}

TEST(HandFeatures, curls_of_the_modelled_hand_are_recovered_on_both_sides_in_any_pose) {
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
