// The workbench: every edit through StepInput, undo and redo, limits, and runs that do not depend on workers
// or broad phase.

#include "app/scenes/body_drag.hpp"
#include "app/scenes/workbench/edit_history.hpp"
#include "app/scenes/workbench/start_set.hpp"
#include "tests/session/random_edits.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

using collision::kNoIndex;
using collision::Pose;
using collision::Vec3d;

enum Action : std::uint32_t { kUndoAction, kRedoAction, kDeleteAll };

class Workbench : public testing::Test {
  protected:
    void begin(double bodies) {
        SessionOptions options = options_for("workbench");
        set(options, "bodies", bodies);
        session_ = start(options);
    }
    void frame(std::vector<BodyEdit> edits = {}, std::vector<std::uint32_t> actions = {},
               bool frozen = false) {
        StepInput input;
        input.edits = std::move(edits);
        input.actions = std::move(actions);
        input.frozen = frozen;
        session_->step(input);
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) frame();
    }
    void drag(std::uint32_t body, const Vec3d& from, const Vec3d& step, int count, bool let_go = true,
              bool frozen = false) {
        for (int i = 1; i <= count; ++i)
            frame({edit_of(BodyEdit::Kind::hold, body, from + step * i)}, {}, frozen);
        if (let_go) frame({edit_of(BodyEdit::Kind::let_go, body)}, {}, frozen);
    }
    std::vector<PlacedBody> bodies() { return session_->scene().bodies(); }
    Vec3d place(std::size_t i) { return bodies().at(i).pose.translation; }
    std::size_t events(SceneEvent::Kind kind, const std::string& text) {
        std::size_t count = 0;
        for (const SceneEvent& e : session_->output().events)
            count += e.kind == kind && e.text == text ? 1 : 0;
        return count;
    }
    std::unique_ptr<Session> session_;
};

TEST_F(Workbench, every_named_shape_is_made_in_the_given_size_and_no_other_name) {
    for (const char* name : body_shape_names()) {
        EXPECT_TRUE(is_body_shape(name));
        const auto shape = make_body_shape(name, 80, {});
        ASSERT_TRUE(shape.ok()) << name;
        float reach = 0;
        for (const collision::Vec3f& p : shape.value()->geometry().positions)
            reach = std::max(reach, length(p));
        EXPECT_GT(reach, 0.0799f) << name;
        EXPECT_LE(reach, 0.0800001f) << name;
        EXPECT_TRUE(shape.value()->classification().closed) << name;
    }
    const auto wrong = make_body_shape("cubus", 80, {});
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.error().message, "unknown shape 'cubus'");
    EXPECT_FALSE(is_body_shape("mesh0"));
    EXPECT_FALSE(is_body_shape("mesh1x"));
    EXPECT_TRUE(is_body_shape("mesh12"));
    EXPECT_FALSE(make_body_shape("mesh1", 80, {}).ok());
}

TEST_F(Workbench, bodies_rest_until_somebody_moves_them) {
    begin(10);
    const auto before = bodies();
    ASSERT_EQ(before.size(), 10u);
    frames(100);
    EXPECT_EQ(bodies(), before);
    EXPECT_GT(figure(*session_, "contacts"), 0) << "the start set shows a collision";
}

TEST_F(Workbench, an_added_body_is_there_and_collides_with_what_it_overlaps) {
    begin(0);
    frame({add_edit("cube", {0, 0.3, 0}), add_edit("ring", {0.5, 0.3, 0})});
    ASSERT_EQ(bodies().size(), 2u);
    EXPECT_EQ(session_->scene().newest_body(), 1u);
    EXPECT_EQ(events(SceneEvent::Kind::edited, "Add body 1"), 1u);
    frames(2);
    EXPECT_EQ(figure(*session_, "contacts"), 0);
    frame({add_edit("ball", {0.03, 0.3, 0})});
    frames(2);
    EXPECT_EQ(figure(*session_, "contacts"), 1);
    EXPECT_EQ(session_->world().body_count(), 3u);
    EXPECT_EQ(session_->scene().describe_pick(1).rfind("Body 1: ring, ", 0), 0u);
    EXPECT_EQ(session_->scene().describe_pick(7), "");
}

