// The panels of every scene with all cards and folds open, at common sizes and scales: no text is cut, no row
// is wider than its card, no two controls overlap, and every cell of the rail is in the window. With
// CLAYBOX_GALLERY=FOLDER the pictures are saved there.

#include "app/panels/cards/chips.hpp"
#include "app/panels/cards/parameters.hpp"
#include "app/panels/model.hpp"
#include "engine/assets/mesh_file.hpp"
#include "engine/platform/gl_context.hpp"
#include "engine/ui/offscreen_target.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace claybox::app {
namespace {

struct Size {
    int width, height;
    float scale;
};
constexpr Size kSizes[] = {{1024, 640, 1},     {1600, 900, 1},    {800, 600, 1},
                           {3840, 2160, 2.5f}, {1024, 640, 0.5f}, {1920, 1080, 3}};

class Layout : public testing::Test {
  protected:
    void SetUp() override {
        std::string error;
        context_ = engine::OffscreenContext::create(error);
        ASSERT_TRUE(context_) << error;
        ui_ = engine::Ui::create(nullptr, error);
        ASSERT_TRUE(ui_) << error;
        ui_->log().enabled = true;
    }
    void TearDown() override {
        target_.reset();
        ui_.reset();
        context_.reset();
    }
    void start(const char* scene, const Size& size) {
        size_ = size;
        ui_->set_scale(size.scale);
        const bool kept = has_gallery();  // without a gallery, a small target is enough
        target_ = std::make_unique<engine::OffscreenTarget>(kept ? size.width : 64, kept ? size.height : 64);
        SessionOptions options;
        options.scene = scene;
        const auto table = find_scene(scene)->parameters;
        options.scene_parameters = collision::default_values(table);
        const std::size_t polygons = collision::find_parameter(table, "polygons");
        if (polygons < table.size()) options.scene_parameters[polygons] = 2000;
        auto session = Session::create(options);
        ASSERT_TRUE(session.ok());
        session_ = std::move(session).value();
        events_.clear();
        for (std::uint64_t frame = 1; frame <= 110; ++frame) {
            StepInput input;
            input.hand[0] = scripted_hand(session_->scene(), frame);
            session_->step(std::move(input));
            for (const SceneEvent& e : session_->output().events) events_.push_back({1.5, e.kind, e.text});
        }
        history_ = {};
        for (int i = 0; i < 100; ++i) {
            FrameTimes times;
            for (double& stage : times.stage) stage = 0.0011;
            times.total = 0.0083;
            history_.add(0.05 * i, times);
        }
        model_.session = session_.get();
        model_.history = &history_;
        model_.events = &events_;
        model_.inspection = &inspection_;
        state_ = {};
        state_.hint = true;
        state_.view.broad_phase = true;
        model_.structure = {14, 3987, 1234567};
    }
    static bool has_gallery() { return std::getenv("CLAYBOX_GALLERY") != nullptr; }
    void draw(float wheel = 0, float x = -1, float y = -1, bool down = false) {
        ui_->inject_mouse(x, y, down, wheel);
        ui_->begin(size_.width, size_.height, 0.2);
        draw_panels(*ui_, model_, state_, requests_);
        if (++drawn_ % 4 != 0 && !has_gallery()) return ui_->end_without_drawing();
        target_->bind(0.9f, 0.88f, 0.85f);
        ui_->end();
    }
    void press(float x, float y) {
        for (const bool down : {false, true, false}) draw(0, x, y, down);
        for (int i = 0; i < 4; ++i) draw();  // time between clicks: no double click
    }
    float column_x() const { return static_cast<float>(size_.width) - 100 * size_.scale; }
    /// Opens every card and every fold one by one with the mouse.
    void open_everything() {
        for (int i = 0; i < 4; ++i) draw();
        for (int step = 0; step < 80; ++step) {
            const engine::WidgetRecord* next = nullptr;
            for (const engine::WidgetRecord& r : ui_->log().records)
                if (!next && r.value == "folded") next = &r;
            if (!next) return;
            if (next->visible) {
                press(0.5f * (next->x0 + next->x1), 0.5f * (next->y0 + next->y1));
            } else {
                const bool below = next->y0 > 0.5f * static_cast<float>(size_.height);
                draw(below ? -1.0f : 1.0f, column_x(), 0.4f * static_cast<float>(size_.height));
                draw();
            }
        }
        ADD_FAILURE() << "a card or fold cannot be reached";
    }
    void keep(const std::string& name) {
        const char* folder = std::getenv("CLAYBOX_GALLERY");
        if (!folder) return;
        std::string error;
        EXPECT_TRUE(engine::write_png(std::filesystem::path(folder) / name, size_.width, size_.height,
                                      target_->pixels(), error))
            << error;
    }
    /// Scrolls through the column from top to bottom and checks the layout at each stop.
    void check_column(const std::string& name) {
        const float middle = 0.4f * static_cast<float>(size_.height);
        draw(1000, column_x(), middle);
        draw();
        for (int stop = 0; stop < 40; ++stop) {
            check_layout(name);
            keep(name + "-" + std::to_string(stop) + ".png");
            const float before = card("Scene");
            draw(-4, column_x(), middle);
            draw();
            draw();
            if (card("Scene") == before) return;
        }
        ADD_FAILURE() << "the column has no end";
    }
    float card(const char* title) {
        const engine::WidgetRecord* r = ui_->log().find(title, "card");
        return r ? r->y0 : 0;
    }
    void check_layout(const std::string& where) {
        const float right = static_cast<float>(size_.width) - 8 * size_.scale + 1,
                    left = static_cast<float>(size_.width) - 328 * size_.scale - 1;
        std::vector<const engine::WidgetRecord*> controls;
        for (const engine::WidgetRecord& r : ui_->log().records) {
            EXPECT_STRNE(r.kind, "cut") << where << ": '" << r.label << "' is shown as '" << r.value << "'";
            const bool in_column = r.x0 > left;
            if (in_column) {
                EXPECT_LE(r.x1, right) << where << ": " << r.kind << " " << r.label;
            }
            if (std::strcmp(r.kind, "cell") == 0) {
                EXPECT_TRUE(r.visible) << where << ": " << r.label;
                EXPECT_LE(r.y1, static_cast<float>(size_.height)) << where << ": " << r.label;
            }
            for (const char* kind : {"slider", "combo", "check box", "button", "segment", "card", "fold",
                                     "field", "cell", "picture"})
                if (std::strcmp(r.kind, kind) == 0 && r.visible) controls.push_back(&r);
        }
        for (const auto* a : controls)
            for (const auto* b : controls) {
                if (a >= b) continue;
                const bool apart =
                    a->x1 <= b->x0 + 1 || b->x1 <= a->x0 + 1 || a->y1 <= b->y0 + 1 || b->y1 <= a->y0 + 1;
                EXPECT_TRUE(apart) << where << ": " << a->label << " overlaps " << b->label;
            }
    }

