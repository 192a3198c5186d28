// The tori of figure 13: three proper contacts, found before the motion is played, listed, drawn, and shown
// on the collision screen.

#include "app/scenes/shared/screen_inset.hpp"
#include "collision/continuous/registry.hpp"
#include "collision/continuous/screw_motion/screw_examples.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <set>

namespace claybox::app {
namespace {

TEST(ScrewToriScene, BU_X3_exactly_three_proper_contacts_are_listed_and_drawn) {
    for (const double pixels : {6.0, 12.0, 24.0}) {
        SessionOptions options = options_for("screw_tori");
        set(options, "pixels", pixels);
        const auto session = start(options);
        run(*session, 2);
        EXPECT_EQ(figure(*session, "hits"), 3) << pixels;
        double last = 0;
        for (const char* time : {"hit1_time", "hit2_time", "hit3_time"}) {
            EXPECT_GT(figure(*session, time), last);
            last = figure(*session, time);
        }
        EXPECT_LT(last, 1);
        for (const char* properness : {"hit1_properness", "hit2_properness", "hit3_properness"})
            EXPECT_GE(figure(*session, properness), 0);
        SceneView view;
        session->scene().view({}, view);
        EXPECT_EQ(view.points.size(), 3u);
        EXPECT_EQ(view.labels.size(), 3u);
        ASSERT_EQ(view.insets.size(), 1u);
        EXPECT_EQ(view.insets[0].marks.size(), 3u);
        EXPECT_NEAR(figure(*session, "turn"), 20, 0.1);
        EXPECT_NEAR(figure(*session, "error_estimate"), 100 * (1 - std::cos(0.1745)) / 0.349, 0.01);
    }
}

TEST(ScrewToriScene, BU_9_record_features_time_and_properness_of_each_contact_are_shown) {
    const auto session = start(options_for("screw_tori"));
    run(*session, 2);
    SceneView view;
    session->scene().view({}, view);
    const char* const times[] = {"hit1_time", "hit2_time", "hit3_time"};
    ASSERT_EQ(view.labels.size(), std::size(times));
    for (std::size_t i = 0; i < std::size(times); ++i) {
        char time[16];
        std::snprintf(time, sizeof time, "%.3f", figure(*session, times[i]));
        const std::string& text = view.labels[i].text;
        EXPECT_NE(text.find(time), std::string::npos) << text;
        EXPECT_EQ(text.rfind(std::to_string(i + 1) + ": ", 0), 0u) << text;
        const bool features = text.find("edge and edge") != std::string::npos ||
                              text.find("vertex and face") != std::string::npos ||
                              text.find("face and vertex") != std::string::npos;
        EXPECT_TRUE(features) << text;
    }
}

// The list is found at once; the world finds the first contact again while A moves in small steps.
TEST(ScrewToriScene, torus_a_pauses_at_each_contact_and_the_world_confirms_the_first) {
    SessionOptions options = options_for("screw_tori");
    set(options, "speed", 1);
    const auto session = start(options);
    std::set<double> paused;
    double before = -1, first_in_world = -1;
    for (int i = 0; i < 450; ++i) {
        run(*session, 1);
        const double time = figure(*session, "time");
        if (time == before && time > 0 && time < 1) paused.insert(time);
        before = time;
        if (first_in_world < 0 && figure(*session, "world_hits") > 0) first_in_world = time;
    }
    ASSERT_EQ(paused.size(), 3u);
    EXPECT_NEAR(*paused.begin(), figure(*session, "hit1_time"), 1e-12);
    EXPECT_NEAR(first_in_world, figure(*session, "hit1_time"), 0.011);
}

TEST(ScrewToriScene, a_lower_threshold_adds_improper_contacts) {
    const auto session = start(options_for("screw_tori"));
    run(*session, 1);
    const double improper = figure(*session, "improper");
    ASSERT_TRUE(session->apply({Command::Kind::set_parameter, "threshold=-1"}).ok());
    EXPECT_EQ(figure(*session, "hits"), 3 + improper);
    EXPECT_EQ(figure(*session, "improper"), 0);
}

TEST(ScreenInset, curves_pixels_and_marks_are_inside_and_pixels_lie_on_their_curves) {
    const collision::ScrewExample e = collision::tori_example();
    collision::Scratch scratch;
    const auto query =
        collision::make_continuous_query(*e.a, e.matrix_a, e.motion_a, *e.b, e.matrix_b, e.motion_b, scratch);
    const collision::CollisionScreen screen = collision::draw_collision_screen(query);
    ASSERT_GT(screen.rows, 5);
    ASSERT_GT(screen.columns, 5);
    const ViewInset with = make_screen_inset(screen, true, -1, 0),
                    without = make_screen_inset(screen, false, -1, 0);
    EXPECT_GT(with.strokes.size(), without.strokes.size());
    EXPECT_EQ(with.marks.size(), screen.marks.size());
    bool of_a = false, of_b = false;
    for (const ViewInset::Stroke& stroke : without.strokes) {
        EXPECT_GE(stroke.count, 2u);
        EXPECT_LE(stroke.first + stroke.count, without.points.size());
        (stroke.ink == Ink::accent ? of_a : of_b) = true;
    }
    EXPECT_TRUE(of_a && of_b);
    for (const ViewInset::Mark& mark : with.marks) {
        EXPECT_TRUE(mark.at.x >= 0 && mark.at.x <= 1 && mark.at.y >= 0 && mark.at.y <= 1);
        EXPECT_EQ(mark.ink, Ink::witness) << "not reached at time 0";
    }
    std::size_t all = make_screen_inset(screen, false, -1, 1).marks.size();
    EXPECT_LE(make_screen_inset(screen, false, 0.5, 1).marks.size(), all);
}

TEST(ScrewToriScene, contacts_near_each_other_share_a_chip_and_chips_know_where_the_tori_are) {
    const auto session = start(options_for("screw_tori"));
    const std::size_t threshold = collision::find_parameter(session->descriptor().parameters, "threshold");
    ASSERT_TRUE(session->set_parameter(threshold, -1).ok());
    run(*session, 2);
    SceneView view;
    session->scene().view({}, view);
    const auto contacts = static_cast<std::size_t>(figure(*session, "hits"));
    ASSERT_GT(contacts, 3u);
    EXPECT_LE(view.labels.size(), contacts);
    for (std::size_t i = 0; i + 1 < view.labels.size(); ++i)
        EXPECT_GE(length(view.labels[i].p - view.labels[i + 1].p), 0.35f);
    EXPECT_GE(view.keep_clear.size(), 24u);
}

}  // namespace
}  // namespace claybox::app
