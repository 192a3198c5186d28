// Tools and modes of the Potter, as in chapter 8 of the thesis.

#include "app/potter/touch/clay_op.hpp"
#include "app/scenes/scene.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

constexpr std::uint64_t kDented = 195;  // frame of the script in which the finger has pressed and stroked

enum PotterTool { kWholeHand, kIndexFinger, kFingertips, kOneFingertip, kBall, kBlock, kStick, kCone };

SessionOptions potter(PotterTool tool) {
    SessionOptions options = options_for("potter");
    set(options, "polygons", 5000);
    set(options, "detail", 0);  // the tests count the polygons of the start shape
    set(options, "tool", tool);
    return options;
}

void run(Session& session, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t frame = from; frame <= to; ++frame) {
        StepInput input;
        input.hand[0] = scripted_hand(session.scene(), frame);
        session.step(std::move(input));
        session.world().wait_idle();
    }
}

std::vector<collision::Vec3f> clay_of(const Session& session) {
    return *session.scene().export_mesh().positions;
}

std::size_t faint_parts(const Session& session) {
    SceneView view;
    session.scene().view({}, view);
    return static_cast<std::size_t>(
        std::count_if(view.drawables.begin(), view.drawables.end(), [](const Drawable& d) {
            return (d.material == Material::hand || d.material == Material::hand_active) && d.opacity < 1;
        }));
}

TEST(PotterTools, Z_8_tool_each_subset_of_the_hand_has_its_bodies_and_dents) {
    const std::pair<PotterTool, std::size_t> tools[] = {
        {kWholeHand, 16}, {kIndexFinger, 3}, {kFingertips, 5}, {kOneFingertip, 1}};
    for (const auto& [tool, objects] : tools) {
        const auto session = start(potter(tool));
        run(*session, 1, kDented);
        EXPECT_EQ(session->world().body_count(), 1 + objects);
        EXPECT_EQ(figure(*session, "tool_objects"), static_cast<double>(objects));
        EXPECT_EQ(faint_parts(*session), 16 - objects);
        EXPECT_GT(figure(*session, "polygons_moved"), 20) << tool;
    }
}

TEST(PotterTools, of_the_whole_hand_only_the_index_fingertip_is_a_brush) {
    const auto clay_with = [](PotterTool tool, ClayEffect effect) {
        SessionOptions options = potter(tool);
        set(options, "effect", static_cast<double>(effect));
        const auto session = start(options);
        run(*session, 1, kDented);
        return clay_of(*session);
    };
    for (const ClayEffect effect : {ClayEffect::inflate, ClayEffect::add, ClayEffect::smooth})
        EXPECT_EQ(clay_with(kWholeHand, effect), clay_with(kOneFingertip, effect));
    EXPECT_NE(clay_with(kWholeHand, ClayEffect::add), clay_with(kWholeHand, ClayEffect::smooth));
}

TEST(PotterTools, Z_8_tool_the_tool_changes_while_the_hand_is_there) {
    const auto session = start(potter(kWholeHand));
    run(*session, 1, 60);
    const auto tool = collision::find_parameter(find_scene("potter")->parameters, "tool");
    for (const auto& [choice, bodies] :
         {std::pair{kFingertips, 6u}, std::pair{kBall, 2u}, std::pair{kWholeHand, 17u}}) {
        ASSERT_TRUE(session->set_parameter(tool, choice).ok());
        run(*session, 61, 63);
        EXPECT_EQ(session->world().body_count(), bodies);
    }
}

/// The picture shows the height while the finger comes near; half a second counts.
TEST(PotterTools, a_trim_cuts_at_a_height_that_the_picture_showed) {
    SessionOptions options = potter(kWholeHand);
    set(options, "effect", static_cast<double>(ClayEffect::trim));
    const auto session = start(options);
    const double before = figure(*session, "height");
    ViewOptions all;
    all.hands = all.witness = all.labels = true;
    std::vector<double> shown;
    for (std::uint64_t frame = 1; frame <= kDented && figure(*session, "remeshed") == 0; ++frame) {
        SceneView view;
        session->scene().view(all, view);
        for (const ViewLabel& label : view.labels)
            if (label.text.starts_with("Cut at ")) shown.push_back(std::stod(label.text.substr(7)));
        run(*session, frame, frame);
    }
    ASSERT_FALSE(shown.empty());
    EXPECT_LT(figure(*session, "height"), before - 10);
    const double height = figure(*session, "height");
    const auto recent = shown.end() - std::min<std::ptrdiff_t>(std::ssize(shown), 45);
    EXPECT_TRUE(std::any_of(recent, shown.end(), [&](double at) { return std::abs(at - height) < 1.5; }))
        << height << " was not shown, but " << shown.back();
}

