// The main loop of the sandbox on an OpenGL context without a window, driven through its panels.

#include "app/panels/help.hpp"
#include "app/scenes/buttons/desk.hpp"
#include "engine/files/paths.hpp"
#include "engine/ui/drawing/draw.hpp"
#include "tests/bridge/sandbox_fixture.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace claybox::app {
namespace {

struct BroadPhaseWork {
    std::uint64_t raw_candidates = 0, hash = 0;
};

/// Broad-phase work of the same 60 frames of the cage with these settings.
BroadPhaseWork work_of(const collision::WorldSettings& settings) {
    SessionOptions options;
    options.scene_parameters = collision::default_values(find_scene("cage")->parameters);
    options.settings = settings;
    auto session = Session::create(options);
    EXPECT_TRUE(session.ok());
    BroadPhaseWork work;
    for (int i = 0; session.ok() && i < 60; ++i) {
        const FrameReport& report = session.value()->step({});
        work.raw_candidates += report.pass.raw_candidates;
        work.hash = report.state_hash;
    }
    return work;
}

TEST_F(SandboxTest, APP_alg_panel_each_algorithm_can_be_clicked_and_no_body_is_lost) {
    frames(3);
    const std::size_t bodies = session().world().body_count();
    ASSERT_EQ(bodies, 10u);
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        const std::uint64_t frame = session().frame();
        click("Pair algorithm", "combo");
        bring_into_view(algorithm->title);
        click(algorithm->title, "item");
        frames(2);
        EXPECT_EQ(session().settings().pair_algorithm, algorithm);
        EXPECT_EQ(session().world().body_count(), bodies) << algorithm->id;
        EXPECT_GT(session().frame(), frame) << "the scene continues";
        EXPECT_EQ(widget("Pair algorithm", "combo")->value, algorithm->title);
    }
    EXPECT_FALSE(sandbox_->history().switches().empty()) << "the plot marks the switch";
}

