// Recorded tracks: playback is exact to the last bit, and errors are located.

#include "tests/engine/device_fixture.hpp"

#include <cmath>

namespace claybox::engine {
namespace {

const char* const kMap =
    "button fire = gamepad.a\nchoice mode = gamepad.b steps 3\nvalue level = gamepad.left_x\nlocation tip = "
    "xr.right.index_tip\n"
    "orientation look = xr.head\nspace head = xr.head\nhand right = xr.right\n";

void move(DeviceRig& rig, int frame) {
    rig.headset_on = rig.pad.present = true;
    rig.pad.button[0] = frame / 7 % 2 == 1;
    rig.pad.button[1] = frame % 5 == 0;
    rig.pad.axis[0] = std::sin(0.1f * static_cast<float>(frame));
    const double t = 0.01 * frame;
    rig.input.head = {{t, 1.6, -t}, glm::normalize(glm::dquat(1, t, 0.1, 0)), true};
    const auto curl = 0.5f + 0.4f * std::sin(0.05f * static_cast<float>(frame));
    rig.input.hand[1] = make_hand({curl, curl, 0, 0, curl}, {t, 1 + t / 3, 0});
    rig.input.hand[1].joint[joint::kRingTip].valid = frame % 3 != 0;
    rig.input.hand[1].active = frame % 20 < 15;
}

void expect_same(const Reading& a, const Reading& b, DeviceClass type, const std::string& where) {
    ASSERT_EQ(a.valid, b.valid) << where;
    if (!a.valid) return;
    EXPECT_EQ(a.down, b.down) << where;
    EXPECT_EQ(a.choice, b.choice) << where;
    EXPECT_EQ(a.number, b.number) << where;
    EXPECT_EQ(a.position, b.position) << where;
    EXPECT_EQ(a.rotation, b.rotation) << where;
    if (type != DeviceClass::hand) return;
    for (std::size_t j = 0; j < kHandJointCount; ++j) {
        const HandJoint &x = a.hand->joint[j], &y = b.hand->joint[j];
        ASSERT_EQ(x.valid, y.valid) << where;
        if (!x.valid) continue;
        EXPECT_TRUE(x.position == y.position && x.rotation == y.rotation && x.radius == y.radius) << where;
    }
}

TEST(Track, plays_back_every_class_to_the_last_bit) {
    DeviceRig live;
    live.load(kMap);
    TrackRecorder recorder;
    for (int frame = 0; frame < 60; ++frame) {
        move(live, frame);
        live.frame();
        recorder.begin(live.now);
        for (const LogicalDevice& d : live.devices.devices()) recorder.add(d.name, d.type, d.now);
        ASSERT_TRUE(recorder.end());
    }
    DeviceRig again, played({}, recorder.text());
    again.load(kMap);
    std::string map;
    for (const LogicalDevice& d : live.devices.devices())
        map += std::string(to_string(d.type)) + " " + d.name + " = track." + d.name + "\n";
    played.load(map);
    for (int frame = 0; frame < 60; ++frame) {
        move(again, frame);
        again.frame();
        played.frame();
        for (const LogicalDevice& d : again.devices.devices())
            expect_same(d.now, played.poll(d.name.c_str()), d.type,
                        d.name + " in frame " + std::to_string(frame));
    }
    EXPECT_FALSE(played.track.state().starts_with("ended"));
    played.frame();
    EXPECT_TRUE(played.track.state().starts_with("ended"));
    EXPECT_FALSE(played.poll("head").valid) << "nothing is available after the end";
    EXPECT_TRUE(played.devices.events().empty());
}

/// The button's events over some frames: "du" for down and up, one blank after each frame.
std::string event_text(DeviceRig& rig, int frames) {
    std::string out;
    for (int i = 0; i < frames; ++i) {
        rig.frame();
        for (const Reading& r : rig.events("fire")) out += r.down ? 'd' : 'u';
        out += ' ';
    }
    return out;
}

TEST(Track, presses_within_a_frame_play_back) {
    DeviceRig live;
    live.load("button fire = keyboard.f\n");
    TrackRecorder recorder;
    std::string lived;
    for (int frame = 0; frame < 12; ++frame) {
        const int times[12] = {0, 1, 0, 2, 0, 0, 0, 1, 1, 0, 0, 3};
        for (int i = 0; i < times[frame]; ++i) {
            live.key('F', true);
            live.key('F', false);
        }
        live.window.keys.set('F', frame == 8);
        lived += event_text(live, 1);
        recorder.begin(live.now);
        recorder.add("fire", DeviceClass::button, live.poll("fire"));
        ASSERT_TRUE(recorder.end());
    }
    EXPECT_EQ(lived, " d u dud u   d ud u  dudud ");
    DeviceRig played({}, recorder.text());
    played.load("button fire = track.fire\n");
    EXPECT_EQ(event_text(played, 12), lived);
    EXPECT_EQ(event_text(played, 3), "   ");
}

TEST(Track, a_press_at_the_end_of_a_track_is_reported_even_between_two_frames) {
    DeviceRig rig({},
                  "{\"claybox_track\":1}\n{\"t\":0,\"fire\":{\"button\":false}}\n"
                  "{\"t\":0.02,\"fire\":{\"button\":false,\"presses\":1}}\n"
                  "{\"t\":0.021,\"fire\":{\"button\":false,\"presses\":2}}\n");
    rig.load("button fire = track.fire\n");
    EXPECT_EQ(event_text(rig, 5), "  dududu   ") << "three presses between two frames";
    EXPECT_TRUE(rig.track.state().starts_with("ended"));
}

TEST(Track, only_what_changes_is_written) {
    TrackRecorder recorder;
    Reading r;
    r.valid = true;
    r.number = 0.1;
    for (int i = 0; i < 5; ++i) {
        recorder.begin(i);
        recorder.add("level", DeviceClass::value, r);
        recorder.end();
    }
    EXPECT_EQ(recorder.text(), "{\"claybox_track\":1}\n{\"t\":0,\"level\":{\"value\":0.1}}\n");
}

TEST(Track, an_error_names_file_line_and_expectation_and_changes_nothing) {
    TrackSource track;
    std::string error;
    ASSERT_TRUE(track.load("{\"claybox_track\":1}\n{\"t\":0,\"level\":{\"value\":1}}\n", "a", error))
        << error;
    const std::pair<const char*, const char*> faults[] = {
        {"{", "expected a line of JSON"},
        {"[1]", "expected an object"},
        {"{\"level\":{\"value\":1}}", "expected \"t\""},
        {"{\"t\":-1}", "never go back"},
        {"{\"t\":1e9}", "up to a million"},
        {"{\"t\":1,\"level\":{\"space\":[0,0,0,1,0,0,0]}}", "'level' was a value before"},
        {"{\"t\":1,\"up\":null}", "'up' becomes null before it has a value"},
        {"{\"t\":1,\"Up\":{\"value\":1}}", "expected a name of small letters"},
        {"{\"t\":1,\"up\":{\"knob\":1}}", "'knob' is not a class"},
        {"{\"t\":1,\"up\":{\"button\":1}}", "expected true or false"},
        {"{\"t\":1,\"up\":{\"button\":true,\"presses\":0}}", "expected presses from 1 to 8"},
        {"{\"t\":1,\"up\":{\"button\":true,\"presses\":9}}", "expected presses from 1 to 8"},
        {"{\"t\":1,\"up\":{\"value\":1,\"presses\":1}}", "expected one value of 'up' by its class"},
        {"{\"t\":1,\"up\":{\"presses\":1}}", "'presses' is not a class"},
        {"{\"t\":1,\"up\":{\"location\":[1,2]}}", "a location as 3 numbers"},
        {"{\"t\":1,\"up\":{\"orientation\":[0,0,0,0]}}", "expected a rotation"},
        {"{\"t\":1,\"right\":{\"hand\":[1]}}", "26 joints"},
        {"{\"t\":1,\"level\":7}", "expected one value of 'level' by its class"},
    };
    for (const auto& [line, expected] : faults) {
        const std::string text =
            "{\"claybox_track\":1}\n{\"t\":0,\"level\":{\"value\":1}}\n" + std::string(line) + "\n";
        EXPECT_FALSE(track.load(text, "hands.jsonl", error)) << line;
        EXPECT_EQ(error.find("hands.jsonl:3: "), 0u) << error;
        EXPECT_NE(error.find(expected), std::string::npos) << line << ": " << error;
    }
    for (const char* text : {"", "{\"t\":0}\n", "{\"claybox_track\":2}\n"}) {
        EXPECT_FALSE(track.load(text, "hands.jsonl", error)) << text;
        EXPECT_NE(error.find("as the first line"), std::string::npos) << error;
    }
    EXPECT_TRUE(track.open("level").has_value()) << "the previous track is still loaded";
}

constexpr const char* kHead = "{\"claybox_track\":1}\n";

TEST(Track, deeply_nested_values_are_an_error_and_do_not_exhaust_the_stack) {
    const std::string deep = std::string(1000000, '[') + std::string(1000000, ']');
    TrackSource track;
    std::string error;
    for (const std::string& line : {"{\"t\":" + deep + "}", "{\"t\":1,\"up\":{\"value\":" + deep + "}}",
                                    "{\"t\":1,\"up\":" + deep + "}"})
        EXPECT_FALSE(track.load(kHead + line, "a", error));
}

TEST(Track, many_names_and_long_lines_are_errors_and_take_no_quadratic_time) {
    std::string names = "{\"t\":1", line = "{\"t\":1,\"up\":{\"value\":1}";
    for (int i = 0; i < 300000; ++i) names += ",\"n" + std::to_string(i) + "\":{\"value\":1}";
    TrackSource track;
    std::string error;
    EXPECT_FALSE(track.load(kHead + names + "}\n", "a", error));
    EXPECT_NE(error.find("at most 2000 names"), std::string::npos) << error;
    EXPECT_FALSE(track.load(kHead + line + std::string(8 << 20, ' ') + "}\n", "a", error));
    EXPECT_NE(error.find("at most 8388608 bytes"), std::string::npos) << error;
}

TEST(Track, quoted_input_in_errors_is_short) {
    const std::string name(1 << 20, 'N');
    TrackSource track;
    std::string error;
    for (const std::string& line :
         {"{\"t\":1,\"" + name + "\":null}", "{\"t\":1,\"up\":{\"" + name + "\":1}}", "{\"t\":1,\"" + name}) {
        EXPECT_FALSE(track.load(kHead + line, "a", error));
        EXPECT_LT(error.size(), 400u);
    }
}

TEST(Track, a_recording_ends_before_it_has_more_lines_than_can_be_read) {
    constexpr int kLines = 2'000'000;  // nine hours at 60 frames per second
    TrackRecorder recorder;
    Reading button;
    button.valid = true;
    for (int i = 0; i <= kLines; ++i) {
        recorder.begin(0.001 * i);
        button.down = i % 2 == 1;
        recorder.add("x", DeviceClass::button, button);
        ASSERT_EQ(recorder.end(), i < kLines) << i;
    }
}

// Hands whose joints are not available have short lines, but take as much memory as any other.
TEST(Track, a_recording_ends_before_it_needs_more_memory_than_can_be_read) {
    TrackRecorder recorder;
    HandJoints hands[2];
    hands[0].left = true;
    Reading hand;
    hand.valid = true;
    std::size_t lines = 0;
    bool more = true;
    for (; more && lines < 1'000'000; ++lines) {
        recorder.begin(0.001 * static_cast<double>(lines));
        hand.hand = &hands[lines % 2];
        recorder.add("right", DeviceClass::hand, hand);
        more = recorder.end();
    }
    EXPECT_FALSE(more);
    EXPECT_LT(lines * sizeof(HandJoints), std::size_t{1} << 30);
}

TEST(Track, whatever_is_recorded_can_be_read_back) {
    Reading value, place, hand;
    value.valid = place.valid = hand.valid = true;
    value.number = 1e300;
    place.position = {0, 2e6, 0};
    HandJoints joints = make_hand({0, 0, 0, 0, 0}, {0, 1, 0});
    joints.joint[0].radius = std::nanf("");
    joints.joint[1].position.x = 1e9;
    joints.joint[2].rotation = {0, 0, 0, 0};
    hand.hand = &joints;
    TrackRecorder recorder;
    recorder.begin(0);
    recorder.add("level", DeviceClass::value, value);
    recorder.add("tip", DeviceClass::location, place);
    recorder.add("right", DeviceClass::hand, hand);
    ASSERT_TRUE(recorder.end());
    place.position.y = 1;
    recorder.begin(1);
    recorder.add("level", DeviceClass::value, value);
    recorder.add("tip", DeviceClass::location, place);
    ASSERT_TRUE(recorder.end());
    TrackSource track;
    std::string error;
    ASSERT_TRUE(track.load(recorder.text(), "a", error)) << error;
    track.update(0);
    EXPECT_EQ(track.channels()[*track.open("level")].now.number, 1e300);
    EXPECT_FALSE(track.channels()[*track.open("right")].now.hand->joint[0].valid);
    recorder.begin(2e6);  // 23 days later
    value.number = 1;
    recorder.add("level", DeviceClass::value, value);
    EXPECT_FALSE(recorder.end());
    EXPECT_TRUE(track.load(recorder.text(), "a", error)) << error;
}

}  // namespace
}  // namespace claybox::engine
