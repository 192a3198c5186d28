// Panels in the virtual room, used with a finger and with a ray.
#include "tests/vr/vr_fixture.hpp"

namespace claybox::app {
namespace {

constexpr int kWidth = 1800, kHeight = 1290;

Boards boards_around_head() {
    Boards boards;
    boards.place_around(kHead.position, 0);
    boards.set_parts(board_parts(kWidth, kHeight, kBoardScale));
    return boards;
}

/// The point of the room that is `before` metres in front of a part's pixel.
glm::dvec3 pixel_place(const BoardPart& part, float x, float y, double before) {
    const double right = static_cast<double>(x - 0.5f * (part.x0 + part.x1)) * kBoardPixel;
    const double up = static_cast<double>(0.5f * (part.y0 + part.y1) - y) * kBoardPixel;
    const double yaw = part.yaw - right / kBoardRadius, radius = kBoardRadius - before;
    return kHead.position + glm::dvec3(-std::sin(yaw) * radius, part.height + up, -std::cos(yaw) * radius);
}

/// A pointing hand with its fingertip at `tip`, on the viewer's side of the board.
engine::HandPose pointing_at(const glm::dvec3& tip, double yaw) {
    engine::HandPose pose;
    pose.rotation = glm::angleAxis(yaw, glm::dvec3(0, 1, 0));
    pose.curl = {0.6f, 0, 1, 1, 1};
    pose.wrist = glm::dvec3(0);
    pose.wrist = tip - engine::tip_of(engine::pose_hand(pose).part[engine::kIndexTipPart]);
    return pose;
}

class BoardTest : public VrTest {
  protected:
    /// Opens the sandbox in a headset without hands and returns the place of a widget in the panels' picture.
    engine::WidgetRecord find(const char* label, const char* kind) {
        start("cage", {head_line()});
        sandbox_->state().hidden = false;
        run_to(12);
        const engine::WidgetRecord* found = ui_->log().find(label, kind);
        EXPECT_NE(found, nullptr) << label;
        const engine::WidgetRecord record = found ? *found : engine::WidgetRecord{};
        TearDown();
        place_.reset();
        return record;
    }
    /// The part of the boards that contains a pixel.
    static BoardPart part_of(float x, float y) {
        for (const BoardPart& part : board_parts(kWidth, kHeight, kBoardScale))
            if (x >= part.x0 && x < part.x1 && y >= part.y0 && y < part.y1) return part;
        ADD_FAILURE() << "no board there";
        return {};
    }
};

TEST_F(BoardTest, APP_vr_a_fingertip_clicks_a_panel_once) {
    const engine::WidgetRecord cell = find("Dark", "cell");
    const float x = 0.5f * (cell.x0 + cell.x1), y = 0.5f * (cell.y0 + cell.y1);
    const BoardPart part = part_of(x, y);
    std::vector<std::string> lines{head_line()};
    const auto key = [&](int frame, double before) {
        lines.push_back(hand_line(frame, pointing_at(pixel_place(part, x, y, before), part.yaw)));
    };
    key(0, 0.14);
    key(30, 0.14);
    key(50, 0.002);
    key(60, 0.002);
    key(80, 0.14);
    start("cage", lines);
    sandbox_->state().hidden = false;
    run_to(28);
    EXPECT_FALSE(sandbox_->state().dark);
    run_to(120);
    EXPECT_TRUE(sandbox_->state().dark) << "one click, not none and not two";
}

TEST_F(BoardTest, APP_vr_a_ray_and_the_trigger_click_a_panel) {
    const engine::WidgetRecord cell = find("Dark", "cell");
    const float x = 0.5f * (cell.x0 + cell.x1), y = 0.5f * (cell.y0 + cell.y1);
    const BoardPart part = part_of(x, y);
    const glm::dvec3 from(0.1, 1.25, -0.05), way = glm::normalize(pixel_place(part, x, y, 0) - from);
    const glm::dvec3 right = glm::normalize(glm::cross(way, glm::dvec3(0, 1, 0)));
    const glm::dquat turn = glm::quat_cast(glm::dmat3(right, glm::cross(-way, right), -way));
    const Json aim = {from.x, from.y, from.z, turn.x, turn.y, turn.z, turn.w};
    std::vector<std::string> lines{head_line()};
    const auto key = [&](int frame, double trigger) {
        lines.push_back(Json{
            {"frame", frame},
            {"controller", "right"},
            {"profile", "/interaction_profiles/oculus/touch_controller"},
            {"grip", aim},
            {"aim", aim},
            {"trigger",
             trigger}}.dump());
    };
    key(0, 0);
    key(30, 0);
    key(34, 1);
    key(40, 1);
    key(44, 0);
    start("cage", lines);
    sandbox_->state().hidden = false;
    run_to(28);
    EXPECT_FALSE(sandbox_->state().dark);
    run_to(80);
    EXPECT_TRUE(sandbox_->state().dark);
    const auto felt = place_->log("haptic");
    ASSERT_EQ(felt.size(), 1u) << "the click, once";
    EXPECT_EQ(felt[0]["hands"], Json::array({"right"}));
}

TEST_F(BoardTest, APP_vr_every_shown_pixel_can_be_reached) {
    const Boards boards = boards_around_head();
    for (const BoardPart& part : boards.parts())
        for (const float x : {part.x0 + 2, 0.5f * (part.x0 + part.x1), part.x1 - 2})
            for (const float y : {part.y0 + 2, part.y1 - 2}) {
                const BoardPlace place = boards.find(pixel_place(part, x, y, 0.01));
                ASSERT_TRUE(place.inside);
                EXPECT_NEAR(place.x, x, 0.05f);
                EXPECT_NEAR(place.y, y, 0.05f);
            }
}

}  // namespace
}  // namespace claybox::app
