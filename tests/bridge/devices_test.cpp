// Input of the sandbox: physical sources drive logical devices, and logical devices trigger actions.

#include "app/scenes/hands/grasp.hpp"
#include "engine/files/paths.hpp"
#include "tests/bridge/sandbox_fixture.hpp"
#include "tests/support/from_scene.hpp"
#include "tests/support/hand_track.hpp"

#include <fstream>
#include <sstream>
#if defined(CLAYBOX_LIBLO)
#include <lo/lo.h>
#endif
#include <unistd.h>

namespace claybox::app {
namespace {

class DevicesTest : public SandboxTest {
  protected:
    void press(int key, bool control = false) {
        ui_->inject_key(key, control);
        frames(2);
    }
    void pad(std::size_t button, bool down) {
        engine::GamepadState state;
        state.present = true;
        state.button[button] = down;
        sandbox_->devices().feed_gamepad(state);
        frames(1);
    }
    std::size_t number_of(const char* device) {
        const auto devices = sandbox_->devices().logical().devices();
        for (std::size_t i = 0; i < devices.size(); ++i)
            if (devices[i].name == device) return i;
        ADD_FAILURE() << device;
        return 0;
    }
    void request(const char* device, const char* mapping) {
        PanelRequests requests;
        requests.device_mapping = {number_of(device), mapping};
        sandbox_->carry_out(requests);
    }
    /// Hash of the picture while the scene is paused.
    std::uint64_t picture_hash() {
        sandbox_->state().paused = true;
        frame(kFrame, true);
        std::uint64_t sum = 0;
        for (const std::uint8_t byte : target_->pixels()) sum = sum * 31 + byte;
        return sum;
    }
    bool paused() { return sandbox_->state().paused; }
};

TEST_F(DevicesTest, Z_9_outline_a_key_and_a_gamepad_button_press_the_same_logical_button) {
    frames(1);
    EXPECT_FALSE(paused());
    press(engine::key::kSpace);
    EXPECT_TRUE(paused());
    press('P');
    EXPECT_FALSE(paused());
    pad(7, true);
    EXPECT_TRUE(paused()) << "start button of the gamepad";
    frames(3);
    EXPECT_TRUE(paused()) << "once per press";
    pad(7, false);
    pad(7, true);
    EXPECT_FALSE(paused());
    EXPECT_FALSE(sandbox_->wants_quit());
    press('Q');
    EXPECT_FALSE(sandbox_->wants_quit());
    press('Q', true);
    EXPECT_TRUE(sandbox_->wants_quit());
}

TEST_F(DevicesTest, Z_9_outline_a_remapped_key_works_and_the_old_one_does_not) {
    frames(1);
    request("pause", "keyboard.k");
    press(engine::key::kSpace);
    EXPECT_FALSE(paused());
    press('K');
    EXPECT_TRUE(paused());
    request("pause", "keyboard.k twice");
    EXPECT_NE(sandbox_->state().devices.error.find("instead of 'twice'"), std::string::npos);
    press('K');
    EXPECT_FALSE(paused()) << "an invalid mapping changes nothing";
    press(engine::key::kF1);
    EXPECT_NE(ui_->log().find("K", "key"), nullptr) << "the help shows the current mapping";
    EXPECT_EQ(ui_->log().find("Space or P", "key"), nullptr);
}

TEST_F(DevicesTest, Z_9_outline_listening_maps_the_next_key_without_its_action) {
    frames(1);
    PanelRequests requests;
    requests.listen = number_of("pause");
    sandbox_->carry_out(requests);
    press('T');
    EXPECT_FALSE(sandbox_->state().dark) << "the key only sets the mapping";
    EXPECT_EQ(sandbox_->devices().logical().find("pause")->mapping, "keyboard.t");
    sandbox_->carry_out(requests);
    press(engine::key::kEscape);
    EXPECT_EQ(sandbox_->devices().logical().find("pause")->mapping, "keyboard.t");
    EXPECT_FALSE(sandbox_->devices().logical().listening());
    press('T');
    EXPECT_TRUE(paused());
}

TEST_F(DevicesTest, Z_9_outline_held_devices_are_polled_in_every_frame) {
    frames(1);
    press('G');
    ASSERT_TRUE(sandbox_->state().fly);
    EXPECT_EQ(sandbox_->devices().logical().poll("fly_z").number, 0);
    engine::GamepadState state;
    state.present = true;
    state.axis[1] = -1;
    sandbox_->devices().feed_gamepad(state);
    const std::uint64_t before = picture_hash();
    frames(10);
    EXPECT_EQ(sandbox_->devices().logical().poll("fly_z").number, 1) << "forward";
    EXPECT_NE(picture_hash(), before) << "the camera flies";
}

TEST_F(DevicesTest, APP_hand_a_recorded_track_dents_the_pot_identically_each_time) {
    constexpr int kLength = 180;  // frames
    use_window(160, 120);
    start("potter", "polygons", 1000);
    const FromScene room(session().scene().camera());
    engine::TrackRecorder recorder;
    for (int i = 0; i <= kLength; ++i) {
        const auto key = script_key(session().scene(), static_cast<std::uint64_t>(i) + 1);
        engine::HandJoints joints;
        if (key) joints = engine::joints_from_pose(room(to_hand_pose(*key)));
        engine::Reading reading;
        reading.valid = key.has_value();
        reading.hand = &joints;
        recorder.begin(i / 60.0);
        recorder.add("right", engine::DeviceClass::hand, reading);
        recorder.end();
    }
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("claybox-dent-" + std::to_string(::getpid()) + ".jsonl");
    std::ofstream(file) << recorder.text();
    const auto dent = [&](bool played) {
        start("potter", "polygons", 1000);
        DeviceOptions options;
        if (played) options.track = file;
        std::string error;
        EXPECT_TRUE(sandbox_->devices().open(options, error)) << error;
        frames(played ? kLength : 2);
        return *session().scene().export_mesh().positions;
    };
    const auto first = dent(true), second = dent(true), untouched = dent(false);
    std::filesystem::remove(file);
    EXPECT_TRUE(first == second);
    ASSERT_GE(first.size(), untouched.size()) << "detail only adds vertices to a fresh pot";
    std::size_t moved = 0;
    for (std::size_t i = 0; i < untouched.size(); ++i)
        moved += length(first[i] - untouched[i]) > 1e-3f ? 1 : 0;
    EXPECT_GT(moved, 20u);
}

TEST_F(DevicesTest, the_hand_of_a_track_is_shown_as_recorded) {
    start("potter", "polygons", 2000);
    use_window(400, 1300);
    DeviceOptions options;
    options.track =
        std::filesystem::temp_directory_path() / ("claybox-track-" + std::to_string(::getpid()) + ".jsonl");
    std::ofstream(options.track) << engine::track_of_resting_hand(5);
    std::string error;
    ASSERT_TRUE(sandbox_->devices().open(options, error)) << error;
    std::filesystem::remove(options.track);
    frames(2);
    click("Devices", "card");
    frames(20);
    click("Physical sources", "fold");
    frames(20);
    EXPECT_EQ(widget("Right hand", "value")->value, "Recorded hand");
    frames(360);
    EXPECT_EQ(widget("Right hand", "value")->value, "Mouse hand") << "the track has ended";
}

#if defined(CLAYBOX_LIBLO)
TEST_F(DevicesTest, Z_9_server_a_network_hand_replaces_the_mouse_hand) {
    start("potter", "polygons", 2000);
    use_window(400, 1300);
    DeviceOptions options;
    options.osc_port = 0;
    std::string error;
    ASSERT_TRUE(sandbox_->devices().open(options, error)) << error;
    frames(2);
    click("Devices", "card");
    frames(20);
    click("Physical sources", "fold");
    frames(20);
    EXPECT_EQ(widget("Right hand", "value")->value, "Mouse hand");
    const lo_address to =
        lo_address_new("127.0.0.1", std::to_string(sandbox_->devices().network().port).c_str());
    for (int i = 0; i < 30; ++i) {
        for (const char* bone : {"RightHand", "LeftHand"})
            lo_send(to, "/VMC/Ext/Bone/Pos", "sfffffff", bone, 0.1, 1.4, 0.3, 0.0, 0.0, 0.0, 1.0);
        frames(1);
    }
    lo_address_free(to);
    EXPECT_EQ(widget("Packets", "value")->value, "60");
    EXPECT_EQ(widget("Malformed", "value")->value, "0");
    EXPECT_EQ(widget("Right hand", "value")->value, "Network hand");
    EXPECT_EQ(widget("Left hand", "value")->value, "Network hand");
    frames(60);
    EXPECT_EQ(widget("Right hand", "value")->value, "Mouse hand")
        << "after half a second without packets the mouse drives it again";
}

TEST_F(DevicesTest, Z_9_server_the_recentre_key_sets_the_rest_position_of_a_tracked_hand) {
    start("solids", "solids", 8);
    DeviceOptions options;
    options.osc_port = 0;
    std::string error;
    ASSERT_TRUE(sandbox_->devices().open(options, error)) << error;
    frames(2);
    const lo_address to =
        lo_address_new("127.0.0.1", std::to_string(sandbox_->devices().network().port).c_str());
    /// Start of the last segment of the drawn right forefinger, after the wrist has been at a place in
    /// Unity's frame for a while.
    const auto drawn = [&](double x, double y, double z) {
        for (int i = 0; i < 12; ++i) {
            lo_send(to, "/VMC/Ext/Bone/Pos", "sfffffff", "RightHand", x, y, z, 0.0, 0.0, 0.0, 1.0);
            frames(1);
        }
        SceneView view;
        sandbox_->session().scene().view({}, view);
        const auto hand = std::find_if(view.drawables.begin(), view.drawables.end(),
                                       [](const Drawable& d) { return d.material == Material::hand; });
        return hand == view.drawables.end() ? collision::Vec3d{} : (hand + kIndexTip)->pose.translation;
    };
    const HandInput rest = to_hand_input(engine::pose_hand(to_hand_pose(session().scene().hand_rest())));
    const collision::Vec3d tip = tip_position(rest, kIndexTip);
    EXPECT_GT(length(drawn(0.2, 1.1, 0.9) - tip), 0.2);
    ui_->inject_key('C');
    const collision::Vec3d here = drawn(0.2, 1.1, 0.9);
    EXPECT_NEAR(length(here - tip), static_cast<double>(rest.length[kIndexTip]), 1e-3);
    EXPECT_NEAR(length(drawn(0.2, 1.2, 0.9) - here), 0.1, 1e-3) << "motions are the same as before";
    lo_address_free(to);
}
#endif

std::filesystem::path temporary(const std::string& name) {
    return std::filesystem::temp_directory_path() / ("claybox-" + std::to_string(::getpid()) + "-" + name);
}

void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file) << text;
}

