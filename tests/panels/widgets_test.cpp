// Widgets on an OpenGL context without a window. With CLAYBOX_GALLERY=FOLDER the pictures are saved there.

#include "engine/ui/widgets/widgets.hpp"

#include "engine/assets/mesh_file.hpp"
#include "engine/platform/gl_context.hpp"
#include "engine/ui/offscreen_target.hpp"
#include "engine/ui/widgets/plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>

namespace claybox::engine {
namespace {

constexpr int kWidth = 760, kHeight = 820;

class Widgets : public testing::Test {
  protected:
    void SetUp() override {
        std::string error;
        context_ = OffscreenContext::create(error);
        ASSERT_TRUE(context_) << error;
        ui_ = Ui::create(nullptr, error);
        ASSERT_TRUE(ui_) << error;
        ui_->log().enabled = true;
        target_ = std::make_unique<OffscreenTarget>(kWidth, kHeight);
        ASSERT_TRUE(target_->complete());
    }
    void TearDown() override {
        target_.reset();
        ui_.reset();
        context_.reset();
    }
    void frame(const std::function<void()>& body, double seconds = 0.05) {
        ui_->begin(kWidth, kHeight, seconds);
        begin_column(*ui_, "column", {8, 8, 8 + ui_->px(320), kHeight - 8});
        body();
        end_column(*ui_);
        target_->bind(0.9f, 0.88f, 0.85f);
        ui_->end();
    }
    void move(float x, float y, bool left) { ui_->inject_mouse(x, y, left); }
    ImVec2 centre_of(const char* label, const char* kind = "") {
        const WidgetRecord* r = ui_->log().find(label, kind);
        EXPECT_NE(r, nullptr) << label;
        return r ? ImVec2{0.5f * (r->x0 + r->x1), 0.5f * (r->y0 + r->y1)} : ImVec2{0, 0};
    }
    void click(const char* label, const std::function<void()>& body) {
        const ImVec2 p = centre_of(label);
        for (const bool down : {false, true, false}) {
            move(p.x, p.y, down);
            frame(body);
        }
    }
    void keep(const char* name) {
        const char* folder = std::getenv("CLAYBOX_GALLERY");
        if (!folder) return;
        std::string error;
        EXPECT_TRUE(
            write_png(std::filesystem::path(folder) / name, kWidth, kHeight, target_->pixels(), error))
            << error;
    }