TEST_F(Workbench, a_body_outside_the_room_is_put_inside) {
    begin(0);
    frame({add_edit("cube", {50, -50, 3})});
    const Vec3d p = place(0);
    EXPECT_NEAR(p.x, 0.94, 1e-6);
    EXPECT_NEAR(p.y, 0.06, 1e-6);
    EXPECT_NEAR(p.z, 0.49, 1e-6);
}

TEST_F(Workbench, a_copy_has_the_shape_of_its_original) {
    begin(0);
    frame({add_edit("gear", {0, 0.3, 0}, 90)});
    frame({edit_of(BodyEdit::Kind::copy, 0, {0.2, 0.3, 0})});
    ASSERT_EQ(bodies().size(), 2u);
    EXPECT_EQ(bodies()[1].shape, "gear");
    EXPECT_EQ(bodies()[1].size, 90);
    EXPECT_EQ(place(1).x, 0.2);
}

TEST_F(Workbench, removing_a_body_ends_its_collisions) {
    begin(0);
    frame({add_edit("cube", {0, 0.3, 0}), add_edit("cube", {0.02, 0.3, 0})});
    frames(2);
    ASSERT_EQ(figure(*session_, "contacts"), 1);
    frame({edit_of(BodyEdit::Kind::remove, 0)});
    EXPECT_EQ(figure(*session_, "contacts"), 0);
    frames(2);
    EXPECT_EQ(session_->world().body_count(), 1u);
    SceneView view;
    session_->scene().view({}, view);
    for (const Drawable& d : view.drawables) EXPECT_FALSE(d.colliding);
}

TEST_F(Workbench, a_dragged_body_follows_and_a_rested_hand_puts_it_down) {
    begin(0);
    frame({add_edit("cube", {0, 0.3, 0})});
    drag(0, {0, 0.3, 0}, {0.01, 0, 0}, 20, false);
    EXPECT_DOUBLE_EQ(place(0).x, 0.2);
    for (int i = 0; i < 8; ++i) frame({edit_of(BodyEdit::Kind::hold, 0, {0.2, 0.3, 0})});
    frame({edit_of(BodyEdit::Kind::let_go, 0)});
    frames(30);
    EXPECT_DOUBLE_EQ(place(0).x, 0.2);
}

TEST_F(Workbench, a_thrown_body_flies_on_slows_down_and_bounces_off_the_wall) {
    begin(0);
    frame({add_edit("cube", {0, 0.3, 0})});
    drag(0, {0, 0.3, 0}, {0.02, 0, 0}, 10);
    EXPECT_NEAR(bodies()[0].velocity.x, 0.02 * 0.98, 1e-12) << "the speed of the hand, one frame later";
    double farthest = 0;
    bool came_back = false;
    for (int i = 0; i < 600; ++i) {
        frame();
        farthest = std::max(farthest, place(0).x);
        came_back = came_back || bodies()[0].velocity.x < 0;
    }
    EXPECT_NEAR(farthest, 0.94, 1e-6) << "up to the wall";
    EXPECT_TRUE(came_back);
    EXPECT_EQ(bodies()[0].velocity, Vec3d{}) << "it has stopped";
    EXPECT_LT(place(0).x, 0.94);
}

TEST_F(Workbench, undo_and_redo_lead_back_and_on_through_every_edit) {
    begin(0);
    std::vector<std::vector<PlacedBody>> states{bodies()};
    frame({add_edit("cube", {0, 0.3, 0})});
    states.push_back(bodies());
    frame({edit_of(BodyEdit::Kind::copy, 0, {0.3, 0.3, 0})});
    states.push_back(bodies());
    drag(0, {0, 0.3, 0}, {0, 0.01, 0}, 10, false);
    for (int i = 0; i < 8; ++i) frame({edit_of(BodyEdit::Kind::hold, 0, {0, 0.4, 0})});
    frame({edit_of(BodyEdit::Kind::let_go, 0)});
    states.push_back(bodies());
    frame({edit_of(BodyEdit::Kind::remove, 1)});
    states.push_back(bodies());
    frame({}, {kDeleteAll});
    states.push_back(bodies());
    ASSERT_TRUE(states.back().empty());
    for (int round = 0; round < 3; ++round) {
        for (std::size_t i = states.size() - 1; i-- > 0;) {
            frame({}, {kUndoAction});
            EXPECT_EQ(bodies(), states[i]) << i;
        }
        frame({}, {kUndoAction});
        EXPECT_EQ(events(SceneEvent::Kind::refused, "Nothing to undo"), 1u);
        for (std::size_t i = 1; i < states.size(); ++i) {
            frame({}, {kRedoAction});
            EXPECT_EQ(bodies(), states[i]) << i;
        }
        frame({}, {kRedoAction});
        EXPECT_EQ(events(SceneEvent::Kind::refused, "Nothing to redo"), 1u);
    }
}

