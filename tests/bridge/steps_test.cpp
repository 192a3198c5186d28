// The algorithm's steps in the Inspect card, used with the mouse and compared with the algorithm's trace.
// With CLAYBOX_GALLERY=FOLDER pictures of the window are saved there.

#include "collision/geometry/primitives/primitives.hpp"
#include "tests/bridge/sandbox_fixture.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace claybox::app {
namespace {

constexpr const char* kMeshAlgorithms[] = {
    "mesh_bvh", "edge_polygon",  "edge_polygon_boxes", "edge_polygon_relaxed",
    "box_tree", "random_points", "depth_buffer",       "convex_parts"};

class StepsTest : public SandboxTest {
  protected:
    void run_unseen(int steps) {
        for (int i = 0; i < steps; ++i) session().step({});
    }
    /// A paused cage of tori with two colliding tori selected.
    void pause_at_a_hit() {
        start("cage", "shape", static_cast<double>(collision::Primitive::torus) + 1);
        const auto table = session().descriptor().parameters;
        for (const auto& [id, value] : {std::pair{"bodies", 12.0}, {"detail", 200.0}, {"fill", 12.0}})
            ASSERT_TRUE(session().set_parameter(collision::find_parameter(table, id), value).ok());
        std::uint32_t picks[2] = {0, 1};
        for (int i = 0; i < 300 && !find_colliding(picks); ++i) run_unseen(1);
        sandbox_->state().paused = true;
        frames(10);  // until the cards have opened
        sandbox_->select(picks[0], false);
        sandbox_->select(picks[1], true);
        frames(10);
        ASSERT_TRUE(sandbox_->inspection().has_verdict);
    }
    /// The two colliding bodies that are nearest to each other.
    bool find_colliding(std::uint32_t (&picks)[2]) {
        SceneView view;
        session().scene().view({}, view);
        double best = HUGE_VAL;
        for (const Drawable& a : view.drawables)
            for (const Drawable& b : view.drawables) {
                if (!a.colliding || !b.colliding || a.pick >= b.pick) continue;
                const double distance = length(a.pose.translation - b.pose.translation);
                if (distance >= best) continue;
                best = distance;
                picks[0] = a.pick;
                picks[1] = b.pick;
            }
        return best < HUGE_VAL;
    }
    std::string row(const char* key) {
        for (const Inspection::Row& row : sandbox_->inspection().steps.rows)
            if (row.key == key) return row.value;
        return {};
    }
};

TEST_F(StepsTest, the_mouse_shows_steps_and_moves_through_them) {
    use_window(1024, 640);
    start("box_tree", "speed", 0.5);
    run_unseen(200);
    sandbox_->state().paused = true;
    use_pair_algorithm("box_tree");
    sandbox_->select(0, false);
    frames(20);
    EXPECT_EQ(sandbox_->inspection().steps.count, 0u) << "not requested";
    click("Show its steps", "check box");
    const std::size_t count = sandbox_->inspection().steps.count;
    ASSERT_GT(count, 3u);
    EXPECT_EQ(sandbox_->inspection().steps.shown, count) << "initially the last step";
    frames(20);
    const engine::WidgetRecord* slider = widget("Step drawn", "slider");
    ASSERT_NE(slider, nullptr);
    press_at(slider->x0 + 1, 0.5f * (slider->y0 + slider->y1));
    EXPECT_EQ(sandbox_->inspection().steps.shown, 1u);
    EXPECT_EQ(row("Overlapping box") + row("Separate box"), "2") << "the boxes of the two bodies";
}

TEST_F(StepsTest, tracing_changes_no_answer_of_any_algorithm) {
    pause_at_a_hit();
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        use_pair_algorithm(algorithm->id);
        sandbox_->state().trace = {};
        frames(1);
        const Inspection plain = sandbox_->inspection();
        sandbox_->state().trace.on = true;
        frames(1);
        const Inspection traced = sandbox_->inspection();
        EXPECT_EQ(plain.verdict, traced.verdict) << algorithm->id;
        EXPECT_GT(traced.steps.count, 0u) << algorithm->id;
        EXPECT_FALSE(traced.steps.rows.empty()) << algorithm->id;
        ASSERT_EQ(plain.rows.size(), traced.rows.size()) << algorithm->id;
        for (std::size_t i = 0; i < plain.rows.size(); ++i)
            if (plain.rows[i].key != "Cost") {
                EXPECT_EQ(plain.rows[i].value, traced.rows[i].value) << algorithm->id;
            }
    }
}

TEST_F(StepsTest, steps_are_drawn_over_the_scene) {
    start("box_tree", "speed", 0.5);
    run_unseen(200);
    Bridge bridge(*renderer_);
    bridge.build(session(), {}, {});
    Inspector inspector;
    Inspection out;
    const auto lines = [&](const TraceRequest& request) {
        inspector.inspect(session(), bridge, 0, 1, request, out);
        return inspector.marks().lines.size();
    };
    use_pair_algorithm("box_tree");
    EXPECT_EQ(lines({}), 0u);
    std::size_t all = 0;
    const std::size_t last = (lines({true, 0, false}), out.steps.count);
    ASSERT_GT(last, 2u);
    for (std::size_t step = 1; step <= last; ++step) {
        all += lines({true, step, false});
        EXPECT_EQ(out.steps.shown, step);
        EXPECT_EQ(lines({true, step, true}), all) << "earlier steps are drawn, too";
    }
}

TEST_F(StepsTest, rows_of_mesh_algorithms_fit_their_card) {
    struct Size {
        int width, height;
    };
    const bool kept = std::getenv("CLAYBOX_GALLERY") != nullptr;
    for (const Size& size : {Size{1024, 640}, Size{1280, 720}, Size{1600, 900}, Size{1920, 1080}}) {
        use_window(size.width, size.height);
        pause_at_a_hit();
        for (const char* id : kMeshAlgorithms) {
            use_pair_algorithm(id);
            sandbox_->state().trace.on = false;
            frames(2);
            click("Show its steps", "check box");
            frames(4);
            EXPECT_NE(ui_->log().find("Show its steps", "check box"), nullptr) << id;
            for (const engine::WidgetRecord& r : ui_->log().records)
                EXPECT_STRNE(r.kind, "cut") << id << ": '" << r.label << "' is shown as '" << r.value << "'";
            keep("steps-" + std::to_string(size.width) + "-" + id);
            if (!kept) break;
        }
        if (!kept) break;
    }
}

}  // namespace
}  // namespace claybox::app
