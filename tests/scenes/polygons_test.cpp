// The scene that draws the separating-vector search in 2D.

#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <string>

namespace claybox::app {
namespace {

SceneView polygons_view(const Session& session) {
    SceneView out;
    session.scene().view({}, out);
    return out;
}

/// Number of labels "S0", "S1" ..., one per step.
std::size_t vectors_in(const SceneView& view) {
    std::size_t count = 0;
    for (const ViewLabel& label : view.labels)
        count += label.text.size() <= 3 && label.text.starts_with('S') ? 1 : 0;
    return count;
}

bool is_labelled(const SceneView& view, const std::string& corner) {
    for (const ViewLabel& label : view.labels)
        if ((label.text + ",").find(corner + ",") != std::string::npos) return true;
    return false;
}

TEST(Polygons, CW_2_2_2d_draws_the_vector_and_both_corners_of_every_step_or_of_the_requested_number) {
    const auto session = start(options_for("polygons"));
    std::size_t steps = 0, colliding = 0, frames = 0;
    for (; frames < 600; ++frames) {
        run(*session, 1);
        const auto count = static_cast<std::size_t>(figure(*session, "steps"));
        const SceneView view = polygons_view(*session);
        ASSERT_EQ(vectors_in(view), count);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_TRUE(is_labelled(view, "p" + std::to_string(i)));
            EXPECT_TRUE(is_labelled(view, "q" + std::to_string(i)));
        }
        steps += count;
        colliding += figure(*session, "colliding") != 0 ? 1 : 0;
    }
    EXPECT_GT(steps, frames);
    EXPECT_GT(colliding, frames / 10);
    EXPECT_LT(colliding, frames * 9 / 10);
    const std::size_t shown = collision::find_parameter(session->descriptor().parameters, "shown");
    while (figure(*session, "steps") < 3) run(*session, 1);
    ASSERT_TRUE(session->set_parameter(shown, 2).ok());
    EXPECT_EQ(vectors_in(polygons_view(*session)), 2u) << "also while the scene is paused";
    EXPECT_FALSE(is_labelled(polygons_view(*session), "p2"));
}

TEST(Polygons, agrees_with_the_pair_algorithm_about_the_same_plates) {
    const auto session = start(options_for("polygons"));
    for (int frame = 0; frame < 600; ++frame) {
        run(*session, 1);
        EXPECT_EQ(session->report().pass.colliding,
                  static_cast<std::uint64_t>(figure(*session, "colliding")));
    }
}

TEST(Polygons, starting_from_the_last_vector_usually_takes_one_step) {
    const auto cold = start(options_for("polygons")), warm = start(options_for("polygons"));
    const std::size_t index = collision::find_parameter(warm->descriptor().parameters, "start");
    ASSERT_TRUE(warm->set_parameter(index, 2).ok());
    int apart = 0, first = 0;
    for (int frame = 0; frame < 600; ++frame) {
        run(*cold, 1);
        run(*warm, 1);
        EXPECT_EQ(figure(*warm, "colliding"), figure(*cold, "colliding"));
        if (figure(*warm, "colliding") != 0) continue;
        ++apart;
        first += figure(*warm, "steps") == 1 ? 1 : 0;
    }
    EXPECT_GT(first, 0.9 * apart);
    EXPECT_LT(figure(*warm, "mean_steps"), figure(*cold, "mean_steps"));
}

}  // namespace
}  // namespace claybox::app