TEST_F(Workbench, undo_of_a_throw_brings_the_body_back_and_redo_to_where_it_had_come) {
    begin(0);
    frame({add_edit("cube", {0, 0.3, 0})});
    drag(0, {0, 0.3, 0}, {0.01, 0, 0}, 10);
    frames(20);
    const auto flying = bodies();
    frame({}, {kUndoAction}, true);
    EXPECT_EQ(place(0).x, 0);
    EXPECT_EQ(bodies()[0].velocity, Vec3d{});
    frames(5);
    EXPECT_EQ(place(0).x, 0);
    frame({}, {kRedoAction}, true);
    EXPECT_EQ(bodies(), flying);
}

TEST_F(Workbench, undo_during_a_drag_takes_the_drag_back) {
    begin(0);
    frame({add_edit("cube", {0, 0.3, 0})});
    drag(0, {0, 0.3, 0}, {0.01, 0, 0}, 10, false);
    frame({}, {kUndoAction});
    EXPECT_EQ(place(0).x, 0);
    EXPECT_EQ(figure(*session_, "undo"), 1) << "the body is still there";
}

TEST_F(Workbench, a_body_that_undo_removes_while_it_is_dragged_is_let_go) {
    begin(0);
    frame({add_edit("cube", {0, 0.3, 0})});
    drag(0, {0, 0.3, 0}, {0.01, 0, 0}, 4, false);
    frame({}, {kUndoAction, kUndoAction});
    EXPECT_TRUE(bodies().empty());
    drag(0, {0, 0.3, 0}, {0.01, 0, 0}, 4);
    EXPECT_TRUE(bodies().empty()) << "edits of a body that is not there do nothing";
    frame({edit_of(BodyEdit::Kind::copy, 0), edit_of(BodyEdit::Kind::remove, 0),
           edit_of(BodyEdit::Kind::hold, kNoIndex), edit_of(BodyEdit::Kind::remove, 12345)});
    EXPECT_TRUE(bodies().empty());
    frame({}, {kRedoAction});
    EXPECT_EQ(bodies().size(), 1u);
}

TEST_F(Workbench, a_body_that_is_removed_while_it_is_dragged_can_be_brought_back) {
    begin(0);
    frame({add_edit("cube", {0, 0.3, 0})});
    drag(0, {0, 0.3, 0}, {0.01, 0, 0}, 10, false);
    frame({edit_of(BodyEdit::Kind::remove, 0)});
    EXPECT_TRUE(bodies().empty());
    frame({}, {kUndoAction}, true);
    EXPECT_DOUBLE_EQ(place(0).x, 0.1);
    frame({}, {kUndoAction}, true);
    EXPECT_EQ(place(0).x, 0);
}

TEST_F(Workbench, while_time_stands_a_dragged_body_moves_and_nothing_else_does) {
    begin(0);
    frame({add_edit("cube", {-0.5, 0.3, 0}), add_edit("cube", {0.5, 0.3, 0})});
    drag(0, {-0.5, 0.3, 0}, {0.01, 0, 0}, 10);
    const Vec3d flying = place(0);
    drag(1, {0.5, 0.3, 0}, {0, 0.01, 0}, 10, true, true);
    EXPECT_EQ(place(0), flying);
    EXPECT_DOUBLE_EQ(place(1).y, 0.4);
    EXPECT_EQ(bodies()[1].velocity, Vec3d{}) << "put down, not thrown";
    frame();
    EXPECT_GT(place(0).x, flying.x);
}

