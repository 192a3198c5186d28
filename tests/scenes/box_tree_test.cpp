// The scene that draws the traversal of two box-trees.

#include "app/scenes/shared/decor.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

using collision::Vec3d;

std::size_t lines_of(const Session& session, Ink ink) {
    SceneView view;
    session.scene().view({}, view);
    std::size_t count = 0;
    for (const ViewLine& line : view.lines) count += line.ink == ink ? 1 : 0;
    return count;
}

void set_live(Session& session, const char* id, double value) {
    const std::size_t index = collision::find_parameter(session.descriptor().parameters, id);
    ASSERT_TRUE(session.set_parameter(index, value).ok()) << id;
}

TEST(BoxTreeScene, Z_3_6_4_vis_overlapping_boxes_are_drawn_differently_from_the_others) {
    const auto session = start(options_for("box_tree"));
    std::size_t some = 0, none = 0;
    for (int frame = 0; frame < 720; frame += 8) {
        run(*session, 8);
        const auto leaves = static_cast<std::size_t>(figure(*session, "leaf_boxes")),
                   met = static_cast<std::size_t>(figure(*session, "overlapping_leaf_boxes"));
        EXPECT_GT(leaves, 20u);
        EXPECT_EQ(lines_of(*session, Ink::accent) + lines_of(*session, Ink::witness), 12 * met);
        EXPECT_EQ(lines_of(*session, Ink::accent) > 0, met != 0) << "both bodies have boxes that overlap";
        EXPECT_EQ(lines_of(*session, Ink::witness) > 0, met != 0);
        EXPECT_EQ(lines_of(*session, Ink::bounds), 12 * (leaves - met));
        (met != 0 ? some : none) += 1;
        if (figure(*session, "colliding") != 0) {
            EXPECT_GE(met, 2u);
        }
        EXPECT_EQ(figure(*session, "colliding") != 0, figure(*session, "intersection_points") != 0);
    }
    EXPECT_GT(some, 20u);
    EXPECT_GT(none, 5u);
}

TEST(BoxTreeScene, Z_3_6_4_vis_fewer_levels_draw_fewer_boxes_and_only_overlapping_ones_on_request) {
    const auto session = start(options_for("box_tree"));
    run(*session, 1);
    const double deep = figure(*session, "leaf_boxes");
    set_live(*session, "d_max", 2);
    EXPECT_LE(figure(*session, "leaf_boxes"), 8);
    EXPECT_GT(deep, 8);
    EXPECT_GT(lines_of(*session, Ink::bounds), 0u);
    set_live(*session, "show", 1);
    EXPECT_EQ(lines_of(*session, Ink::bounds), 0u);
}

TEST(BoxTreeScene, agrees_with_the_world_about_the_same_bodies) {
    double colliding = 0;
    for (const double bodies : {0.0, 1.0, 2.0, 3.0}) {
        SessionOptions options = options_for("box_tree");
        set(options, "bodies", bodies);
        options.settings.pair_algorithm = collision::find_pair_algorithm("edge_polygon");
        options.settings.pair_parameters =
            collision::default_values(options.settings.pair_algorithm->parameters);
        const auto session = start(options);
        for (int frame = 0; frame < 720; frame += 6) {
            run(*session, 6);
            EXPECT_EQ(static_cast<double>(session->report().pass.colliding), figure(*session, "colliding"));
            colliding += figure(*session, "colliding");
        }
    }
    EXPECT_GT(colliding, 100);  // of 480
    EXPECT_LT(colliding, 450);
}

TEST(ViewBox, the_edges_behind_a_box_are_faint) {
    const Vec3d corner{-1, -1, -1};
    const std::array<Vec3d, 3> sides{{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}};
    const auto faint = [&](const Vec3d& eye) {
        SceneView view;
        view_solid_box(corner, sides, eye, {{}, {}, Ink::accent, 2, true, 1}, view);
        EXPECT_EQ(view.lines.size(), 12u);
        return std::count_if(view.lines.begin(), view.lines.end(),
                             [](const ViewLine& l) { return l.opacity < 1 && !l.casing; });
    };
    EXPECT_EQ(faint({5, 6, 7}), 3) << "three faces hide one corner";
    EXPECT_EQ(faint({0, 6, 7}), 5) << "two faces hide an edge and its neighbours";
    EXPECT_EQ(faint({0, 0, 7}), 8) << "one face hides all edges but its own";
}

}  // namespace
}  // namespace claybox::app
