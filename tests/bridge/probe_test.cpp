// The probe and the rows about the selected body.

#include "tests/bridge/sandbox_fixture.hpp"

#include <cmath>

namespace claybox::app {
namespace {

constexpr int kLetterI = 73;

class ProbeTest : public SandboxTest {
  protected:
    void SetUp() override {
        SandboxTest::SetUp();
        use_window(900, 640);
    }
    /// Two cubes of 100 mm side along X, 200 mm between their faces, seen from the front.
    void two_cubes() {
        SessionOptions options;
        options.scene = "workbench";
        options.scene_parameters = collision::default_values(find_scene("workbench")->parameters);
        const double radius = 50 * std::sqrt(3.0);
        options.bodies = std::vector<PlacedBody>{{"cube", radius, {{}, {-0.15, 0.3, 0}}, {}, {}},
                                                 {"cube", radius, {{}, {0.15, 0.3, 0}}, {}, {}}};
        auto session = Session::create(options);
        ASSERT_TRUE(session.ok());
        sandbox_.reset();
        sandbox_ = std::make_unique<Sandbox>(*renderer_, *ui_, std::move(session).value(), Settings{});
        sandbox_->set_patience(1e6);
        sandbox_->state().hint = false;
        frames(2);
    }
    std::pair<float, float> seen(const glm::vec3& p) {
        Camera camera;
        camera.frame(session().scene().camera());
        const float s = ui_->scale(), w = static_cast<float>(width_), h = static_cast<float>(height_);
        const engine::CameraData data = camera.data(width_, height_, s, {80 * s, 0, w - 328 * s, h - 56 * s});
        std::pair<float, float> out;
        project(clip_matrix(data, width_, height_, s), width_, height_, p, out.first, out.second);
        return out;
    }
    void point(const glm::vec3& p) {
        const auto [x, y] = seen(p);
        ui_->inject_mouse(x, y, false);
        frames(2);
    }
    std::string row(const std::string& key) {
        for (const ReportRow& r : sandbox_->probed().rows)
            if (r.key == key) return r.value;
        return "no row " + key;
    }
    ProbeRequest& probe() { return sandbox_->state().probe; }
    bool labelled(const std::string& text) {
        for (const ScreenLabel& l : sandbox_->labels())
            if (l.text.find(text) != std::string::npos) return true;
        return false;
    }
};

TEST_F(ProbeTest, a_key_switches_it_on_and_off_and_off_costs_nothing) {
    two_cubes();
    EXPECT_TRUE(sandbox_->probed().rows.empty());
    ui_->inject_key(kLetterI);
    frames(1);
    point({-0.15f, 0.3f, 0.05f});
    EXPECT_TRUE(probe().on);
    EXPECT_FALSE(sandbox_->probed().rows.empty());
    ui_->inject_key(kLetterI);
    frames(2);
    EXPECT_FALSE(probe().on);
    EXPECT_TRUE(sandbox_->probed().rows.empty());
}

TEST_F(ProbeTest, a_lifted_point_tells_its_distance_from_the_surface) {
    two_cubes();
    probe().on = true;
    probe().shape = ProbeShape::point;
    probe().lift = 30;
    point({-0.15f, 0.3f, 0.05f});  // the middle of a front face
    EXPECT_EQ(row("Nearest body"), "Body 0");
    EXPECT_EQ(row("Distance"), "30.0 mm");
    EXPECT_TRUE(labelled("30.0 mm to Body 0"));
    point({0.15f, 0.3f, 0.05f});
    EXPECT_EQ(row("Nearest body"), "Body 1");
}

TEST_F(ProbeTest, a_box_is_cast_against_the_first_body_on_the_way) {
    two_cubes();
    probe().on = true;
    probe().question = ProbeQuestion::cast;
    for (const ProbeShape shape : {ProbeShape::point, ProbeShape::ray, ProbeShape::ball, ProbeShape::box}) {
        probe().shape = shape;
        point({0.15f, 0.3f, 0.05f});
        EXPECT_EQ(row("First body"), "Body 1") << static_cast<int>(shape);
    }
    point({0.0f, 0.75f, 0.0f});
    EXPECT_EQ(row("Hits"), "Nothing");
}

TEST_F(ProbeTest, a_large_ball_overlaps_both_cubes_and_a_small_one_only_the_near_one) {
    two_cubes();
    probe().on = true;
    probe().question = ProbeQuestion::overlap;
    probe().lift = 0;
    probe().size = 20;
    point({0.15f, 0.3f, 0.05f});
    EXPECT_EQ(row("Bodies that it overlaps"), "1");
    EXPECT_TRUE(labelled("Overlaps: Body 1"));
    probe().size = 400;
    frames(2);
    EXPECT_EQ(row("Bodies that it overlaps"), "2");
    probe().shape = ProbeShape::selected;
    frames(2);
    EXPECT_EQ(row("Shape"), "Select a body: the probe gets its shape");
    sandbox_->select(0, false);
    frames(2);
    EXPECT_EQ(row("Bodies that it overlaps"), "1") << "the cube at the pointer";
}

TEST_F(ProbeTest, it_follows_bodies_that_are_added_and_works_in_concurrent_mode) {
    two_cubes();
    collision::WorldSettings settings = session().settings();
    settings.concurrent = true;
    session().set_settings(settings);
    probe().on = true;
    probe().question = ProbeQuestion::overlap;
    probe().size = 400;
    probe().lift = 0;
    point({0.15f, 0.3f, 0.05f});
    EXPECT_EQ(row("Bodies that it overlaps"), "2");
    PanelRequests add;
    add.edit = EditRequest::add;
    sandbox_->carry_out(add);
    frames(3);
    EXPECT_EQ(row("Bodies that it overlaps"), "3");
}

TEST_F(ProbeTest, every_scene_answers_without_a_fault) {
    for (const SceneDescriptor* scene : scenes()) {
        sandbox_->carry_out(Command{Command::Kind::scene, scene->id});
        frames(2);
        probe().on = true;
        for (int shape = 0; shape < 5; ++shape)
            for (int question = 0; question < 3; ++question) {
                probe().shape = static_cast<ProbeShape>(shape);
                probe().question = static_cast<ProbeQuestion>(question);
                ui_->inject_mouse(330, 300, false);
                frames(1);
                EXPECT_FALSE(sandbox_->probed().rows.empty()) << scene->id;
            }
    }
}

TEST_F(ProbeTest, the_inspector_describes_the_body_and_a_click_on_a_pair_selects_the_partner) {
    start("workbench", "bodies", 10);
    sandbox_->state().hint = false;
    frames(3);
    sandbox_->select(2, false);
    frames(2);
    open_card("Inspect");
    click_in_column("About the body", "fold");
    frames(3);
    const ObjectReport& object = sandbox_->object();
    ASSERT_FALSE(object.shape.empty());
    EXPECT_EQ(object.shape[0].value, "8, 12, 6");
    EXPECT_EQ(object.shape[1].value, "Convex");
    // A cube in a sphere of 105 mm: side 2 * 105 / sqrt(3) mm.
    EXPECT_NEAR(std::stod(object.shape[2].value), std::pow(2 * 10.5 / std::sqrt(3.0), 3), 3);
    EXPECT_EQ(object.shape[3].value, "Sky") << "the group";
    ASSERT_FALSE(object.pairs.empty());
    EXPECT_EQ(object.pairs[0].name, "Body 3");
    EXPECT_EQ(object.pairs[0].verdict, collision::Verdict::colliding);
    click_in_column("Body 3", "value");
    frames(2);
    EXPECT_EQ(sandbox_->inspection().rows.at(0).key, "Other body");
    EXPECT_EQ(sandbox_->inspection().rows.at(0).value, "Body 3");
}

}  // namespace
}  // namespace claybox::app
