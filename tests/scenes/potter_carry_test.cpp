#include "app/potter/shapes/clay_shapes.hpp"
#include "app/scenes/hands/grasp.hpp"
#include "app/scenes/potter/pot_hold.hpp"
#include "collision/core/trig.hpp"
#include "tests/scenes/mouse_person.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace claybox::app {
namespace {

using collision::Pose;
using collision::Vec3d;

enum Hands { kShape, kLeftCarries, kRightCarries, kBothCarry };
constexpr int kPinched = 100, kLifted = 195;  // frames of the script of a hand that carries

SessionOptions potter(Hands hands, double polygons = 5000) {
    SessionOptions options = options_for("potter");
    set(options, "polygons", polygons);
    set(options, "hands", hands);
    return options;
}

Pose pot(const Session& session) {
    SceneView view;
    session.scene().view({}, view);
    return view.drawables[0].pose;
}

double height(const Session& session) {
    return pot(session).translation.y;
}

std::size_t count(const Session& session, SceneEvent::Kind kind) {
    const auto& events = session.output().events;
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [&](const SceneEvent& e) { return e.kind == kind; }));
}

/// Runs one frame with these hands and waits for the module.
void step(Session& session, const HandInput& right, const HandInput& left = {}) {
    StepInput input;
    input.hand = {right, left};
    session.step(std::move(input));
    session.world().wait_idle();
}

/// Hand of the carry script at a frame.
HandInput carrier(int frame) {
    static const std::unique_ptr<Session> session = start(potter(kRightCarries, 500));
    return scripted_hand(session->scene(), static_cast<std::uint64_t>(frame));
}

/// Hand of the dent script at a frame.
HandInput shaper(int frame) {
    static const std::unique_ptr<Session> session = start(potter(kShape, 500));
    return scripted_hand(session->scene(), static_cast<std::uint64_t>(frame));
}

HandInput moved(HandInput hand, const Pose& by) {
    for (Pose& part : hand.part) part = by * part;
    return hand;
}

/// A session in which the right hand holds the pot in the air, at this frame of the script.
std::unique_ptr<Session> lifted(Hands hands = kRightCarries, int frame = kLifted) {
    auto session = start(potter(hands));
    for (int f = 1; f <= frame; ++f) step(*session, carrier(f));
    EXPECT_GT(height(*session), 0.02);
    return session;
}

/// Pose of `b` in the frame of `a`.
Pose between(const Pose& a, const Pose& b) {
    return collision::inverse(a) * b;
}

/// Difference of two poses: distance plus rotation angle (for small angles).
double difference(const Pose& a, const Pose& b) {
    const collision::Quat turn = between(a, b).rotation;
    return length(a.translation - b.translation) + 2 * length(Vec3d{turn.x, turn.y, turn.z});
}

TEST(PotterCarry, the_script_pinches_at_the_rim) {
    const HandInput hand = carrier(85);
    EXPECT_LT(length((tip_position(hand, 3) + tip_position(hand, 6)) * 0.5 - Vec3d{0.0665, 0.152, 0}), 1e-4);
}

/// Smallest height of the drawn hand above bat, wheel head and table.
double clearance(const Session& session) {
    const auto ground = [](double radius) { return radius < 0.136 ? 0 : radius < 0.166 ? -0.008 : -0.038; };
    SceneView view;
    session.scene().view({}, view);
    std::vector<ViewMesh> meshes;
    session.scene().meshes(meshes);
    double lowest = 1;
    for (const Drawable& d : view.drawables) {
        if ((d.material != Material::hand && d.material != Material::hand_active) || d.opacity < 1) continue;
        const auto mesh =
            std::find_if(meshes.begin(), meshes.end(), [&](const ViewMesh& m) { return m.id == d.mesh; });
        for (const collision::Vec3f& p : *mesh->positions) {
            const Vec3d at =
                d.pose.translation + collision::rotate(d.pose.rotation, collision::cast<double>(p));
            const double radius = std::hypot(at.x, at.z);
            const bool rim = std::abs(radius - 0.134) < 0.004 || std::abs(radius - 0.164) < 0.006;
            if (!rim) lowest = std::min(lowest, at.y - ground(radius));
        }
    }
    return lowest;
}

TEST(Potter, the_drawn_hand_stops_at_the_wheel_and_the_tracked_hand_goes_on) {
    const auto session = start(potter(kShape));
    const HandInput above =
        moved(shaper(1), {{}, Vec3d{0.1, 0.1, 0.05} - tip_position(shaper(1), kIndexTip)});
    for (int i = 0; i <= 120; ++i) {  // down to 2 cm below the face of the bat
        step(*session, moved(above, {{}, {0, -0.001 * i, 0}}));
        ASSERT_GT(clearance(*session), -0.0006) << i;
    }
    EXPECT_LT(clearance(*session), 0.003) << "the hand rests on the bat";
    SceneView view;
    session->scene().view({}, view);
    EXPECT_TRUE(std::any_of(view.drawables.begin(), view.drawables.end(), [](const Drawable& d) {
        return d.material == Material::hand && d.opacity < 1;
    })) << "the ghost of the tracked hand";
}

