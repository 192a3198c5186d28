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

/// A sheet through the wheel's axis that faces the viewer. Dimensions lie in it, so that they stay beside the
/// pot wherever the camera goes.
class Sheet {
  public:
    explicit Sheet(const ViewEye& eye) : eye_(collision::cast<double>(eye.position)) {
        const Vec3d ahead = collision::cast<double>(eye.target) - eye_;
        ahead_ = collision::normalized(ahead, Vec3d{0, 0, -1});
        towards_ = collision::normalized(Vec3d{-ahead.x, 0, -ahead.z}, Vec3d{0, 0, 1});
        right_ = {towards_.z, 0, -towards_.x};
    }
    /// To the right of the axis, up, and out of the sheet towards the viewer.
    Vec3d at(double x, double y, double z = 0) const { return x * right_ + Vec3d{0, y, 0} + z * towards_; }
    const Vec3d& right() const { return right_; }
    const Vec3d& towards() const { return towards_; }
    /// The x at height `y` that the picture shows straight above or below `x` at height `of`: perspective
    /// makes vertical lines lean.
    double upright(double x, double of, double y) const {
        const double before = depth(of), after = depth(y), middle = dot(-eye_, right_);
        if (!(before > 1e-3 && after > 1e-3)) return x;
        return (x + middle) * after / before - middle;
    }

  private:
    double depth(double y) const { return dot(Vec3d{0, y, 0} - eye_, ahead_); }
    Vec3d eye_, ahead_, towards_, right_;
};

void view_height(const PotDimensions& pot, double side, const Sheet& sheet, SceneView& out) {
    const double low = sheet.upright(side, pot.height / 2, 0),
                 high = sheet.upright(side, pot.height / 2, pot.height);
    dimension_line(sheet.at(low, 0), sheet.at(high, pot.height), sheet.right(), out);
    line(sheet.at(high - 0.004, pot.height), sheet.at(-pot.mouth / 2 - kClear, pot.height), 1, out);
    line(sheet.at(low - 0.004, 0), sheet.at(-pot.widest / 2 + 0.02, 0), 1, out);
}

void view_mouth(const PotDimensions& pot, double above, const Sheet& sheet, SceneView& out) {
    const auto end = [&](double side, double y) {
        return sheet.at(sheet.upright(side * pot.mouth / 2, pot.height, y), y);
    };
    dimension_line(end(-1, above), end(1, above), {0, 1, 0}, out);
    for (const double side : {-1.0, 1.0})
        line(end(side, pot.height + kClear), end(side, above + 0.004), 1, out);
}

/// On the bat: there the line hides nothing of the pot.
void view_widest(const PotDimensions& pot, double front, const Sheet& sheet, SceneView& out) {
    constexpr double kOnBat = 0.0015;
    const double half = pot.widest / 2;
    dimension_line(sheet.at(-half, kOnBat, front), sheet.at(half, kOnBat, front), sheet.towards(), out);
    for (const double end : {-half, half})
        line(sheet.at(end, kOnBat), sheet.at(end, kOnBat, front + 0.004), 1, out);
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

void view_dimensions(const PotDimensions& pot, const ViewEye& eye, bool labels, SceneView& out) {
    const double side = -pot.widest / 2 - 0.072, above = pot.height + 0.050;
    const double front = pot.widest / 2 + 0.022;
    const Sheet sheet(eye);
    view_height(pot, side, sheet, out);
    view_mouth(pot, above, sheet, out);
    view_widest(pot, front, sheet, out);
    if (!labels) return;
    out.labels.push_back(measure_label(sheet.at(side, pot.height / 2), in_millimetres("Height", pot.height)));
    out.labels.push_back(measure_label(sheet.at(0, above), in_millimetres("Mouth", pot.mouth)));
    out.labels.push_back(
        measure_label(sheet.at(-pot.widest / 4, 0, front), in_millimetres("Widest", pot.widest)));
    const Vec3d below = sheet.at(sheet.upright(side, pot.height / 2, 0), -0.004, 0.02);
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
