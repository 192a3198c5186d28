// The rows about broad phase, workers and module, used with the mouse: they show the results of the passes,
// and their switches have the effect of the command line's switches.

#include "app/scenes/crowd/flock.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/bridge/sandbox_fixture.hpp"

#include <bit>

namespace claybox::app {
namespace {

using collision::ParallelMode;

class ModulePanels : public SandboxTest {
  protected:
    void SetUp() override {
        width_ = 700;  // the window is high enough for all rows without scrolling
        height_ = 1900;
        SandboxTest::SetUp();
        sandbox_->state().hint = false;
        frames(3);
    }
    void start_crowd() {
        start("crowd", "bodies", 1000);
        sandbox_->state().hint = false;
        frames(3);
    }
    void open(const std::string& label, const char* kind = "fold") {
        // A click misses if rows above have come or gone since: the card has more of them for slow frames.
        for (int attempt = 0; attempt < 20; ++attempt) {
            const engine::WidgetRecord* w = widget(label, kind);
            ASSERT_NE(w, nullptr);
            if (w->value != "folded") return;
            click(label, kind);
            for (int i = 0; i < 100 && cards_move(); ++i) frames(1);
            frames(2);
        }
        FAIL() << label << " stays folded";
    }
    std::string shown(const std::string& key) {
        const engine::WidgetRecord* w = ui_->log().find(key, "value");
        return w ? w->value : "";
    }
    std::string box(const std::string& label) {
        const engine::WidgetRecord* w = widget(label, "check box");
        return w ? w->value : "";
    }

