// Editing bodies in the sandbox with mouse and keys.

#include "app/cli/files/scene_file.hpp"
#include "tests/bridge/sandbox_fixture.hpp"

#include <unistd.h>

namespace claybox::app {
namespace {

constexpr int kInsertKey = 260, kDeleteKey = 261, kLetterD = 68, kLetterZ = 90, kLetterY = 89,
              kLeftControl = 341, kCommaKey = 44, kSpaceKey = 32, kPageDownKey = 267, kRightKey = 262,
              kLeftKey = 263, kEndKey = 269, kUpKey = 265, kLeftShift = 340;

class EditTest : public SandboxTest {
  protected:
    void SetUp() override {
        SandboxTest::SetUp();
        use_window(900, 640);
    }
    void begin(const char* scene, double bodies) {
        start(scene, "bodies", bodies);
        sandbox_->state().hint = false;
        frames(3);
    }
    std::vector<PlacedBody> bodies() { return session().scene().bodies(); }
    /// Where a body is in the window.
    std::pair<float, float> seen_at(std::uint32_t pick) {
        Camera camera;
        camera.frame(session().scene().camera());
        const float s = ui_->scale(), w = static_cast<float>(width_), h = static_cast<float>(height_);
        const engine::CameraData data = camera.data(width_, height_, s, {80 * s, 0, w - 328 * s, h - 56 * s});
        std::pair<float, float> out;
        for (const Drawable& d : sandbox_->view().drawables)
            if (d.pick == pick)
                project(clip_matrix(data, width_, height_, s), width_, height_,
                        {static_cast<float>(d.pose.translation.x), static_cast<float>(d.pose.translation.y),
                         static_cast<float>(d.pose.translation.z)},
                        out.first, out.second);
        return out;
    }
    collision::Vec3d place_of(std::uint32_t pick) {
        for (const Drawable& d : sandbox_->view().drawables)
            if (d.pick == pick) return d.pose.translation;
        ADD_FAILURE() << "no body " << pick;
        return {};
    }
    void mouse(float x, float y, bool down, float wheel = 0) {
        ui_->inject_mouse(x, y, down, wheel);
        frames(1);
    }
    void press(std::uint32_t pick) {
        const auto [x, y] = seen_at(pick);
        mouse(x, y, false);
        mouse(x, y, true);
        x_ = x;
        y_ = y;
    }
    void drag(float dx, float dy, int count) {
        for (int i = 0; i < count; ++i) mouse(x_ += dx, y_ += dy, true);
    }
    void let_go() { mouse(x_, y_, false); }
    void key(int key, bool control = false) {
        ui_->inject_key(key, control);
        frames(2);
    }
    void hold(int key, int count) {
        ui_->inject_held_key(key, true);
        frames(count);
        ui_->inject_held_key(key, false);
        frames(1);
    }
    std::string message() {
        for (const engine::WidgetRecord& r : ui_->log().records)
            if (std::string(r.kind) == "message") return r.label;
        return {};
    }
    float x_ = 0, y_ = 0;
};

TEST_F(EditTest, the_mouse_drags_a_body_and_a_rested_hand_puts_it_down) {
    begin("workbench", 10);
    const auto before = place_of(4);
    press(4);
    drag(-6, -3, 10);
    for (int i = 0; i < 10; ++i) mouse(x_, y_, true);
    let_go();
    frames(5);
    const auto after = place_of(4);
    EXPECT_LT(after.x, before.x - 0.05);
    EXPECT_GT(after.y, before.y + 0.02);
    const auto [x, y] = seen_at(4);
    EXPECT_NEAR(x, x_, 2) << "the body is under the pointer";
    EXPECT_NEAR(y, y_, 2);
    key(kLetterZ, true);
    EXPECT_EQ(place_of(4), before);
    key(kLetterY, true);
    EXPECT_EQ(place_of(4), after);
}

TEST_F(EditTest, a_body_that_is_let_go_in_motion_flies_on) {
    begin("workbench", 10);
    press(4);
    drag(-8, 0, 8);
    let_go();
    const auto thrown = place_of(4);
    frames(20);
    EXPECT_LT(place_of(4).x, thrown.x - 0.05);
}

TEST_F(EditTest, the_wheel_moves_a_dragged_body_away_and_control_turns_it) {
    begin("workbench", 10);
    const auto before = place_of(4);
    press(4);
    drag(-3, 0, 4);
    mouse(x_, y_, true, 2);
    frames(2);
    EXPECT_LT(place_of(4).z, before.z - 0.05);
    const collision::Quat turned_from = bodies()[4].pose.rotation;
    ui_->inject_held_key(kLeftControl, true);
    drag(6, 0, 5);
    ui_->inject_held_key(kLeftControl, false);
    EXPECT_NE(bodies()[4].pose.rotation, turned_from);
    let_go();
}

TEST_F(EditTest, arrow_keys_move_the_selected_body_and_leave_it_there) {
    begin("workbench", 10);
    key(kPageDownKey);
    const std::uint32_t body = 0;
    ASSERT_EQ(sandbox_->inspection().title, "Body 0");
    const auto start_pose = bodies()[body].pose;
    hold(kRightKey, 12);
    hold(kUpKey, 12);
    frames(20);
    const auto moved = place_of(body);
    EXPECT_GT(moved.x, start_pose.translation.x + 0.02);
    EXPECT_GT(moved.y, start_pose.translation.y + 0.02);
    EXPECT_EQ(bodies()[body].pose.rotation, start_pose.rotation);
    frames(20);
    EXPECT_EQ(place_of(body), moved) << "it does not fly on";
    ui_->inject_held_key(kLeftShift, true);
    hold(kUpKey, 12);
    ui_->inject_held_key(kLeftShift, false);
    frames(20);
    const auto away = place_of(body);
    EXPECT_LT(away.z, moved.z - 0.02) << "with Shift: away from the viewer";
    ui_->inject_held_key(kLeftControl, true);
    hold(kRightKey, 12);
    ui_->inject_held_key(kLeftControl, false);
    frames(20);
    EXPECT_EQ(place_of(body), away);
    EXPECT_NE(bodies()[body].pose.rotation, start_pose.rotation) << "with Ctrl: turned";
    for (int undo = 0; undo < 4; ++undo) key(kLetterZ, true);
    EXPECT_EQ(bodies()[body].pose, start_pose) << "each press of a key is one edit";
}

TEST_F(EditTest, arrow_keys_work_while_paused_and_need_a_body) {
    begin("cage", 10);
    hold(kRightKey, 3);
    EXPECT_EQ(message(), "Select a body first: click it (key: Page down)");
    key(kSpaceKey);
    key(kPageDownKey);
    const auto others = place_of(1), before = place_of(0);
    hold(kRightKey, 12);
    frames(5);
    EXPECT_GT(place_of(0).x, before.x + 0.02);
    EXPECT_EQ(place_of(1), others) << "time stands still";
    key(kSpaceKey);
    const auto free = place_of(1);
    hold(kRightKey, 5);
    const auto let_go_at = place_of(0);
    frames(10);
    EXPECT_NE(place_of(1), free) << "time goes on";
    EXPECT_NE(place_of(0), let_go_at) << "the body goes on as before";
    EXPECT_LT(length(place_of(0) - let_go_at), 0.05) << "and is not thrown";
    start("crowd", "bodies", 1000);
    frames(3);
    hold(kRightKey, 3);
    EXPECT_EQ(message(), "") << "without bodies to move, the keys do nothing";
}

TEST_F(EditTest, the_mouse_takes_a_body_over_from_the_keys) {
    begin("workbench", 10);
    key(kPageDownKey);
    ui_->inject_held_key(kRightKey, true);
    frames(10);
    const auto by_keys = place_of(0), taken_at = place_of(4);
    press(4);
    drag(-6, 0, 6);
    EXPECT_LT((place_of(0) - by_keys).x, 0.02) << "the keys have put it down";
    EXPECT_LT(place_of(4).x, taken_at.x - 0.02);
    ui_->inject_held_key(kRightKey, false);
    let_go();
}

TEST_F(EditTest, a_wall_stops_a_body_that_keys_move) {
    begin("cage", 2);
    key(kSpaceKey);
    key(kPageDownKey);
    ui_->inject_held_key(kRightKey, true);
    frames(400);
    const auto wall = place_of(0);
    EXPECT_GT(wall.x, 1.2);
    ui_->inject_held_key(kRightKey, false);
    frames(1);
    hold(kLeftKey, 6);
    EXPECT_LT(place_of(0).x, wall.x - 0.005) << "it comes back at once";
}

TEST_F(EditTest, keys_move_no_body_behind_the_help) {
    begin("workbench", 10);
    key(kPageDownKey);
    sandbox_->state().help = true;
    const auto before = bodies();
    hold(kRightKey, 5);
    EXPECT_EQ(bodies(), before);
}

TEST_F(EditTest, looking_back_during_a_move_puts_the_body_down) {
    begin("workbench", 10);
    key(kPageDownKey);
    const auto before = bodies()[0].pose;
    frames(10);
    ui_->inject_held_key(kRightKey, true);
    frames(10);
    key(kCommaKey);
    ui_->inject_held_key(kRightKey, false);
    frames(2);
    key(kEndKey);
    key(kSpaceKey);
    frames(5);
    EXPECT_NE(bodies()[0].pose, before);
    key(kLetterZ, true);
    EXPECT_EQ(bodies()[0].pose, before) << "the move has ended, so it can be undone";
}

TEST_F(EditTest, a_body_of_a_full_cage_keeps_its_colour_where_it_is_described) {
    begin("cage", 1000);
    sandbox_->select(0, false);
    open_card("Inspect");
    click_in_column("About the body", "fold");
    const SceneView& view = sandbox_->view();
    std::size_t described = 0;
    for (std::uint32_t pick = 0; pick < 1000; pick += 331) {
        sandbox_->select(pick, false);
        frames(2);
        const auto crowd = std::find_if(view.crowds.begin(), view.crowds.end(), [&](const ViewCrowd& c) {
            return pick - c.first_pick < c.positions.size();
        });
        ASSERT_NE(crowd, view.crowds.end());
        const int colour = view.looks[crowd->shades[pick - crowd->first_pick]].colour;
        for (const SceneGroup& group : session().scene().groups())
            for (const ReportRow& row : sandbox_->object().shape)
                if (group.colour == colour && row.key == "Group") {
                    EXPECT_EQ(row.value, group.name) << pick;
                    ++described;
                }
    }
    EXPECT_EQ(described, 4u);
}

TEST_F(EditTest, a_drag_beside_the_bodies_turns_the_camera_and_moves_no_body) {
    begin("workbench", 10);
    const auto before = bodies();
    x_ = 300;
    y_ = 30;
    mouse(x_, y_, false);
    mouse(x_, y_, true);
    drag(10, 0, 6);
    let_go();
    frames(3);
    EXPECT_EQ(bodies(), before);
}

TEST_F(EditTest, keys_add_duplicate_and_delete_and_say_what_they_need) {
    begin("workbench", 0);
    key(kDeleteKey);
    EXPECT_EQ(message(), "Select a body first: click it (key: Page down)");
    key(kInsertKey);
    ASSERT_EQ(bodies().size(), 1u);
    EXPECT_EQ(bodies()[0].shape, "dodecahedron");
    EXPECT_EQ(sandbox_->inspection().title, "Body 0") << "the new body is selected";
    key(kLetterD, true);
    key(kInsertKey);
    ASSERT_EQ(bodies().size(), 3u);
    frames(3);
    EXPECT_EQ(session().report().pass.colliding, 0u) << "new bodies are put where there is room";
    key(kDeleteKey);
    EXPECT_EQ(bodies().size(), 2u);
    for (int i = 0; i < 4; ++i) key(kLetterZ, true);
    EXPECT_TRUE(bodies().empty());
    key(kLetterZ, true);
    EXPECT_EQ(message(), "Nothing to undo");
}

TEST_F(EditTest, buttons_of_the_scene_card_edit_too) {
    begin("workbench", 0);
    click_in_column("Add", "button");
    click_in_column("Duplicate", "button");
    EXPECT_EQ(bodies().size(), 2u);
    click_in_column("Delete", "button");
    EXPECT_EQ(bodies().size(), 1u);
    click_in_column("Delete all", "button");
    EXPECT_TRUE(bodies().empty());
}

TEST_F(EditTest, a_scene_without_edits_says_so) {
    start("crowd", "bodies", 1000);
    sandbox_->state().hint = false;
    frames(2);
    const std::size_t count = session().world().body_count();
    key(kInsertKey);
    EXPECT_EQ(message().rfind("This scene keeps its own bodies", 0), 0u) << message();
    EXPECT_EQ(session().world().body_count(), count);
}

TEST_F(EditTest, while_paused_a_dragged_body_moves_and_the_others_stand_still) {
    begin("cage", 10);
    sandbox_->state().paused = true;
    frames(2);
    const auto other = place_of(1), before = place_of(0);
    press(0);
    drag(5, 0, 8);
    EXPECT_NE(place_of(0), before);
    EXPECT_EQ(place_of(1), other);
    const std::uint64_t frame = session().frame();
    frames(10);
    EXPECT_EQ(session().frame(), frame) << "nothing to do while the pointer rests";
    let_go();
    EXPECT_EQ(place_of(1), other);
}

TEST_F(EditTest, a_body_of_the_cage_is_thrown) {
    begin("cage", 10);
    press(0);
    drag(6, 0, 10);
    let_go();
    const auto thrown = place_of(0);
    frames(6);
    EXPECT_GT(length(place_of(0) - thrown), 0.03) << "faster than the cage moves it";
}

TEST_F(EditTest, the_past_is_not_edited_and_going_back_repeats_edits) {
    begin("workbench", 0);
    key(kInsertKey);
    key(kInsertKey);
    frames(5);
    const auto two = bodies();
    const std::uint64_t frame = session().frame();
    key(kDeleteKey);
    ASSERT_EQ(bodies().size(), 1u);
    while (sandbox_->looking_at().value_or(session().frame()) > frame) key(kCommaKey);
    key(kInsertKey);
    EXPECT_EQ(message().rfind("Not possible in the past", 0), 0u) << message();
    key(kSpaceKey);
    for (int i = 0; i < 400 && sandbox_->looking_at(); ++i) frames(1);
    EXPECT_EQ(bodies(), two);
}

TEST_F(EditTest, a_dropped_mesh_becomes_a_body_that_undo_takes_away) {
    begin("workbench", 3);
    const std::string file = std::string(CLAYBOX_SOURCE_DIR) + "/assets/meshes/vase.obj";
    ui_->inject_drop(file);
    frames(4);
    ASSERT_EQ(bodies().size(), 4u);
    EXPECT_EQ(bodies()[3].shape, "mesh1");
    ASSERT_EQ(session().options().mesh_files.size(), 1u);
    key(kLetterD, true);
    EXPECT_EQ(bodies().size(), 5u);
    key(kLetterZ, true);
    key(kLetterZ, true);
    EXPECT_EQ(bodies().size(), 3u);
}

TEST_F(EditTest, edited_bodies_are_there_again_when_the_scene_is_chosen_again) {
    begin("workbench", 2);
    key(kInsertKey);
    const auto before = bodies();
    sandbox_->carry_out(Command{Command::Kind::scene, "cage"});
    frames(3);
    sandbox_->carry_out(Command{Command::Kind::scene, "workbench"});
    frames(3);
    EXPECT_EQ(bodies(), before);
}

}  // namespace
}  // namespace claybox::app