TEST(PotterCarry, a_pinch_takes_the_pot_and_the_pot_follows_the_hand_rigidly) {
    const auto session = start(potter(kRightCarries));
    std::size_t taken = 0;
    Pose in_hand;
    for (int f = 1; f <= kLifted; ++f) {
        step(*session, carrier(f));
        taken += count(*session, SceneEvent::Kind::taken);
        if (f < 70) {
            EXPECT_EQ(pot(*session), Pose{}) << f;
        }
        const Pose now = between(carrier(f).part[0], pot(*session));
        if (f == kPinched) in_hand = now;
        if (f > kPinched) {
            ASSERT_LT(difference(in_hand, now), 1e-9) << f;
        }
    }
    EXPECT_EQ(taken, 1u);
    EXPECT_GT(height(*session), 0.03);
    EXPECT_EQ(figure(*session, "polygons_moved"), 0) << "a hand that carries does not dent";
}

TEST(PotterCarry, a_released_pot_returns_smoothly_within_half_a_second_and_turns_again) {
    SessionOptions options = potter(kRightCarries);
    set(options, "spin_only_touched", 0);
    const auto session = start(options);
    for (int f = 1; f <= kLifted; ++f) step(*session, carrier(f));
    const Pose held = pot(*session);
    int f = kLifted;
    while (f < 240 && count(*session, SceneEvent::Kind::dropped) == 0) step(*session, carrier(++f));
    ASSERT_EQ(count(*session, SceneEvent::Kind::dropped), 1u);
    Pose before = held;
    double fastest = 0;
    int frames = 0;
    for (; height(*session) != 0 && frames < 60; ++frames) {
        before = pot(*session);
        step(*session, {});
        fastest = std::max(fastest, length(pot(*session).translation - before.translation));
        EXPECT_LE(height(*session), before.translation.y + 1e-3);
    }
    EXPECT_LE(frames, 30);
    EXPECT_GT(frames, 15);
    EXPECT_LT(fastest, 0.02) << "no jump";
    EXPECT_EQ(pot(*session).translation, Vec3d{});
    step(*session, {});
    before = pot(*session);
    step(*session, {});
    EXPECT_NEAR(difference(before, pot(*session)), 2 * collision::kPi / 60, 1e-3) << "the wheel turns again";
}

TEST(PotterCarry, the_wheel_rests_while_a_hand_holds_the_pot) {
    SessionOptions options = potter(kRightCarries);
    set(options, "spin_only_touched", 0);
    const auto session = start(options);
    for (int f = 1; f <= kPinched; ++f) step(*session, carrier(f));
    const auto wheel = [&] {
        SceneView view;
        session->scene().view({}, view);
        return view.drawables[2].pose;
    };
    const Pose held = pot(*session), before = wheel();
    for (int i = 0; i < 30; ++i) step(*session, carrier(kPinched));
    EXPECT_LT(difference(held, pot(*session)), 1e-9);
    EXPECT_EQ(before, wheel());
}

TEST(PotterCarry, hands_that_shape_take_nothing) {
    for (const Hands hands : {kShape, kLeftCarries}) {
        const auto session = start(potter(hands));
        for (int f = 1; f <= kLifted; ++f) {
            step(*session, carrier(f));
            ASSERT_EQ(height(*session), 0);
        }
    }
}

// The clay is measured at its pose: the hand must be at the same place.
TEST(PotterCarry, clay_is_taken_at_its_current_pose) {
    const ClaySurface clay(collision::Shape::from_polygons(make_clay(ClayShape::pot, 5000)).value());
    const Pose place{collision::axis_angle({0.6, 0, 0.8}, 0.7), {0.3, 0.2, -0.1}};
    const Graspable pot{7, nullptr, place, &clay};
    for (const bool at_pot : {false, true}) {
        Grasp grasp;
        for (int f = 40; f <= kPinched; ++f)
            grasp.update(at_pot ? moved(carrier(f), place) : carrier(f), {}, {&pot, 1});
        EXPECT_EQ(grasp.kind() == Grasp::Kind::pinch, at_pot);
    }
}

