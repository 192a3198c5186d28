// Comparisons in the window, driven with mouse and keys: all algorithms about a pair, all pairs of a frame,
// kept runs, files. With CLAYBOX_GALLERY=FOLDER pictures of the window are saved there.

#include "app/bridge/compare/times_file.hpp"
#include "engine/files/paths.hpp"
#include "tests/bridge/sandbox_fixture.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace claybox::app {
namespace {

using collision::Verdict;

void claim_separated(const collision::PairQuery&, collision::PairCache&, collision::PairResult& result,
                     collision::Trace*) {
    result.verdict = Verdict::separated;
}

/// An algorithm that claims to be exact and is not.
const collision::PairAlgorithm& wrong_algorithm() {
    static const collision::PairAlgorithm algorithm = [] {
        collision::PairAlgorithm out{};
        out.id = "wrong";
        out.title = "Wrong";
        out.source = out.summary = "";
        out.query = claim_separated;
        return out;
    }();
    return algorithm;
}

/// An algorithm that takes longer than a slice, so that a frame checks one pair.
const collision::PairAlgorithm& slow_algorithm() {
    static const collision::PairAlgorithm algorithm = [] {
        collision::PairAlgorithm out = wrong_algorithm();
        out.query = [](const collision::PairQuery&, collision::PairCache&, collision::PairResult&,
                       collision::Trace*) {
            const double start = engine::now_seconds();
            while (engine::now_seconds() < start + 0.02) {
            }
        };
        return out;
    }();
    return algorithm;
}

class CompareTest : public SandboxTest {
  protected:
    void SetUp() override {
        height_ = 900;
        SandboxTest::SetUp();
        folder_ = std::filesystem::temp_directory_path() / ("claybox-compare-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        before_ = std::filesystem::current_path();
        std::filesystem::current_path(folder_);
    }
    void TearDown() override {
        std::filesystem::current_path(before_);
        std::error_code code;
        std::filesystem::remove_all(folder_, code);
        SandboxTest::TearDown();
    }
    /// Two bodies of the cage that collide, selected while the scene is paused.
    void select_a_hit() {
        start("cage", "fill", 20);
        sandbox_->state().paused = false;
        for (int i = 0; i < 300 && session().report().pass.colliding == 0; ++i) session().step({});
        sandbox_->state().paused = true;
        frames(3);
        Bridge bridge(*renderer_);
        bridge.build(session(), {}, {});
        Inspector inspector;
        PairCheck hits;
        hits.use({&wrong_algorithm()});  // it is wrong about every hit
        hits.start(inspector.bodies(bridge), session().settings(), 0);
        while (!hits.advance(1)) {
        }
        ASSERT_TRUE(hits.first());
        sandbox_->select(hits.first()->pick_a, false);
        sandbox_->select(hits.first()->pick_b, true);
        frames(2);
        ASSERT_EQ(sandbox_->inspection().verdict, Verdict::colliding);
        open_card("Inspect");
    }
    /// The text of the newest message.
    std::string message() {
        std::string out;
        for (const engine::WidgetRecord& r : ui_->log().records)
            if (std::string_view(r.kind) == "message") out = r.label;
        return out;
    }
    std::string content(const char* file) {
        std::ifstream in(folder_ / file);
        std::ostringstream out;
        out << in.rdbuf();
        return out.str();
    }
    void press_control(int key) {
        ui_->inject_key(key, true);
        frames(2);
    }
    std::filesystem::path folder_, before_;
};

TEST_F(CompareTest, APP_alg_panel_a_click_asks_all_algorithms_and_their_answers_are_in_a_table) {
    select_a_hit();
    click_in_column("Ask all algorithms", "button");
    frames(60);
    ASSERT_EQ(sandbox_->asked().rows().size(), collision::pair_algorithms().size());
    EXPECT_EQ(sandbox_->asked().disagreements(), 0u);
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        const engine::WidgetRecord* row = widget(algorithm->title, "answer");
        ASSERT_NE(row, nullptr);
        EXPECT_EQ(row->value.find("disagrees"), std::string::npos) << row->value;
    }
    EXPECT_EQ(widget("Exact arithmetic", "value")->value.substr(0, 9), "Colliding");
    sandbox_->select(collision::kNoIndex, false);
    frames(2);
    EXPECT_TRUE(sandbox_->asked().rows().empty()) << "rows of another pair would mislead";
}

TEST_F(CompareTest, a_wrong_algorithm_is_marked_in_the_table) {
    select_a_hit();
    const collision::PairAlgorithm* const table[] = {
        collision::find_pair_algorithm("gjk"), &wrong_algorithm(),
        collision::find_pair_algorithm("random_points"), collision::find_pair_algorithm("depth_buffer")};
    sandbox_->asked().use(table, {});
    press_control('A');
    frames(5);
    EXPECT_EQ(sandbox_->asked().disagreements(), 1u);
    const engine::WidgetRecord* row = widget("Wrong", "answer");
    ASSERT_NE(row, nullptr);
    EXPECT_NE(row->value.find("disagrees"), std::string::npos) << row->value;
    reveal("Wrong", "answer");
    keep("compare-wrong");
}

TEST_F(CompareTest, while_the_scene_runs_the_table_follows_it) {
    select_a_hit();
    click_in_column("Keep asking while the scene runs", "check box");
    sandbox_->state().paused = false;
    frames(100);
    EXPECT_FALSE(sandbox_->asked().rows().empty());
    EXPECT_GT(sandbox_->asked().subject().frame + 100, session().frame());
    EXPECT_EQ(sandbox_->asked().disagreements(), 0u);
    const auto is_along_motion = [](const AlgorithmAnswer& row) {
        // On a slow machine they may be too slow to be asked in every frame.
        return row.along_motion && row.standing != Standing::disagrees;
    };
    bool along_motion = false;
    for (int i = 0; i < 600 && !along_motion; ++i) {  // a slow machine asks in more frames
        frames(1);
        const auto& rows = sandbox_->asked().rows();
        along_motion = std::any_of(rows.begin(), rows.end(), is_along_motion);
    }
    EXPECT_TRUE(along_motion) << "the bodies move";
}

TEST_F(CompareTest, a_click_tumbles_both_bodies_and_draws_a_curve_per_algorithm) {
    select_a_hit();
    sandbox_->tumble().set_steps(10);
    click_in_column("Time against distance", "fold");
    click_in_column("Tumble both bodies", "button");
    for (int i = 0; i < 100000 && sandbox_->tumble().running(); ++i) frames(1);
    ASSERT_EQ(sandbox_->tumble().done(), sandbox_->tumble().total());
    for (const TumbleCurve& curve : sandbox_->tumble().curves())
        EXPECT_NE(widget(curve.algorithm->title, "curve"), nullptr);
    reveal(sandbox_->tumble().curves().back().algorithm->title, "curve");
    frames(2);
    keep("tumble");
    sandbox_->tumble().set_steps(5000);
    click_in_column("Tumble both bodies", "button");
    click_in_column("Cancel the sweep", "button");
    EXPECT_FALSE(sandbox_->tumble().running());
    EXPECT_LT(sandbox_->tumble().done(), sandbox_->tumble().total());
}

TEST_F(CompareTest, a_click_maps_a_slice_and_a_click_in_the_map_tells_and_saves_a_cell) {
    select_a_hit();
    const collision::PairAlgorithm* const table[] = {collision::find_pair_algorithm("gjk"),
                                                     &wrong_algorithm(),
                                                     collision::find_pair_algorithm("depth_buffer")};
    sandbox_->heat().use(table);
    sandbox_->state().compare.heat.cells = 8;
    click_in_column("Map of a slice of poses", "fold");
    click_in_column("Map a slice of poses", "button");
    for (int i = 0; i < 100000 && sandbox_->heat().running(); ++i) frames(1);
    ASSERT_EQ(sandbox_->heat().done(), 8u * 8u);
    frames(1);
    EXPECT_NE(message().find("wrong in"), std::string::npos) << message();
    frames(5);
    reveal("Agreement", "heat map");
    const engine::WidgetRecord* map = widget("Agreement", "heat map");
    ASSERT_NE(map, nullptr);
    press_at(0.5f * (map->x0 + map->x1) + 2, 0.5f * (map->y0 + map->y1) - 2);
    ASSERT_TRUE(sandbox_->state().compare.heat.cell);
    EXPECT_EQ(*sandbox_->state().compare.heat.cell, 4u * 8u + 4u) << "row and column of the middle";
    frames(5);
    ui_->inject_key(engine::key::kF6);
    frames(2);
    const auto on_map = [this] {
        const engine::WidgetRecord *focus = ui_->log().find("", "focus"),
                                   *shown = widget("Agreement", "heat map");
        return focus != nullptr && shown != nullptr && focus->x0 <= shown->x0 && focus->y0 <= shown->y0 &&
               focus->x1 >= shown->x1 && focus->y1 >= shown->y1 && focus->y1 - shown->y1 < 8;
    };
    for (int i = 0; i < 300 && !on_map(); ++i) {
        ui_->inject_key(engine::key::kTab);
        frames(2);
    }
    ASSERT_TRUE(on_map()) << "the keyboard does not reach the map";
    for (const int key : {engine::key::kUp, engine::key::kRight, engine::key::kRight}) {
        ui_->inject_key(key);
        frames(2);
    }
    EXPECT_EQ(*sandbox_->state().compare.heat.cell, 5u * 8u + 6u) << "the arrows choose a cell";
    for (const int key : {engine::key::kDown, engine::key::kLeft, engine::key::kLeft, engine::key::kEscape}) {
        ui_->inject_key(key);
        frames(2);
    }
    EXPECT_EQ(*sandbox_->state().compare.heat.cell, 4u * 8u + 4u);
    reveal("Wrong", "answer");
    EXPECT_NE(widget("Wrong", "answer")->value.find("disagrees"), std::string::npos);
    keep("heat-agreement");
    reveal("Save the pair of this cell", "button");
    click("Save the pair of this cell", "button");
    frames(2);
    const auto line = nlohmann::json::parse(content("claybox-pair-1.jsonl"));
    EXPECT_EQ(line.at("expected"), "colliding");
    EXPECT_TRUE(line.at("answers").contains("gjk"));
    sandbox_->state().compare.heat.cost_of = 1;
    frames(5);
    EXPECT_NE(widget(table[0]->title, "heat map"), nullptr);
    reveal(table[0]->title, "heat map");
    keep("heat-cost");
    sandbox_->state().compare.heat.cells = 64;
    click_in_column("Map a slice of poses", "button");
    click_in_column("Cancel the map", "button");
    EXPECT_FALSE(sandbox_->heat().running());
}

TEST_F(CompareTest, a_key_saves_the_pair_and_the_message_names_the_file) {
    select_a_hit();
    press_control('S');
    EXPECT_NE(message().find((folder_ / "claybox-pair-1.jsonl").string()), std::string::npos) << message();
    const auto line = nlohmann::json::parse(content("claybox-pair-1.jsonl"));
    EXPECT_EQ(line.at("expected"), "colliding");
    EXPECT_EQ(line.at("scene"), "cage");
    click_in_column("Ask all algorithms", "button");
    frames(60);
    click_in_column("Save the pair", "button");
    frames(2);
    EXPECT_TRUE(nlohmann::json::parse(content("claybox-pair-2.jsonl")).at("answers").contains("gjk"));
    sandbox_->select(collision::kNoIndex, false);
    frames(1);
    press_control('S');
    EXPECT_NE(message().find("Select a body"), std::string::npos) << message();
}

TEST_F(CompareTest, a_click_checks_every_pair_in_slices_and_a_disagreement_is_selected) {
    select_a_hit();
    click_in_column("Every pair of this frame", "fold");
    click_in_column("Ask all about every pair", "button");
    for (int i = 0; i < 100000 && sandbox_->check().running(); ++i) frames(1);
    EXPECT_TRUE(sandbox_->check().complete());
    const PairCheck::Counts counts = sandbox_->check().counts();
    EXPECT_EQ(counts.pairs, session().report().pass.candidates) << "the pairs of the broad phase";
    EXPECT_GT(counts.colliding, 0u);
    EXPECT_EQ(counts.disagreements, 0u);
    frames(10);
    EXPECT_EQ(widget("Disagreements", "value")->value, "0");

    sandbox_->check().use({&wrong_algorithm()});
    sandbox_->select(collision::kNoIndex, false);
    frames(9);  // until the card has closed
    open_card("Inspect");
    click_in_column("Ask all about every pair", "button");
    for (int i = 0; i < 100000 && sandbox_->check().running(); ++i) frames(1);
    frames(20);
    ASSERT_TRUE(sandbox_->check().first());
    EXPECT_EQ(sandbox_->check().counts().disagreements, counts.colliding);
    EXPECT_EQ(sandbox_->inspection().verdict, Verdict::colliding) << "the pair is selected";
    click_in_column("Save the first disagreement", "button");
    frames(2);
    EXPECT_EQ(nlohmann::json::parse(content("claybox-pair-1.jsonl")).at("expected"), "colliding");
}

TEST_F(CompareTest, a_check_can_be_cancelled) {
    select_a_hit();
    sandbox_->check().use({&slow_algorithm()});
    click_in_column("Every pair of this frame", "fold");
    reveal("Ask all about every pair", "button");
    click("Ask all about every pair", "button");
    ASSERT_TRUE(sandbox_->check().running());
    ASSERT_NE(widget("Pairs checked", "progress"), nullptr);
    click_in_column("Cancel", "button");
    EXPECT_FALSE(sandbox_->check().running());
    EXPECT_FALSE(sandbox_->check().complete());
    frames(2);
    EXPECT_NE(widget("Cancelled after", "value"), nullptr);
}

/// Rows of comma-separated cells.
std::vector<std::vector<std::string>> cells_of(const std::string& text) {
    std::vector<std::vector<std::string>> out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream cells(line);
        out.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) out.back().push_back(cell);
    }
    return out;
}

