// The scene that draws the separating-vector search in 2D.

#include "app/scenes/polygons/clear_places.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace claybox::app {
namespace {

using collision::Vec3d;

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

TEST(ClearPlaces, chips_keep_off_discs_and_off_each_other) {
    ClearPlaces places;
    const Vec3d anchor{}, right{1, 0, 0};
    ClearPlaces empty;
    const Vec3d free = empty.place(anchor, right, "S0");
    EXPECT_TRUE(free.x > 0.05 && free.y == 0) << "in the wanted direction";
    places.keep_clear(free, 0.05);
    const Vec3d aside = places.place(anchor, right, "S0");
    EXPECT_GT(length(aside - free), 0.09);
    EXPECT_LT(length(aside), 0.25) << "still near what it names";
    const Vec3d other = places.place(anchor, right, "S1");
    EXPECT_GT(std::max(std::abs(other.x - aside.x), std::abs(other.y - aside.y)), 0.085);
}

TEST(PolygonScene, no_chip_lies_on_the_head_of_an_arrow) {
    const auto session = start(options_for("polygons"));
    int heads = 0, covered = 0;
    for (int i = 0; i < 200; ++i) {
        run(*session, 3);
        const SceneView view = polygons_view(*session);
        for (const ViewLine& line : view.lines) {
            // The two short strokes of a head start at the tip of the arrow.
            if (!line.casing || length(line.to - line.from) > 0.07f) continue;
            ++heads;
            for (const ViewLabel& label : view.labels)
                covered +=
                    std::abs(label.p.x - line.from.x) < 0.03f && std::abs(label.p.y - line.from.y) < 0.03f;
        }
    }
    EXPECT_GT(heads, 400);
    EXPECT_LT(100 * covered, heads) << "there is not always room";
}

}  // namespace
}  // namespace claybox::app
