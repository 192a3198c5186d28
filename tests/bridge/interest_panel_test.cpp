// The picture of the interest matrix, and painting in it.

#include "tests/bridge/sandbox_fixture.hpp"

namespace claybox::app {
namespace {

class InterestPanel : public SandboxTest {
  protected:
    void SetUp() override {
        SandboxTest::SetUp();
        use_window(1024, 900);
        start("cage", "bodies", 60);
        show_matrix();
    }
    void show_matrix() {
        open_card("Broad phase");
        for (const char* fold : {"World box and pair filter", "Who is tested against whom"}) {
            reveal(fold, "fold");
            if (widget(fold, "fold")->value == "folded") click_in_column(fold, "fold");
        }
        reveal("Who is tested against whom", "matrix");
    }
    collision::GroupPairs ignored() { return session().settings().ignored_groups; }
    /// Centre of the cell in a row and a column, from 0.
    std::pair<float, float> cell(std::size_t row, std::size_t column) {
        const engine::WidgetRecord* m = widget("Who is tested against whom", "matrix");
        if (m == nullptr) return {0.0f, 0.0f};
        const auto groups = static_cast<float>(session().scene().groups().size());
        const float size = (m->x1 - m->x0) / groups;
        return {m->x0 + size * (static_cast<float>(column) + 0.5f),
                m->y0 + size * (static_cast<float>(row) + 0.5f)};
    }
    unsigned group(std::size_t row) { return session().scene().groups()[row].group; }
};

TEST_F(InterestPanel, a_click_ignores_a_pair_of_groups_and_another_one_tests_it_again) {
    const auto [x, y] = cell(3, 1);
    press_at(x, y);
    frames(2);
    EXPECT_EQ(to_text(ignored()), std::to_string(group(1)) + "-" + std::to_string(group(3)));
    const auto* matrix = widget("Who is tested against whom", "matrix");
    ASSERT_NE(matrix, nullptr);
    EXPECT_EQ(matrix->value, to_text(ignored()));
    keep("interest_matrix");
    press_at(x, y);
    frames(2);
    EXPECT_TRUE(ignored().empty());
}

TEST_F(InterestPanel, dragging_paints_all_cells_on_the_way_and_nothing_above_the_diagonal) {
    const auto [x0, y0] = cell(4, 0);
    const auto [x1, y1] = cell(4, 2);
    ui_->inject_mouse(x0, y0, false);
    frames(1);
    ui_->inject_mouse(x0, y0, true);
    frames(1);
    ui_->inject_mouse(0.5f * (x0 + x1), y0, true);
    frames(1);
    ui_->inject_mouse(x1, y1, true);
    frames(1);
    const auto [x2, y2] = cell(0, 3);  // above the diagonal
    ui_->inject_mouse(x2, y2, true);
    frames(1);
    ui_->inject_mouse(x2, y2, false);
    frames(2);
    collision::GroupPairs wanted;
    for (std::size_t column = 0; column < 3; ++column) wanted.set(group(4), group(column), true);
    EXPECT_EQ(to_text(ignored()), to_text(wanted));
    click_in_column("Test all again", "button");
    EXPECT_TRUE(ignored().empty());
}

TEST_F(InterestPanel, bodies_of_ignored_groups_pass_through_each_other) {
    collision::WorldSettings settings = session().settings();
    for (unsigned a = 0; a < kPaletteSize; ++a)
        for (unsigned b = a; b < kPaletteSize; ++b) settings.ignored_groups.set(a, b, true);
    session().set_settings(settings);
    frames(60);
    EXPECT_EQ(session().report().pass.tests, 0u);
    EXPECT_GT(session().report().pass.ignored, 0u);
    EXPECT_EQ(session().report().pass.colliding, 0u);
}

TEST_F(InterestPanel, what_the_scene_never_tests_cannot_be_painted) {
    start("crowd", "bodies", 1000);
    frames(3);
    show_matrix();
    ASSERT_EQ(session().scene().groups().size(), 2u);
    const auto [x, y] = cell(1, 1);
    press_at(x, y);
    frames(2);
    EXPECT_TRUE(ignored().empty());
    const auto [x2, y2] = cell(1, 0);
    press_at(x2, y2);
    frames(2);
    EXPECT_EQ(to_text(ignored()), "0-1");
}

TEST_F(InterestPanel, another_scene_starts_with_everything_tested) {
    collision::WorldSettings settings = session().settings();
    settings.ignored_groups.set(0, 1, true);
    session().set_settings(settings);
    frames(2);
    sandbox_->carry_out(Command{Command::Kind::scene, "workbench"});
    frames(2);
    EXPECT_EQ(session().descriptor().id, std::string("workbench"));
    EXPECT_TRUE(ignored().empty());
}

}  // namespace
}  // namespace claybox::app
