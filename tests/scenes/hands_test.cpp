#include "app/scenes/hands/grasp.hpp"
#include "app/scenes/hands/hand_bodies.hpp"
#include "collision/core/random.hpp"
#include "tests/scenes/mouse_person.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace claybox::app {
namespace {

using collision::Vec3d;

Vec3d index_tip(const HandInput& hand) {
    return tip_position(hand, kIndexTip);
}

std::ptrdiff_t count(const std::vector<SceneEvent>& events, SceneEvent::Kind kind) {
    return std::count_if(events.begin(), events.end(), [&](const SceneEvent& e) { return e.kind == kind; });
}

TEST(HandParts, looking_turns_the_hand_in_the_given_direction) {
    collision::Random random(4);
    for (int i = 0; i < 200; ++i) {
        const Vec3d forward = random.unit_vector(), up = random.unit_vector();
        if (length(cross(forward, up)) < 0.1) continue;
        const collision::Quat q = looking(forward, up);
        EXPECT_LT(length(collision::rotate(q, {0, 0, -1}) - forward), 1e-9);
        EXPECT_GT(dot(collision::rotate(q, {0, 1, 0}), up), 0);
    }
}

TEST(HandParts, are_convex_bodies_of_the_given_measures) {
    const engine::HandState rest = engine::rest_hand();
    for (std::size_t i = 0; i < rest.part.size(); ++i) {
        const auto shape = collision::Shape::from_hull(
            hand_part_points(static_cast<int>(i), rest.part[i].radius, rest.part[i].length));
        ASSERT_TRUE(shape.ok());
        ASSERT_NE(shape.value()->hull(), nullptr);
        const collision::Aabb box = shape.value()->geometry().box;
        if (i == 0) continue;
        EXPECT_NEAR(box.max.x, rest.part[i].radius, 0.1f * rest.part[i].radius) << i;
        EXPECT_NEAR(-box.min.z, rest.part[i].length + (i % 3 == 0 ? 1.0f : 0.5f) * rest.part[i].radius,
                    0.002f)
            << i;
    }
}

// Scenes contain the place of the fingertip for the curls of their scripts as constants; compare them with
// the hand model.
TEST(HandScripts, the_fingertip_is_where_the_scenes_expect_it) {
    const auto potter = start(options_for("potter"));
    EXPECT_LT(length(index_tip(scripted_hand(potter->scene(), 100)) - Vec3d{0.036, 0.080, 0.079}), 1e-4);
    const auto desk = start(options_for("buttons"));
    const HandInput pressed = scripted_hand(desk->scene(), 102), before = scripted_hand(desk->scene(), 90);
    EXPECT_NEAR(length(index_tip(pressed) - index_tip(before)), 0.021, 1e-6)
        << "12 mm above to 9 mm below the face";
}

TEST(Potter, the_script_dents_the_pot_within_300_frames) {
    const auto session = start(options_for("potter"));
    const double before = figure(*session, "volume_before");
    EXPECT_EQ(figure(*session, "volume_after"), before);
    run(*session, 300);
    EXPECT_EQ(figure(*session, "volume_before"), before);
    EXPECT_LT(figure(*session, "volume_after"), 0.98 * before);
    EXPECT_GT(figure(*session, "volume_after"), 0.70 * before);
    EXPECT_GT(figure(*session, "polygons_moved"), 500);
    EXPECT_GE(figure(*session, "strokes"), 1);
    EXPECT_EQ(figure(*session, "touching"), 0) << "the hand has left";
    for (const collision::Vec3f& p : *session->scene().export_mesh().positions)
        ASSERT_TRUE(collision::is_finite(p));
}

TEST(Potter, undo_and_reset_restore_the_clay_bit_for_bit) {
    const auto session = start(options_for("potter"));
    const auto fresh = *session->scene().export_mesh().positions;
    run(*session, 280);
    const auto dented = *session->scene().export_mesh().positions;
    ASSERT_NE(fresh, dented);
    // Other polygons take frames.
    const auto act = [&](std::uint32_t action, int times, int frames) {
        for (int i = 0; i < frames; ++i) {
            StepInput input;
            if (i < times) input.actions = {action};
            session->step(input);
        }
    };
    act(0, 1, 60);
    EXPECT_TRUE(*session->scene().export_mesh().positions == fresh);
    act(1, 1, 60);
    EXPECT_TRUE(*session->scene().export_mesh().positions == dented);
    act(1, 20, 60);
    EXPECT_TRUE(*session->scene().export_mesh().positions == fresh);
    EXPECT_EQ(figure(*session, "polygons_moved"), 0);
}

TEST(Potter, after_undo_a_hand_in_the_clay_dents_nothing_until_it_has_left) {
    for (const bool concurrent : {false, true}) {
        SessionOptions options = options_for("potter");
        set(options, "polygons", 5000);
        options.settings.concurrent = concurrent;
        const auto session = start(options);
        const auto hold = [&](std::uint64_t script_frame, int frames,
                              std::vector<std::uint32_t> actions = {}) {
            for (int i = 0; i < frames; ++i) {
                StepInput input;
                input.hand[0] = scripted_hand(session->scene(), script_frame);
                if (i == 0) input.actions = actions;
                session->step(std::move(input));
                session->world().wait_idle();
            }
        };
        const auto moved = [&] { return figure(*session, "polygons_moved"); };
        hold(100, 20);  // in the belly
        EXPECT_GT(moved(), 0) << concurrent;
        hold(100, 40, {1});
        EXPECT_EQ(moved(), 0) << concurrent << ": the finger is still in the clay";
        hold(1, 5);
        hold(100, 20);
        EXPECT_GT(moved(), 0) << concurrent << ": it has come again";
        hold(100, 40, {0});
        EXPECT_EQ(moved(), 0) << concurrent << ": reset";
    }
}

TEST(Potter, concurrent_mode_dents_too) {
    SessionOptions options = options_for("potter");
    options.settings.concurrent = true;
    const auto session = start(options);
    for (int i = 0; i < 300; ++i) {
        run(*session, 1);
        session->world().wait_idle();
    }
    EXPECT_LT(figure(*session, "volume_after"), 0.98 * figure(*session, "volume_before"));
}

TEST(Potter, every_start_shape_builds_at_low_and_high_resolution) {
    for (double shape = 0; shape < 5; ++shape) {
        for (const double polygons : {500.0, 60000.0}) {
            SessionOptions options = options_for("potter");
            set(options, "shape", shape);
            set(options, "polygons", polygons);
            const auto session = start(options);
            ASSERT_NE(session, nullptr);
            run(*session, 2);
            EXPECT_NEAR(figure(*session, "polygons"), polygons, 0.05 * polygons);
        }
    }
}

TEST(Buttons, one_scripted_poke_is_one_press_and_one_release) {
    for (const char* algorithm : {"best", "gjk", "edge_polygon"}) {
        for (const bool concurrent : {false, true}) {
            SessionOptions options = options_for("buttons");
            options.settings.pair_algorithm = collision::find_pair_algorithm(algorithm);
            options.settings.pair_parameters =
                collision::default_values(options.settings.pair_algorithm->parameters);
            options.settings.concurrent = concurrent;
            const auto session = start(options);
            std::vector<SceneEvent> events;
            for (int i = 0; i < 300; ++i) {
                run(*session, 1);
                session->world().wait_idle();
                const auto& now = session->output().events;
                events.insert(events.end(), now.begin(), now.end());
            }
            EXPECT_EQ(count(events, SceneEvent::Kind::fired), 1) << algorithm << concurrent;
            EXPECT_EQ(count(events, SceneEvent::Kind::released), 1) << algorithm << concurrent;
            EXPECT_EQ(figure(*session, "presses"), 1);
            EXPECT_EQ(figure(*session, "releases"), 1);
            EXPECT_NE(session->settings().pair_algorithm, options.settings.pair_algorithm)
                << "the button \"Next algorithm\" switches the algorithm";
        }
    }
}

/// Rest pose of the scene, with the tip of the forefinger at the given place.
HandInput hand_at(const Session& session, const Vec3d& tip) {
    HandKey key = session.scene().hand_rest();
    key.wrist.translation += tip - index_tip(to_hand_input(engine::pose_hand(to_hand_pose(key))));
    return to_hand_input(engine::pose_hand(to_hand_pose(key)));
}

TEST(Buttons, a_finger_that_moves_30_mm_in_one_frame_fires_once) {
    const auto session = start(options_for("buttons"));
    const Vec3d hover = index_tip(scripted_hand(session->scene(), 60));     // 30 mm above "Next algorithm"
    const Vec3d pressed = index_tip(scripted_hand(session->scene(), 102));  // 9 mm below its face
    const Vec3d down = normalized(pressed - hover);
    const auto* before = session->settings().pair_algorithm;
    double presses = 0;
    for (int i = 0; i < 90; ++i) {
        StepInput input;
        const bool in = i >= 30 && i < 33;
        input.hand[0] = hand_at(*session, in ? hover + down * 0.038 : hover);
        session->step(input);
        presses = figure(*session, "presses");
    }
    EXPECT_EQ(presses, 1);
    EXPECT_EQ(figure(*session, "releases"), 1);
    EXPECT_NE(session->settings().pair_algorithm, before);
}

TEST(Buttons, pushes_from_below_and_resting_fingers_switch_nothing) {
    const auto session = start(options_for("buttons"));
    const Vec3d hover = index_tip(scripted_hand(session->scene(), 60));
    const Vec3d pressed = index_tip(scripted_hand(session->scene(), 102));
    const Vec3d down = normalized(pressed - hover);
    for (int i = 0; i < 120; ++i) {  // up through the desk
        StepInput input;
        input.hand[0] = hand_at(*session, pressed + down * (0.05 - 0.001 * i));
        session->step(input);
    }
    for (int i = 0; i < 120; ++i) {  // rests on the face with jitter
        StepInput input;
        input.hand[0] = hand_at(*session, hover + down * (0.030 + 0.004 * std::sin(0.7 * i)));
        session->step(input);
    }
    EXPECT_EQ(figure(*session, "presses"), 0);
}

// Like a person: points at a button, holds the left mouse button, releases it.
TEST(Buttons, the_mouse_hand_presses_the_button_under_the_pointer) {
    const auto session = start(options_for("buttons"));
    const Scene& scene = session->scene();
    // The middle of the "Next algorithm" face.
    const Vec3d hover = index_tip(scripted_hand(scene, 60)), pressed = index_tip(scripted_hand(scene, 102));
    const Vec3d face = hover + normalized(pressed - hover) * (0.030 + 0.0076);
    MousePerson person(scene);
    const auto* before = session->settings().pair_algorithm;
    for (int i = 0; i < 120; ++i) {
        StepInput input;
        input.hand[0] = person.frame(face, i >= 40 && i < 70);
        session->step(input);
    }
    EXPECT_EQ(figure(*session, "presses"), 1);
    EXPECT_EQ(figure(*session, "releases"), 1);
    EXPECT_NE(session->settings().pair_algorithm, before);
}

TEST(Potter, the_mouse_hand_dents_the_pot_under_the_pointer) {
    const auto session = start(options_for("potter"));
    MousePerson person(session->scene());
    for (int i = 0; i < 120; ++i) {
        StepInput input;
        input.hand[0] = person.frame({0.02, 0.07 + 0.0003 * i, 0.08}, i >= 40 && i < 90);
        session->step(input);
        if (i == 38) {
            EXPECT_EQ(figure(*session, "polygons_moved"), 0) << "hovering changes nothing";
        }
    }
    EXPECT_GT(figure(*session, "polygons_moved"), 200);
    EXPECT_EQ(figure(*session, "touching"), 0);
}

}  // namespace
}  // namespace claybox::app