TEST(PotterCarry, the_other_hand_shapes_the_pot_in_the_air_as_on_the_wheel) {
    for (const bool concurrent : {false, true}) {
        SessionOptions options = potter(kRightCarries);
        options.settings.concurrent = concurrent;
        set(options, "speed", 0);
        set(options, "detail", 0);  // vertices are compared one by one
        const auto in_air = start(options), on_wheel = start(options);
        for (int f = 1; f <= kLifted; ++f) step(*in_air, carrier(f));
        for (int f = 1; f <= kLifted; ++f) step(*on_wheel, {});
        const Pose place = pot(*in_air);
        ASSERT_GT(difference(place, {}), 0.05);
        for (int f = 60; f <= 130; ++f) {
            step(*in_air, carrier(kLifted), moved(shaper(f), place));
            step(*on_wheel, {}, shaper(f));
        }
        const auto &a = *in_air->scene().export_mesh().positions,
                   &b = *on_wheel->scene().export_mesh().positions;
        const auto fresh = start(options);
        const auto& c = *fresh->scene().export_mesh().positions;
        double largest_difference = 0, dent = 0;
        for (std::size_t v = 0; v < a.size(); ++v) {
            largest_difference = std::max(largest_difference, static_cast<double>(length(a[v] - b[v])));
            dent = std::max(dent, static_cast<double>(length(b[v] - c[v])));
        }
        EXPECT_GT(dent, 0.01);
        EXPECT_LT(largest_difference, 0.0005) << concurrent;
    }
}

TEST(PotterCarry, a_hand_with_lost_tracking_keeps_the_pot_until_it_disappears) {
    const auto session = lifted();
    const Pose held = pot(*session);
    HandInput lost = moved(carrier(kLifted), {{}, {0.1, 0.1, 0}});
    lost.held = true;
    for (int i = 0; i < 9; ++i) step(*session, lost);
    EXPECT_EQ(pot(*session), held);
    step(*session, {});
    EXPECT_EQ(count(*session, SceneEvent::Kind::dropped), 1u);
    for (int i = 0; i < 30; ++i) step(*session, {});
    EXPECT_EQ(pot(*session), Pose{});
}

TEST(PotterCarry, the_first_of_two_hands_gets_the_pot) {
    const auto session = start(potter(kBothCarry));
    Pose in_hand;
    for (int f = 1; f <= kLifted; ++f) {
        // The left hand comes ten frames later and stays where the rim was.
        step(*session, carrier(f), f > 10 ? carrier(std::min(f - 10, kPinched)) : HandInput{});
        if (f == kPinched) in_hand = between(carrier(f).part[0], pot(*session));
    }
    EXPECT_LT(difference(in_hand, between(carrier(kLifted).part[0], pot(*session))), 1e-9);
    // When the first hand has disappeared, the second must close again.
    for (int i = 0; i < 40; ++i) step(*session, {}, carrier(kPinched));
    EXPECT_EQ(pot(*session), Pose{});
    for (int f = 60; f <= kLifted; ++f) step(*session, {}, carrier(f));
    EXPECT_GT(height(*session), 0.02);
}

TEST(PotterCarry, reset_puts_the_pot_back_and_the_hand_must_close_again) {
    const auto session = lifted();
    StepInput reset;
    reset.hand[0] = carrier(kLifted);
    reset.actions = {0};
    session->step(std::move(reset));
    EXPECT_EQ(pot(*session), Pose{});
    for (int f = kLifted; f > kPinched; --f) step(*session, carrier(f));  // back to the rim, still pinching
    for (int f = kPinched; f <= kLifted; ++f) step(*session, carrier(f));
    EXPECT_EQ(pot(*session), Pose{});
}

TEST(PotterCarry, a_hand_switched_to_shaping_releases_the_pot) {
    const auto session = lifted();
    const auto table = session->descriptor().parameters;
    ASSERT_TRUE(session->set_parameter(collision::find_parameter(table, "hands"), kShape).ok());
    for (int i = 0; i < 40; ++i) step(*session, carrier(kPinched));
    EXPECT_EQ(height(*session), 0);
    EXPECT_EQ(figure(*session, "polygons_moved"), 0)
        << "the fingers are in the rim and must leave it before they dent";
}

TEST(PotterCarry, the_returning_pot_is_not_dented_by_a_hand_in_its_way) {
    for (const bool concurrent : {false, true}) {
        SessionOptions options = potter(kRightCarries);
        options.settings.concurrent = concurrent;
        const auto session = start(options);
        for (int f = 1; f <= kLifted; ++f) step(*session, carrier(f));
        const HandInput in_the_way = shaper(100);  // where the belly will be
        for (int i = 0; i < 60; ++i) step(*session, {}, in_the_way);
        EXPECT_EQ(height(*session), 0);
        EXPECT_GT(figure(*session, "touching"), 0);
        EXPECT_EQ(figure(*session, "polygons_moved"), 0) << concurrent;
        for (int i = 0; i < 10; ++i) step(*session, {}, shaper(1));
        for (int i = 0; i < 20; ++i) step(*session, {}, shaper(100));
        EXPECT_GT(figure(*session, "polygons_moved"), 0) << "a hand that comes again dents";
    }
}