    std::unique_ptr<engine::OffscreenContext> context_;
    std::unique_ptr<engine::Ui> ui_;
    std::unique_ptr<engine::OffscreenTarget> target_;
    std::unique_ptr<Session> session_;
    Size size_{};
    int drawn_ = 0;
    FrameHistory history_;
    std::deque<EventRow> events_;
    Inspection inspection_;
    PanelModel model_;
    PanelState state_;
    PanelRequests requests_;
};

TEST_F(Layout, nothing_is_cut_overlapping_or_unreachable_in_any_scene_and_size) {
    for (const SceneDescriptor* scene : scenes())
        for (const Size& size : kSizes) {
            start(scene->id, size);
            open_everything();
            check_column(std::string(scene->id) + "-" + std::to_string(size.width) + "-" +
                         std::to_string(static_cast<int>(size.scale * 100)));
        }
}

TEST_F(Layout, nothing_is_cut_or_overlapping_with_any_pair_algorithm_or_in_their_list) {
    start("cage", kSizes[0]);
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        collision::WorldSettings settings = session_->settings();
        settings.pair_algorithm = algorithm;
        settings.pair_parameters = collision::default_values(algorithm->parameters);
        session_->set_settings(settings);
        open_everything();
        check_column(std::string("cage-") + algorithm->id);
    }
    draw(1000, column_x(), 0.4f * static_cast<float>(size_.height));
    for (int i = 0; i < 4; ++i) draw();
    const engine::WidgetRecord* list = ui_->log().find("Pair algorithm", "combo");
    ASSERT_NE(list, nullptr);
    for (int i = 0; i < 40 && !list->visible; ++i) {
        draw(-1, column_x(), 0.4f * static_cast<float>(size_.height));
        list = ui_->log().find("Pair algorithm", "combo");
        ASSERT_NE(list, nullptr);
    }
    press(0.5f * (list->x0 + list->x1), 0.5f * (list->y0 + list->y1));
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms())
        EXPECT_NE(ui_->log().find(algorithm->title, "item"), nullptr) << algorithm->title;
    check_layout("the list of pair algorithms");
    keep("list-of-pair-algorithms.png");
}

TEST_F(Layout, nothing_is_cut_or_overlapping_with_any_broad_phase_all_parallel_modes_and_a_budget) {
    using collision::ParallelMode;
    start("crowd", {800, 600, 1});
    for (const collision::BroadPhaseDescriptor* phase : collision::broad_phases()) {
        collision::WorldSettings settings = session_->settings();
        settings.broad_phase = phase;
        settings.broad_parameters = collision::default_values(phase->parameters);
        settings.parallel = ParallelMode::pairs | ParallelMode::halves | ParallelMode::fine |
                            ParallelMode::dual | ParallelMode::three;
        settings.workers = 2;
        settings.budget_ms = 0.01;
        settings.assert_pairs = true;
        settings.pair_algorithm = collision::find_pair_algorithm("edge_polygon_relaxed");  // a long title
        settings.pair_parameters = collision::default_values(settings.pair_algorithm->parameters);
        session_->set_settings(settings);
        for (int i = 0; i < 20; ++i) session_->step({});
        open_everything();
        check_column(std::string("crowd-") + phase->id);
        EXPECT_NE(ui_->log().find("Pass budget", "slider"), nullptr);
    }
}