TEST(PotterTools, Z_8_othertool_a_ball_dents_and_a_larger_ball_dents_more) {
    double last = 0;
    for (const double size : {16.0, 40.0}) {
        SessionOptions options = potter(kBall);
        set(options, "tool_size", size);
        const auto session = start(options);
        run(*session, 1, kDented);
        EXPECT_EQ(session->world().body_count(), 2u);
        EXPECT_GT(figure(*session, "polygons_moved"), last);
        last = figure(*session, "polygons_moved");
    }
}

TEST(PotterTools, Z_8_othertool_a_block_a_stick_and_a_cone_leave_dents_of_their_own) {
    std::vector<double> removed;
    for (const PotterTool tool : {kBall, kBlock, kStick, kCone}) {
        SessionOptions options = potter(tool);
        set(options, "tool_size", 30);
        const auto session = start(options);
        run(*session, 1, kDented);
        EXPECT_EQ(session->world().body_count(), 2u);
        removed.push_back(figure(*session, "volume_before") - figure(*session, "volume_after"));
        EXPECT_GT(removed.back(), 0) << tool;
        for (std::size_t i = 0; i + 1 < removed.size(); ++i) EXPECT_NE(removed[i], removed.back());
    }
}

/// All exact algorithms report the same hits, in every mode that waits for its answers.
TEST(PotterTools, Z_8_modes_serial_and_parallel_passes_give_the_same_dent) {
    using collision::ParallelMode;
    std::vector<collision::Vec3f> expected;
    for (const ParallelMode mode : {ParallelMode::serial, ParallelMode::pairs, ParallelMode::halves,
                                    ParallelMode::fine, ParallelMode::dual, ParallelMode::three}) {
        for (const bool concurrent : {false, true}) {
            SessionOptions options = potter(kWholeHand);
            options.settings.pair_algorithm = collision::find_pair_algorithm("edge_polygon");
            options.settings.pair_parameters =
                collision::default_values(options.settings.pair_algorithm->parameters);
            options.settings.parallel = mode;
            options.settings.workers = mode == ParallelMode::serial ? 1 : 3;
            options.settings.share_from = 1;
            options.settings.concurrent = concurrent;
            const auto session = start(options);
            run(*session, 1, 130);
            EXPECT_GT(figure(*session, "polygons_moved"), 20);
            if (concurrent) continue;  // its answers come a frame later
            if (expected.empty()) expected = clay_of(*session);
            EXPECT_EQ(clay_of(*session), expected) << collision::to_string(mode);
        }
    }
}

TEST(PotterTools, Z_8_modes_a_concurrent_dent_is_nearly_as_deep_as_a_serial_one) {
    double removed[2];
    for (const bool concurrent : {false, true}) {
        SessionOptions options = potter(kWholeHand);
        options.settings.concurrent = concurrent;
        const auto session = start(options);
        run(*session, 1, 130);
        removed[concurrent] = figure(*session, "volume_before") - figure(*session, "volume_after");
    }
    EXPECT_GT(removed[0], 0);
    EXPECT_NEAR(removed[1], removed[0], 0.15 * removed[0]);
}

TEST(PotterTools, Z_8_1_m3_the_window_can_keep_the_volume) {
    SessionOptions options = potter(kOneFingertip);
    set(options, "keep_volume", 1);
    const auto session = start(options);
    run(*session, 1, kDented);
    EXPECT_GT(figure(*session, "polygons_moved"), 20);
    EXPECT_NEAR(figure(*session, "volume_after") / figure(*session, "volume_before"), 1, 1e-3);
}

TEST(PotterTools, Z_8_1_m1_drag_in_the_scene_moves_clay_along_the_stroke) {
    SessionOptions options = potter(kOneFingertip);
    set(options, "effect", 1);
    set(options, "speed", 0);
    const auto session = start(options);
    const auto before = clay_of(*session);
    run(*session, 1, kDented);
    const auto after = clay_of(*session);
    float highest = 0;
    for (std::size_t v = 0; v < before.size(); ++v) highest = std::max(highest, after[v].y - before[v].y);
    EXPECT_GT(highest, 0.004f) << "the script strokes upwards";
}

}  // namespace
}  // namespace claybox::app