TEST(PotterCarry, the_pot_does_not_go_through_the_wheel) {
    const auto session = lifted();
    const Vec3d down{0, -0.3, 0};
    for (int i = 0; i < 10; ++i) step(*session, moved(carrier(kLifted), {{}, down * (0.1 * i)}));
    double low = 1;
    for (const collision::Vec3f& p : *session->scene().export_mesh().positions)
        low = std::min(low, transform_point(pot(*session), collision::cast<double>(p)).y);
    EXPECT_NEAR(low, 0, 1e-6);
}

TEST(PotterCarry, the_pot_is_drawn_with_the_newest_hand) {
    const auto session = start(potter(kRightCarries));
    for (int f = 1; f <= kPinched; ++f) step(*session, carrier(f));
    const Pose held = pot(*session);
    std::array<HandInput, 2> newest;
    newest[0] = carrier(kPinched + 8);
    ViewOptions options;
    options.newest_hands = &newest;
    SceneView view;
    session->scene().view(options, view);
    EXPECT_GT(difference(held, view.drawables[0].pose), 0.01);
    EXPECT_LT(difference(between(carrier(kPinched).part[0], held),
                         between(newest[0].part[0], view.drawables[0].pose)),
              1e-9);
    EXPECT_EQ(pot(*session), held);
}

TEST(PotterCarry, every_mode_of_the_module_gives_the_same_run) {
    std::vector<std::uint64_t> hashes;
    std::vector<Pose> poses;
    for (const bool concurrent : {false, true}) {
        for (const char* broad : {"grid", "all_pairs"}) {
            SessionOptions options = potter(kRightCarries);
            options.settings.concurrent = concurrent;
            options.settings.broad_phase = collision::find_broad_phase(broad);
            options.settings.broad_parameters =
                collision::default_values(options.settings.broad_phase->parameters);
            const auto session = start(options);
            for (int f = 1; f <= 225; ++f) {
                StepInput input;
                input.hand[0] = carrier(f);
                session->step(std::move(input));  // without waiting for the module
                if (f % 5 == 0) poses.push_back(pot(*session));
            }
            session->world().wait_idle();
            hashes.push_back(session->world().stats().state_hash);
        }
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    const std::size_t per_run = poses.size() / 4;
    for (std::size_t i = per_run; i < poses.size(); ++i) ASSERT_EQ(poses[i], poses[i % per_run]) << i;
}

TEST(PotterCarry, a_fist_takes_the_pot_by_its_neck) {
    SessionOptions options = potter(kLeftCarries);
    set(options, "shape", 2);
    const auto session = start(options);
    // The palm is below the hand; after the turn it faces the neck from the right.
    const collision::Quat turn = collision::axis_angle({0, 0, 1}, -collision::kPi / 2);
    const auto fist = [&](float grip, double lift) {
        engine::HandPose pose;
        pose.curl = {0, grip, grip, grip, grip};  // not the thumb: that would be a pinch
        return moved(to_hand_input(engine::pose_hand(pose)), {turn, {0.053, 0.175 + lift, 0.060}});
    };
    for (int i = 0; i <= 60; ++i) step(*session, {}, fist(static_cast<float>(i) / 60, 0));
    for (int i = 0; i <= 30; ++i) step(*session, {}, fist(1, 0.002 * i));
    EXPECT_GT(height(*session), 0.05);
    for (int i = 0; i <= 60; ++i) step(*session, {}, fist(1 - static_cast<float>(i) / 60, 0.06));
    EXPECT_EQ(height(*session), 0);
}

// Like a person: lets the right hand carry, points at the pot, holds the left button and drags.
TEST(PotterCarry, the_mouse_hand_takes_the_pot_under_the_pointer_and_carries_it) {
    for (const Vec3d at : {Vec3d{0.0, 0.07, 0.08}, Vec3d{0.03, 0.14, 0.06}, Vec3d{-0.04, 0.04, 0.07}}) {
        const auto session = start(potter(kRightCarries, 80000));
        MousePerson person(session->scene());
        std::size_t taken = 0;
        for (int i = 0; i < 170; ++i) {
            const double drag = std::clamp(0.002 * (i - 60), 0.0, 0.06);
            step(*session, person.frame(at + Vec3d{0, drag, 0}, i >= 40 && i < 120));
            taken += count(*session, SceneEvent::Kind::taken);
            if (i == 119) {
                EXPECT_GT(height(*session), 0.03) << at.y;
            }
        }
        EXPECT_EQ(taken, 1u);
        EXPECT_EQ(pot(*session), Pose{}) << "back after the release";
        EXPECT_EQ(figure(*session, "polygons_moved"), 0);
    }
}

}  // namespace
}  // namespace claybox::app