TEST_F(CompareTest, APP_stats_exported_frames_are_those_that_are_stored) {
    frames(30);
    press_control('E');
    EXPECT_NE(message().find("claybox-frames-1.csv"), std::string::npos) << message();
    const auto rows = cells_of(content("claybox-frames-1.csv"));
    ASSERT_GT(rows.size(), 20u);
    const std::vector<std::string>& head = rows.front();
    const auto column = [&](const char* name) {
        return static_cast<std::size_t>(std::find(head.begin(), head.end(), name) - head.begin());
    };
    for (const char* name : {"frame_ms", "draw_ms", "pass_ms", "candidates", "iterations", "by_exact"})
        ASSERT_LT(column(name), head.size()) << name;
    const FrameHistory& history = sandbox_->history();
    for (std::size_t i = 1; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), head.size());
        const FrameHistory::Entry& entry = history.stored_at(i - 1);
        EXPECT_EQ(std::stod(rows[i][column("frame_ms")]), entry.times.total * 1e3);
        EXPECT_EQ(std::stoull(rows[i][column("candidates")]), entry.counts.candidates);
        EXPECT_EQ(std::stoull(rows[i][column("iterations")]), entry.counts.iterations);
    }
}

TEST_F(CompareTest, APP_stats_the_json_file_has_the_figures_of_the_card) {
    frames(40);
    const FrameHistory& history = sandbox_->history();
    const auto settings = session().settings();
    const auto read = nlohmann::json::parse(times_json(history, 60, {"cage", settings, 10}));
    EXPECT_EQ(read.at("context").at("pair"), settings.pair_algorithm->id);
    bool found = false;
    for (const auto& entry : read.at("benchmarks")) {
        for (const char* field : {"name", "run_name", "run_type", "real_time", "cpu_time", "time_unit"})
            EXPECT_TRUE(entry.contains(field)) << field;
        if (!entry.at("name").get<std::string>().ends_with("/frame_median")) continue;
        found = true;
        std::vector<double> frames;
        for (std::size_t i = 0; i < history.stored(); ++i) frames.push_back(history.stored_at(i).times.total);
        std::sort(frames.begin(), frames.end());
        EXPECT_DOUBLE_EQ(entry.at("real_time").get<double>(), frames[frames.size() / 2] * 1e3);
    }
    EXPECT_TRUE(found);
    const auto few = nlohmann::json::parse(times_json(history, 0, {"cage", settings, 10}));
    EXPECT_TRUE(few.at("benchmarks").empty()) << "no frames, no figures";
}