std::string content(const std::filesystem::path& file) {
    std::stringstream out;
    out << std::ifstream(file).rdbuf();
    return out.str();
}

TEST_F(DevicesTest, changes_are_saved_and_loaded_and_a_broken_file_is_an_error) {
    const std::filesystem::path file = temporary("devices.txt");
    std::string error;
    {
        InputDevices devices;
        ASSERT_TRUE(devices.use_saved_map(file, error)) << error;
        EXPECT_FALSE(std::filesystem::exists(file)) << "nothing was changed";
        ASSERT_TRUE(devices.remap("undo", "keyboard.u | gamepad.back", error)) << error;
        EXPECT_FALSE(devices.remap("undo", "keyboard.", error));
    }
    InputDevices again;
    ASSERT_TRUE(again.use_saved_map(file, error)) << error;
    EXPECT_EQ(again.logical().find("undo")->mapping, "keyboard.u | gamepad.back");
    EXPECT_EQ(again.logical().find("pause")->mapping, "keyboard.space | keyboard.p | gamepad.start");
    std::string junk;
    for (int i = 0; i < 200; ++i) junk += "knob a = mouse.x\n";
    write(file, junk);
    EXPECT_FALSE(again.use_saved_map(file, error)) << "not a map";
    EXPECT_EQ(error.find(file.string() + ":1: expected button"), 0u) << error;
    EXPECT_EQ(again.logical().find("undo")->mapping, "keyboard.u | gamepad.back");
    ASSERT_TRUE(again.remap("undo", "keyboard.k", error)) << error;
    EXPECT_EQ(content(file), junk) << "the file stays unchanged";
    std::filesystem::remove(file);
}

