// Panels where room is short: the hint, the lesson, the help, the bar and the rail in small windows, which
// stand for large scales, too. With CLAYBOX_GALLERY=FOLDER the pictures are saved there.

#include "app/cli/files/lesson_file.hpp"
#include "app/panels/help.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/bridge/sandbox_fixture.hpp"

namespace claybox::app {
namespace {

class SmallWindow : public SandboxTest {
  protected:
    void start_lesson(std::size_t number) {
        PanelRequests requests;
        requests.lesson = number;
        sandbox_->carry_out(requests);
    }
    float width_of(const engine::WidgetRecord& w) const { return w.x1 - w.x0; }
};

TEST_F(SmallWindow, the_hint_is_a_line_until_a_click_where_its_text_would_hide_the_scene) {
    use_window(640, 360);  // 1920x1080 at 300 %
    start("potter", "speed", 0);
    frames(3);
    const std::string text = scene_hint("potter");
    const engine::WidgetRecord* hint = widget(text, "hint");
    ASSERT_NE(hint, nullptr);
    EXPECT_EQ(hint->value, "title only");
    EXPECT_LT(hint->y1 - hint->y0, 48);
    keep("small-hint");
    press_at(hint->x0 + 30, 0.5f * (hint->y0 + hint->y1));
    frames(2);
    hint = widget(text, "hint");
    ASSERT_NE(hint, nullptr);
    EXPECT_EQ(hint->value, "");
    EXPECT_GT(hint->y1 - hint->y0, 60);
    keep("small-hint-open");
    click("Dismiss hint", "button");
    EXPECT_EQ(ui_->log().find(text, "hint"), nullptr);
}

TEST_F(SmallWindow, the_hint_shows_its_text_where_there_is_room) {
    use_window(1280, 800);
    start("potter", "speed", 0);
    frames(3);
    EXPECT_EQ(widget(scene_hint("potter"), "hint")->value, "");
}

TEST_F(SmallWindow, an_idle_hand_stays_in_front_of_the_clay) {
    for (const auto& [width, height] :
         {std::pair(400, 300), {640, 360}, {640, 480}, {640, 680}, {690, 500}}) {
        use_window(width, height);
        start("potter", "polygons", 2000);
        frames(40);
        const std::vector<Figure> all = session().scene().figures();
        const auto strokes = std::find_if(all.begin(), all.end(),
                                          [](const Figure& f) { return f.id == std::string("strokes"); });
        ASSERT_NE(strokes, all.end());
        EXPECT_EQ(strokes->value, 0) << width << "x" << height;
    }
}

TEST_F(SmallWindow, a_long_help_has_a_scroll_bar_and_pages) {
    use_window(640, 360);
    frames(2);
    sandbox_->state().help = true;
    frames(3);
    EXPECT_EQ(widget("Help", "help")->value, "scrolls");
    const auto first_row = [&] {
        for (const engine::WidgetRecord& r : ui_->log().records)
            if (std::string_view(r.kind) == "key") return r.y0;
        return 0.0f;
    };
    const float before = first_row();
    keep("small-help");
    ui_->inject_key(engine::key::kPageDown);
    frames(3);
    EXPECT_LT(first_row(), before - 100);
    ui_->inject_key(engine::key::kPageUp);
    frames(3);
    EXPECT_EQ(first_row(), before);
    EXPECT_TRUE(sandbox_->state().help);
    click("Close help", "button");
    EXPECT_FALSE(sandbox_->state().help);
    use_window(1600, 1100);
    sandbox_->state().help = true;
    frames(3);
    EXPECT_EQ(widget("Help", "help")->value, "");
}

TEST_F(SmallWindow, a_lesson_leaves_half_of_the_free_window_to_the_scene_and_folds) {
    use_window(1024, 640);
    start_lesson(3);
    frames(20);
    const std::string title = "4. " + lessons()[3].title;
    const engine::WidgetRecord* lesson = widget(title, "lesson");
    ASSERT_NE(lesson, nullptr);
    EXPECT_LT(width_of(*lesson), 0.5f * (1024 - 80 - 328));
    const float lesson_end = lesson->x1, open_height = lesson->y1 - lesson->y0;
    for (const engine::WidgetRecord& r : ui_->log().records) {
        if (std::string_view(r.kind) != "inset") continue;
        EXPECT_GE(r.x0, lesson_end) << r.label << " is under the lesson";
    }
    keep("small-lesson");
    click("Fold lesson", "button");
    frames(2);
    lesson = widget(title, "lesson");
    ASSERT_NE(lesson, nullptr);
    EXPECT_EQ(lesson->value, "title only");
    EXPECT_LT(lesson->y1 - lesson->y0, 0.3f * open_height);
    for (const engine::WidgetRecord& r : ui_->log().records) {
        if (std::string_view(r.kind) != "inset") continue;
        EXPECT_LE(r.y1, lesson->y0) << r.label << " is under the lesson";
    }
    keep("small-lesson-folded");
    start_lesson(4);
    frames(3);
    EXPECT_NE(ui_->log().find("Fold lesson", "button"), nullptr) << "another lesson shows its text";
}

TEST_F(SmallWindow, the_bar_shows_all_its_numbers_and_the_strip_at_1024_by_640) {
    use_window(1024, 640);
    start("cage", "bodies", 40);
    frames(30);
    for (const char* key :
         {"Time", "Frame time", "Colliding", "Candidates", "Separated", "Mode", "Seed", "Hash"})
        EXPECT_NE(ui_->log().find(key, "value"), nullptr) << key;
    const engine::WidgetRecord* strip = widget("Time strip", "strip");
    ASSERT_NE(strip, nullptr);
    EXPECT_GE(width_of(*strip), 120);
    keep("small-bar");
}

TEST_F(SmallWindow, the_tools_and_falloffs_of_the_potter_are_pictures) {
    use_window(1280, 1000);
    start("potter", "speed", 0);
    sandbox_->state().hint = false;
    frames(3);
    const SceneDescriptor& scene = session().descriptor();
    const std::size_t tool = collision::find_parameter(scene.parameters, "tool"),
                      falloff = collision::find_parameter(scene.parameters, "falloff");
    EXPECT_EQ(widget("Whole hand", "picture")->value, "on");
    click_in_column("Ball", "picture");
    EXPECT_EQ(scene.parameters[tool].choices[session().options().scene_parameters.integer(tool)],
              std::string_view("ball"));
    click_in_column("Brush", "fold");
    keep("small-potter");
    click_in_column("Dome", "picture");
    EXPECT_EQ(scene.parameters[falloff].choices[session().options().scene_parameters.integer(falloff)],
              std::string_view("dome"));
}

/// The plot of times against distance has six colours and four kinds of dashes.
TEST(CurveLooks, there_are_enough_for_all_algorithms) {
    EXPECT_LE(collision::pair_algorithms().size(), 24u);
}

}  // namespace
}  // namespace claybox::app
