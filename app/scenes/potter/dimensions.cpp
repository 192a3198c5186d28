#include "app/scenes/potter/dimensions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace claybox::app {

using collision::Vec3d;

namespace {

void line(const Vec3d& from, const Vec3d& to, float width, SceneView& out) {
    out.lines.push_back(
        {collision::cast<float>(from), collision::cast<float>(to), Ink::dimension, width, false});
}

/// A dimension line with a tick of 5 mm at both ends.
void dimension_line(const Vec3d& from, const Vec3d& to, const Vec3d& tick, SceneView& out) {
    line(from, to, 1.5f, out);
    for (const Vec3d& end : {from, to}) line(end - tick * 0.0025, end + tick * 0.0025, 1.5f, out);
}

std::string with_unit(const char* what, double value, int decimals, const char* unit) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%s %.*f %s", what, decimals, value, unit);
    return text.data();
}

constexpr double kClear = 0.004;

void view_height(const PotDimensions& pot, double side, SceneView& out) {
    dimension_line({side, 0, 0}, {side, pot.height, 0}, {1, 0, 0}, out);
    line({side - 0.004, pot.height, 0}, {-pot.mouth / 2 - kClear, pot.height, 0}, 1, out);
    line({side - 0.004, 0, 0}, {-pot.widest / 2 + 0.02, 0, 0}, 1, out);
}

void view_mouth(const PotDimensions& pot, double above, SceneView& out) {
    dimension_line({-pot.mouth / 2, above, 0}, {pot.mouth / 2, above, 0}, {0, 1, 0}, out);
    for (const double end : {-pot.mouth / 2, pot.mouth / 2})
        line({end, pot.height + kClear, 0}, {end, above + 0.004, 0}, 1, out);
}

/// On the bat: there the line hides nothing of the pot.
void view_widest(const PotDimensions& pot, double front, SceneView& out) {
    constexpr double kOnBat = 0.0015;
    dimension_line({-pot.widest / 2, kOnBat, front}, {pot.widest / 2, kOnBat, front}, {0, 0, 1}, out);
    for (const double end : {-pot.widest / 2, pot.widest / 2})
        line({end, kOnBat, 0}, {end, kOnBat, front + 0.004}, 1, out);
}

}  // namespace

ViewLabel measure_label(const Vec3d& at, std::string text) {
    ViewLabel chip;
    chip.p = collision::cast<float>(at);
    chip.text = std::move(text);
    chip.ink = Ink::dimension;
    return chip;
}

std::string in_millimetres(const char* what, double metres, int decimals) {
    return with_unit(what, metres * 1e3, decimals, "mm");
}

void view_dimensions(const PotDimensions& pot, bool labels, SceneView& out) {
    const double side = -pot.widest / 2 - 0.072, above = pot.height + 0.050;
    const double front = pot.widest / 2 + 0.022;
    view_height(pot, side, out);
    view_mouth(pot, above, out);
    view_widest(pot, front, out);
    if (!labels) return;
    out.labels.push_back(measure_label({side, pot.height / 2, 0}, in_millimetres("Height", pot.height)));
    out.labels.push_back(measure_label({0, above, 0}, in_millimetres("Mouth", pot.mouth)));
    out.labels.push_back(measure_label({-pot.widest / 4, 0, front}, in_millimetres("Widest", pot.widest)));
    const Vec3d below{side, -0.004, 0.02};
    out.labels.push_back(measure_label(below, with_unit("Volume", pot.volume * 1e6, 0, "cm³")));
    if (pot.wall) out.labels.push_back(measure_label(below, in_millimetres("Thinnest wall", *pot.wall, 1)));
}

void view_thinnest(const collision::Pose& clay, const collision::Vec3f& at, float wall, double limit,
                   SceneView& out) {
    const Vec3d place = clay.translation + collision::rotate(clay.rotation, collision::cast<double>(at));
    const double thinnest = static_cast<double>(wall) * 1e3;
    std::string text = with_unit("Thinnest", thinnest, 1, "mm");
    if (thinnest < limit) text += with_unit(", hatched below", limit, 1, "mm");
    ViewLabel chip = measure_label(place, std::move(text));
    chip.ink = Ink::candidate;
    out.labels.push_back(chip);
    out.points.push_back({chip.p, Ink::candidate, 4});
}

}  // namespace claybox::app
