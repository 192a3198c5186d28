// Looking back and going back in the sandbox, with keys, with the time strip and with buttons.

#include "tests/bridge/sandbox_fixture.hpp"

#include <unistd.h>

namespace claybox::app {
namespace {

constexpr int kComma = 44, kPeriod = 46, kLetterO = 79, kEndKey = 269, kSpaceBar = 32, kEscapeKey = 256,
              kShiftKey = 340;

class RewindTest : public SandboxTest {
  protected:
    void SetUp() override {
        SandboxTest::SetUp();
        use_window(900, 300);
        begin("cage", "bodies", 10);
        run(60);
    }
    void begin(const char* scene, const char* parameter, double value) {
        start(scene, parameter, value);
        sandbox_->state().hint = false;
        frames(2);
    }
    /// Steps that are not drawn.
    void run(int count) {
        sandbox_->state().paused = true;
        for (int i = 0; i < count; ++i) sandbox_->carry_out(Command{Command::Kind::step, {}});
        sandbox_->state().paused = false;
        frames(1);
    }
    /// Steps back that are not drawn.
    void go_back(int count) {
        PanelRequests back;
        back.step_back = true;
        for (int i = 0; i < count; ++i) sandbox_->carry_out(back);
        frames(1);
    }
    void press(int key) {
        ui_->inject_key(key);
        frames(1);
    }
    std::uint64_t newest() { return session().frame(); }
    std::uint64_t shown() { return sandbox_->looking_at().value_or(newest()); }
    /// Moves the pressed mouse to a place of the strip, 1 is its right end.
    void drag_strip(float t, bool down) {
        const engine::WidgetRecord* strip = widget("Time strip", "strip");
        ASSERT_NE(strip, nullptr);
        ui_->inject_mouse(strip->x0 + t * (strip->x1 - strip->x0), 0.5f * (strip->y0 + strip->y1), down);
        frames(1);
    }
    std::string text_of(const char* label, const char* kind) {
        const engine::WidgetRecord* found = widget(label, kind);
        return found ? found->value : "";
    }
    /// Where the bodies are in the picture.
    std::vector<collision::Vec3d> places() {
        std::vector<collision::Vec3d> out;
        for (const Drawable& d : sandbox_->view().drawables)
            if (d.material == Material::body) out.push_back(d.pose.translation);
        return out;
    }
    void wait_for_branch() {
        for (int i = 0; i < 400 && sandbox_->looking_at(); ++i) frames(1);
        ASSERT_FALSE(sandbox_->looking_at());
    }
    collision::Status set(const char* name, double value) {
        return session().set_parameter(collision::find_parameter(session().descriptor().parameters, name),
                                       value);
    }
};

TEST_F(RewindTest, keys_step_back_and_on_through_the_past) {
    press(kPeriod);
    EXPECT_TRUE(sandbox_->state().paused);
    const std::uint64_t now = newest();
    const auto before = places();
    press(kComma);
    EXPECT_EQ(shown(), now - 1);
    EXPECT_EQ(newest(), now) << "nothing is simulated";
    EXPECT_NE(places(), before);
    ui_->inject_held_key(kShiftKey, true);
    press(kLetterO);
    ui_->inject_held_key(kShiftKey, false);
    frames(1);
    EXPECT_EQ(shown(), now - 2) << "Shift+O";
    EXPECT_EQ(text_of("Past", "value"), "−0.03 s, frame " + std::to_string(now - 2));
    EXPECT_EQ(text_of("Mode", "value"), "Past");
    press(kPeriod);
    press(kPeriod);
    EXPECT_FALSE(sandbox_->looking_at());
    EXPECT_EQ(places(), before);
    EXPECT_TRUE(sandbox_->state().paused);
    press(kPeriod);
    EXPECT_EQ(newest(), now + 1) << "from now on steps are new";
}

TEST_F(RewindTest, a_held_key_steps_on_and_on) {
    const std::uint64_t now = newest();
    ui_->inject_held_key(kComma, true);
    frames(40);
    ui_->inject_held_key(kComma, false);
    frames(1);
    EXPECT_LT(shown(), now - 8);
    EXPECT_GE(shown(), sandbox_->past().oldest());
}

TEST_F(RewindTest, end_returns_to_now_and_keeps_everything) {
    press(kComma);
    const std::uint64_t hash = session().report().state_hash;
    go_back(20);
    const std::uint64_t now = newest();
    EXPECT_EQ(shown(), now - 21);
    press(kEndKey);
    EXPECT_FALSE(sandbox_->looking_at());
    EXPECT_TRUE(sandbox_->state().paused);
    EXPECT_EQ(newest(), now);
    EXPECT_EQ(session().report().state_hash, hash);
    press(kSpaceBar);
    frames(5);
    EXPECT_GT(newest(), now);
}

TEST_F(RewindTest, dragging_the_strip_shows_the_past_and_its_right_end_is_now) {
    run(240);
    drag_strip(0.9f, false);
    const std::uint64_t now = newest();
    drag_strip(0.9f, true);
    drag_strip(0.9f, true);
    EXPECT_TRUE(sandbox_->state().paused);
    EXPECT_NEAR(static_cast<double>(newest() - shown()), 60, 4);
    EXPECT_LE(newest() - now, 2u);
    drag_strip(0.7f, true);
    drag_strip(0.7f, true);
    EXPECT_NEAR(static_cast<double>(newest() - shown()), 180, 4);
    drag_strip(0.7f, false);
    EXPECT_NEAR(static_cast<double>(newest() - shown()), 180, 4) << "it stays where it was released";
    frames(5);
    EXPECT_NEAR(static_cast<double>(newest() - shown()), 180, 4);
    drag_strip(0.7f, true);
    drag_strip(1.2f, true);
    frames(1);
    drag_strip(1.2f, false);
    EXPECT_FALSE(sandbox_->looking_at());
}

TEST_F(RewindTest, dragging_beyond_the_left_end_goes_on_to_the_oldest_frame) {
    run(700);
    drag_strip(0.5f, false);
    drag_strip(0.5f, true);
    drag_strip(-0.3f, true);
    const std::uint64_t first = shown();
    EXPECT_GT(first, sandbox_->past().oldest());
    for (int i = 0; i < 200 && shown() > sandbox_->past().oldest(); ++i) drag_strip(-0.3f, true);
    EXPECT_EQ(shown(), sandbox_->past().oldest());
    drag_strip(-0.3f, false);
    EXPECT_EQ(shown(), sandbox_->past().oldest());
    press(kComma);
    EXPECT_EQ(shown(), sandbox_->past().oldest());
}

TEST_F(RewindTest, continuing_in_the_past_drops_what_came_later) {
    const std::uint64_t seen = newest();
    run(60);
    press(kPeriod);
    go_back(static_cast<int>(newest() - seen));
    ASSERT_EQ(shown(), seen);
    const PastFrame& past = sandbox_->past().at(seen);
    const std::uint64_t hash = past.report.state_hash;
    press(kSpaceBar);
    wait_for_branch();
    EXPECT_FALSE(sandbox_->state().paused);
    EXPECT_LT(newest(), seen + 10);
    EXPECT_EQ(sandbox_->past().at(seen).report.state_hash, hash);
    run(30);
    EXPECT_GT(newest(), seen);
    EXPECT_EQ(sandbox_->past().newest(), newest());
    press(kComma);
    EXPECT_EQ(shown(), newest() - 1) << "the branch has a past of its own";
}

TEST_F(RewindTest, a_long_way_back_shows_its_progress_and_can_be_cancelled) {
    begin("cage", "bodies", 300);
    run(240);
    press(kComma);
    press(kComma);
    const std::uint64_t seen = shown();
    click("Continue here (Space)", "button");
    for (int i = 0; i < 5 && !sandbox_->going_back(); ++i) frames(1);
    if (sandbox_->going_back()) {  // a fast machine may be there already
        EXPECT_NE(ui_->log().find("Going back", "progress"), nullptr);
        press(kEscapeKey);
        EXPECT_FALSE(sandbox_->going_back());
        EXPECT_EQ(shown(), seen);
        press(kSpaceBar);
    }
    wait_for_branch();
    EXPECT_FALSE(sandbox_->state().paused);
}

TEST_F(RewindTest, changes_made_in_the_past_are_new_input_of_the_branch) {
    press(kPeriod);
    go_back(30);
    const std::uint64_t seen = shown();
    use_pair_algorithm("v_clip");
    ASSERT_TRUE(set("speed", 2).ok());
    press(kSpaceBar);
    wait_for_branch();
    EXPECT_STREQ(session().settings().pair_algorithm->id, "v_clip");
    const auto table = session().descriptor().parameters;
    EXPECT_EQ(session().options().scene_parameters[collision::find_parameter(table, "speed")], 2);
    run(20);
    press(kPeriod);
    const std::uint64_t hash = session().report().state_hash, now = newest();
    press(kComma);
    press(kSpaceBar);
    wait_for_branch();
    sandbox_->state().paused = true;
    EXPECT_GE(newest() + 1, now);
    EXPECT_GT(sandbox_->past().at(now - 1).frame(), seen);
    EXPECT_NE(hash, 0u);
    EXPECT_EQ(ui_->log().find("but differs", "message"), nullptr);
}

TEST_F(RewindTest, bodies_of_the_past_can_be_selected_and_inspected) {
    press(kPeriod);
    go_back(10);
    sandbox_->select(3, false);
    frames(3);
    EXPECT_FALSE(sandbox_->inspection().title.empty());
    EXPECT_TRUE(sandbox_->inspection().has_verdict);
}

TEST_F(RewindTest, the_clay_of_the_past_is_shown_and_its_actions_are_refused) {
    begin("potter", "polygons", 3000);
    frames(3);
    const float x = 0.40f * static_cast<float>(width_), y = 0.55f * static_cast<float>(height_);
    for (int i = 0; i < 24; ++i) {
        ui_->inject_mouse(x - 2 * static_cast<float>(i), y, i > 5);
        frames(1);
    }
    ui_->inject_mouse(x, y, false);
    frames(5);
    press(kPeriod);
    const auto vertices = [&] {
        std::vector<ViewMesh> meshes;
        session().scene().meshes(meshes);
        return *meshes[0].positions;
    };
    const auto now = vertices();
    go_back(static_cast<int>(newest()) - 10);
    EXPECT_EQ(vertices(), now) << "the scene itself is as before";
    ui_->inject_key('Z', true);
    frames(3);
    EXPECT_EQ(vertices(), now) << "no undo in the past";
    EXPECT_EQ(shown(), 10u);
    press(kSpaceBar);
    wait_for_branch();
    EXPECT_NE(vertices(), now);
}

TEST_F(RewindTest, restart_and_another_scene_clear_the_past) {
    go_back(10);
    ASSERT_TRUE(sandbox_->looking_at());
    press('R');
    frames(3);
    EXPECT_FALSE(sandbox_->looking_at());
    EXPECT_LT(sandbox_->past().size(), 10u);
    run(20);
    press(kComma);
    ASSERT_TRUE(sandbox_->looking_at());
    sandbox_->carry_out(Command{Command::Kind::scene, "solids"});
    frames(2);
    EXPECT_FALSE(sandbox_->looking_at());
    EXPECT_LT(sandbox_->past().size(), 6u);
    press(kSpaceBar);
    press(kSpaceBar);
    press(kComma);
    press(kSpaceBar);
    wait_for_branch();
    EXPECT_STREQ(session().descriptor().id, "solids");
}

TEST_F(RewindTest, a_recording_ends_where_one_goes_back) {
    start("cage", "bodies", 10);  // not stepped yet
    const auto file = std::filesystem::temp_directory_path() / ("rewind_" + std::to_string(getpid()));
    ASSERT_TRUE(sandbox_->start_recording(file).ok());
    run(40);
    press(kPeriod);
    const std::uint64_t now = newest();
    go_back(10);
    press(kSpaceBar);
    wait_for_branch();
    const auto recording = read_recording(file);
    ASSERT_TRUE(recording.ok()) << recording.error().text();
    EXPECT_EQ(recording.value().frames.size(), now);
    std::filesystem::remove(file);
}

TEST_F(RewindTest, events_and_figures_are_those_of_the_shown_frame) {
    use_window(1900, 300);
    run(200);
    press(kPeriod);
    go_back(100);
    const double time = static_cast<double>(shown()) / 60;
    EXPECT_EQ(text_of("Time", "value"), engine::fixed(time, 2) + " s");
    char hash[20];
    std::snprintf(hash, sizeof hash, "Hash %04x",
                  static_cast<unsigned>(sandbox_->past().at(shown()).report.state_hash >> 48));
    EXPECT_EQ(text_of("Hash", "value").substr(0, 9), hash);
}

}  // namespace
}  // namespace claybox::app
