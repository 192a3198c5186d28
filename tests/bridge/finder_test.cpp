// The finder and the lessons, driven by mouse and keys.

#include "app/cli/files/lesson_file.hpp"
#include "app/panels/finder/entries.hpp"
#include "engine/files/assets.hpp"
#include "tests/bridge/sandbox_fixture.hpp"

#include <fstream>

namespace claybox::app {
namespace {

namespace key = engine::key;

class Finder : public SandboxTest {
  protected:
    void open() {
        ui_->inject_key('P', true);
        frames(2);
        ASSERT_TRUE(sandbox_->state().finder.open);
    }
    void type(const char* text) {
        ui_->inject_text(text);
        frames(2);
    }
    void press(int k) {
        ui_->inject_key(k);
        frames(2);
    }
};

TEST_F(Finder, opens_by_key_and_by_the_rail_and_closes_by_escape_and_by_a_click_beside_it) {
    use_window(1200, 800);
    frames(2);
    open();
    EXPECT_NE(widget("Finder", "finder"), nullptr);
    press(key::kEscape);
    EXPECT_FALSE(sandbox_->state().finder.open);
    click("Find", "cell");
    frames(1);
    EXPECT_TRUE(sandbox_->state().finder.open);
    press_at(20, 780);
    EXPECT_FALSE(sandbox_->state().finder.open);
}

TEST_F(Finder, keys_that_are_typed_do_not_act_on_the_program) {
    open();
    type("p");
    ui_->inject_key('P');  // the key that pauses
    frames(2);
    EXPECT_FALSE(sandbox_->state().paused);
    EXPECT_EQ(sandbox_->state().finder.text, "p");
}

TEST_F(Finder, enter_carries_out_the_best_match) {
    open();
    type("sweep");
    press(key::kEnter);
    EXPECT_FALSE(sandbox_->state().finder.open);
    EXPECT_STREQ(session().settings().broad_phase->id, "sweep");
    open();
    type("gjk");
    press(key::kEnter);
    EXPECT_STREQ(session().settings().pair_algorithm->id, "gjk");
}

TEST_F(Finder, a_click_on_a_picture_shows_the_scene) {
    use_window(1200, 800);
    frames(2);
    open();
    click("Crowd", "entry");
    EXPECT_STREQ(session().descriptor().id, "crowd");
    EXPECT_FALSE(sandbox_->state().finder.open);
}

TEST_F(Finder, arrow_keys_reach_the_first_scene_the_last_command_and_nothing_beyond) {
    use_window(1200, 800);
    frames(2);
    open();
    const std::size_t count = std::stoul(widget("Finder", "finder")->value);
    EXPECT_GT(count, 100u);
    FinderState& finder = sandbox_->state().finder;
    press(key::kRight);
    EXPECT_EQ(finder.chosen, 1u);
    press(key::kLeft);
    press(key::kLeft);
    EXPECT_EQ(finder.chosen, 0u);
    for (std::size_t i = 0; i < count; ++i) ui_->inject_key(key::kPageDown);
    frames(3);
    EXPECT_EQ(finder.chosen, count - 1);
    keep("finder-commands");
    for (std::size_t i = 0; i < count; ++i) ui_->inject_key(key::kPageUp);
    frames(3);
    EXPECT_EQ(finder.chosen, 0u);
}

TEST_F(Finder, a_text_that_finds_nothing_says_so_and_enter_does_nothing) {
    open();
    type("qqqq");
    EXPECT_EQ(widget("Finder", "finder")->value, "0");
    press(key::kEnter);
    EXPECT_TRUE(sandbox_->state().finder.open);
}

/// A command with a wrong name or value would show an error.
TEST_F(Finder, every_entry_does_what_it_says_without_an_error) {
    PanelModel model;
    for (const SceneDescriptor* scene : scenes()) {
        if (scene->parameters.empty()) continue;
        start(scene->id, scene->parameters[0].id, scene->parameters[0].default_value);
        frames(2);
        model.session = &session();
        const std::vector<FinderEntry> entries = finder_entries(model, sandbox_->state());
        for (const FinderEntry& entry : entries) {
            const Command* command = std::get_if<Command>(&entry.act);
            if (command == nullptr) continue;
            if (command->kind == Command::Kind::scene || command->kind == Command::Kind::program)
                continue;  // the session leaves them to the window
            const collision::Status applied = session().apply(*command);
            EXPECT_TRUE(applied.ok()) << scene->id << ": " << entry.group << ", " << entry.title << ": "
                                      << (applied.ok() ? "" : applied.error().text());
        }
    }
}

TEST_F(Finder, a_key_a_switch_and_a_lesson_are_carried_out) {
    open();
    type("light or dark");
    press(key::kEnter);
    EXPECT_TRUE(sandbox_->state().dark);
    open();
    type("labels off");
    press(key::kEnter);
    EXPECT_FALSE(sandbox_->state().view.labels);
    open();
    type("what is a collision");
    press(key::kEnter);
    EXPECT_EQ(sandbox_->state().lesson, 0u);
}

TEST_F(Finder, every_entry_requests_exactly_one_thing) {
    start("potter", "speed", 0);
    frames(2);
    PanelModel model;
    model.session = &session();
    const std::vector<Lesson> all = lessons();
    model.lessons = all;
    for (const FinderEntry& entry : finder_entries(model, sandbox_->state())) {
        PanelRequests r;
        request(entry, r);
        const std::size_t files = (r.film_ending.empty() ? 0u : 1u) + (r.export_ending.empty() ? 0u : 1u) +
                                  (r.save_scene ? 1u : 0u) + (r.copy_scene ? 1u : 0u) +
                                  (r.export_csv ? 1u : 0u) + (r.export_json ? 1u : 0u) +
                                  (r.turntable ? 1u : 0u);
        EXPECT_EQ(r.commands.size() + r.keys.size() + r.actions.size() + (r.lesson ? 1u : 0u) + files, 1u)
            << entry.group << ", " << entry.title;
    }
}

TEST_F(Finder, ctrl_held_down_shows_the_keys_of_the_controls_and_f1_held_down_the_help) {
    use_window(1200, 800);
    frames(2);
    const auto keys = [&](const char* text) { return ui_->log().find(text, "keys") != nullptr; };
    constexpr int kControl = 341;
    ui_->inject_held_key(kControl, true);
    frames(20);
    EXPECT_FALSE(keys("R")) << "too early";
    frames(30);
    EXPECT_TRUE(keys("R"));
    EXPECT_TRUE(keys("Ctrl+P"));
    ui_->inject_held_key(kControl, false);
    frames(2);
    EXPECT_FALSE(keys("R"));
    ui_->inject_held_key(key::kF1, true);
    frames(50);
    EXPECT_TRUE(sandbox_->state().help);
    ui_->inject_held_key(key::kF1, false);
    frames(2);
    EXPECT_FALSE(sandbox_->state().help);
    ui_->inject_key(key::kF1);
    frames(5);
    EXPECT_TRUE(sandbox_->state().help) << "a tap keeps it open";
}

class Lessons : public Finder {};

TEST_F(Lessons, there_are_ten_and_their_files_have_no_problem) {
    EXPECT_EQ(lessons().size(), 10u);
    EXPECT_TRUE(engine::asset_problems().empty()) << engine::asset_problems().front();
    for (const Lesson& lesson : lessons()) {
        EXPECT_GE(lesson.say.size(), 3u) << lesson.title;
        EXPECT_GE(lesson.tries.size(), 1u) << lesson.title;
    }
}

TEST_F(Lessons, each_one_starts_from_the_finder_and_shows_its_text_in_a_small_window) {
    use_window(1024, 640);
    for (std::size_t i = 0; i < lessons().size(); ++i) {
        open();
        type(lessons()[i].title.c_str());
        press(key::kEnter);
        ASSERT_EQ(sandbox_->state().lesson, i) << lessons()[i].title;
        EXPECT_EQ(lessons()[i].options.scene, session().descriptor().id);
        frames(8);
        for (const std::string& text : lessons()[i].tries)
            EXPECT_NE(ui_->log().find(text, "hint"), nullptr) << text;
        for (const std::string& card : lessons()[i].open)
            EXPECT_EQ(widget(card, "card")->value, "open") << card;
        keep("lesson-" + std::to_string(i + 1));
    }
}

TEST_F(Lessons, a_lesson_pauses_at_its_frame_with_its_pair) {
    use_window(160, 120);
    for (std::size_t i = 0; i < lessons().size(); ++i) {
        const Lesson& lesson = lessons()[i];
        if (lesson.pause_at == 0) continue;
        PanelRequests requests;
        requests.lesson = i;
        sandbox_->carry_out(requests);
        for (std::uint64_t frame = 0; frame < lesson.pause_at + 20 && !sandbox_->state().paused; ++frame)
            frames(1);
        EXPECT_TRUE(sandbox_->state().paused) << lesson.title;
        EXPECT_EQ(session().frame(), lesson.pause_at) << lesson.title;
        frames(2);
        if (!lesson.first) continue;
        EXPECT_TRUE(sandbox_->inspection().has_verdict) << lesson.title;
        if (lesson.steps) {
            EXPECT_GT(sandbox_->inspection().steps.count, 1u) << lesson.title;
        }
    }
}

/// A slow frame runs two steps; the lesson must not miss its frame.
TEST_F(Lessons, a_lesson_pauses_at_its_frame_also_between_two_steps_of_one_picture) {
    use_window(160, 120);
    for (const int before : {0, 1}) {
        PanelRequests requests;
        requests.lesson = 0;
        sandbox_->carry_out(requests);
        frames(before);
        frames(80, 2 * kFrame);
        EXPECT_EQ(session().frame(), lessons()[0].pause_at);
    }
}

/// What the first lesson says is true.
TEST_F(Lessons, the_pair_of_the_first_lesson_collides_and_that_of_the_fourth_does_not) {
    use_window(160, 120);
    const auto verdict = [&](std::size_t lesson) {
        PanelRequests requests;
        requests.lesson = lesson;
        sandbox_->carry_out(requests);
        frames(static_cast<int>(lessons()[lesson].pause_at) + 4);
        return sandbox_->inspection().verdict;
    };
    EXPECT_EQ(verdict(0), collision::Verdict::colliding);
    EXPECT_EQ(verdict(3), collision::Verdict::separated);
}

TEST_F(Lessons, next_back_and_close) {
    use_window(1200, 800);
    PanelRequests requests;
    requests.lesson = 0;
    sandbox_->carry_out(requests);
    frames(4);
    click("Next", "button");
    EXPECT_EQ(sandbox_->state().lesson, 1u);
    click("Back", "button");
    click("Back", "button");
    EXPECT_EQ(sandbox_->state().lesson, 9u);
    click("Close lesson", "button");
    EXPECT_FALSE(sandbox_->state().lesson);
}

TEST_F(Lessons, a_dropped_file_is_one_more_lesson) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "mine.lesson";
    std::ofstream(file) << "claybox_lesson = 1\ntitle = Mine\nscene = crowd\nbodies = 1000\nsay = Look.\n";
    ui_->inject_drop(file.string());
    frames(3);
    EXPECT_EQ(sandbox_->state().lesson, lessons().size());
    EXPECT_STREQ(session().descriptor().id, "crowd");
    std::ofstream(file) << "claybox_lesson = 1\ntitle = Mine\nscene = nowhere\n";
    ui_->inject_drop(file.string());
    frames(3);
    EXPECT_STREQ(session().descriptor().id, "crowd");
    const engine::WidgetRecord* message = nullptr;
    for (const engine::WidgetRecord& r : ui_->log().records)
        if (std::string_view(r.kind) == "message") message = &r;
    ASSERT_NE(message, nullptr);
    EXPECT_NE(message->label.find("mine.lesson:3"), std::string::npos) << message->label;
}

}  // namespace
}  // namespace claybox::app
