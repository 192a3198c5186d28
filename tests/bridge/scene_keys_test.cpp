// The potter's keys, pressure and stroke lead in the sandbox without a window.

#include "app/panels/help.hpp"
#include "engine/input/sources/window_source.hpp"
#include "tests/bridge/sandbox_fixture.hpp"

#include <unistd.h>

namespace claybox::app {
namespace {

constexpr int kLeftShift = 340, kLeftControl = 341, kLeftBracket = 91, kRightBracket = 93;

class SceneKeysTest : public SandboxTest {
  protected:
    void SetUp() override {
        SandboxTest::SetUp();
        use_window(400, 300);
        start_potter();
    }
    /// Without panels: small pictures are drawn quickly.
    void start_potter() {
        start("potter", "polygons", 2000);
        sandbox_->state().hint = false;
        sandbox_->state().hidden = true;
        frames(3);
    }
    void show_panels() {
        use_window(1280, 1200);
        sandbox_->state().hidden = false;
        frames(3);
    }
    void press(int key, bool control = false) {
        ui_->inject_key(key, control);
        frames(2);
    }
    double value(const char* id) {
        const auto table = session().descriptor().parameters;
        return session().options().scene_parameters[collision::find_parameter(table, id)];
    }
    std::string effect() {
        const auto table = session().descriptor().parameters;
        return table[collision::find_parameter(table, "effect")]
            .choices[static_cast<std::size_t>(value("effect"))];
    }
    void wheel(float notches) {
        ui_->inject_mouse(0.45f * static_cast<float>(width_), 0.5f * static_cast<float>(height_), false,
                          notches);
        frames(1);
    }
    glm::dvec3 hand_tip() {
        SceneView view;
        session().scene().view({}, view);
        for (std::size_t i = 0; i < view.drawables.size(); ++i)
            if (view.drawables[i].material == Material::hand) {
                const collision::Vec3d t = view.drawables[i + kIndexTip].pose.translation;
                return {t.x, t.y, t.z};
            }
        ADD_FAILURE() << "no hand";
        return {};
    }
};

TEST_F(SceneKeysTest, APP_potter_every_effect_has_a_key_that_selects_it) {
    const SceneDescriptor& potter = session().descriptor();
    for (const SceneKey& key : scene_keys(potter)) {
        if (key.kind != SceneKey::Kind::set) continue;
        const std::string mapping = sandbox_->devices().logical().find(key.device)->mapping;
        ASSERT_TRUE(mapping.starts_with("keyboard.")) << mapping;
        press(engine::key_number(mapping.substr(9)));
        EXPECT_EQ(effect(), key.value) << key.device;
    }
}

TEST_F(SceneKeysTest, APP_potter_keys_change_radius_and_strength_and_switch_tools) {
    const double radius = value("radius"), strength = value("strength");
    press(kRightBracket);
    EXPECT_NEAR(value("radius"), 1.15 * radius, 1e-9);
    press(kLeftBracket);
    press(kLeftBracket);
    EXPECT_LT(value("radius"), radius);
    press('-');
    EXPECT_EQ(value("strength"), strength - 5);
    press('=');
    press('=');
    EXPECT_EQ(value("strength"), strength + 5);
    const double tool = value("tool");
    press('B');
    EXPECT_EQ(value("tool"), tool + 1);
    for (int i = 0; i < 40; ++i) press(kRightBracket);
    EXPECT_EQ(value("radius"), 80) << "the end of the range";
}

TEST_F(SceneKeysTest, APP_potter_a_held_key_inverts_the_effect_until_its_release) {
    press('3');
    ASSERT_EQ(effect(), "inflate");
    ui_->inject_held_key(kLeftControl, true);
    frames(3);
    EXPECT_EQ(effect(), "deflate");
    ui_->inject_held_key(kLeftControl, false);
    frames(2);
    EXPECT_EQ(effect(), "inflate");
    press('1');
    ui_->inject_held_key(kLeftControl, true);
    frames(2);
    EXPECT_EQ(effect(), "push") << "it has no opposite";
    ui_->inject_held_key(kLeftControl, false);
    frames(2);
    EXPECT_EQ(effect(), "push");
}

TEST_F(SceneKeysTest, a_choice_made_while_the_key_is_held_stays) {
    press('4');
    ui_->inject_held_key(kLeftControl, true);
    frames(2);
    ASSERT_EQ(effect(), "inflate");
    Command choose{Command::Kind::set_parameter, "effect=smooth"};
    sandbox_->carry_out(choose);
    ui_->inject_held_key(kLeftControl, false);
    frames(2);
    EXPECT_EQ(effect(), "smooth");
}

TEST_F(SceneKeysTest, a_key_that_is_held_while_the_scene_changes_does_no_harm) {
    press('3');
    ui_->inject_held_key(kLeftControl, true);
    frames(2);
    sandbox_->carry_out(Command{Command::Kind::scene, "cage"});
    frames(2);
    ui_->inject_held_key(kLeftControl, false);
    press('3');
    press(kRightBracket);
    EXPECT_STREQ(session().descriptor().id, "cage");
    sandbox_->carry_out(Command{Command::Kind::scene, "potter"});
    frames(3);
    EXPECT_EQ(effect(), "push");
    press('3');
    EXPECT_EQ(effect(), "inflate");
}

TEST_F(SceneKeysTest, APP_potter_the_wheel_with_shift_changes_the_radius) {
    const double radius = value("radius");
    wheel(0);
    frames(30);  // the idle hand comes to the pointer
    const glm::dvec3 tip = hand_tip();
    ui_->inject_held_key(kLeftShift, true);
    wheel(2);
    ui_->inject_held_key(kLeftShift, false);
    EXPECT_NEAR(value("radius"), radius * 1.1 * 1.1, 1e-9);
    frames(20);
    EXPECT_LT(glm::distance(hand_tip(), tip), 0.001) << "the hand keeps its distance";
    wheel(2);
    frames(20);
    EXPECT_GT(glm::distance(hand_tip(), tip), 0.005) << "without Shift the wheel moves the hand";
    EXPECT_NEAR(value("radius"), radius * 1.1 * 1.1, 1e-9);
}

TEST_F(SceneKeysTest, APP_potter_keys_with_ctrl_undo_and_redo) {
    for (const bool redo : {false, true}) {
        ui_->inject_held_key(kLeftShift, redo);
        press('Z', true);
        ui_->inject_held_key(kLeftShift, false);
    }
    EXPECT_EQ(effect(), "push");
    EXPECT_EQ(ui_->log().find("This scene has nothing to undo", "message"), nullptr);
}

TEST_F(SceneKeysTest, the_help_lists_the_keys_of_the_scene_and_cuts_no_text) {
    show_panels();
    press(engine::key::kF1);
    for (const HelpRow& row : scene_help_rows(sandbox_->devices().logical(), session().descriptor())) {
        const engine::WidgetRecord* record = widget(row.keys, "key");
        ASSERT_NE(record, nullptr);
        EXPECT_LE(engine::text_width(*ui_, engine::TextSize::title, row.keys), ui_->px(180)) << row.keys;
        EXPECT_LE(engine::text_width(*ui_, engine::TextSize::body, row.effect),
                  record->x1 - record->x0 - ui_->px(196))
            << row.effect;
    }
    press(engine::key::kEscape);
    sandbox_->carry_out(Command{Command::Kind::scene, "cage"});
    frames(3);
    press(engine::key::kF1);
    EXPECT_EQ(ui_->log().find("[", "key"), nullptr) << "not a key of this scene";
}

TEST_F(SceneKeysTest, no_key_acts_while_a_value_is_typed) {
    show_panels();
    click("Seed, time, film and sharing", "fold");
    frames(20);
    const engine::WidgetRecord* seed = widget("Seed", "field");
    ASSERT_NE(seed, nullptr);
    press_at(0.5f * (seed->x0 + seed->x1), 0.5f * (seed->y0 + seed->y1));
    frames(2);
    ASSERT_TRUE(ui_->input().typing);
    press('3');
    press(kRightBracket);
    EXPECT_EQ(effect(), "push");
    EXPECT_EQ(value("radius"), 30);
}

TEST_F(SceneKeysTest, APP_potter_a_trigger_presses_and_the_recording_keeps_it) {
    const auto file =
        std::filesystem::temp_directory_path() / ("claybox-pressure-" + std::to_string(::getpid()) + ".rec");
    start("potter", "polygons", 2000);
    ASSERT_TRUE(sandbox_->start_recording(file).ok());
    engine::GamepadState pad;
    pad.present = true;
    pad.axis[4] = -1;
    pad.axis[5] = -0.2f;  // of -1 .. 1
    const auto run = [&](PressureFrom from) {
        sandbox_->state().hands.pressure = from;
        sandbox_->devices().feed_gamepad(pad);
        frames(10);
        return session().frame() - 1;
    };
    const std::uint64_t full = run(PressureFrom::none), pulled = run(PressureFrom::trigger),
                        slow = run(PressureFrom::speed);
    ASSERT_TRUE(sandbox_->finish_recording().ok());
    const auto recording = read_recording(file);
    std::filesystem::remove(file);
    ASSERT_TRUE(recording.ok()) << recording.error().text();
    const auto pressure = [&](std::uint64_t frame) {
        return recording.value().frames[frame].input.hand[0].pressure;
    };
    EXPECT_EQ(pressure(full), 1);
    EXPECT_FLOAT_EQ(pressure(pulled), 0.4f);
    EXPECT_EQ(pressure(slow), 1) << "the hand rests";
}

/// Bends of the way that the fingertip makes while the pointer trembles along a line with the button down.
TEST_F(SceneKeysTest, APP_potter_a_stroke_of_the_mouse_is_steadied_by_its_lead) {
    const auto roughness = [&](double lead) {
        start_potter();
        sandbox_->state().hands.lead = lead;
        const float x = 0.38f * static_cast<float>(width_), y = 0.55f * static_cast<float>(height_);
        ui_->inject_mouse(x, y, false);
        frames(10);
        std::vector<glm::dvec3> way;
        for (int i = 0; i < 60; ++i) {
            ui_->inject_mouse(x + 0.5f * static_cast<float>(i), y + (i % 2 == 0 ? 4.0f : -4.0f), true);
            frames(1);
            if (i >= 20) way.push_back(hand_tip());
        }
        double across = 0;
        for (std::size_t i = 1; i < way.size(); ++i) across += std::abs(way[i].y - way[i - 1].y);
        return across;
    };
    const double plain = roughness(0), steady = roughness(30);
    EXPECT_GT(plain, 0.005) << "metres up and down";
    EXPECT_LT(steady, 0.5 * plain);
}

}  // namespace
}  // namespace claybox::app
