// The Potter with clay whose polygons change: strokes, actions and messages in the scene.

#include "app/potter/files/watertight.hpp"
#include "app/potter/touch/clay_op.hpp"
#include "app/scenes/scene.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

enum Action : std::uint32_t { kReset, kUndo, kRedo, kRemesh, kHollow, kClearMask };

SessionOptions lump(double polygons = 3000) {
    SessionOptions options = options_for("potter");
    set(options, "shape", 8);
    set(options, "polygons", polygons);
    return options;
}

void act(Session& session, Action action, int frames) {
    for (int i = 0; i < frames; ++i) {
        StepInput input;
        if (i == 0) input.actions = {action};
        session.step(input);
    }
}

Watertight check(const Session& session) {
    const ExportMesh clay = session.scene().export_mesh();
    return check_watertight(*clay.topology, *clay.positions);
}

/// A coarse pot, where the script of the scene presses.
SessionOptions pot() {
    SessionOptions options = options_for("potter");
    set(options, "polygons", 3000);
    return options;
}

TEST(PotterDetail, a_scripted_stroke_refines_the_clay_and_the_module_follows) {
    const auto session = start(pot());
    const double before = figure(*session, "polygons");
    run(*session, 280);
    EXPECT_GE(figure(*session, "remeshed"), 1);
    EXPECT_GT(figure(*session, "polygons"), before);
    EXPECT_EQ(session->world().body_count(), 17u) << "the clay is one body, whatever its shape";
    EXPECT_TRUE(check(*session).good());
    EXPECT_GE(figure(*session, "strokes"), 1);
}

TEST(PotterDetail, undo_brings_back_the_clay_that_a_new_start_shape_replaced) {
    const auto session = start(pot());
    run(*session, 280);
    const std::vector<collision::Vec3f> shaped = *session->scene().export_mesh().positions;
    const double strokes = figure(*session, "strokes");
    ASSERT_GT(strokes, 0);
    const auto set_shape = [&](const char* parameter, double value) {
        const auto table = find_scene("potter")->parameters;
        ASSERT_TRUE(session->set_parameter(collision::find_parameter(table, parameter), value).ok());
    };
    set_shape("shape", 8);
    EXPECT_EQ(figure(*session, "strokes"), strokes + 1);
    EXPECT_EQ(figure(*session, "volume_drift"), 0);
    EXPECT_EQ(session->world().body_count(), 1u) << "hands come with the next frame";
    act(*session, kHollow, 40);
    act(*session, kUndo, 40);
    set_shape("polygons", 5000);
    act(*session, kUndo, 40);
    EXPECT_NE(*session->scene().export_mesh().positions, shaped);
    act(*session, kUndo, 40);
    EXPECT_EQ(*session->scene().export_mesh().positions, shaped);
    EXPECT_EQ(figure(*session, "strokes"), strokes);
    act(*session, kRedo, 40);
    EXPECT_NE(*session->scene().export_mesh().positions, shaped);
    act(*session, kReset, 40);
    EXPECT_NEAR(figure(*session, "volume_drift"), 0, 1e-9);
    EXPECT_TRUE(check(*session).good());
    ASSERT_TRUE(session->rebuild().ok());
    EXPECT_EQ(figure(*session, "strokes"), 0) << "a restart starts without a history";
}

TEST(PotterDetail, runs_repeat_bit_for_bit) {
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 2; ++i) {
        const auto session = start(pot());
        run(*session, 260);
        hashes.push_back(session->world().stats().state_hash);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(PotterDetail, Z_8_modes_a_concurrent_stroke_on_remeshed_clay_is_nearly_as_deep_as_a_serial_one) {
    double removed[2];
    for (const bool concurrent : {false, true}) {
        SessionOptions options = pot();
        options.settings.concurrent = concurrent;
        const auto session = start(options);
        for (std::uint64_t frame = 1; frame <= 230; ++frame) {
            StepInput input;
            input.hand[0] = scripted_hand(session->scene(), frame);
            session->step(input);
            session->world().wait_idle();
        }
        EXPECT_GE(figure(*session, "remeshed"), 1);
        removed[concurrent] = figure(*session, "volume_before") - figure(*session, "volume_after");
    }
    EXPECT_GT(removed[0], 0);
    EXPECT_NEAR(removed[1], removed[0], 0.25 * removed[0]);
}

TEST(PotterDetail, a_lump_becomes_a_watertight_pot_and_undo_brings_the_lump_back) {
    const auto session = start(lump());
    const double volume = figure(*session, "volume_after");
    act(*session, kHollow, 60);
    EXPECT_LT(figure(*session, "volume_after"), 0.6 * volume);
    EXPECT_TRUE(check(*session).good());
    act(*session, kRemesh, 120);
    EXPECT_TRUE(check(*session).good());
    EXPECT_EQ(figure(*session, "strokes"), 2);
    act(*session, kUndo, 20);
    act(*session, kUndo, 20);
    EXPECT_EQ(figure(*session, "volume_after"), volume);
    act(*session, kRedo, 20);
    EXPECT_LT(figure(*session, "volume_after"), 0.6 * volume);
    act(*session, kReset, 20);
    EXPECT_EQ(figure(*session, "volume_after"), volume);
}

TEST(PotterDetail, what_is_not_possible_is_an_event_with_a_reason) {
    SessionOptions options = lump();
    set(options, "shape", 6);  // a waist of 30 mm
    set(options, "wall", 30);
    set(options, "floor", 30);
    const auto session = start(options);
    std::string reason;
    for (int i = 0; i < 30; ++i) {
        StepInput input;
        if (i == 0) input.actions = {kHollow};
        session->step(input);
        for (const SceneEvent& e : session->output().events)
            if (e.kind == SceneEvent::Kind::refused) reason = e.text;
    }
    EXPECT_NE(reason.find("too small for a wall of 30 mm"), std::string::npos) << reason;
    EXPECT_EQ(figure(*session, "strokes"), 0);
}

TEST(PotterDetail, every_effect_runs_with_symmetry_and_keeps_the_clay_watertight) {
    const auto effect = collision::find_parameter(find_scene("potter")->parameters, "effect");
    for (int kind = 0; kind < kClayEffectCount; ++kind) {
        SessionOptions options = pot();
        set(options, "effect", kind);
        set(options, "radial", 3);
        set(options, "mirror", 1);
        set(options, "tool", 3);
        const auto session = start(options);
        ASSERT_LT(effect, find_scene("potter")->parameters.size());
        run(*session, 170);
        EXPECT_TRUE(check(*session).good()) << kClayEffectIds[kind];
        EXPECT_GT(figure(*session, "volume_after"), 1e2) << kClayEffectIds[kind];
    }
}

}  // namespace
}  // namespace claybox::app