TEST_F(CompareTest, a_kept_run_is_named_drawn_and_compared_until_it_is_cleared) {
    frames(3);
    open_card("Performance");
    click_in_column("Compare and export", "fold");
    click_in_column("Keep this run", "button");
    frames(2);
    ASSERT_NE(sandbox_->history().kept(), nullptr);
    EXPECT_NE(sandbox_->history().kept()->label.find("serial"), std::string::npos);
    EXPECT_NE(widget("Kept: " + sandbox_->history().kept()->label, "label"), nullptr);
    use_pair_algorithm("gjk");
    for (int i = 0; i < 10000 && !sandbox_->history().since_kept(); ++i) frames(2);  // a second or less
    EXPECT_TRUE(sandbox_->history().since_kept());
    frames(1);
    const engine::WidgetRecord* row = widget("Frame", "row");
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->value.find("–"), std::string::npos) << row->value;
    click_in_column("Clear", "button");
    frames(2);
    EXPECT_EQ(sandbox_->history().kept(), nullptr);
    press_control('K');
    EXPECT_NE(sandbox_->history().kept(), nullptr);
}

TEST_F(CompareTest, a_build_with_assertions_says_that_its_times_are_no_measure) {
    frames(3);
    open_card("Performance");
    const engine::WidgetRecord* summary = widget("Performance", "summary");
    ASSERT_NE(summary, nullptr);
    const bool said = summary->value.find("no measure") != std::string::npos;
#if defined(CLAYBOX_ASSERTIONS) || !defined(NDEBUG)
    EXPECT_TRUE(said);
#else
    EXPECT_FALSE(said);
#endif
}

}  // namespace
}  // namespace claybox::app