TEST_F(Workbench, ten_thousand_bodies_and_not_one_more_and_all_of_them_can_be_deleted) {
    begin(0);
    const auto grid = start_set(kMaxPlacedBodies, 1);
    ASSERT_EQ(grid.size(), kMaxPlacedBodies);
    std::vector<BodyEdit> edits;
    for (const PlacedBody& body : grid) {
        edits.push_back(add_edit(body.shape.c_str(), body.pose.translation, body.size));
        edits.back().pose = body.pose;
    }
    frame(edits);
    EXPECT_EQ(session_->world().body_count(), kMaxPlacedBodies);
    frame({edits[0]});
    EXPECT_EQ(session_->world().body_count(), kMaxPlacedBodies);
    EXPECT_EQ(events(SceneEvent::Kind::refused, "There are 10000 bodies already"), 1u);
    frame({edit_of(BodyEdit::Kind::copy, 5)});
    EXPECT_EQ(session_->world().body_count(), kMaxPlacedBodies);
    const auto before = bodies();
    frame({}, {kDeleteAll});
    EXPECT_TRUE(bodies().empty());
    frame();
    EXPECT_EQ(session_->report().pass.colliding, 0u);
    frame({}, {kUndoAction});
    EXPECT_EQ(bodies(), before);
    frame({}, {kDeleteAll});
    frame({}, {kDeleteAll});
    EXPECT_EQ(events(SceneEvent::Kind::refused, "There is no body to delete"), 1u);
}

TEST_F(Workbench, an_unknown_mesh_is_refused_in_a_sentence) {
    begin(0);
    frame({add_edit("mesh3", {0, 0.3, 0})});
    EXPECT_TRUE(bodies().empty());
    EXPECT_EQ(events(SceneEvent::Kind::refused, "there is no mesh 3 among the mesh files"), 1u);
}

TEST_F(Workbench, a_mesh_can_be_offered_while_the_scene_runs) {
    begin(2);
    frames(3);
    const auto mesh = collision::Shape::from_polygons(gear_mesh(5), "five.obj");
    ASSERT_TRUE(mesh.ok());
    session_->add_mesh(mesh.value(), "five.obj");
    frame({add_edit("mesh1", {0, 0.6, 0})});
    ASSERT_EQ(bodies().size(), 3u);
    EXPECT_EQ(bodies()[2].shape, "mesh1");
    EXPECT_EQ(session_->scene().describe_pick(2).rfind("Body 2: five.obj, ", 0), 0u);
}

TEST_F(Workbench, given_bodies_replace_the_start_set_bit_for_bit) {
    begin(10);
    frame({add_edit("cube", {0, 0.3, 0})});
    drag(10, {0, 0.3, 0}, {0.013, 0.007, 0.001}, 9);
    frames(3);
    SessionOptions options = session_->options();
    options.bodies = bodies();
    ASSERT_NE(options.bodies->back().velocity, Vec3d{});
    const auto again = start(options);
    EXPECT_EQ(again->scene().bodies(), *options.bodies);
    options.bodies->clear();
    EXPECT_TRUE(start(options)->scene().bodies().empty()) << "an empty bench is a set of bodies, too";
    options.bodies = std::vector<PlacedBody>(kMaxPlacedBodies + 1, PlacedBody{"cube", 60, {}, {}, {}});
    EXPECT_FALSE(Session::create(options).ok());
}

TEST_F(Workbench, another_number_of_bodies_takes_the_place_of_the_given_ones) {
    SessionOptions options = options_for("workbench");
    options.bodies.emplace();
    session_ = start(options);
    set_one(*session_, "bodies", 4);
    EXPECT_EQ(bodies().size(), 4u);
    EXPECT_FALSE(session_->options().bodies.has_value());
}

/// A run with every kind of edit, from a seed.
std::vector<std::uint64_t> random_session(const SessionOptions& options, std::uint64_t seed, int count) {
    const auto session = start(options);
    RandomEdits user(seed);
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < count; ++i) {
        hashes.push_back(session->step(user.next()).state_hash);
        for (const PlacedBody& placed : session->scene().bodies())
            EXPECT_TRUE(is_place(placed.pose)) << "frame " << i;
    }
    return hashes;
}

TEST_F(Workbench, random_edits_give_the_same_hashes_for_every_number_of_workers_and_broad_phase) {
    const SessionOptions plain = options_for("workbench");
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto expected = random_session(plain, seed, 300);
        for (const char* broad : {"tree", "octree", "all_pairs"})
            for (const unsigned workers : {1u, 3u}) {
                SessionOptions options = plain;
                options.settings.broad_phase = collision::find_broad_phase(broad);
                options.settings.broad_parameters =
                    collision::default_values(options.settings.broad_phase->parameters);
                options.settings.parallel =
                    workers > 1 ? collision::ParallelMode::pairs : collision::ParallelMode::serial;
                options.settings.workers = workers;
                EXPECT_EQ(random_session(options, seed, 300), expected) << broad << ' ' << workers;
            }
    }
}

