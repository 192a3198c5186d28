// The algorithm's steps in the Inspect card, used with the mouse and compared with the algorithm's trace.
// With CLAYBOX_GALLERY=FOLDER pictures of the window are saved there.

#include "app/bridge/inspect/step_insets.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"
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
    /// A paused cage of tori, or other bodies, with two colliding ones selected.
    void pause_at_a_hit(collision::Primitive kind = collision::Primitive::torus, double detail = 200) {
        start("cage", "shape", static_cast<double>(kind) + 1);
        const auto table = session().descriptor().parameters;
        for (const auto& [id, value] : {std::pair{"bodies", 12.0}, {"detail", detail}, {"fill", 12.0}})
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

const ViewInset* inset_of(const Inspector& inspector, const char* title) {
    for (const ViewInset& inset : inspector.marks().insets)
        if (inset.title.starts_with(title)) return &inset;
    return nullptr;
}

TEST_F(StepsTest, every_step_has_an_inset_of_the_space_that_the_algorithm_works_in) {
    struct Case {
        const char *id, *title;
    };
    pause_at_a_hit(collision::Primitive::ellipsoid_hull, 12);
    Bridge bridge(*renderer_);
    bridge.build(session(), {}, {});
    Inspector inspector;
    Inspection out;
    std::uint32_t picks[2] = {0, 1};
    ASSERT_TRUE(find_colliding(picks));
    const auto inspect = [&](const TraceRequest& request, bool look) {
        if (look) inspector.look_from({});
        inspector.inspect(session(), bridge, picks[0], picks[1], request, out);
    };
    for (const Case& c : {Case{"best", "Difference"},
                          {"gjk", "Difference"},
                          {"dobkin_kirkpatrick", "Difference"},
                          {"separating_vector", "Difference"},
                          {"separating_vector", "Directions"},
                          {"interior_point", "Difference"},
                          {"lp_exact", "Difference"},
                          {"sat_brute", "Difference"},
                          {"mesh_bvh", "Pairs of boxes per level"},
                          {"box_tree", "Boxes per level"},
                          {"depth_buffer", "Depth picture"}}) {
        use_pair_algorithm(c.id);
        inspect({}, true);
        EXPECT_TRUE(inspector.marks().insets.empty()) << c.id << ": not requested";
        inspect({true, 0, false, nullptr}, false);
        EXPECT_TRUE(inspector.marks().insets.empty()) << c.id << ": nothing looks at it";
        std::size_t with = 0;
        const std::size_t count = out.steps.count;
        ASSERT_GT(count, 0u) << c.id;
        for (std::size_t step = 1; step <= count; ++step) {
            inspect({true, step, true, nullptr}, true);
            const ViewInset* inset = inset_of(inspector, c.title);
            if (inset == nullptr) continue;
            ++with;
            EXPECT_FALSE(inset->points.empty()) << c.id << " step " << step;
            for (const ViewInset::Point& p : inset->points)
                EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y)) << c.id << " step " << step;
        }
        EXPECT_GE(with + 1, count) << c.id << ": the picture of depths starts with the second step";
    }
}

TEST(DifferenceInset, it_turns_with_the_camera_and_holds_the_origin_if_and_only_if_bodies_collide) {
    const collision::ShapePtr
        box = collision::make_primitive_shape(collision::Primitive::box, 12, 1, 1).value(),
        ball = collision::make_primitive_shape(collision::Primitive::uv_sphere, 30, 1, 1).value();
    std::size_t inside = 0, outside = 0;
    collision::Random random(9);
    for (int i = 0; i < 60; ++i) {
        collision::Scratch scratch;
        const collision::Pose a{collision::random_rotation(random, 0, 3), 3.0 * random.unit_vector()};
        collision::Pose b{collision::random_rotation(random, 0, 3),
                          random.uniform(0.2, 2.4) * random.unit_vector()};
        b.translation += a.translation;
        const collision::PairQuery query = make_pair_query(*box, to_matrix(a), *ball, to_matrix(b), scratch);
        collision::TraceRecord trace;
        collision::PairCache cache;
        const auto result = run_query(*collision::find_pair_algorithm("gjk"), query, cache, &trace);
        DifferenceBody body;
        body.update(query.a, query.b);
        EXPECT_EQ(body.sampled(), 0u);
        bool seen_outside = false;
        std::vector<ViewInset::Point> before;
        for (int k = 0; k < 200; ++k) {  // a convex body holds a point if every view of it does
            const collision::Vec3d towards = random.unit_vector();
            const collision::Vec3d right = normalized(cross(towards, random.unit_vector()));
            const ViewInset inset = difference_inset(trace, trace.steps() - 1, false, body,
                                                     {right, cross(towards, right), towards});
            ASSERT_FALSE(inset.fills.empty());
            const ViewInset::Fill& outline = inset.fills[0];  // clockwise
            const ViewInset::Point origin = inset.marks.back().at;
            EXPECT_EQ(inset.marks.back().text, "0");
            for (std::uint32_t n = 0; n < outline.count; ++n) {
                const ViewInset::Point &p = inset.points[outline.first + n],
                                       &q = inset.points[outline.first + (n + 1) % outline.count];
                EXPECT_TRUE(p.x > 0 && p.x < 1 && p.y > 0 && p.y < 1);
                const float side = (q.x - p.x) * (origin.y - p.y) - (q.y - p.y) * (origin.x - p.x);
                seen_outside = seen_outside || side > 1e-5f;
            }
            if (!before.empty()) {
                EXPECT_NE(before[0].x, inset.points[0].x) << "it has turned";
            }
            before = inset.points;
        }
        const bool colliding = result.verdict == collision::Verdict::colliding;
        if (colliding) {
            EXPECT_FALSE(seen_outside);
        }
        (colliding ? inside : outside) += 1;
        if (!colliding && result.certificate.kind == collision::CertificateKind::separating_axis) {
            // Seen across the separating axis, the origin is outside.
            const collision::Vec3d up = normalized(collision::Vec3d(result.certificate.axis_w));
            const collision::Vec3d right = normalized(
                cross(up, std::abs(up.x) < 0.6 ? collision::Vec3d{1, 0, 0} : collision::Vec3d{0, 1, 0}));
            const ViewInset inset = difference_inset(trace, 0, false, body, {right, up, cross(right, up)});
            const float origin = inset.marks.back().at.y;
            const ViewInset::Fill& outline = inset.fills[0];
            for (std::uint32_t n = 0; n < outline.count; ++n)
                EXPECT_LT(inset.points[outline.first + n].y, origin + 1e-5f);
        }
    }
    EXPECT_GT(inside, 10u);
    EXPECT_GT(outside, 10u);
}

