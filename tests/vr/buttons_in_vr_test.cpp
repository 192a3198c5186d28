// The desk with a tracked finger: every key, every speed, and every kind of tracking loss.
#include "tests/scenes/desk_support.hpp"
#include "tests/vr/vr_fixture.hpp"

namespace claybox::app {
namespace {

constexpr double kAway = 0.06, kDeep = -0.009;  // metres from a key's face: above it, and pressed

class DeskInVr : public VrTest {
  protected:
    DeskInVr() : desk_(Session::create(session_options("buttons")).value()), room_(desk_->scene().camera()) {}

    engine::HandPose over(const DeskControl& control, double gap) const {
        return room_(to_hand_pose(key_over(desk_->scene(), control, gap)));
    }
    /// Moves the finger straight to the key, within `frames` frames.
    void go(const DeskControl& control, double gap, int frames) {
        frame_ += std::max(frames, 1);
        lines_.push_back(hand_line(frame_, over(control, gap)));
    }
    void begin(const DeskControl& control, double gap = kAway) {
        lines_ = {head_line(), hand_line(0, over(control, gap))};
        frame_ = 60;
        lines_.push_back(hand_line(frame_, over(control, gap)));
    }
    /// Plays the script. Undoes a pause, so that keys cannot stop the scene.
    void play(int frames) {
        while (headset_->figures().frames < static_cast<std::uint64_t>(frames)) {
            turn();
            sandbox_->session().world().wait_idle();
            sandbox_->state().paused = false;
        }
    }
    /// The first half of a press; pressed at frame 100.
    void press(const DeskControl& control) {
        begin(control);
        go(control, kAway, 30);
        go(control, kDeep, 10);
    }

    std::unique_ptr<Session> desk_;
    FromScene room_;
    std::vector<std::string> lines_;
    int frame_ = 0;
};

/// All keys that do not replace the scene.
std::vector<const DeskControl*> keys_that_stay() {
    std::vector<const DeskControl*> out;
    for (const DeskControl* control : keys_of_the_desk())
        if (control->role != DeskRole::open && control->role != DeskRole::restart) out.push_back(control);
    return out;
}

TEST_F(DeskInVr, APP_vr_a_finger_presses_each_key_exactly_once_at_any_speed) {
    constexpr double kSpeeds[] = {0.05, 0.1, 0.3, 1, 2.5, 5};  // metres per second
    const auto keys = keys_that_stay();
    ASSERT_GT(keys.size(), 12u);
    begin(*keys[0]);
    int pokes = 0;
    std::vector<int> ends;
    for (const DeskControl* control : keys)
        for (const double speed : kSpeeds) {
            const int way = static_cast<int>(90 * (kAway - kDeep) / speed);
            go(*control, kAway, 14);
            go(*control, kDeep, way);
            go(*control, kDeep, 3);  // two steps of the scene
            go(*control, kAway, way);
            go(*control, kAway, 4);
            ends.push_back(frame_);
        }
    start("buttons", lines_, false);
    for (const int end : ends) {
        play(end);
        ++pokes;
        ASSERT_EQ(figure("presses"), pokes)
            << keys[static_cast<std::size_t>(pokes - 1) / std::size(kSpeeds)]->title;
        ASSERT_EQ(figure("releases"), pokes)
            << keys[static_cast<std::size_t>(pokes - 1) / std::size(kSpeeds)]->title;
    }
}

TEST_F(DeskInVr, APP_vr_a_resting_hand_presses_nothing) {
    const auto keys = keys_that_stay();
    begin(*keys[0]);
    for (const DeskControl* control : keys) {
        go(*control, 0.03, 12);
        for (int i = 0; i < 4; ++i) go(*control, i % 2 == 0 ? -0.002 : -0.005, 6);  // jitter
        go(*control, 0.03, 4);
    }
    start("buttons", lines_, false);
    play(frame_);
    EXPECT_EQ(figure("presses"), 0);
    EXPECT_GT(figure("deepest"), 4);
}

TEST_F(DeskInVr, APP_vr_a_short_loss_in_mid_press_changes_nothing) {
    for (const int lost : {1, 5, 11}) {
        const DeskControl& control = *keys_that_stay()[4];
        press(control);
        lines_.push_back(no_hand_line(frame_ + 10));
        frame_ += 10 + lost;
        go(control, kDeep, 0);
        go(control, kDeep, 10);
        const int back = frame_;
        go(control, kAway, 10);
        start("buttons", lines_, false);
        play(back);
        EXPECT_EQ(figure("presses"), 1) << lost;
        EXPECT_EQ(figure("releases"), 0) << lost;
        play(frame_ + 20);
        EXPECT_EQ(figure("presses"), 1) << lost;
        EXPECT_EQ(figure("releases"), 1) << lost;
        TearDown();
    }
}

TEST_F(DeskInVr, APP_vr_a_finger_that_returns_after_a_long_loss_and_leaves_releases_nothing) {
    const DeskControl& control = *keys_that_stay()[4];
    press(control);
    lines_.push_back(no_hand_line(frame_ + 10));
    frame_ += 70;
    go(control, kDeep, 0);
    go(control, kDeep, 30);
    go(control, kAway, 10);
    go(control, kAway, 30);
    const int away = frame_;
    go(control, kDeep, 10);
    go(control, kDeep, 3);
    go(control, kAway, 10);
    start("buttons", lines_, false);
    play(away);
    EXPECT_EQ(figure("presses"), 1);
    EXPECT_EQ(figure("releases"), 0);
    play(frame_ + 20);
    EXPECT_EQ(figure("presses"), 2) << "and then it presses again";
    EXPECT_EQ(figure("releases"), 1);
}

TEST_F(DeskInVr, APP_vr_a_headset_that_pauses_in_mid_press_leaves_no_hand_behind) {
    const DeskControl& control = *keys_that_stay()[4];
    press(control);
    lines_.push_back(R"({"frame": 110, "session": "pause", "polls": 200})");
    start("buttons", lines_, false);
    play(108);
    ASSERT_EQ(figure("presses"), 1);
    EXPECT_GT(figure("travel"), 5);
    for (int i = 0; i < 40; ++i) turn();
    EXPECT_FALSE(headset_->figures().running);
    EXPECT_LT(figure("travel"), 0.5) << "the key comes up";
    EXPECT_EQ(figure("presses"), 1);
    EXPECT_EQ(figure("releases"), 0);
}

// The head has risen: recentring moves the finger from one side of the key to the other.
TEST_F(DeskInVr, APP_vr_recentring_over_a_key_presses_nothing) {
    begin(*keys_that_stay()[0], 0.015);
    lines_.push_back(R"({"frame": 60, "head": [0, 1.6, 0, 0, 0, 0, 1]})");
    lines_.push_back(R"({"frame": 70, "head": [0, 1.75, 0, 0, 0, 0, 1]})");
    lines_.push_back(R"({"frame": 90, "space": "stage", "origin": [0, 0.01, 0, 0, 0, 0, 1]})");
    lines_.push_back(R"({"frame": 120, "head": [0, 1.75, 0, 0, 0, 0, 1]})");
    lines_.push_back(R"({"frame": 130, "head": [0, 1.6, 0, 0, 0, 0, 1]})");
    lines_.push_back(R"({"frame": 150, "space": "stage", "origin": [0, 0, 0, 0, 0, 0, 1]})");
    start("buttons", lines_, false);
    play(200);
    EXPECT_GE(place_->log("space_change").size(), 2u);
    EXPECT_EQ(figure("presses"), 0);
    EXPECT_LT(figure("deepest"), 0.1);
}

}  // namespace
}  // namespace claybox::app