    std::unique_ptr<OffscreenContext> context_;
    std::unique_ptr<Ui> ui_;
    std::unique_ptr<OffscreenTarget> target_;
};

SliderSpec count_slider() {
    SliderSpec spec;
    spec.label = "Iteration limit";
    spec.min = 1;
    spec.max = 101;
    spec.default_value = 64;
    spec.integer = true;
    return spec;
}

TEST_F(Widgets, a_fold_row_shows_its_content_only_after_a_click) {
    const auto body = [&] {
        if (begin_card(*ui_, "Card", "", true) && fold_row(*ui_, "Look inside", "help"))
            key_value(*ui_, "Hidden", "1");
        end_card(*ui_);
    };
    frame(body);
    EXPECT_EQ(ui_->log().find("Hidden", "value"), nullptr);
    click("Look inside", body);
    frame(body);
    EXPECT_NE(ui_->log().find("Hidden", "value"), nullptr);
}

TEST_F(Widgets, exactly_one_segment_is_selected_in_every_frame) {
    static constexpr const char* kNames[] = {"Exact", "Fast"};
    std::size_t index = 0;
    const auto body = [&] {
        if (begin_card(*ui_, "Card", "", true)) segmented(*ui_, "Exactness", false, kNames, index);
        end_card(*ui_);
    };
    frame(body);
    const ImVec2 p = centre_of("Fast", "segment");
    for (const bool down : {false, true, false, false}) {
        move(p.x, p.y, down);
        frame(body);
        int chosen = 0;
        for (const WidgetRecord& r : ui_->log().records)
            chosen += std::string_view(r.kind) == "segment" && r.value == "on" ? 1 : 0;
        EXPECT_EQ(chosen, 1);
    }
    EXPECT_EQ(index, 1u);
}

TEST_F(Widgets, dragging_a_slider_sets_its_value_in_proportion_to_the_track) {
    double value = 64;
    const auto body = [&] {
        if (begin_card(*ui_, "Card", "", true)) slider(*ui_, count_slider(), value);
        end_card(*ui_);
    };
    frame(body);
    frame(body);
    const WidgetRecord* r = ui_->log().find("Iteration limit", "slider");
    ASSERT_NE(r, nullptr);
    const float x0 = r->x0 + 7, x1 = r->x1 - 7, y = 0.5f * (r->y0 + r->y1);
    move(x0, y, false);
    frame(body);
    move(x0, y, true);
    frame(body);
    EXPECT_EQ(value, 1);
    move(0.5f * (x0 + x1), y, true);
    frame(body);
    EXPECT_EQ(value, 51);
    move(x1 + 50, y, true);
    frame(body);
    EXPECT_EQ(value, 101);
    move(x1 + 50, y, false);
    frame(body);
    move(x0, y, false);
    frame(body);
    EXPECT_EQ(value, 101) << "the slider was released";
}

TEST_F(Widgets, a_double_click_restores_the_default_at_low_frame_rates_and_with_a_moving_mouse) {
    for (const double seconds : {1.0 / 60, 0.1, 0.25}) {
        double value = 20;
        const auto body = [&] {
            if (begin_card(*ui_, "Card", "", true)) slider(*ui_, count_slider(), value);
            end_card(*ui_);
        };
        const auto picture = [&](float x, float y, bool down) {
            move(x, y, down);
            frame(body, seconds);
        };
        frame(body, 2);
        frame(body, 2);
        const ImVec2 p = centre_of("Iteration limit", "slider");
        for (const bool down : {false, true, false, true}) picture(p.x, p.y, down);
        EXPECT_EQ(value, 64) << seconds;
        picture(p.x + 2, p.y, true);
        EXPECT_EQ(value, 64) << "the button is still down";
        picture(p.x + 2, p.y, false);
        for (int i = 0; i < 40; ++i) picture(p.x + 2, p.y, false);
        picture(p.x + 2, p.y, true);
        EXPECT_NE(value, 64) << "a single click long after moves the slider again";
        picture(p.x + 2, p.y, false);
    }
}

TEST_F(Widgets, a_slider_shows_its_largest_value_in_full) {
    for (const float scale : {0.5f, 1.0f, 2.5f}) {
        ui_->set_scale(scale);
        SliderSpec spec = count_slider();
        spec.max = 1000000;
        for (double value : {80000.0, 1000000.0}) {
            frame([&] {
                if (begin_card(*ui_, "Card", "", true)) slider(*ui_, spec, value);
                end_card(*ui_);
            });
            for (const WidgetRecord& r : ui_->log().records) EXPECT_STRNE(r.kind, "cut") << r.value;
        }
    }
}

TEST_F(Widgets, a_text_that_does_not_fit_is_logged_as_cut) {
    frame([&] {
        if (begin_card(*ui_, "Card", "", true))
            draw_text(*ui_, *ImGui::GetWindowDrawList(), {0, 0, 30, 20}, TextSize::body, 0, "Much too long");
        end_card(*ui_);
    });
    ASSERT_NE(ui_->log().find("Much too long", "cut"), nullptr);
}

TEST_F(Widgets, a_combo_opens_and_selects_the_clicked_item) {
    const ComboItem items[] = {
        {"First", "", "", "", true}, {"Second", "", "", "", true}, {"Third", "", "", "", false}};
    std::size_t index = 0;
    int changes = 0;
    const auto body = [&] {
        if (begin_card(*ui_, "Card", "", true)) changes += combo(*ui_, "Choice", false, items, index) ? 1 : 0;
        end_card(*ui_);
    };
    frame(body);
    frame(body);
    EXPECT_EQ(ui_->log().find("Second", "item"), nullptr) << "closed";
    click("Choice", body);
    frame(body);
    click("Second", body);
    EXPECT_EQ(index, 1u);
    EXPECT_EQ(changes, 1);
    click("Choice", body);
    frame(body);
    click("Third", body);
    EXPECT_EQ(index, 1u) << "a disabled item cannot be selected";
}

TEST_F(Widgets, a_click_folds_a_card_and_a_double_click_folds_it_only_once) {
    const auto body = [&] {
        if (begin_card(*ui_, "Card", "summary", true)) key_value(*ui_, "Inside", "1");
        end_card(*ui_);
    };
    frame(body);
    frame(body);
    EXPECT_NE(ui_->log().find("Inside"), nullptr);
    click("Card", body);
    for (int i = 0; i < 5; ++i) frame(body);
    EXPECT_EQ(ui_->log().find("Inside"), nullptr);
    for (int i = 0; i < 10; ++i) frame(body);
    const ImVec2 p = centre_of("Card");
    for (const bool down : {true, false, true, false}) {
        move(p.x, p.y, down);
        frame(body);
    }
    for (int i = 0; i < 5; ++i) frame(body);
    EXPECT_NE(ui_->log().find("Inside"), nullptr);
}

TEST_F(Widgets, widgets_outside_the_scrolled_area_are_logged_as_hidden) {
    const auto body = [&] {
        for (const char* title : {"A", "B", "C", "D"}) {
            if (begin_card(*ui_, title, "", true))
                for (int i = 0; i < 12; ++i) key_value(*ui_, std::string(title) + std::to_string(i), "1");
            end_card(*ui_);
        }
    };
    frame(body);
    frame(body);
    ASSERT_NE(ui_->log().find("D11"), nullptr);
    EXPECT_FALSE(ui_->log().find("D11")->visible);
    ui_->inject_mouse(100, 100, false, -1000);
    frame(body);
    for (int i = 0; i < 3; ++i) frame(body);
    EXPECT_TRUE(ui_->log().find("D11")->visible);
}

TEST_F(Widgets, a_row_below_a_full_column_names_the_hidden_cards_and_brings_them) {
    const auto body = [&] {
        for (const char* title : {"First", "Second", "Third"}) {
            if (begin_card(*ui_, title, "", true))
                for (int i = 0; i < 20; ++i) key_value(*ui_, "Row", std::to_string(i));
            end_card(*ui_);
        }
    };
    for (int i = 0; i < 3; ++i) frame(body);
    const WidgetRecord* below = ui_->log().find("More below", "more");
    ASSERT_NE(below, nullptr);
    EXPECT_EQ(below->value, "Third");
    EXPECT_LE(below->y1, kHeight - 8 + 0.5f) << "the row has a place of its own";
    EXPECT_EQ(ui_->log().find("More above", "more"), nullptr);
    for (int page = 0; page < 4 && ui_->log().find("More below", "more") != nullptr; ++page) {
        click("More below", body);
        for (int i = 0; i < 8; ++i) frame(body);
    }
    EXPECT_EQ(ui_->log().find("More below", "more"), nullptr) << "the end of the column";
    const WidgetRecord* above = ui_->log().find("More above", "more");
    ASSERT_NE(above, nullptr);
    EXPECT_EQ(above->value.substr(0, 5), "First");
}

TEST_F(Widgets, a_column_with_room_for_all_cards_has_no_row_below_it) {
    const auto body = [&] {
        if (begin_card(*ui_, "Only", "", true)) key_value(*ui_, "Row", "1");
        end_card(*ui_);
    };
    for (int i = 0; i < 3; ++i) frame(body);
    EXPECT_EQ(ui_->log().find("More below", "more"), nullptr);
    EXPECT_EQ(ui_->log().find("More above", "more"), nullptr);
}

TEST_F(Widgets, the_tooltip_of_an_item_of_a_list_covers_no_other_item) {
    static constexpr ComboItem kItems[] = {{"GJK", "", "Walks to the nearest points of two convex bodies."},
                                           {"Box tree", "", "Compares boxes of two trees."},
                                           {"V-Clip", "", "Walks over Voronoi regions."}};
    std::size_t index = 0;
    const auto body = [&] {
        if (begin_card(*ui_, "Card", "", true)) combo(*ui_, "Algorithm", false, kItems, index);
        end_card(*ui_);
    };
    for (int i = 0; i < 2; ++i) frame(body);
    click("Algorithm", body);
    frame(body);
    const ImVec2 p = centre_of("GJK", "item");
    for (int i = 0; i < 20; ++i) {
        move(p.x, p.y, false);
        frame(body);
    }
    const WidgetRecord* tip = ui_->log().find(kItems[0].help, "tooltip");
    ASSERT_NE(tip, nullptr);
    for (const ComboItem& item : kItems) {
        const WidgetRecord* r = ui_->log().find(item.label, "item");
        ASSERT_NE(r, nullptr);
        EXPECT_TRUE(tip->x0 >= r->x1 || tip->x1 <= r->x0) << item.label;
    }
}

TEST_F(Widgets, parts_of_the_strip_that_are_too_narrow_for_their_names_are_named_below_it) {
    const FlamePart parts[] = {{"Broad", 1e-4, kStageColours[1], ""}, {"Draw", 90e-4, kStageColours[4], ""}};
    const auto body = [&] {
        if (begin_card(*ui_, "Card", "", true)) flame_strip(*ui_, parts);
        end_card(*ui_);
    };
    for (int i = 0; i < 2; ++i) frame(body);
    EXPECT_NE(ui_->log().find("Broad", "legend"), nullptr);
    EXPECT_EQ(ui_->log().find("Draw", "legend"), nullptr);
}

TEST_F(Widgets, a_cell_without_room_for_its_label_shows_its_name_at_once_and_with_the_keys) {
    const auto picture = [&] {
        ui_->begin(kWidth, kHeight, 0.02);
        begin_panel(*ui_, "rail", {8, 8, 80, 200}, true);
        for (int i = 0; i < 2; ++i)
            rail_cell(*ui_, {12, 12 + 30 * static_cast<float>(i), 76, 40 + 30 * static_cast<float>(i)},
                      Icon::cage, i == 0 ? "Cage" : "Potter", false, CellKind::place, "Help.", "", 88);
        end_panel();
        target_->bind(1, 1, 1);
        ui_->end();
    };
    move(40, 25, false);
    for (int i = 0; i < 2; ++i) picture();
    const WidgetRecord* name = ui_->log().find("Cage", "name");
    ASSERT_NE(name, nullptr);
    EXPECT_GE(name->x0, 88) << "beside the rail";
    EXPECT_EQ(ui_->log().find("Potter", "name"), nullptr);
    ui_->show_keys(true);
    picture();
    EXPECT_NE(ui_->log().find("Potter", "name"), nullptr);
    ui_->show_keys(false);
}

TEST_F(Widgets, all_digits_have_the_same_width_in_every_text_size) {
    frame([] {});
    for (const TextSize size : {TextSize::body, TextSize::secondary, TextSize::headline, TextSize::title})
        for (const char* digit : {"1", "2", "7", "9"})
            EXPECT_FLOAT_EQ(text_width(*ui_, size, digit), text_width(*ui_, size, "0"));
}

TEST_F(Widgets, widgets_can_be_drawn_at_scales_from_a_half_to_three) {
    double value = 30;
    for (const float scale : {0.5f, 1.0f, 2.4f, 3.0f, 9.0f}) {
        ui_->set_scale(scale);
        EXPECT_LE(ui_->scale(), kMaxScale);
        frame([&] {
            if (begin_card(*ui_, "Card", "", true)) slider(*ui_, count_slider(), value);
            end_card(*ui_);
        });
    }
}

void gallery_rows(Ui& ui, double& limit, double& table) {
    static const ComboItem kItems[] = {{"Separating vector", "", "", "", true}};
    std::size_t index = 0;
    if (begin_card(ui, "Algorithm", "Pair test", true)) {
        combo(ui, "Pair algorithm", false, kItems, index);
        slider(ui, count_slider(), limit);
        SliderSpec margin;
        margin.label = "Safety margin";
        margin.max = 0.005;
        margin.factor = 1000;
        margin.decimals = 1;
        margin.unit = "mm";
        slider(ui, margin, table);
        static const char* const kNames[] = {"Dry", "Wet", "Glazed"};
        std::size_t wet = 1;
        segmented(ui, "Clay", false, kNames, wet);
        bool on = true, off = false;
        check_box(ui, "Constant volume", on, "", "drift 0.01 %");
        check_box(ui, "Compare with all pairs", off);
    }
    end_card(ui);
}

void gallery_plot(Ui& ui) {
    if (begin_card(ui, "Performance", "Last 5 seconds", true)) {
        const Headline heads[] = {{"5.1 ms", "Frame p50"}, {"5.9 ms", "p95"}, {"8.2 ms", "p99"}};
        headlines(ui, heads);
        std::vector<PlotPoint> a, b;
        for (int i = 0; i < 240; ++i) {
            const float t = static_cast<float>(i) / 239;
            a.push_back({t, (t < 0.6f ? 7.0f : 5.1f) + 0.3f * std::sin(t * 90)});
            b.push_back({t, (t < 0.6f ? 3.2f : 1.2f) + 0.1f * std::sin(t * 70)});
        }
        const PlotSeries series[] = {{a, ui.theme().ink, "frame"}, {b, ui.theme().teal, "narrow phase"}};
        const PlotMark marks[] = {{0.62f, "Switched"}};
        PlotSpec spec;
        spec.series = series;
        spec.marks = marks;
        spec.left = "−5 s";
        spec.right = "now";
        time_plot(ui, spec);
        const FlamePart parts[] = {{"Scene", 4e-4, kStageColours[0], ""},
                                   {"Broad", 9e-4, kStageColours[1], ""},
                                   {"Narrow", 13e-4, kStageColours[2], ""},
                                   {"View", 5e-4, kStageColours[3], ""},
                                   {"Draw", 20e-4, kStageColours[4], ""}};
        flame_strip(ui, parts);
        key_value(ui, "Candidate pairs", "96");
        key_value(ui, "Iterations per pair", "1.8");
        key_value(ui, "Verdict", "Colliding", "", Mark::disc, ui.theme().crimson, true);
    }
    end_card(ui);
}

TEST_F(Widgets, the_gallery_has_ink_and_background_in_both_themes) {
    for (const bool dark : {false, true}) {
        ui_->set_dark(dark);
        double limit = 40, margin = 0.0005;
        for (int i = 0; i < 3; ++i) {
            ui_->begin(kWidth, kHeight, 0.05);
            begin_column(*ui_, "column", {8, 8, 328, kHeight - 60});
            gallery_rows(*ui_, limit, margin);
            gallery_plot(*ui_);
            end_column(*ui_);
            begin_panel(*ui_, "rail", {340, 8, 412, kHeight - 60}, true);
            float y = 12;
            for (int icon = 0; icon < 13; ++icon, y += 57)
                rail_cell(*ui_, {344, y, 408, y + 56}, static_cast<Icon>(icon),
                          ("Icon " + std::to_string(icon)).c_str(), icon == 0, CellKind::place, "", "");
            end_panel();
            begin_panel(*ui_, "bar", {420, 8, kWidth - 8, 48}, true);
            for (int icon = 12; icon < 18; ++icon)
                bar_button(*ui_, {424 + 36 * static_cast<float>(icon - 12), 12}, static_cast<Icon>(icon),
                           std::to_string(icon).c_str(), icon == 12, "");
            end_panel();
            ImDrawList& list = *ImGui::GetBackgroundDrawList();
            draw_chip(*ui_, list, {430, 80}, "Edge 14 meets face 3", Mark::diamond, ui_->theme().violet);
            draw_chip(*ui_, list, {430, 110}, "Separated, gap 85 mm", Mark::square, ui_->theme().teal);
            draw_chip(*ui_, list, {430, 140}, "Height 162 mm", Mark::none, 0);
            target_->bind(dark ? 0.12f : 0.93f, dark ? 0.12f : 0.92f, dark ? 0.13f : 0.9f);
            ui_->end();
        }
        const auto pixels = target_->pixels();
        std::size_t ink = 0, paper = 0;
        for (std::size_t i = 0; i < pixels.size(); i += 3) {
            const Colour c = pixels[i] | static_cast<Colour>(pixels[i + 1]) << 8 |
                             static_cast<Colour>(pixels[i + 2]) << 16 | 0xff000000u;
            ink += c == ui_->theme().ink ? 1 : 0;
            paper += c == ui_->theme().panel ? 1 : 0;
        }
        EXPECT_GT(ink, 500u);
        EXPECT_GT(paper, 50000u);
        keep(dark ? "gallery-dark.png" : "gallery-light.png");
    }
}

/// ImGui opens a window named Debug for whoever draws without one.
TEST_F(Widgets, logging_a_cut_text_outside_of_a_window_changes_no_pixel) {
    const auto picture = [&](bool log) {
        ui_->log().enabled = log;
        for (int i = 0; i < 3; ++i) {
            ui_->begin(kWidth, kHeight, 0.05);
            draw_text(*ui_, *ImGui::GetBackgroundDrawList(), {100, 100, 160, 130}, TextSize::body,
                      ui_->theme().ink, "A text that is much too long");
            target_->bind(0.9f, 0.88f, 0.85f);
            ui_->end();
        }
        return target_->pixels();
    };
    const std::vector<std::uint8_t> with = picture(true);
    EXPECT_NE(ui_->log().find("A text that is much too long", "cut"), nullptr);
    EXPECT_TRUE(picture(false) == with);
}

}  // namespace
}  // namespace claybox::engine
