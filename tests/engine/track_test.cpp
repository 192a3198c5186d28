// Tracks of recorded devices: what is written plays back to the last bit, and mistakes are named.

#include "tests/engine/device_fixture.hpp"

#include <cmath>

namespace claybox::engine {
namespace {

const char* const kMap =
    "button fire = gamepad.a\nchoice mode = gamepad.b steps 3\nvalue level = gamepad.left_x\nlocation tip = "
    "xr.right.index_tip\n"
    "orientation look = xr.head\nspace head = xr.head\nhand right = xr.right\n";

void move(Hall& hall, int frame) {
    hall.headset_on = hall.pad.present = true;
    hall.pad.button[0] = frame / 7 % 2 == 1;
    hall.pad.button[1] = frame % 5 == 0;
    hall.pad.axis[0] = std::sin(0.1f * static_cast<float>(frame));
    const double t = 0.01 * frame;
    hall.input.head = {{t, 1.6, -t}, glm::normalize(glm::dquat(1, t, 0.1, 0)), true};
    const auto curl = 0.5f + 0.4f * std::sin(0.05f * static_cast<float>(frame));
    hall.input.hand[1] = make_hand({curl, curl, 0, 0, curl}, {t, 1 + t / 3, 0});
    hall.input.hand[1].joint[joint::kRingTip].valid = frame % 3 != 0;
    hall.input.hand[1].active = frame % 20 < 15;
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
    Hall live;
    live.load(kMap);
    TrackRecorder recorder;
    for (int frame = 0; frame < 60; ++frame) {
        move(live, frame);
        live.frame();
        recorder.begin(live.now);
        for (const LogicalDevice& d : live.devices.devices()) recorder.add(d.name, d.type, d.now);
        ASSERT_TRUE(recorder.end());
    }
    Hall again, played({}, recorder.text());
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
    EXPECT_FALSE(played.poll("head").valid) << "after the end nothing is there";
    EXPECT_TRUE(played.devices.events().empty());
}

/// The button's events of some frames, "du" for down and up, a frame between blanks.
std::string told(Hall& hall, int frames) {
    std::string out;
    for (int i = 0; i < frames; ++i) {
        hall.frame();
        for (const Reading& r : hall.events("fire")) out += r.down ? 'd' : 'u';
        out += ' ';
    }
    return out;
}

TEST(Track, presses_within_a_frame_play_back) {
    Hall live;
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
        lived += told(live, 1);
        recorder.begin(live.now);
        recorder.add("fire", DeviceClass::button, live.poll("fire"));
        ASSERT_TRUE(recorder.end());
    }
    EXPECT_EQ(lived, " d u dud u   d ud u  dudud ");
    Hall played({}, recorder.text());
    played.load("button fire = track.fire\n");
    EXPECT_EQ(told(played, 12), lived);
    EXPECT_EQ(told(played, 3), "   ");
}

TEST(Track, a_press_that_ends_a_track_is_told_even_between_two_frames) {
    Hall hall({},
              "{\"claybox_track\":1}\n{\"t\":0,\"fire\":{\"button\":false}}\n"
              "{\"t\":0.02,\"fire\":{\"button\":false,\"presses\":1}}\n"
              "{\"t\":0.021,\"fire\":{\"button\":false,\"presses\":2}}\n");
    hall.load("button fire = track.fire\n");
    EXPECT_EQ(told(hall, 5), "  dududu   ") << "three presses came between two frames";
    EXPECT_TRUE(hall.track.state().starts_with("ended"));
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

TEST(Track, mistakes_name_file_line_and_what_was_expected_and_change_nothing) {
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
        {"{\"t\":1,\"up\":null}", "'up' is lost before it was there"},
        {"{\"t\":1,\"Up\":{\"value\":1}}", "expected a name of small letters"},
        {"{\"t\":1,\"up\":{\"knob\":1}}", "'knob' is no class"},
        {"{\"t\":1,\"up\":{\"button\":1}}", "expected true or false"},
        {"{\"t\":1,\"up\":{\"button\":true,\"presses\":0}}", "expected presses from 1 to 8"},
        {"{\"t\":1,\"up\":{\"button\":true,\"presses\":9}}", "expected presses from 1 to 8"},
        {"{\"t\":1,\"up\":{\"value\":1,\"presses\":1}}", "expected one value of 'up' by its class"},
        {"{\"t\":1,\"up\":{\"presses\":1}}", "'presses' is no class"},
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
    EXPECT_TRUE(track.open("level").has_value()) << "the one before plays on";
}

}  // namespace
}  // namespace claybox::engine