TEST_F(SandboxTest, CW_7_hard_a_button_saves_the_pair_with_the_most_iterations) {
    const std::filesystem::path before = std::filesystem::current_path();
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("claybox-hardest-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::filesystem::current_path(folder);
    start("cage", "fill", 20);
    frames(40);
    const std::uint32_t k = session().world().hardest_pair().iterations;
    ASSERT_GT(k, 0u);
    click("Answers and counters", "fold");
    frames(30);
    click("Save the hardest pair", "button");
    frames(2);
    std::filesystem::current_path(before);
    std::ifstream file(folder / "claybox-hardest-1.jsonl");
    std::string line;
    std::getline(file, line);
    std::error_code code;
    std::filesystem::remove_all(folder, code);
    EXPECT_NE(line.find("\"k\":"), std::string::npos) << line;
    EXPECT_NE(line.find("\"matrix_b\":"), std::string::npos);
    EXPECT_GE(std::stoul(line.substr(line.find("\"k\":") + 4)), k);
}

TEST_F(SandboxTest, APP_broad_panel_each_broad_phase_can_be_clicked_and_finds_the_pairs_of_all_pairs) {
    frames(3);
    click("Look inside", "fold");
    click("Compare with all pairs", "check box");
    EXPECT_TRUE(session().settings().assert_pairs);
    std::uint64_t candidates = 0;
    for (const collision::BroadPhaseDescriptor* broad : collision::broad_phases()) {
        click("Broad phase method", "combo");
        click(broad->title, "item");
        EXPECT_EQ(session().settings().broad_phase, broad);
        for (int i = 0; i < 3; ++i) {
            frames(1);
            EXPECT_EQ(session().report().pass.pair_disagreements, 0u) << broad->id;
            candidates += session().report().pass.candidates;
        }
        EXPECT_EQ(session().world().body_count(), 10u);
    }
    EXPECT_GT(candidates, 0u) << "nothing was compared";
}

TEST_F(SandboxTest, APP_param_panel_sliders_start_at_the_defaults_and_a_change_has_a_measurable_effect) {
    collision::WorldSettings settings = session().settings();
    settings.broad_phase = collision::find_broad_phase("grid");
    ASSERT_NE(settings.broad_phase, nullptr);
    settings.broad_parameters = collision::default_values(settings.broad_phase->parameters);
    session().set_settings(settings);
    frames(4);
    for (std::size_t i = 0; i < settings.pair_algorithm->parameters.size(); ++i)
        EXPECT_EQ(session().settings().pair_parameters[i],
                  settings.pair_algorithm->parameters[i].default_value);
    const engine::WidgetRecord* cell = widget("Cell size", "slider");
    ASSERT_NE(cell, nullptr);
    press_at(cell->x1 - 8, 0.5f * (cell->y0 + cell->y1));
    frames(1);
    const collision::WorldSettings changed = session().settings();
    EXPECT_GT(changed.broad_parameters[0], 100.0) << "the largest cell size is at the right end";
    const BroadPhaseWork coarse = work_of(changed), automatic = work_of(settings);
    EXPECT_NE(coarse.raw_candidates, automatic.raw_candidates);
    EXPECT_EQ(coarse.hash, automatic.hash) << "the broad phase must not change results";
}

TEST_F(SandboxTest, APP_stats_stages_add_up_to_the_frame_within_five_percent) {
    frames(12);
    const FrameHistory& history = sandbox_->history();
    ASSERT_GE(history.size(), 4u);
    for (std::size_t i = 0; i < history.size(); ++i) {
        const FrameTimes& t = history.at(i).times;
        EXPECT_GT(t.total, 0);
        EXPECT_NEAR(t.sum(), t.total, 1e-6) << "the laps have no gaps";
        for (const double stage : t.stage) EXPECT_GE(stage, 0);
    }
    EXPECT_GT(history.average()[Stage::draw], 0);
    EXPECT_GT(history.average()[Stage::panels], 0);
    const collision::PassStats& pass = session().report().pass;
    EXPECT_LE(pass.colliding, pass.tests);
    EXPECT_LE(pass.tests + pass.ignored, pass.candidates + pass.ignored);
    EXPECT_EQ(pass.rung[0] + pass.rung[1] + pass.rung[2], pass.tests);
}

TEST_F(SandboxTest, the_rail_changes_the_scene_and_keeps_the_algorithm) {
    frames(3);
    sandbox_->carry_out(Command{Command::Kind::pair_algorithm, "next"});
    const collision::PairAlgorithm* chosen = session().settings().pair_algorithm;
    for (const SceneDescriptor* scene : scenes()) {
        click(scene->title, "cell");
        frames(2);
        EXPECT_STREQ(session().descriptor().id, scene->id);
        EXPECT_EQ(session().settings().pair_algorithm, chosen);
        EXPECT_EQ(sandbox_->settings().scene, scene->id);
    }
}

TEST_F(SandboxTest, pause_stops_time_and_one_step_is_one_frame) {
    frames(3);
    click("Pause", "button");
    const std::uint64_t frame = session().frame();
    frames(3);
    EXPECT_EQ(session().frame(), frame);
    click("One step", "button");
    EXPECT_EQ(session().frame(), frame + 1);
    ui_->inject_key(engine::key::kSpace);
    frames(2);
    EXPECT_GT(session().frame(), frame + 1);
}

TEST_F(SandboxTest, a_click_selects_a_body_and_the_card_tests_it_against_the_nearest) {
    frames(2);
    sandbox_->state().paused = true;
    sandbox_->state().hidden = true;
    bool found = false;
    for (int y = 300; y < 500 && !found; y += 40)
        for (int x = 200; x < 480 && !found; x += 40) {
            press_at(static_cast<float>(x), static_cast<float>(y));
            found = !sandbox_->inspection().title.empty();
        }
    ASSERT_TRUE(found) << "no body near the centre of the picture";
    EXPECT_TRUE(sandbox_->inspection().has_verdict);
    EXPECT_NE(sandbox_->inspection().verdict, collision::Verdict::undecided);
    ui_->inject_key(engine::key::kEscape);
    frames(2);
    EXPECT_TRUE(sandbox_->inspection().title.empty());
}

TEST_F(SandboxTest, help_shows_every_key_of_the_table_and_cuts_no_text) {
    ui_->inject_key(engine::key::kF1);
    frames(2);
    constexpr float kKeyRoom = 180, kMargin = 12;  // unscaled pixels, as in help_overlay()
    for (const HelpRow& row : help_rows(sandbox_->devices().logical())) {
        const engine::WidgetRecord* record = ui_->log().find(row.keys, "key");
        ASSERT_NE(record, nullptr) << row.keys;
        const float effect_room = record->x1 - record->x0 - ui_->px(184 + kMargin);
        EXPECT_LE(engine::text_width(*ui_, engine::TextSize::title, row.keys), ui_->px(kKeyRoom)) << row.keys;
        EXPECT_LE(engine::text_width(*ui_, engine::TextSize::body, row.effect), effect_room) << row.effect;
    }
}

TEST_F(SandboxTest, nothing_behind_the_help_reacts_and_a_click_outside_closes_it) {
    use_window(640, 1000);
    frames(2);
    const engine::WidgetRecord* pause = widget("Pause", "button");
    ASSERT_NE(pause, nullptr);
    const float x = pause->x0 + 4, y = pause->y1 - 4;
    ui_->inject_key(engine::key::kF1);
    frames(2);
    ASSERT_TRUE(sandbox_->state().help);
    press_at(x, y);
    frames(1);
    EXPECT_FALSE(sandbox_->state().help);
    EXPECT_FALSE(sandbox_->state().paused) << "the click only closed the help";
    press_at(x, y);
    frames(1);
    EXPECT_TRUE(sandbox_->state().paused) << "the next click reaches the button";
}

TEST_F(SandboxTest, unsupported_keys_show_a_message_and_change_nothing) {
    frames(2);
    const bool hand = sandbox_->state().hand;
    for (const auto& [pressed, control, words] :
         {std::tuple{int{'H'}, false, "This scene has no hand"},
          std::tuple{int{'Z'}, true, "This scene has nothing to undo"}}) {
        ui_->inject_key(pressed, control);
        frames(2);
        EXPECT_NE(ui_->log().find(words, "message"), nullptr) << words;
    }
    EXPECT_EQ(sandbox_->state().hand, hand);
}

TEST_F(SandboxTest, a_cached_inspector_answers_like_a_new_one_when_the_algorithm_changes) {
    sandbox_->state().paused = true;
    frames(2);
    Inspector keeper;
    const auto answer = [&](const char* id) {
        use_pair_algorithm(id);
        Bridge bridge(*renderer_);
        bridge.build(session(), {}, {});
        Inspection fresh, kept;
        Inspector().inspect(session(), bridge, 0, 1, {}, fresh);
        keeper.inspect(session(), bridge, 0, 1, {}, kept);
        EXPECT_TRUE(kept.has_verdict) << id;
        EXPECT_EQ(kept.verdict, fresh.verdict) << id;
        std::string gap;
        for (std::size_t i = 0; i < kept.rows.size() && kept.rows.size() == fresh.rows.size(); ++i) {
            if (kept.rows[i].key == "Cost") continue;  // it is a time
            EXPECT_EQ(kept.rows[i].value, fresh.rows[i].value) << id << " " << kept.rows[i].key;
            if (kept.rows[i].key == "Gap") gap = kept.rows[i].value;
        }
        EXPECT_EQ(kept.rows.size(), fresh.rows.size()) << id;
        return gap;
    };
    const std::string gap = answer("gjk");
    EXPECT_FALSE(gap.empty());
    for (const char* id : {"sat_brute", "mesh_bvh", "lp_exact", "edge_polygon", "gjk", "sat_brute", "gjk"}) {
        const std::string other = answer(id);
        EXPECT_TRUE(other.empty() || other == gap) << id << ": " << other << " and not " << gap;
        EXPECT_TRUE(!other.empty() || id != std::string_view("mesh_bvh")) << "mesh_bvh reports a gap, too";
    }
}

TEST_F(SandboxTest, the_hint_is_shown_until_it_is_dismissed) {
    frames(2);
    ASSERT_NE(ui_->log().find(scene_hint("cage"), "hint"), nullptr);
    click("Dismiss hint", "button");
    frames(1);
    EXPECT_EQ(ui_->log().find(scene_hint("cage"), "hint"), nullptr);
    EXPECT_TRUE(sandbox_->settings().hints_seen.contains("cage"));
}

class DeskTest : public SandboxTest {
  protected:
    void SetUp() override {
        SandboxTest::SetUp();
        start_desk();
    }
    void start_desk() {
        start("buttons", "fingers", 0);
        sandbox_->state().hint = false;
        pictures(6);  // a new finger cannot press yet
    }
    /// The centre of each of the key's visible lines.
    std::vector<ImVec2> places_of(const DeskControl& button) {
        std::vector<ImVec2> out;
        for (const std::string& line : button.line) {
            if (line.empty()) continue;
            // "Pause" is also a button of the bar, but only engraved texts are labels. Two keys may have the
            // same text.
            std::ptrdiff_t before = 0;
            for (const DeskControl& other : desk_controls()) {
                if (&other == &button) break;
                before += other.line[0] == line || other.line[1] == line ? 1 : 0;
            }
            for (const engine::WidgetRecord& w : ui_->log().records)
                if (w.label == line && w.kind == std::string_view("label") && before-- == 0)
                    out.push_back({0.5f * (w.x0 + w.x1), 0.5f * (w.y0 + w.y1)});
        }
        return out;
    }
    /// Two steps per frame, as on a slow machine.
    void pictures(int count) { frames(count, 0.4); }
    /// A pass that runs beside the frames ends with any of them; the next key needs a fixed one.
    void be_serial() {
        collision::WorldSettings settings = session().settings();
        settings.concurrent = false;
        session().set_settings(settings);
    }
    void turn_card(const std::string& title, const std::string& wanted) {
        const engine::WidgetRecord* card = widget(title, "card");
        ASSERT_NE(card, nullptr);
        if (card->value != wanted) click(title, "card");
        pictures(3);
    }
    void point(const ImVec2& p, bool down, int count) {
        ui_->inject_mouse(p.x, p.y, down);
        pictures(count);
    }
    double figure(const std::string& id) {
        for (const Figure& f : session().scene().figures())
            if (f.id == id) return f.value;
        ADD_FAILURE() << id;
        return -1;
    }
    void poke_and_check(const DeskControl& button, const ImVec2& place, const std::string& what);
};

/// The state that a key switches, from the session and the panels.
std::string state_of(Sandbox& sandbox, const DeskControl& button) {
    const collision::WorldSettings s = sandbox.session().settings();
    switch (button.role) {
        case DeskRole::open:
            return sandbox.session().descriptor().id;
        case DeskRole::pause:
        case DeskRole::step:
            return sandbox.state().paused ? "paused" : "runs";
        case DeskRole::restart:
            return std::to_string(sandbox.session().world().stats().pass);
        case DeskRole::next_algorithm:
            return s.pair_algorithm->id;
        case DeskRole::theme:
            return sandbox.state().dark ? "dark" : "light";
        case DeskRole::sound:
            return sandbox.state().sound ? "on" : "off";
        case DeskRole::scene_page:
        case DeskRole::page:
        case DeskRole::group:  // they only change the desk itself
            return std::to_string(sandbox.session().scene().figures()[0].value);
        case DeskRole::concurrent:
            return s.concurrent ? "on" : "off";
        case DeskRole::exact:
            return s.exactness == collision::Exactness::exact ? "exact" : "fast";
        case DeskRole::all_fingers:
            return sandbox.session().options().scene_parameters.on(
                       collision::find_parameter(sandbox.session().descriptor().parameters, "fingers"))
                       ? "all"
                       : "index";
        case DeskRole::parallel:
            return collision::to_string(s.parallel);
        default:
            return "";
    }
}

void DeskTest::poke_and_check(const DeskControl& button, const ImVec2& place, const std::string& what) {
    const std::string before = state_of(*sandbox_, button);
    const double presses = figure("presses"), releases = figure("releases");
    point(place, false, 1);  // jumps from the last key
    EXPECT_EQ(figure("presses"), presses) << "not pressed yet: " << what;
    point(place, true, 1);
    point({place.x + 40, place.y - 30}, false, 3);  // the mouse leaves before the finger arrives
    EXPECT_NE(state_of(*sandbox_, button), before) << what;
    if (button.role == DeskRole::open || button.role == DeskRole::restart) return start_desk();
    sandbox_->state().paused = false;
    pictures(8);
    // A concurrent pass may answer later.
    for (int i = 0; i < 2000 && figure("releases") < releases + 1; ++i) pictures(1);
    EXPECT_EQ(figure("presses"), presses + 1) << what;
    EXPECT_EQ(figure("releases"), releases + 1) << what;
}

// Two steps per frame and one frame per click, with alternating algorithms.
TEST_F(DeskTest, every_key_fires_once_at_each_of_its_lines_and_switches_its_state) {
    constexpr const char* algorithms[] = {"best", "edge_polygon"};
    std::size_t turn = 0;
    for (const DeskControl& button : desk_controls()) {
        if (!desk_pad(button.kind).fires) continue;
        const std::size_t words = places_of(button).size();
        ASSERT_GT(words, 0u) << button.title;
        for (std::size_t i = 0; i < words; ++i) {
            be_serial();
            const char* algorithm = algorithms[turn++ % 2];
            sandbox_->carry_out(Command{Command::Kind::pair_algorithm, algorithm});
            poke_and_check(button, places_of(button)[i], std::string(algorithm) + ", " + button.line[i]);
        }
    }
}

TEST_F(DeskTest, the_panels_agree_with_the_desk) {
    for (const char* card : {"Performance", "Scene", "Events"}) turn_card(card, "folded");
    for (const char* card : {"Algorithm", "Broad phase"}) turn_card(card, "open");
    const auto shown = [&](const char* combo) {
        const engine::WidgetRecord* w = widget(combo, "combo");
        return w ? w->value : "";
    };
    const auto poke = [&](const std::string& words) {
        const engine::WidgetRecord* w = widget(words, "label");
        ASSERT_NE(w, nullptr) << words;
        const ImVec2 place{0.5f * (w->x0 + w->x1), 0.5f * (w->y0 + w->y1)};
        point(place, true, 1);
        point(place, false, 12);
    };
    // Pokes the entry below the middle of a wheel.
    poke(collision::pair_algorithms()[1]->title);
    EXPECT_EQ(session().settings().pair_algorithm, collision::pair_algorithms()[1]);
    EXPECT_EQ(shown("Pair algorithm"), session().settings().pair_algorithm->title);
    poke(collision::broad_phases()[1]->title);
    EXPECT_EQ(session().settings().broad_phase, collision::broad_phases()[1]);
    EXPECT_EQ(shown("Broad phase method"), session().settings().broad_phase->title);
    poke("Pause");
    EXPECT_TRUE(sandbox_->state().paused);
    EXPECT_NE(widget("Resume", "button"), nullptr);
}

TEST_F(DeskTest, a_click_during_a_press_and_a_held_button_fire_once_each) {
    const ImVec2 theme = places_of(desk_controls()[desk_control(DeskRole::theme)])[0],
                 toggle = places_of(desk_controls()[desk_control(DeskRole::exact)])[0];
    point(toggle, true, 1);
    point(toggle, false, 1);  // the next click comes while the finger is still down
    point(theme, true, 16);
    point(theme, false, 12);
    EXPECT_EQ(figure("presses"), 2);
    EXPECT_EQ(figure("releases"), 2);
    EXPECT_EQ(session().settings().exactness, collision::Exactness::fast);
    EXPECT_TRUE(sandbox_->state().dark);
}

// Commands about the program change the state of the panels.
TEST_F(DeskTest, program_commands_change_the_panels) {
    const auto choose = [&](const std::string& text) {
        sandbox_->carry_out(Command{Command::Kind::program, text});
    };
    PanelState& state = sandbox_->state();
    for (const char* text : {"theme=dark", "sound=off", "labels=off", "witness=off", "boxes=on",
                             "structure=on", "time=1/2", "haptics=off", "seated=on"})
        choose(text);
    EXPECT_TRUE(state.dark && !state.sound && !state.view.labels && !state.view.dimensions);
    EXPECT_TRUE(!state.view.witness && state.view.bounds && state.view.broad_phase);
    EXPECT_TRUE(state.speed == 0.5 && !state.headset.haptics && state.headset.seated);
    EXPECT_FALSE(sandbox_->take_recentre());
    pictures(1);
    EXPECT_NE(widget("Pause", "label"), nullptr) << "engraved texts are not hidden";
    choose("world_size=2");
    EXPECT_EQ(state.headset.zoom, 2);
    EXPECT_EQ(sandbox_->take_recentre(), Recentre::position) << "the viewer keeps the direction";
    choose("theme=blue");
    choose("nothing=1");
    EXPECT_TRUE(state.dark) << "an invalid command changes nothing";
    choose("headset=on");
    EXPECT_TRUE(state.headset.on);
}

TEST_F(DeskTest, the_theme_toggle_follows_a_switch_in_the_panels) {
    const auto lit = [&] {
        SceneView view;
        session().scene().view({}, view);
        const std::uint32_t toggle = desk_control(DeskRole::theme);
        return std::any_of(view.drawables.begin(), view.drawables.end(), [&](const Drawable& d) {
            return d.pick == toggle && d.material == Material::toggle_on;
        });
    };
    pictures(1);
    EXPECT_FALSE(lit());
    sandbox_->state().dark = true;
    pictures(1);
    EXPECT_TRUE(lit());
}

class SettingsTest : public testing::Test {
  protected:
    void SetUp() override {
        file_ = std::filesystem::temp_directory_path() /
                ("claybox-settings-" + std::to_string(::getpid()) + ".json");
    }
    void TearDown() override { std::filesystem::remove(file_); }
    std::filesystem::path file_;
};

TEST_F(SettingsTest, saved_settings_are_loaded_unchanged) {
    Settings written;
    written.scene = "potter";
    written.algorithm = "edge_polygon";
    written.dark = true;
    written.scale = 1.25;
    written.width = 1024;
    written.hints_seen = {"cage"};
    written.haptics = false;
    written.seated = true;
    std::string error;
    ASSERT_TRUE(save_settings(file_, written, error)) << error;
    Settings read;
    ASSERT_TRUE(load_settings(file_, read, error)) << error;
    EXPECT_EQ(read, written);
}

TEST_F(SettingsTest, a_broken_file_is_an_error_of_one_line_and_means_defaults) {
    for (const char* text : {"", "{", "[1,2]", "{\"width\": \"wide\"}", "{\"scene\": 7}"}) {
        std::ofstream(file_) << text;
        Settings read;
        std::string error;
        EXPECT_FALSE(load_settings(file_, read, error)) << text;
        EXPECT_NE(error.find(file_.string()), std::string::npos);
        EXPECT_EQ(error.find('\n'), std::string::npos);
        EXPECT_EQ(read, Settings{});
    }
}

TEST_F(SettingsTest, a_missing_file_means_defaults_and_bad_sizes_are_clamped) {
    Settings read;
    std::string error;
    EXPECT_TRUE(load_settings(file_, read, error)) << error;
    EXPECT_EQ(read, Settings{});
    std::ofstream(file_) << R"({"width": -5, "height": 1000000, "scale": 70})";
    EXPECT_TRUE(load_settings(file_, read, error)) << error;
    EXPECT_GE(read.width, 320);
    EXPECT_LE(read.height, 16384);
    EXPECT_EQ(read.scale, 0);
}

TEST(Camera, a_point_on_a_pixels_ray_projects_to_the_pixel) {
    Camera camera;
    camera.frame(ViewCamera{});
    const engine::CameraData data = camera.data(1600, 900, 1, {80, 0, 1272, 844});
    const glm::mat4 clip = clip_matrix(data, 1600, 900, 1);
    for (const float x : {100.0f, 676.0f, 1200.0f}) {
        const Ray ray = ray_through(clip, 1600, 900, x, 300);
        float px = 0, py = 0;
        ASSERT_TRUE(project(clip, 1600, 900, glm::vec3(ray.origin + ray.direction * 1.5), px, py));
        EXPECT_NEAR(px, x, 0.1);
        EXPECT_NEAR(py, 300, 0.1);
    }
    float x = 0, y = 0;
    ASSERT_TRUE(project(clip, 1600, 900, data.target, x, y));
    EXPECT_NEAR(x, 676, 0.1) << "the target is at the centre of the free area";
    EXPECT_NEAR(y, 422, 0.1);
}

TEST_F(SandboxTest, the_way_of_the_pointer_before_a_press_is_no_drag) {
    frames(2);
    ui_->inject_mouse(80, 60, false);
    frames(1);
    const glm::vec3 before = sandbox_->camera().position;
    ui_->inject_mouse(300, 500, true);  // moved and pressed within one frame
    frames(1);
    ui_->inject_mouse(300, 500, false);
    frames(1);
    EXPECT_EQ(sandbox_->camera().position, before);
}

}  // namespace
}  // namespace claybox::app