TEST_F(StepsTest, continuous_algorithms_show_the_bodies_at_the_time_of_the_step) {
    pause_at_a_hit(collision::Primitive::ellipsoid_hull, 20);
    Bridge bridge(*renderer_);
    Inspector inspector;
    Inspection out;
    std::uint32_t picks[2] = {0, 1};
    ASSERT_TRUE(find_colliding(picks));
    bridge.build(session(), {}, {});
    inspector.inspect(session(), bridge, picks[0], picks[1], {}, out);
    EXPECT_FALSE(out.steps.moves) << "seen once";
    run_unseen(1);
    bridge.build(session(), {}, {});
    std::size_t asked = 0;
    for (const collision::ContinuousAlgorithm* algorithm : collision::continuous_algorithms()) {
        inspector.look_from({});
        inspector.inspect(session(), bridge, picks[0], picks[1], {true, 1, false, algorithm}, out);
        EXPECT_TRUE(out.steps.moves);
        if (out.steps.count == 0) continue;
        ++asked;
        EXPECT_GT(inspector.marks().lines.size(), 30u) << algorithm->id << ": edges of both bodies";
        EXPECT_NE(inset_of(inspector, "Time "), nullptr) << algorithm->id;
        EXPECT_EQ(out.steps.rows.front().key, "First contact") << algorithm->id;
    }
    EXPECT_GE(asked, 2u);
}

/// With CLAYBOX_GALLERY also pictures of all algorithms in both themes, for people to look at.
TEST_F(StepsTest, insets_fit_beside_the_scene_at_every_size) {
    struct Size {
        int width, height;
    };
    const bool kept = std::getenv("CLAYBOX_GALLERY") != nullptr;
    for (const Size& size : {Size{1024, 640}, Size{1280, 800}, Size{1920, 1200}}) {
        use_window(size.width, size.height);
        pause_at_a_hit(collision::Primitive::ellipsoid_hull, 14);
        for (const bool dark : {false, true}) {
            if (dark && !kept) break;
            sandbox_->state().dark = dark;
            for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
                const bool always = std::string_view(algorithm->id) == "separating_vector";
                if (!always && !kept) continue;
                use_pair_algorithm(algorithm->id);
                sandbox_->state().trace = {true, 0, false, nullptr};
                frames(4);
                for (const engine::WidgetRecord& r : ui_->log().records) {
                    EXPECT_STRNE(r.kind, "cut")
                        << algorithm->id << ": '" << r.label << "' as '" << r.value << "'";
                    if (std::string_view(r.kind) != "inset") continue;
                    EXPECT_GE(r.y0, 0) << r.label;
                    EXPECT_LT(r.y1, static_cast<float>(size.height) - 50) << r.label;
                    EXPECT_LT(r.x1, 0.5f * static_cast<float>(size.width)) << r.label;
                }
                if (always) {
                    EXPECT_NE(ui_->log().find("Directions", "inset"), nullptr);
                }
                keep("inside-" + std::to_string(size.width) + (dark ? "-dark-" : "-") + algorithm->id);
            }
        }
        if (!kept) break;
    }
}

TEST_F(StepsTest, the_card_chooses_a_continuous_algorithm_for_a_pair_that_moves) {
    for (const auto& [width, height] : {std::pair{1024, 640}, {1280, 800}}) {
        use_window(width, height);
        pause_at_a_hit(collision::Primitive::ellipsoid_hull, 20);
        sandbox_->state().trace = {true, 0, false, nullptr};
        sandbox_->state().paused = false;
        frames(2);
        sandbox_->state().paused = true;
        frames(6);
        reveal("Steps of", "combo");
        ASSERT_NE(widget("Steps of", "combo"), nullptr);
        for (const collision::ContinuousAlgorithm* algorithm : collision::continuous_algorithms()) {
            sandbox_->state().trace = {true, 0, false, algorithm};
            frames(5);
            reveal("Steps of", "combo");
            EXPECT_NE(widget("Steps of", "combo"), nullptr) << algorithm->id;
            for (const engine::WidgetRecord& r : ui_->log().records)
                EXPECT_STRNE(r.kind, "cut")
                    << algorithm->id << ": '" << r.label << "' as '" << r.value << "'";
            keep("motion-" + std::to_string(width) + "-" + algorithm->id);
        }
        if (std::getenv("CLAYBOX_GALLERY") == nullptr) break;
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
    const std::size_t last = (lines({true, 0, false, nullptr}), out.steps.count);
    ASSERT_GT(last, 2u);
    for (std::size_t step = 1; step <= last; ++step) {
        all += lines({true, step, false, nullptr});
        EXPECT_EQ(out.steps.shown, step);
        EXPECT_EQ(lines({true, step, true, nullptr}), all) << "earlier steps are drawn, too";
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
