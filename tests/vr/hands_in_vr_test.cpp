#include "tests/support/hand_track.hpp"
#include "tests/vr/vr_fixture.hpp"

namespace claybox::app {
namespace {

std::unique_ptr<Session> scene_alone(const char* scene) {
    return Session::create(session_options(scene)).value();
}

TEST_F(VrTest, APP_vr_a_tracked_hand_dents_the_pot) {
    start("potter", lines_of_script(scene_alone("potter")->scene()), false);
    run_to(60);
    const double before = figure("volume_before");
    run_to(500);
    EXPECT_LT(figure("volume_after"), 0.98 * before);
    EXPECT_GT(figure("polygons_moved"), 500);
}

TEST_F(VrTest, APP_vr_a_tracked_finger_presses_its_button_once) {
    start("buttons", lines_of_script(scene_alone("buttons")->scene()), false);
    run_to(420);
    EXPECT_EQ(fired_, 1);
    EXPECT_EQ(released_, 1);
    EXPECT_TRUE(place_->log("haptic").empty()) << "there is no controller to buzz";
    for (const Json& line : place_->log("misuse")) ADD_FAILURE() << line.dump();
}

TEST_F(VrTest, APP_vr_tracking_loss_in_mid_press_presses_and_releases_nothing) {
    // Pressed from frame 102 to 150 of the scene's script; lost in between, for longer than the grace time.
    const auto session = scene_alone("buttons");
    const FromScene room(session->scene().camera());
    std::vector<std::string> lines{head_line()};
    engine::HandPose pressed;
    for (const HandKey& key : session->scene().script()) {
        if (key.frame > 102) break;
        pressed = room(to_hand_pose(key));
        lines.push_back(hand_line(30 + static_cast<int>(key.frame * 3 / 2), pressed));
    }
    lines.push_back(no_hand_line(200));
    lines.push_back(hand_line(260, pressed));
    start("buttons", lines, false);
    run_to(198);
    EXPECT_EQ(fired_, 1);
    run_to(320);
    EXPECT_EQ(fired_, 1) << "coming back within the button is no press";
    EXPECT_EQ(released_, 0) << "not released";
}

TEST_F(VrTest, APP_vr_invalid_joints_make_no_hand) {
    const auto session = scene_alone("solids");
    const FromScene room(session->scene().camera());
    Json line = Json::parse(hand_line(0, room(to_hand_pose(session->scene().script()[0]))));
    Json flags = Json::array();
    for (int i = 0; i < engine::kHandJointCount; ++i) flags.push_back(i == 10 ? 0 : 15);
    line["flags"] = flags;
    start("solids", {head_line(), line.dump()});
    run_to(40);
    EXPECT_EQ(sandbox_->session().world().body_count(), 8u) << "solids, and no hand";
}

TEST_F(VrTest, APP_vr_both_hands_are_bodies_of_the_scene) {
    const auto session = scene_alone("solids");
    const FromScene room(session->scene().camera());
    engine::HandPose right = room(to_hand_pose(session->scene().script()[0])), left = right;
    left.left = true;
    left.wrist.x -= 0.3;
    start("solids", {head_line(), hand_line(0, right), hand_line(0, left)});
    run_to(40);
    EXPECT_EQ(sandbox_->session().world().body_count(), 8u + 2 * kHandParts);
}

// No controllers, and the headset tracks no hands.
TEST_F(VrTest, APP_vr_a_hand_of_a_track_works_if_the_headset_has_none) {
    start("solids", {head_line()});
    DeviceOptions options;
    options.track = place_->folder() / "track.jsonl";
    std::ofstream(options.track) << engine::track_of_resting_hand(100);
    std::string error;
    ASSERT_TRUE(sandbox_->devices().open(options, error)) << error;
    run_to(60);
    EXPECT_EQ(sandbox_->session().world().body_count(), 8u + kHandParts);
}

TEST_F(VrTest, APP_vr_a_hand_grasps_a_solid) {
    start("solids", lines_of_script(scene_alone("solids")->scene()));
    run_to(30 + 190 * 3 / 2);
    EXPECT_EQ(figure("taken"), 1);
    EXPECT_GT(figure("depth"), 1);
}

// A headset shows 90 frames per second, the scene runs 60 steps.
TEST_F(VrTest, APP_vr_hands_are_drawn_at_their_newest_pose_in_every_frame) {
    const auto session = scene_alone("solids");
    const FromScene room(session->scene().camera());
    engine::HandPose from = room(to_hand_pose(session->scene().script()[0])), to = from;
    to.wrist.y += 0.30;
    start("solids", {head_line(), hand_line(0, from), hand_line(300, to)});
    run_to(60);
    const auto palm = [&] {
        for (const Drawable& d : sandbox_->view().drawables)
            if (d.material == Material::hand) return d.pose.translation;
        ADD_FAILURE() << "no hand";
        return collision::Vec3d{};
    };
    const double each = 0.30 / 300 * room.place().scale();
    const std::uint64_t first = sandbox_->session().frame();
    collision::Vec3d before = palm();
    for (int i = 0; i < 30; ++i) {
        ASSERT_TRUE(turn());
        const collision::Vec3d now = palm();
        EXPECT_NEAR(length(now - before), each, 0.02 * each) << i;
        before = now;
    }
    EXPECT_NEAR(static_cast<double>(sandbox_->session().frame() - first), 20, 1);
}

}  // namespace
}  // namespace claybox::app
