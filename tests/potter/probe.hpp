#pragma once
// Clay of a test, and fingers that touch it without a module.

#include "app/potter/clay.hpp"
#include "app/potter/shapes/clay_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace claybox::app {

using collision::Vec3d;
using collision::Vec3f;

inline constexpr std::array kTurnedShapes{ClayShape::pot,      ClayShape::bowl,   ClayShape::vase,
                                          ClayShape::cylinder, ClayShape::sphere, ClayShape::hyperboloid};

inline collision::ShapePtr clay_shape(ClayShape shape, std::uint32_t polygons,
                                      ClayFaces faces = ClayFaces::quadrangles) {
    auto made = collision::Shape::from_polygons(make_clay(shape, polygons, faces));
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().text());
    return std::move(made).value();
}

/// Polygons with their centre inside the capsule, as the module would report them, and these centres as hit
/// points.
struct ClayProbe {
    std::vector<std::uint32_t> polygons;
    std::vector<Vec3d> points;
    ClayTouch touch;
};
inline ClayProbe probe(const Clay& clay, const Vec3d& from, const Vec3d& to, double radius) {
    ClayProbe out;
    const collision::Topology& t = clay.topology();
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p) {
        Vec3d middle;
        const auto loop = t.loop(p);
        for (const std::uint32_t v : loop) middle += collision::cast<double>(clay.positions()[v]);
        middle = middle / static_cast<double>(loop.size());
        const Vec3d d = to - from;
        const double s = std::clamp(dot(middle - from, d) / length_squared(d), 0.0, 1.0);
        if (length(middle - (from + d * s)) > radius) continue;
        out.polygons.push_back(p);
        out.points.push_back(middle);
    }
    out.touch = {from, to, radius, out.polygons, out.points, {}, 6, false};
    return out;
}

/// What a step of the history changes, also where it takes frames.
inline ClayChange finished(Clay& clay, ClayChange change) {
    for (std::uint64_t frame = 1'000'000; change.empty() && clay.is_working(); ++frame)
        change = clay.update(frame);
    return change;
}
inline ClayChange undo(Clay& clay) {
    return finished(clay, clay.undo());
}
inline ClayChange redo(Clay& clay) {
    return finished(clay, clay.redo());
}
inline ClayChange reset(Clay& clay) {
    return finished(clay, clay.reset());
}

/// A finger moves along -X at the height of the belly and pushes `depth` into the clay, 1 mm per frame.
inline void push_in(Clay& clay, double surface, double depth, std::uint64_t first_frame = 1,
                    const ClayBrush& brush = {}) {
    constexpr double kRadius = 0.008;
    for (int i = 0; i <= static_cast<int>(depth * 1e3); ++i) {
        const double x = surface + kRadius - i * 1e-3;
        ClayProbe finger = probe(clay, {x + 0.03, 0.07, 0}, {x, 0.07, 0}, kRadius);
        finger.touch.fresh = i == 0;
        clay.push({&finger.touch, 1}, brush, first_frame + static_cast<std::uint64_t>(i));
    }
}

}  // namespace claybox::app
