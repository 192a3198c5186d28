#include "app/scenes/potter/brush_marks.hpp"

#include "app/scenes/potter/dimensions.hpp"
#include "tests/potter/probe.hpp"

#include <cmath>

namespace claybox::app {
namespace {

/// Largest distance of the rings from the clay.
double off_the_clay(const SceneView& view, const ClaySurface& clay) {
    double most = 0;
    for (const ViewLine& line : view.lines) {
        const Vec3d p = collision::cast<double>(line.from);
        most = std::max(most, clay.distance(p, p, 0.05));
    }
    return most;
}

BrushMark mark_on_side(const Clay& clay) {
    const double radius = 0.5 * clay.measure().widest;
    return {collision::cast<float>(Vec3d{radius, 0.5 * clay.measure().height, 0}), {-1, 0, 0}};
}

TEST(BrushMarks, the_ring_lies_on_the_clay) {
    const Clay clay(clay_shape(ClayShape::cylinder, 20000));
    const BrushMark mark = mark_on_side(clay);
    SceneView view;
    view_brush({&mark, 1}, clay.surface(), {}, 0.03, view);
    ASSERT_EQ(view.lines.size(), 144u);
    EXPECT_LT(off_the_clay(view, clay.surface()), 0.0015);
    const double radius = 0.5 * clay.measure().widest;
    EXPECT_GT(radius - std::sqrt(radius * radius - 0.03 * 0.03), 0.003) << "a flat ring would pass, too";
}

TEST(BrushMarks, coarse_clay_and_rings_beyond_its_border_give_finite_lines) {
    for (const std::uint32_t polygons : {10u, 60u, 5000u}) {
        const Clay clay(clay_shape(ClayShape::cylinder, polygons));
        BrushMark mark = mark_on_side(clay);
        mark.centre.y = static_cast<float>(clay.measure().height);
        for (const Vec3f along : {Vec3f{-1, 0, 0}, Vec3f{0, -1, 0}, Vec3f{0, 1, 0}}) {
            mark.along = along;
            SceneView view;
            view_brush({&mark, 1}, clay.surface(), {}, 0.03, view);
            EXPECT_EQ(view.lines.size(), 144u);
            for (const ViewLine& line : view.lines)
                EXPECT_LT(length(line.from - mark.centre), 0.06f) << polygons << " polygons";
        }
    }
}

TEST(BrushMarks, every_copy_gets_a_dot_and_few_copies_get_rings) {
    const Clay clay(clay_shape(ClayShape::sphere, 2000));
    for (const std::size_t copies : {1u, 7u, 63u}) {
        std::vector<BrushMark> marks(copies + 1, mark_on_side(clay));
        SceneView view;
        view_brush(marks, clay.surface(), {}, 0.02, view);
        const auto dots = std::count_if(view.lines.begin(), view.lines.end(),
                                        [](const ViewLine& l) { return l.from == l.to; });
        EXPECT_EQ(static_cast<std::size_t>(dots), copies);
        EXPECT_EQ(view.lines.size(), 144 + copies + (copies <= 7 ? 72 * copies : 0));
    }
    SceneView none;
    view_brush({}, clay.surface(), {}, 0.02, none);
    EXPECT_TRUE(none.lines.empty());
}

TEST(BrushMarks, a_finger_near_the_clay_hovers_over_the_nearest_place) {
    const Clay clay(clay_shape(ClayShape::cylinder, 20000));
    const double radius = 0.5 * clay.measure().widest;
    const auto mark = hover_mark(clay.surface(), {radius + 0.02, 0.05, 0}, 0.05);
    ASSERT_TRUE(mark.has_value());
    EXPECT_NEAR(static_cast<double>(mark->centre.x), radius, 0.001);
    EXPECT_NEAR(static_cast<double>(mark->centre.y), 0.05, 0.003);
    EXPECT_LT(mark->along.x, -0.98f);
    EXPECT_FALSE(hover_mark(clay.surface(), {radius + 0.06, 0.05, 0}, 0.05));
    EXPECT_FALSE(hover_mark(clay.surface(), {0, 0.05, 0}, 0.01)) << "inside";
}

TEST(BrushMarks, mirror_plane_and_cut_stay_around_the_clay) {
    SceneView view;
    view_mirror_plane({1, 0, 0}, 0.16, 0.09, {}, view);
    EXPECT_GT(view.lines.size(), 20u);
    for (const ViewLine& line : view.lines) EXPECT_NEAR(line.from.x, 0, 1e-6f);
    view.clear();
    view_cut_height(0.134, 0.09, true, view);
    for (const ViewLine& line : view.lines) EXPECT_FLOAT_EQ(line.from.y, 0.134f);
    ASSERT_EQ(view.labels.size(), 1u);
    EXPECT_EQ(view.labels[0].text, "Cut at 134 mm");
}

TEST(Dimensions, labels_name_every_measure_with_its_unit) {
    SceneView view;
    const ViewEye eye{{0.05f, 0.3f, 0.7f}, {0, 0.07f, 0}};
    view_dimensions({0.162, 0.176, 0.134, 812e-6, 0.0068}, eye, true, view);
    std::vector<std::string> texts;
    for (const ViewLabel& label : view.labels) texts.push_back(label.text);
    EXPECT_EQ(texts, (std::vector<std::string>{"Height 162 mm", "Mouth 134 mm", "Widest 176 mm",
                                               "Volume 812 cm³", "Thinnest wall 6.8 mm"}));
    view.clear();
    view_dimensions({0.162, 0.176, 0.134, 812e-6, {}}, eye, false, view);
    EXPECT_TRUE(view.labels.empty());
    EXPECT_FALSE(view.lines.empty());
}

TEST(Dimensions, the_height_stands_upright_in_the_picture_from_every_side) {
    for (const double turn : {0.0, 0.7, 2.0, 4.5}) {
        for (const double above : {-0.1, 0.3, 0.9}) {
            const Vec3d from{0.7 * std::sin(turn), above, 0.7 * std::cos(turn)}, target{0, 0.07, 0};
            SceneView view;
            view_dimensions({0.162, 0.176, 0.134, 812e-6, {}},
                            {collision::cast<float>(from), collision::cast<float>(target)}, false, view);
            const Vec3d ahead = normalized(target - from), right = normalized(cross(ahead, Vec3d{0, 1, 0}));
            const auto x = [&](const Vec3f& p) {
                const Vec3d to = collision::cast<double>(p) - from;
                return dot(to, right) / dot(to, ahead);
            };
            const ViewLine& height = view.lines.front();
            EXPECT_NEAR(height.to.y - height.from.y, 0.162f, 1e-6f);
            EXPECT_NEAR(x(height.from), x(height.to), 1e-5);
            EXPECT_LT(x(height.from), x({0, 0, 0})) << "to the left of the pot";
        }
    }
}

}  // namespace
}  // namespace claybox::app
