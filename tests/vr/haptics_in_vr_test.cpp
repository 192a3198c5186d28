// Controllers vibrate when their hands touch, press and click.
#include "app/bridge/devices/event_feedback.hpp"
#include "app/scenes/buttons/desk.hpp"
#include "tests/vr/vr_fixture.hpp"

namespace claybox::app {
namespace {

constexpr const char* kTouch = "/interaction_profiles/oculus/touch_controller";
constexpr double kOver = 0.04, kBuzzDepth = -0.009;  // metres from a key's face to the fingertip

/// A controller whose hand has its forefinger's tip at `tip`, with the rotation of the desk's resting hand.
std::string controller_line(int frame, bool left, const Scene& scene, const glm::dvec3& tip) {
    const engine::HandPose wanted = FromScene(scene.camera())(to_hand_pose(scene.hand_rest()));
    engine::ControllerGrip grip;
    grip.left = left;
    grip.rotation = wanted.rotation * glm::conjugate(engine::pose_of_controller(grip).rotation);
    const engine::HandState there = engine::pose_hand(engine::pose_of_controller(grip));
    const glm::dvec3 p = tip - engine::tip_of(there.part[engine::kIndexTipPart]);
    const glm::dquat& q = grip.rotation;
    const Json place = {p.x, p.y, p.z, q.x, q.y, q.z, q.w};
    return Json{{"frame", frame},
                {"controller", left ? "left" : "right"},
                {"profile", kTouch},
                {"grip", place},
                {"aim", place}}
        .dump();
}

class HapticsTest : public VrTest {
  protected:
    /// The place in the room of a fingertip's centre at this distance above the pause key.
    static glm::dvec3 over_key(const Scene& scene, double gap) {
        const collision::Pose face = desk_face(desk_controls()[desk_control(DeskRole::pause)]);
        const collision::Vec3d p = face.translation + collision::rotate(face.rotation, {0, 0, 0.0075 + gap});
        return FromScene(scene.camera())(glm::dvec3(p.x, p.y, p.z));
    }
    /// Both controllers are active; one of them presses "Pause" from frame 25 to 75.
    static std::vector<std::string> press_lines(bool left) {
        const auto session = Session::create(session_options("buttons")).value();
        const Scene& scene = session->scene();
        std::vector<std::string> lines{head_line()};
        const glm::dvec3 away = over_key(scene, 0.15) + glm::dvec3(left ? 0.2 : -0.2, 0, 0);
        lines.push_back(controller_line(0, !left, scene, away));
        for (const auto& [frame, gap] :
             {std::pair{0, kOver}, {25, kOver}, {40, kBuzzDepth}, {55, kBuzzDepth}, {70, kOver}})
            lines.push_back(controller_line(frame, left, scene, over_key(scene, gap)));
        return lines;
    }
    void expect_felt(const char* side, const std::vector<SceneEvent::Kind>& kinds) {
        const auto felt = place_->log("haptic");
        ASSERT_EQ(felt.size(), kinds.size());
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const Buzz buzz = feedback_of(kinds[i]).buzz;
            EXPECT_EQ(felt[i]["hands"], Json::array({side}));
            EXPECT_EQ(felt[i]["nanoseconds"], std::llround(buzz.seconds * 1e9));
            EXPECT_NEAR(felt[i]["amplitude"].get<double>(), static_cast<double>(buzz.strength), 1e-6);
        }
        for (const Json& line : place_->log("misuse")) ADD_FAILURE() << line.dump();
    }
};

TEST_F(HapticsTest, APP_vr_a_controller_feels_the_touch_and_the_press_of_its_own_hand) {
    for (const bool left : {false, true}) {
        start("buttons", press_lines(left), false);
        run_to(80);
        EXPECT_EQ(fired_, 1);
        expect_felt(left ? "left" : "right", {SceneEvent::Kind::touched, SceneEvent::Kind::fired});
        TearDown();
        fired_ = 0;
    }
}

TEST_F(HapticsTest, APP_vr_nothing_is_felt_while_haptics_are_off) {
    start("buttons", press_lines(false), false);
    sandbox_->state().headset.haptics = false;
    run_to(80);
    EXPECT_EQ(fired_, 1);
    expect_felt("right", {});
}

TEST_F(HapticsTest, APP_vr_a_press_in_the_window_is_not_felt_later_in_the_headset) {
    start("buttons", {head_line()});
    sandbox_->state().headset.on = false;
    const auto script = sandbox_->session().scene().script();
    constexpr std::size_t kAbove = 2, kPressed = 3;  // of the script's keys
    for (int i = 0; i < 40; ++i) {
        std::array<engine::HandOffers, 2> offers;
        offers[0][static_cast<std::size_t>(engine::HandSource::tracked)] =
            engine::pose_hand(to_hand_pose(script[i < 20 ? kAbove : kPressed]));
        sandbox_->offer_hands(offers);
        turn();
    }
    EXPECT_EQ(fired_, 1);
    for (const Buzz& buzz : sandbox_->take_buzzes()) EXPECT_EQ(buzz.strength, 0);
}

}  // namespace
}  // namespace claybox::app
