// Every overlay of the checklist row APP-vis is drawn while it is on, and not while it is off.

#include "tests/bridge/sandbox_fixture.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

class OverlaysTest : public SandboxTest {
  protected:
    void run_unseen(int steps) {
        for (int i = 0; i < steps; ++i) session().step({});
    }
    /// Lines and points of this ink in the last frame.
    std::size_t count(Ink ink) {
        const SceneView& view = sandbox_->view();
        const auto has = [&](const auto& item) { return item.ink == ink; };
        return static_cast<std::size_t>(std::count_if(view.lines.begin(), view.lines.end(), has) +
                                        std::count_if(view.points.begin(), view.points.end(), has));
    }
    /// What the inspector draws of all steps of an algorithm on bodies 0 and 1.
    struct Drawn {
        std::size_t lines = 0, points = 0, separating = 0, candidates = 0;
        std::vector<Inspection::Row> rows;
    };
    Drawn steps_of(const char* algorithm, bool on) {
        use_pair_algorithm(algorithm);
        session().step({});
        Bridge bridge(*renderer_);
        bridge.build(session(), {}, {});
        Inspector inspector;
        Inspection inspection;
        Drawn out;
        for (std::size_t step = 1; step == 1 || step <= inspection.steps.count; ++step) {
            inspector.inspect(session(), bridge, 0, 1, {on, step, false}, inspection);
            for (const Inspection::Row& row : inspection.steps.rows) out.rows.push_back(row);
            out.points += inspector.marks().points.size();
            out.lines += inspector.marks().lines.size();
            for (const ViewLine& line : inspector.marks().lines) {
                out.separating += line.ink == Ink::separating ? 1 : 0;
                out.candidates += line.ink == Ink::candidate ? 1 : 0;
            }
        }
        return out;
    }
};

TEST_F(OverlaysTest, APP_vis_the_rail_toggles_witnesses_boxes_and_labels) {
    start("cage", "fill", 20);
    SceneView view;
    const auto names_witness = [&] {
        return std::any_of(view.labels.begin(), view.labels.end(),
                           [](const ViewLabel& l) { return l.ink == Ink::witness; });
    };
    for (int i = 0; i < 600 && !names_witness(); ++i) {
        run_unseen(1);
        view.clear();
        session().scene().view({}, view);
    }
    sandbox_->state().paused = true;
    frames(2);
    EXPECT_GT(count(Ink::witness), 0u) << "witnesses are on at first";
    EXPECT_EQ(count(Ink::bounds), 0u);
    EXPECT_FALSE(sandbox_->view().labels.empty());
    click("Witness", "cell");
    EXPECT_EQ(count(Ink::witness), 0u);
    click("Witness", "cell");
    click("Boxes", "cell");
    EXPECT_GT(count(Ink::witness), 0u);
    EXPECT_GT(count(Ink::bounds), 40u * 12 / 2);
    click("Boxes", "cell");
    click("Labels", "cell");
    EXPECT_EQ(count(Ink::bounds), 0u);
    EXPECT_TRUE(sandbox_->view().labels.empty());
}

TEST_F(OverlaysTest, APP_vis_a_check_box_toggles_the_occupied_cells_of_each_broad_phase) {
    start("crowd", "bodies", 1000);
    Bridge bridge(*renderer_);
    for (const collision::BroadPhaseDescriptor* phase : collision::broad_phases()) {
        if (std::string_view(phase->id) == "all_pairs") continue;
        collision::WorldSettings settings = session().settings();
        settings.broad_phase = phase;
        settings.broad_parameters = collision::default_values(phase->parameters);
        session().set_settings(settings);
        ViewOptions options;
        options.witness = options.labels = false;
        Camera camera;
        camera.frame(session().scene().camera());
        const ViewSetup setup{camera.data(960, 600, 1, {0, 0, 960, 600}), 960, 600, 1, false};
        std::size_t lines[2] = {};
        for (const bool on : {false, true}) {
            options.broad_phase = on;
            for (int i = 0; i < 3; ++i) {
                bridge.build(session(), options, setup);
                session().step({});
            }
            bridge.build(session(), options, setup);
            lines[on ? 1 : 0] = bridge.list().lines.size();
        }
        EXPECT_EQ(lines[0], 0u) << phase->id;
        EXPECT_GT(lines[1], 50u) << phase->id;
    }
    frames(3);
    open_card("Broad phase");
    click_in_column("Look inside", "fold");
    click_in_column("Show its structure", "check box");
    EXPECT_TRUE(sandbox_->state().view.broad_phase);
    click_in_column("Show its structure", "check box");
    EXPECT_FALSE(sandbox_->state().view.broad_phase);
}

TEST_F(OverlaysTest, APP_vis_steps_show_planes_leaves_edges_and_levels_only_while_they_are_on) {
    start("box_tree", "speed", 0.5);
    run_unseen(200);
    for (const char* id : {"box_tree", "edge_polygon", "mesh_bvh"}) {
        const Drawn off = steps_of(id, false), on = steps_of(id, true);
        EXPECT_EQ(off.lines + off.points, 0u) << id;
        EXPECT_GT(on.lines, 0u) << id;
        EXPECT_TRUE(off.rows.empty()) << id;
    }
    EXPECT_GT(steps_of("box_tree", true).candidates, 0u) << "leaves that overlap";
    start("cage", "bodies", 10);
    run_unseen(20);
    const Drawn plane = steps_of("separating_plane", true);
    EXPECT_GT(plane.separating, 0u) << "the square of the plane";
    EXPECT_EQ(steps_of("separating_plane", false).separating, 0u);
    bool level = false;
    for (const Inspection::Row& row : steps_of("dobkin_kirkpatrick", true).rows)
        level = level || row.key.starts_with("Level of");
    EXPECT_TRUE(level) << "the level of the Dobkin-Kirkpatrick hierarchy";
    EXPECT_TRUE(steps_of("dobkin_kirkpatrick", false).rows.empty());
}

TEST_F(OverlaysTest, APP_vis_labels_toggle_the_collision_screen) {
    start("screw_tori", "threshold", 0);
    frames(2);
    ASSERT_FALSE(sandbox_->view().insets.empty());
    EXPECT_FALSE(sandbox_->view().insets.front().points.empty());
    click("Labels", "cell");
    EXPECT_TRUE(sandbox_->view().insets.empty());
    click("Labels", "cell");
    EXPECT_FALSE(sandbox_->view().insets.empty());
}

TEST_F(OverlaysTest, APP_vis_a_fold_toggles_the_histogram_of_iterations) {
    use_window(640, 1000);
    start("cage", "fill", 20);
    frames(5);
    sandbox_->state().paused = true;
    open_card("Inspect");
    click_in_column("Every pair of this frame", "fold");
    EXPECT_EQ(ui_->log().find("Iterations", "histogram"), nullptr);
    click_in_column("Ask all about every pair", "button");
    for (int i = 0; i < 100000 && sandbox_->check().running(); ++i) frames(1);
    frames(3);
    ASSERT_NE(ui_->log().find("Iterations", "histogram"), nullptr);
    std::uint64_t sum = 0;
    for (const std::uint64_t pairs : sandbox_->check().histogram()) sum += pairs;
    EXPECT_EQ(sum, sandbox_->check().counts().pairs);
    EXPECT_GT(sum, 0u);
    click_in_column("Every pair of this frame", "fold");
    EXPECT_EQ(ui_->log().find("Iterations", "histogram"), nullptr);
}

}  // namespace
}  // namespace claybox::app