TEST(Drags, the_motion_of_a_throw_is_the_mean_of_the_last_frames_and_limited) {
    Drag drag;
    drag.begin(3, {});
    EXPECT_TRUE(drag.holds(3));
    EXPECT_FALSE(drag.holds(4));
    for (int i = 1; i <= 6; ++i)
        drag.follow({collision::axis_angle({0, 1, 0}, 0.02 * i), {0.01 * i, 0, 0}}, false);
    const FreeMotion motion = drag.let_go(false);
    EXPECT_NEAR(motion.velocity.x, 0.01, 1e-12);
    EXPECT_NEAR(motion.spin.y, 0.02, 1e-12);
    EXPECT_FALSE(drag.active());
    drag.begin(3, {});
    for (int i = 1; i <= 6; ++i) drag.follow({{}, {5.0 * i, 0, 0}}, false);
    EXPECT_LE(length(drag.let_go(false).velocity), 0.0600001);
    drag.begin(3, {});
    for (int i = 1; i <= 6; ++i) drag.follow({{}, {0.01 * i, 0, 0}}, true);
    EXPECT_TRUE(drag.let_go(false).rests()) << "the hand moved while time stood";
}

TEST(EditHistories, forget_the_oldest_edits_when_they_hold_too_many_changes) {
    EditHistory history;
    EXPECT_EQ(history.undo(), nullptr);
    EXPECT_EQ(history.redo(), nullptr);
    const RecordedEdit large{"Delete all bodies", std::vector<BodyChange>(10000)};
    for (int i = 0; i < 40; ++i) history.add(large);
    EXPECT_EQ(history.undoable(), EditHistory::kMaxChanges / 10000);
    for (int i = 0; i < 5; ++i) ASSERT_NE(history.undo(), nullptr);
    EXPECT_EQ(history.redoable(), 5u);
    history.add({"Add body 1", std::vector<BodyChange>(1)});
    EXPECT_EQ(history.redoable(), 0u);
    EXPECT_EQ(history.undoable(), 16u);
    EXPECT_EQ(history.undo()->text, "Add body 1");
}

TEST(PlacedBodies, are_read_as_they_were_written_bit_for_bit) {
    collision::Random random(5);
    for (int i = 0; i < 500; ++i) {
        PlacedBody body;
        body.shape = body_shape_names()[random.below(18)];
        body.size = random.uniform(kMinBodySize, kMaxBodySize);
        body.pose = {collision::random_rotation(random, 0, 3), random.unit_vector() * random.uniform(0, 900)};
        if (random.below(2) == 0) body.velocity = random.unit_vector() * 1e-3;
        if (random.below(2) == 0) body.spin = random.unit_vector() * 0.1;
        const auto read = read_placed_body(to_text(body));
        ASSERT_TRUE(read.ok()) << read.error().text();
        EXPECT_EQ(read.value(), body) << to_text(body);
    }
}

TEST(PlacedBodies, faults_say_what_was_expected) {
    const auto error = [](const char* text) {
        const auto read = read_placed_body(text);
        EXPECT_FALSE(read.ok()) << text;
        return read.ok() ? std::string() : read.error().message;
    };
    EXPECT_EQ(error("cube 60 0 0 0"),
              "expected SHAPE SIZE X Y Z and a rotation W X Y Z, or six more numbers of a motion");
    EXPECT_EQ(
        error("cubus 60 0 0 0 1 0 0 0").rfind("unknown shape 'cubus', expected one of dodecahedron, ", 0),
        0u);
    EXPECT_EQ(error("cube 60 0 nan 0 1 0 0 0"), "'nan' is not a number");
    EXPECT_EQ(error("cube 60 0 1e999 0 1 0 0 0"), "'1e999' is not a number");
    EXPECT_EQ(error("cube 1 0 0 0 1 0 0 0"), "size 1: expected 10 to 400 mm");
    EXPECT_EQ(error("cube 60 0 0 2000 1 0 0 0"), "the place is farther away than 1000 m");
    EXPECT_EQ(error("cube 60 0 0 0 0 0 0 0"), "the rotation is not a quaternion of about unit length");
    EXPECT_EQ(error("cube 60 0 0 0 1 0 0 0 99 0 0 0 0 0"),
              "the motion is faster than 10 m or radians per frame");
}

}  // namespace
}  // namespace claybox::app
