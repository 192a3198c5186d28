// Operation of the panels with the keyboard only.

#include "tests/bridge/sandbox_fixture.hpp"

#include <set>

namespace claybox::app {
namespace {

namespace key = engine::key;
constexpr int kLeftShift = 340;

class KeyboardTest : public SandboxTest {
  protected:
    struct Control {
        std::string card, kind, label;
        auto operator<=>(const Control&) const = default;
    };
    void SetUp() override {
        SandboxTest::SetUp();
        use_window(1280, 800);
        renderer_->set_resolution(0.1f);
        frames(3);
    }
    void press(int k) {
        ui_->inject_key(k);
        frames(2);  // the second frame shows what the first one changed
    }
    static bool is_control(const engine::WidgetRecord& r) {
        static const std::set<std::string_view> kinds{"card",  "fold",   "slider",  "check box", "combo",
                                                      "item",  "button", "segment", "picture",   "cell",
                                                      "field", "more",   "matrix",  "heat map"};
        return kinds.contains(r.kind);
    }
    /// The controls of the last frame, those before the first card under the name "".
    std::vector<std::pair<Control, const engine::WidgetRecord*>> controls() const {
        std::vector<std::pair<Control, const engine::WidgetRecord*>> out;
        std::string card;
        for (const engine::WidgetRecord& r : ui_->log().records) {
            if (std::string_view(r.kind) == "card") card = r.label;
            if (is_control(r)) out.push_back({{card, r.kind, r.label}, &r});
        }
        return out;
    }
    const engine::WidgetRecord* find(const Control& wanted) const {
        for (const auto& [control, r] : controls())
            if (control == wanted) return r;
        return nullptr;
    }
    std::optional<Control> focused() const {
        const engine::WidgetRecord* focus = ui_->log().find("", "focus");
        if (focus == nullptr) return std::nullopt;
        for (const auto& [control, r] : controls()) {
            const float x = 0.5f * (r->x0 + r->x1), y = 0.5f * (r->y0 + r->y1);
            if (x > focus->x0 && x < focus->x1 && y > focus->y0 && y < focus->y1) return control;
            // The frame of a matrix is around one of its cells.
            const float fx = 0.5f * (focus->x0 + focus->x1), fy = 0.5f * (focus->y0 + focus->y1);
            if (control.kind == "matrix" && fx > r->x0 && fx < r->x1 && fy > r->y0 && fy < r->y1)
                return control;
        }
        return std::nullopt;
    }
    void go_to(const std::string& label, const std::string& kind) {
        if (!ui_->log().find("", "focus")) press(key::kF6);
        for (int i = 0; i < 400; ++i) {
            const auto at = focused();
            if (at && at->label == label && at->kind == kind) return;
            press(key::kTab);
        }
        FAIL() << "the keyboard does not reach the " << kind << " '" << label << "'";
    }
    std::string value(const char* label, const char* kind) { return widget(label, kind)->value; }
};

TEST_F(KeyboardTest, every_control_is_a_stop_and_comes_into_view) {
    press(key::kF6);
    const std::optional<Control> first = focused();
    ASSERT_TRUE(first);
    std::set<Control> visited;
    for (int i = 0; i < 600 && (i == 0 || focused() != first); ++i) {
        if (const auto at = focused()) {
            visited.insert(*at);
            const engine::WidgetRecord* focus = widget("", "focus");
            EXPECT_TRUE(focus->y0 > -4 && focus->y1 < static_cast<float>(height_) + 4) << at->label;
            if (find(*at)->value == "folded") {
                press(key::kEnter);
                frames(10);
            }
        }
        press(key::kTab);
    }
    keep("keyboard");
    EXPECT_GT(visited.size(), 60u);
    for (const auto& [control, r] : controls())
        EXPECT_TRUE(visited.contains(control) || std::string_view(r->kind) == "more")
            << r->kind << " '" << control.label << "' of '" << control.card << "'";
}

TEST_F(KeyboardTest, enter_switches_and_chooses_and_arrows_change_values) {
    go_to("Pair algorithm", "combo");
    const std::string before = value("Pair algorithm", "combo");
    press(key::kEnter);
    ASSERT_NE(focused(), std::nullopt);
    EXPECT_EQ(focused()->kind, "item") << "the list is open";
    press(key::kDown);
    press(key::kSpace);
    frames(1);
    EXPECT_NE(value("Pair algorithm", "combo"), before);
    EXPECT_EQ(focused().value_or(Control{}).label, "Pair algorithm");
    press(key::kEnter);
    press(key::kEscape);
    frames(1);
    EXPECT_EQ(focused().value_or(Control{}).label, "Pair algorithm") << "Esc closes the list only";

    go_to("Scene", "card");
    press(key::kEnter);
    frames(10);
    go_to("Speed", "slider");
    const double speed = session().options().scene_parameters[collision::find_parameter(
        session().descriptor().parameters, "speed")];
    press(key::kRight);
    press(key::kRight);
    const auto now = [this] {
        return session()
            .options()
            .scene_parameters[collision::find_parameter(session().descriptor().parameters, "speed")];
    };
    EXPECT_GT(now(), speed);
    press(key::kLeft);
    press(key::kLeft);
    EXPECT_NEAR(now(), speed, 1e-9);
    press(key::kEnter);
    frames(3);  // Dear ImGui 1.87 and newer spread keys and text over several frames
    ui_->inject_text("3");
    frames(3);
    press_at(600, 300);  // ends the edit
    frames(3);
    EXPECT_EQ(now(), 3);
}

TEST_F(KeyboardTest, the_panels_have_the_keys_until_esc_or_a_click) {
    const bool paused = sandbox_->state().paused;
    press(key::kF6);
    press(key::kTab);
    EXPECT_NE(ui_->log().find("", "focus"), nullptr);
    press('R');
    press('P');
    EXPECT_EQ(sandbox_->state().paused, paused) << "no key reaches the scene";
    press(key::kEscape);
    EXPECT_EQ(ui_->log().find("", "focus"), nullptr);
    press('P');
    EXPECT_NE(sandbox_->state().paused, paused);

    press(key::kF6);
    EXPECT_NE(ui_->log().find("", "focus"), nullptr);
    press_at(600, 300);
    frames(1);
    EXPECT_EQ(ui_->log().find("", "focus"), nullptr);
}

TEST_F(KeyboardTest, arrows_choose_a_cell_of_the_interest_matrix_and_enter_switches_it) {
    start("cage", "bodies", 60);
    frames(3);
    for (const char* fold : {"World box and pair filter", "Who is tested against whom"}) {
        go_to(fold, "fold");
        press(key::kEnter);
    }
    go_to("Who is tested against whom", "matrix");
    const auto ignored = [this] { return to_text(session().settings().ignored_groups); };
    const auto group = [this](std::size_t i) { return std::to_string(session().scene().groups()[i].group); };
    press(key::kDown);
    press(key::kRight);
    press(key::kDown);
    press(key::kEnter);
    EXPECT_EQ(ignored(), group(1) + "-" + group(2));
    keep("keyboard_matrix");
    press(key::kRight);
    press(key::kRight);  // there is nothing above the diagonal
    press(key::kEnter);
    EXPECT_EQ(ignored(), group(1) + "-" + group(2) + "," + group(2) + "-" + group(2));
    press(key::kUp);
    press(key::kLeft);
    press(key::kDown);
    press(key::kRight);
    press(key::kSpace);
    EXPECT_EQ(ignored(), group(2) + "-" + group(2)) << "up stays on or below the diagonal";
    press(key::kTab);
    EXPECT_NE(focused().value_or(Control{}).kind, "matrix");
}

TEST_F(KeyboardTest, the_frame_explains_a_control_after_a_moment) {
    go_to("Pair algorithm", "combo");
    EXPECT_EQ(ui_->log().find("", "tooltip"), nullptr);
    frames(60);
    bool explained = false;
    for (const engine::WidgetRecord& r : ui_->log().records)
        explained |= std::string_view(r.kind) == "tooltip" && !r.label.empty();
    EXPECT_TRUE(explained);
}

TEST_F(KeyboardTest, page_keys_choose_one_body_and_a_second_one) {
    start("cage", "bodies", 3);
    frames(3);
    const auto selected = [this] { return sandbox_->inspection().title; };
    const auto other = [this] {
        const Inspection::Row& row = sandbox_->inspection().rows.at(0);
        return row.key + ": " + row.value;
    };
    EXPECT_EQ(selected(), "");
    press(key::kPageDown);
    EXPECT_EQ(selected(), "Body 0");
    EXPECT_EQ(other().substr(0, 12), "Nearest body");
    press(key::kPageDown);
    EXPECT_EQ(selected(), "Body 1");
    press(key::kPageUp);
    press(key::kPageUp);
    EXPECT_EQ(selected(), "Body 2") << "before the first comes the last";

    ui_->inject_held_key(kLeftShift, true);
    press(key::kPageDown);
    EXPECT_EQ(other(), "Other body: Body 0");
    press(key::kPageDown);
    EXPECT_EQ(other(), "Other body: Body 1");
    press(key::kPageDown);
    EXPECT_EQ(other(), "Other body: Body 0") << "a body is not tested against itself";
    EXPECT_EQ(selected(), "Body 2");
    ui_->inject_held_key(kLeftShift, false);
    frames(1);
    press(key::kF6);
    press(key::kEscape);
    EXPECT_EQ(selected(), "Body 2") << "Esc ends the operation of the panels and nothing else";
    press(key::kEscape);
    EXPECT_EQ(selected(), "");
    press(key::kPageUp);
    EXPECT_EQ(selected(), "Body 2");
}

TEST_F(KeyboardTest, page_keys_reach_the_bodies_of_a_crowd) {
    start("crowd", "bodies", 1000);
    frames(3);
    std::set<std::string> names;
    for (int i = 0; i < 20; ++i) {
        press(key::kPageDown);
        names.insert(sandbox_->inspection().title);
    }
    EXPECT_EQ(names.size(), 20u);
}

TEST_F(KeyboardTest, f6_goes_from_panel_to_panel_and_out) {
    int panels = 0;
    for (press(key::kF6); ui_->log().find("", "focus") && panels < 20; press(key::kF6)) ++panels;
    EXPECT_GE(panels, 3) << "rail, cards and bar";
    EXPECT_LT(panels, 10);
}

}  // namespace
}  // namespace claybox::app