TEST_F(Layout, every_cell_of_the_rail_has_room_for_its_label_at_1280_by_800) {
    start("potter", {1280, 800, 1});
    for (int i = 0; i < 4; ++i) draw();
    std::size_t cells = 0;
    for (const engine::WidgetRecord& w : ui_->log().records) {
        if (std::string(w.kind) != "cell") continue;
        ++cells;
        EXPECT_GE(w.y1 - w.y0, 33) << w.label;
        EXPECT_LE(w.y1, 800 - 56) << w.label;
    }
    EXPECT_EQ(cells, scenes().size() + 7);
}

TEST_F(Layout, every_header_is_initially_in_view_at_1600_by_900) {
    start("cage", kSizes[1]);
    for (int i = 0; i < 4; ++i) draw();
    for (const char* title : {"Scene", "Algorithm", "Broad phase", "Performance", "Inspect", "Events"}) {
        const engine::WidgetRecord* r = ui_->log().find(title, "card");
        ASSERT_NE(r, nullptr) << title;
        EXPECT_LE(r->y1, 900 - 56 + 0.5f) << title;
    }
    EXPECT_EQ(ui_->log().find("Performance", "card")->value, "open");
}

TEST_F(Layout, a_selection_opens_the_inspect_card_and_scrolls_it_into_view) {
    start("potter", kSizes[0]);
    for (int i = 0; i < 4; ++i) draw();
    EXPECT_EQ(ui_->log().find("Inspect", "card")->value, "folded");
    inspection_.title = "Clay";
    inspection_.rows = {{"Nearest", "Body 2"}, {"Gap", "1.0 mm"}};
    for (int i = 0; i < 6; ++i) draw();
    EXPECT_EQ(ui_->log().find("Inspect", "card")->value, "open");
    ASSERT_NE(ui_->log().find("Gap", "value"), nullptr);
    EXPECT_TRUE(ui_->log().find("Gap", "value")->visible);
}

TEST(Chips, avoid_bodies_and_each_other_if_there_is_space) {
    const ScreenDisc bodies[] = {{500, 400, 60, true}, {560, 430, 50, true}, {300, 300, 80, false}};
    ChipField field{{80, 0, 1272, 844}, {}, bodies, 1};
    std::vector<engine::Rect> boxes;
    for (const float x : {520.0f, 540.0f, 530.0f}) {
        int choice = -1;
        boxes.push_back(place_chip(field, x, 415, 150, 24, choice));
    }
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const engine::Rect& a = boxes[i];
        EXPECT_GE(a.x0, 80);
        EXPECT_LE(a.y1, 844);
        for (const ScreenDisc& d : bodies)
            EXPECT_GT(std::hypot(d.x - std::clamp(d.x, a.x0, a.x1), d.y - std::clamp(d.y, a.y0, a.y1)),
                      d.radius - 2);
        for (std::size_t k = i + 1; k < boxes.size(); ++k) {
            const engine::Rect& b = boxes[k];
            EXPECT_TRUE(a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0);
        }
    }
}

TEST(Chips, keep_their_side_while_bodies_move_a_little) {
    int choice = -1;
    for (int i = 0; i < 30; ++i) {
        const ScreenDisc body{500 + 0.5f * static_cast<float>(i), 400, 60, true};
        ChipField field{{80, 0, 1272, 844}, {}, {&body, 1}, 1};
        const int before = choice;
        place_chip(field, 500 + 0.5f * static_cast<float>(i), 400, 150, 24, choice);
        EXPECT_TRUE(i == 0 || choice == before) << "step " << i;
    }
}

TEST(SliderSpec, a_default_other_than_zero_is_not_shown_as_zero) {
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms())
        for (const collision::Parameter& p : algorithm->parameters) {
            const engine::SliderSpec spec = slider_spec(p);
            if (p.kind != collision::ParameterKind::real || p.default_value == 0) continue;
            EXPECT_NE(std::stod(engine::fixed(std::abs(p.default_value) * spec.factor, spec.decimals)), 0)
                << algorithm->id << " " << p.id;
        }
}

TEST(SliderSpec, degrees_are_shown_with_the_degree_sign) {
    const auto table = find_scene("cage")->parameters;
    const engine::SliderSpec spec = slider_spec(table[collision::find_parameter(table, "rotation")]);
    EXPECT_STREQ(spec.unit, "° per frame");
}

}  // namespace
}  // namespace claybox::app