TEST_F(DevicesTest, a_map_for_one_run_is_not_saved_and_does_not_change_the_saved_map) {
    const std::filesystem::path kept = temporary("kept.txt"), demo = temporary("demo.txt");
    const std::string mine = "button undo = keyboard.u\n";
    write(kept, mine);
    write(demo, "button pause = keyboard.k\n");
    InputDevices devices;
    std::string error;
    ASSERT_TRUE(devices.use_saved_map(kept, error)) << error;
    ASSERT_TRUE(devices.load_map(demo, error)) << error;
    ASSERT_TRUE(devices.remap("theme", "keyboard.j", error)) << error;
    EXPECT_EQ(devices.logical().find("theme")->mapping, "keyboard.j");
    EXPECT_EQ(content(kept), mine);
    std::filesystem::remove(kept);
    std::filesystem::remove(demo);
}

TEST_F(DevicesTest, a_saved_line_that_is_invalid_in_this_run_is_reported_and_stays_in_the_file) {
    const std::filesystem::path file = temporary("devices.txt");
    write(file,
          "button undo = keyboard.u\nvalue zoom = track.fader # mine\nvalue twice = @thrice\n"
          "value thrice = track.fader scale 3\nbutton pause = keyboard.k\n");
    std::string error;
    InputDevices devices;
    ASSERT_TRUE(devices.use_saved_map(file, error)) << error;
    for (const char* place : {":2: 'fader' is not a channel of track", ":3: there is no device 'thrice'",
                              ":4: 'fader' is not a channel of track"})
        EXPECT_NE(error.find(file.string() + place), std::string::npos) << error;
    EXPECT_EQ(devices.logical().find("undo")->mapping, "keyboard.u");
    EXPECT_EQ(devices.logical().find("pause")->mapping, "keyboard.k");
    EXPECT_EQ(devices.logical().find("zoom")->mapping, devices.logical().find("zoom")->default_mapping);
    ASSERT_TRUE(devices.remap("theme", "keyboard.j", error)) << error;
    const std::filesystem::path track = temporary("fader.jsonl");
    write(track, "{\"claybox_track\":1}\n{\"t\":0,\"fader\":{\"value\":1}}\n");
    DeviceOptions options;
    options.track = track;
    InputDevices later;
    ASSERT_TRUE(later.open(options, error)) << error;
    ASSERT_TRUE(later.use_saved_map(file, error)) << error;
    EXPECT_EQ(error, "");
    for (const auto& [name, mapping] :
         {std::pair("zoom", "track.fader"), {"twice", "@thrice"}, {"theme", "keyboard.j"}})
        EXPECT_EQ(later.logical().find(name)->mapping, mapping);
    ASSERT_TRUE(devices.remap("zoom", "mouse.wheel", error)) << error;
    EXPECT_EQ(content(file).find("value zoom = track"), std::string::npos) << "a new line replaces it";
    EXPECT_NE(content(file).find("value zoom = mouse.wheel\n"), std::string::npos);
    EXPECT_NE(content(file).find("value twice = @thrice\n"), std::string::npos);
    std::filesystem::remove(file);
    std::filesystem::remove(track);
}

TEST_F(DevicesTest, the_card_shows_values_and_edits_a_mapping) {
    use_window(400, 1300);
    frames(2);
    click("Devices", "card");
    frames(20);
    click("All values", "fold");
    frames(20);
    ui_->inject_key(engine::key::kSpace);
    frames(1);
    const engine::WidgetRecord* field = widget("Sources", "field");
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->value, "keyboard.h | gamepad.y");
    const engine::WidgetRecord* pause = widget("pause", "value");
    ASSERT_NE(pause, nullptr);
    EXPECT_EQ(pause->value, "down");
    request("take_hand", "keyboard.h faster");
    frames(2);
    EXPECT_EQ(widget("Sources", "field")->value, "keyboard.h faster")
        << "the invalid text stays for correction";
    click("Default", "button");
    EXPECT_EQ(widget("Sources", "field")->value, "keyboard.h | gamepad.y");
    for (const engine::WidgetRecord& r : ui_->log().records)
        EXPECT_STRNE(r.kind, "cut") << r.label << " " << r.value;
}

}  // namespace
}  // namespace claybox::app
