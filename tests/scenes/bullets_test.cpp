// The bullets: none passes a plate with the continuous test, most pass without it.

#include "app/scenes/bullets/range.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace claybox::app {
namespace {

using collision::Vec3d;

SessionOptions shooting(double bullets = 600) {
    SessionOptions options = options_for("bullets");
    set(options, "bullets", bullets);
    return options;
}

TEST(BulletRange, plates_between_two_points_are_those_that_the_line_crosses) {
    Range range;
    range.build(10, 0.002, 7);
    ASSERT_FALSE(range.plates().empty());
    const Vec3d half = range.plate_half();
    for (const RangePlate& plate : range.plates()) {
        const Vec3d before = plate.at - Vec3d{0.05, 0, 0}, behind = plate.at + Vec3d{0.05, 0, 0};
        EXPECT_EQ(range.plates_between(plate.channel, before, behind), 1);
        EXPECT_EQ(range.plates_between(plate.channel, behind, before), 1) << "from the other side";
        EXPECT_EQ(range.plates_between(plate.channel, before, before), 0);
        const Vec3d aside{0, half.y + 0.001, 0};
        EXPECT_EQ(range.plates_between(plate.channel, before + aside, behind + aside), 0) << "in the gap";
    }
    const RangePlate& plate = range.plates().front();
    const Vec3d far{3, 0, 0};
    EXPECT_GE(range.plates_between(plate.channel, plate.at - far, plate.at + far), 1);
}

TEST(BulletRange, both_channels_have_the_same_plates) {
    Range range;
    range.build(10, 0.002, 7);
    std::size_t upper = 0;
    for (const RangePlate& plate : range.plates()) {
        if (plate.channel == 1) continue;
        ++upper;
        const Vec3d lower = plate.at + Vec3d{0, Range::floor_of(1) - Range::floor_of(0), 0};
        EXPECT_EQ(range.plates_between(1, lower - Vec3d{0.01, 0, 0}, lower + Vec3d{0.01, 0, 0}), 1);
    }
    EXPECT_EQ(2 * upper, range.plates().size());
}

TEST(BulletScene, none_passes_with_the_continuous_test_and_most_pass_without) {
    const auto session = start(shooting());
    run(*session, 600);
    EXPECT_EQ(figure(*session, "passed_on"), 0);
    EXPECT_GT(figure(*session, "stopped_on"), 5000);
    EXPECT_GT(figure(*session, "passed_off"), 3 * figure(*session, "stopped_off"));
    EXPECT_GT(figure(*session, "passed_off"), 5000);
}

TEST(BulletScene, none_passes_at_any_speed_and_thickness) {
    for (const double speed : {0.6, 6.0, 60.0, 300.0, 3000.0})
        for (const double thickness : {0.0001, 0.002, 0.05}) {
            SessionOptions options = shooting(200);
            set(options, "speed", speed);
            set(options, "thickness", thickness);
            set(options, "switch", 1);
            const auto session = start(options);
            run(*session, speed < 1 ? 600 : 150);
            EXPECT_EQ(figure(*session, "passed_on"), 0) << speed << " " << thickness;
            EXPECT_GT(figure(*session, "stopped_on"), 50) << speed << " " << thickness;
            EXPECT_EQ(figure(*session, "stopped_off") + figure(*session, "passed_off"), 0);
        }
}

// The counter does not depend on the collision test: it follows the drawn places of the bullets.
TEST(BulletScene, drawn_bullets_of_the_upper_channel_stay_in_front_of_their_plates) {
    const auto session = start(shooting(100));
    Range range;
    range.build(100, 0.002, collision::mix64(1 ^ 1));
    std::vector<collision::Vec3f> before;
    int crossings[2] = {};
    for (int frame = 0; frame < 300; ++frame) {
        run(*session, 1);
        SceneView view;
        session->scene().view({}, view);
        ASSERT_EQ(view.crowds.size(), 2u);
        std::vector<collision::Vec3f> now;
        for (const ViewCrowd& crowd : view.crowds)
            now.insert(now.end(), crowd.positions.begin(), crowd.positions.end());
        for (std::size_t i = 0; i < before.size(); ++i) {
            const Vec3d from = collision::cast<double>(before[i]), to = collision::cast<double>(now[i]);
            if (length(to - from) > 1) continue;  // it started anew
            const std::size_t channel = i < range.first_of_lower() ? 0 : 1;
            crossings[channel] += range.plates_between(channel, from, to);
        }
        before = std::move(now);
    }
    EXPECT_EQ(crossings[0], 0);
    EXPECT_GT(crossings[1], 100);
}

TEST(BulletScene, switches_take_effect_while_it_runs) {
    const auto session = start(shooting());
    run(*session, 100);
    ASSERT_TRUE(session->apply({Command::Kind::continuous, "off"}).ok());
    run(*session, 20);
    const double stopped = figure(*session, "stopped_on"), passed = figure(*session, "passed_off");
    run(*session, 100);
    EXPECT_EQ(figure(*session, "stopped_on"), stopped) << "the world's switch is off";
    EXPECT_GT(figure(*session, "passed_off"), 1.5 * passed);
    ASSERT_TRUE(session->apply({Command::Kind::continuous, "toggle"}).ok());
    ASSERT_TRUE(session->apply({Command::Kind::set_parameter, "switch=all"}).ok());
    run(*session, 20);
    const double off = figure(*session, "passed_off");
    run(*session, 100);
    EXPECT_EQ(figure(*session, "passed_off"), off) << "all bullets are tested along their way";
    EXPECT_EQ(figure(*session, "passed_on"), 0);
    EXPECT_FALSE(session->apply({Command::Kind::continuous, "guess"}).ok());
}

TEST(BulletScene, none_passes_with_passes_on_a_thread_of_their_own) {
    SessionOptions options = shooting(300);
    options.settings.concurrent = true;
    const auto session = start(options);
    for (int frame = 0; frame < 300; ++frame) {
        run(*session, 1);
        session->world().wait_idle();
    }
    EXPECT_EQ(figure(*session, "passed_on"), 0);
    EXPECT_GT(figure(*session, "stopped_on"), 500);
}

TEST(BulletScene, every_bullet_has_a_trail) {
    SessionOptions options = options_for("bullets");
    set(options, "bullets", 10000);
    const auto session = start(options);
    run(*session, 2);
    SceneView view;
    session->scene().view({}, view);
    std::size_t trails = 0, moved = 0;
    for (const ViewCrowd& crowd : view.crowds) {
        ASSERT_EQ(crowd.before.size(), crowd.positions.size());
        trails += crowd.before.size();
        for (std::size_t i = 0; i < crowd.before.size(); ++i)
            moved += crowd.before[i] == crowd.positions[i] ? 0 : 1;
        EXPECT_LT(crowd.way_opacity, 0.2f) << "many trails are faint";
    }
    EXPECT_EQ(trails, 10000u);
    EXPECT_GT(moved, 9000u);
}

}  // namespace
}  // namespace claybox::app