  private:
    /// Whether cards are still opening or closing.
    bool cards_move() {
        const float before = ui_->log().find("Events", "card")->y0;
        frames(1);
        return ui_->log().find("Events", "card")->y0 != before;
    }
};

constexpr std::pair<const char*, ParallelMode> kSwitches[] = {
    {"Pairs in parallel", ParallelMode::pairs},         {"Two halves of a pair", ParallelMode::halves},
    {"Many parts of a pair", ParallelMode::fine},       {"Race a gap search", ParallelMode::dual},
    {"Race gap and point search", ParallelMode::three},
};

TEST_F(ModulePanels, five_switches_toggle_the_parallel_modes_separately_and_together) {
    open("Performance", "card");
    open("Threads");
    ASSERT_EQ(session().settings().workers, 1u);
    for (const auto& [label, mode] : kSwitches) {
        click(label, "check box");
        EXPECT_EQ(session().settings().parallel, mode) << label;
        EXPECT_EQ(session().settings().workers, 2u) << "one worker shares nothing";
        EXPECT_EQ(shown("Mode"), "Parallel") << label;
        click(label, "check box");
        EXPECT_EQ(session().settings().parallel, ParallelMode::serial) << label;
        EXPECT_EQ(shown("Mode"), "Serial");
    }
    ParallelMode all{};
    for (const auto& [label, mode] : kSwitches) {
        click(label, "check box");
        all = all | mode;
        EXPECT_EQ(session().settings().parallel, all);
    }
    frames(2);
    EXPECT_EQ(session().report().pass.workers, 2u) << "the passes use the setting";
    EXPECT_EQ(std::popcount(static_cast<unsigned>(all)), 5);
    click("Concurrent module", "check box");
    EXPECT_EQ(shown("Mode"), "Concurrent, parallel");
}

TEST_F(ModulePanels, modes_of_the_command_line_are_shown_unchanged) {
    open("Performance", "card");
    open("Threads");
    collision::WorldSettings settings = session().settings();
    settings.parallel = ParallelMode::dual | ParallelMode::fine;
    settings.workers = 12;
    session().set_settings(settings);
    frames(3);
    for (const auto& [label, mode] : kSwitches)
        EXPECT_EQ(box(label), has(settings.parallel, mode) ? "on" : "off") << label;
    EXPECT_EQ(widget("Workers", "slider")->value, "12");
    EXPECT_EQ(session().settings().workers, 12u) << "showing the rows changes nothing";
}

TEST_F(ModulePanels, speed_up_and_winners_of_races_equal_the_statistics_of_the_pass) {
    start("cage", "shape", static_cast<double>(collision::Primitive::torus) + 1);
    use_pair_algorithm("edge_polygon");
    collision::WorldSettings settings = session().settings();
    settings.share_from = 1;
    settings.workers = 2;
    settings.parallel = ParallelMode::three;
    session().set_settings(settings);
    open("Performance", "card");
    open("Threads");
    std::uint64_t races = 0;
    for (int i = 0; i < 60 && races == 0; ++i) {
        frames(1);
        const collision::PassStats& pass = session().report().pass;
        races = pass.won_by_algorithm + pass.won_by_gap_search + pass.won_by_point_search;
        EXPECT_EQ(shown("Shared pairs"), engine::grouped(pass.shared_pairs));
        EXPECT_EQ(shown("Won by the algorithm"), engine::grouped(pass.won_by_algorithm));
        EXPECT_EQ(shown("Won by the gap search"), engine::grouped(pass.won_by_gap_search));
        EXPECT_EQ(shown("Won by the point search"), engine::grouped(pass.won_by_point_search));
        EXPECT_EQ(shown("Time to stop the others") == "–", races == 0);
    }
    EXPECT_GT(races, 0u) << "no pair was raced";
    EXPECT_FALSE(shown("Speed-up").empty());
    EXPECT_FALSE(shown("Efficiency").empty());
}

TEST_F(ModulePanels, bar_card_and_funnel_show_the_same_number_of_colliding_pairs) {
    use_window(1280, 1200);  // a narrow bar leaves out numbers
    start("cage", "fill", 30);
    sandbox_->state().hint = false;
    open("Performance", "card");
    open("From moved bodies to collisions");
    open("Scene", "card");
    std::size_t changes = 0;
    std::string before;
    for (int i = 0; i < 120; ++i) {
        frames(1);
        const std::string count = shown("Collide");
        EXPECT_EQ(shown("Colliding").substr(0, count.size() + 10), count + " colliding");
        EXPECT_EQ(shown("Contacts now"), count);
        changes += count != before ? 1 : 0;
        before = count;
    }
    EXPECT_GT(changes, 3u) << "nothing happened";
}

TEST_F(ModulePanels, no_number_is_shown_twice_and_the_filter_is_a_stage_of_the_funnel) {
    for (const char* card : {"Broad phase", "Performance"}) open(card, "card");
    for (const char* fold : {"World box and pair filter", "From moved bodies to collisions",
                             "How pairs were decided", "Threads", "Module"})
        open(fold);
    for (const char* gone : {"Near pairs", "Candidate pairs", "Tested pairs", "Found before the filter"})
        EXPECT_EQ(ui_->log().find(gone, "value"), nullptr) << gone;
    click("Pair filter", "combo");
    click("Sphere", "item");
    std::uint64_t dropped = 0;
    for (int i = 0; i < 200; ++i) {
        frames(1);
        const collision::PassStats& pass = session().report().pass;
        dropped += pass.filtered;
        EXPECT_EQ(shown("Kept by the filter"), engine::grouped(pass.candidates - pass.filtered));
        EXPECT_EQ(shown("Dropped by the filter"), engine::grouped(pass.filtered));
        EXPECT_LE(pass.tests + pass.ignored, pass.candidates - pass.filtered);
    }
    EXPECT_GT(dropped, 0u) << "the filter has dropped no pair";
}

TEST_F(ModulePanels, a_switch_while_paused_announces_its_delay_and_shows_no_stale_structure) {
    start_crowd();
    open("Broad phase", "card");
    open("Look inside");
    click("Show its structure", "check box");
    frames(3);
    EXPECT_FALSE(shown("Boxes drawn").empty());
    click("Pause", "button");
    click("Broad phase method", "combo");
    click("Octree", "item");
    click("Compare with all pairs", "check box");
    frames(3);
    EXPECT_EQ(shown("Boxes drawn"), "") << "the boxes belong to the previous broad phase";
    EXPECT_NE(ui_->log().find("Shown after the next step: O for one step, Space to resume.", "label"),
              nullptr);
    EXPECT_NE(ui_->log().find("Paused: the change takes effect with the next step, key O", "message"),
              nullptr);
    EXPECT_TRUE(session().broad_phase_switch_pending());
    click("One step", "button");
    frames(2);
    EXPECT_FALSE(session().broad_phase_switch_pending());
    EXPECT_FALSE(shown("Boxes drawn").empty());
    EXPECT_NE(ui_->log().find("Depth", "combo"), nullptr);
}

TEST_F(ModulePanels, a_level_of_another_broad_phase_is_reset_even_if_the_card_is_folded) {
    start_crowd();
    sandbox_->state().view.broad_phase = true;
    sandbox_->state().view.broad_phase_level = 40;
    frames(6);
    EXPECT_EQ(sandbox_->state().view.broad_phase_level, collision::ViewRequest::kEveryLevel);
}

TEST_F(ModulePanels, the_list_of_memory_has_readable_names_and_is_updated_only_while_in_view) {
    open("Performance", "card");
    open("Module");
    open("Memory");
    frames(20);
    EXPECT_FALSE(shown("Broad phase: Best").empty());
    EXPECT_FALSE(shown("Total").empty());
    for (const engine::WidgetRecord& r : ui_->log().records)
        if (std::string_view(r.kind) == "value" && !r.label.empty()) {
            EXPECT_FALSE(r.label[0] >= 'a' && r.label[0] <= 'z' && r.label[0] != 'p') << r.label;
        }
    click("Performance", "card");
    frames(20);
    sandbox_->carry_out(Command{Command::Kind::broad_phase, "grid"});
    frames(40);
    for (const collision::MemoryPart& part : session().world().memory())
        EXPECT_NE(part.name, "grid") << "updated while folded";
}

TEST_F(ModulePanels, the_list_of_memory_is_empty_before_a_pass_has_computed_it) {
    open("Performance", "card");
    open("Module");
    click("Pause", "button");
    open("Memory");
    EXPECT_EQ(ui_->log().find("Total", "value"), nullptr);
    EXPECT_NE(ui_->log().find("Shown after the next step.", "label"), nullptr);
    click("One step", "button");
    frames(2);
    EXPECT_NE(shown("Total"), "");
    EXPECT_NE(shown("Total"), "0 kB");
}

TEST_F(ModulePanels, a_small_budget_reduces_accuracy_and_card_and_bar_show_it) {
    open("Performance", "card");
    open("Module");
    EXPECT_EQ(shown("Mode"), "Serial");
    EXPECT_EQ(widget("Pass budget", "slider")->value, "Off");
    collision::WorldSettings settings = session().settings();
    settings.budget_ms = 1e-4;
    session().set_settings(settings);
    frames(30);
    EXPECT_EQ(shown("Accuracy"), "Boxes only");
    EXPECT_EQ(shown("Mode"), "Serial, reduced: Boxes only");
    EXPECT_FALSE(shown("Pass time").empty());
}

TEST_F(ModulePanels, the_continuous_switch_and_algorithm_are_those_of_the_registry) {
    start("bullets", "bullets", 100);
    sandbox_->state().hint = false;
    frames(3);
    open("Algorithm", "card");
    EXPECT_EQ(box("Continuous"), "on");
    for (const collision::ContinuousAlgorithm* algorithm : collision::continuous_algorithms()) {
        click("Continuous algorithm", "combo");
        click(algorithm->title, "item");
        frames(2);
        EXPECT_EQ(session().settings().continuous_algorithm, algorithm);
        EXPECT_EQ(widget("Continuous algorithm", "combo")->value, algorithm->title);
    }
    EXPECT_FALSE(shown("Pairs along motions").empty());
    click("Continuous", "check box");
    frames(2);
    EXPECT_FALSE(session().settings().continuous);
    EXPECT_EQ(ui_->log().find("Continuous algorithm", "combo"), nullptr);
    click("Continuous", "check box");
    frames(2);
    EXPECT_TRUE(session().settings().continuous);
}

TEST_F(ModulePanels, other_scenes_fold_the_continuous_algorithm) {
    open("Algorithm", "card");
    EXPECT_EQ(ui_->log().find("Continuous algorithm", "combo"), nullptr);
    open("Continuous collision");
    EXPECT_NE(widget("Continuous algorithm", "combo"), nullptr);
}

TEST_F(ModulePanels, BU_X3_the_collision_screen_is_drawn_over_the_scene) {
    start("screw_tori", "speed", 1);
    frames(3);
    const engine::WidgetRecord* inset = nullptr;
    for (const engine::WidgetRecord& record : ui_->log().records)
        if (std::string(record.kind) == "inset") inset = &record;
    ASSERT_NE(inset, nullptr);
    EXPECT_EQ(inset->label.rfind("Collision screen, ", 0), 0u) << inset->label;
    EXPECT_GT(inset->x0, 72) << "right of the rail";
    EXPECT_LT(inset->x1, static_cast<float>(width_) - 320) << "left of the column";
}

TEST_F(ModulePanels, items_of_the_bar_keep_their_width_while_their_numbers_change) {
    use_window(1280, 680);  // a narrow bar leaves out numbers
    start_crowd();
    std::map<std::string, float> width;
    std::map<std::string, std::set<std::size_t>> lengths;
    for (int i = 0; i < 120; ++i) {
        frames(1);
        for (const char* key : {"Time", "Colliding", "Candidates"}) {
            const engine::WidgetRecord* w = ui_->log().find(key, "value");
            if (!w) continue;  // it does not fit into the bar
            EXPECT_GE(w->x1 - w->x0, width[key] - 0.01f) << key << " shrank";
            width[key] = w->x1 - w->x0;
            lengths[key].insert(w->value.size());
        }
    }
    std::size_t changed = 0;
    for (const auto& [key, sizes] : lengths) changed += sizes.size() > 1 ? 1 : 0;
    EXPECT_GT(changed, 0u) << "no text changed its length";
}

TEST(CrowdView, the_whole_tray_is_in_view_between_rail_and_column) {
    SessionOptions options;
    options.scene = "crowd";
    options.scene_parameters = collision::default_values(find_scene("crowd")->parameters);
    options.scene_parameters[0] = 1000;
    const auto session = Session::create(options);
    ASSERT_TRUE(session.ok());
    Camera camera;
    camera.frame(session.value()->scene().camera());
    for (const auto& [w, h] : {std::pair{800, 600}, {1024, 640}, {1280, 720}, {1600, 900}, {1920, 1080}}) {
        const auto width = static_cast<float>(w), height = static_cast<float>(h);
        const FreeArea area{80, 0, width - 328, height - 56};
        const glm::mat4 clip = clip_matrix(camera.data(w, h, 1, area), w, h, 1);
        for (const float side_x : {-1.0f, 1.0f})
            for (const float side_z : {-1.0f, 1.0f}) {
                float x = 0, y = 0;
                ASSERT_TRUE(
                    project(clip, w, h, {side_x * (kArena.x + 0.1f), 0, side_z * (kArena.z + 0.1f)}, x, y));
                EXPECT_GT(x, area.x0) << w;
                EXPECT_LT(x, area.x1) << w;
                EXPECT_LT(y, area.y1) << w;
            }
    }
}

}  // namespace
}  // namespace claybox::app
