#include "app/scenes/potter/potter_decor.hpp"

#include "app/potter/clay_shapes.hpp"
#include "collision/core/assert.hpp"

#include <cmath>
#include <numbers>

namespace claybox::app {

using collision::PolygonList;
using collision::Pose;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kBat = 0.008, kHead = 0.018,
                 kAboveTable = 0.012;  // heights, downwards from the foot of the clay
constexpr double kHeadRadius = 0.166, kBatRadius = 0.136;
constexpr double kTableTop = -(kBat + kHead + kAboveTable);
constexpr double kShelfX = 0.205, kShelfY = 0.098, kShelfZ = -0.42;
constexpr Vec3f kTableHalf{1.6f, 0.02f, 0.75f}, kShelfHalf{0.104f, 0.009f, 0.055f};
constexpr Vec3d kTablePlace{0, kTableTop - 0.02, 0.35}, kShelfPlace{kShelfX, kShelfY - 0.009, kShelfZ};

PolygonList turned_disc(double radius, double thickness, double bevel) {
    return rounded_disc(radius, thickness, bevel, 3, 128);
}

PolygonList shrunk(ClayShape shape, double scale) {
    std::vector<ProfilePoint> profile = clay_profile(shape);
    for (ProfilePoint& p : profile) p = {p.r * scale, p.y * scale};
    return lathe(resample(profile, 160), 96);
}

void circle(const Vec3d& centre, const Vec3d& u, const Vec3d& v, double radius, const ViewLine& like,
            SceneView& out) {
    constexpr int kSegments = 72;
    const auto at = [&](int i) {
        const double a = 2 * std::numbers::pi * i / kSegments;
        return collision::cast<float>(centre + (u * std::cos(a) + v * std::sin(a)) * radius);
    };
    for (int i = 0; i < kSegments; ++i) {
        ViewLine line = like;
        line.from = at(i);
        line.to = at(i + 1);
        out.lines.push_back(line);
    }
}

void line(const Vec3d& from, const Vec3d& to, float width, SceneView& out) {
    out.lines.push_back(
        {collision::cast<float>(from), collision::cast<float>(to), Ink::dimension, width, false});
}

/// A dimension line with a tick of 5 mm at both ends.
void dimension_line(const Vec3d& from, const Vec3d& to, const Vec3d& tick, SceneView& out) {
    line(from, to, 1.5f, out);
    for (const Vec3d& end : {from, to}) line(end - tick * 0.0025, end + tick * 0.0025, 1.5f, out);
}

std::string millimetres(const char* what, double metres) {
    return std::string(what) + " " + std::to_string(std::lround(metres * 1e3)) + " mm";
}

}  // namespace

ViewCamera potter_camera() {
    ViewCamera camera;
    camera.position = {0.055f, 0.295f, 0.73f};
    camera.target = {0.006f, 0.066f, 0};
    camera.vertical_fov = static_cast<float>(28 * std::numbers::pi / 180);
    camera.far_plane = 20;
    return camera;
}

ViewLight potter_light() {
    ViewLight light;
    light.towards = {-0.62f, 0.66f, 0.42f};
    light.shadow_half_width = 0.32f;
    light.shadow_centre = {0.02f, 0.05f, 0};
    light.fade_start = 0.6f;
    light.fade_end = 1.5f;
    light.occlusion = 0.9f;
    return light;
}

PotterDecor::PotterDecor(std::uint64_t first_mesh) : store_(first_mesh) {
    const PolygonList table = box_mesh(kTableHalf);
    table_ = store_.add(table);
    head_ = store_.add(turned_disc(kHeadRadius, kHead, 0.004), true);
    bat_ = store_.add(turned_disc(kBatRadius, kBat, 0.003), true);
    slurry_ = store_.add(turned_disc(0.083, 0.001, 0.0008), true);
    pin_ = store_.add(turned_disc(0.0045, 0.004, 0.001), true);
    constexpr double kRings[3] = {0.1425, 0.1470, 0.1585};
    for (std::size_t i = 0; i < 3; ++i) {
        const ProfilePoint strip[2] = {{kRings[i] + 0.0003, 0}, {kRings[i] - 0.0003, 0}};
        ring_[i] = store_.add(lathe(strip, 128));
    }
    shelf_ = store_.add(rounded_box_mesh(kShelfHalf, 0.003f, 2), true);
    bowl_ = store_.add(shrunk(ClayShape::bowl, 0.45), true);
    vase_ = store_.add(shrunk(ClayShape::vase, 0.43), true);
    add_wall(table.positions, kTablePlace);
    add_wall(rounded_disc(kHeadRadius, kHead, 0.004, 1, 48).positions, {0, -kBat, 0});
    add_wall(rounded_disc(kBatRadius, kBat, 0.003, 1, 48).positions, {});
    add_wall(box_mesh(kShelfHalf).positions, kShelfPlace);
}

void PotterDecor::add_wall(std::span<const Vec3f> points, const Vec3d& at) {
    const auto shape = collision::Shape::from_hull(points, "potter decor");
    CLAYBOX_ASSERT(shape.ok());
    wall_shapes_.push_back(shape.value());
    walls_.push_back({wall_shapes_.back().get(), {{}, at}});
}

void PotterDecor::view(double angle, SceneView& out) const {
    const collision::Quat spin = collision::axis_angle({0, 1, 0}, angle);
    Drawable table = decoration(table_, Material::table, kTablePlace);
    table.casts_shadow = false;
    out.drawables.push_back(table);
    out.drawables.push_back(decoration(head_, Material::wheel_head, {0, -kBat, 0}, spin));
    out.drawables.push_back(decoration(bat_, Material::bat, {}, spin));
    Drawable slurry = decoration(slurry_, Material::slurry, {0.002, 0.0006, 0.004}, spin);
    slurry.casts_shadow = false;
    out.drawables.push_back(slurry);
    for (const double side : {-1.0, 1.0}) {  // the pins of the bat show that the wheel turns
        const Vec3d at = collision::rotate(spin, {side * 0.151, 0.003 - kBat, 0});
        out.drawables.push_back(decoration(pin_, Material::bat, at));
    }
    for (const std::uint64_t ring : ring_) {
        Drawable groove = decoration(ring, Material::desk_well, {0, 0.0003 - kBat, 0});
        groove.casts_shadow = false;
        out.drawables.push_back(groove);
    }
    out.drawables.push_back(decoration(shelf_, Material::shelf, kShelfPlace));
    out.drawables.push_back(decoration(bowl_, Material::glazed_blue, {kShelfX - 0.052, kShelfY, kShelfZ}));
    out.drawables.push_back(decoration(vase_, Material::glazed_cream, {kShelfX + 0.048, kShelfY, kShelfZ}));
}

void view_brush(const BrushMark& mark, const Pose& clay, double radius, SceneView& out) {
    const Vec3d along = collision::rotate(clay.rotation, collision::cast<double>(mark.along));
    // Slightly towards the hand, to keep the ring above the clay.
    const Vec3d centre = collision::rotate(clay.rotation, collision::cast<double>(mark.centre)) +
                         clay.translation - along * 0.006;
    const Vec3d u = normalized(cross(along, Vec3d{0.1, 1, 0.2})), v = cross(along, u);
    circle(centre, u, v, radius, {{}, {}, Ink::accent, 2.5f, false}, out);
    circle(centre, u, v, radius / 2, {{}, {}, Ink::accent, 1.5f, false}, out);
}

ViewLabel measure_label(const Vec3d& at, std::string text) {
    ViewLabel chip;
    chip.p = collision::cast<float>(at);
    chip.text = std::move(text);
    chip.ink = Ink::dimension;
    return chip;
}

void view_dimensions(double height, double widest, double mouth, bool labels, SceneView& out) {
    constexpr double kClear = 0.004;
    const double side = -widest / 2 - 0.072, above = height + 0.050;
    dimension_line({side, 0, 0}, {side, height, 0}, {1, 0, 0}, out);
    line({side - 0.004, height, 0}, {-mouth / 2 - kClear, height, 0}, 1, out);
    line({side - 0.004, 0, 0}, {-widest / 2 + 0.02, 0, 0}, 1, out);
    dimension_line({-mouth / 2, above, 0}, {mouth / 2, above, 0}, {0, 1, 0}, out);
    for (const double end : {-mouth / 2, mouth / 2})
        line({end, height + kClear, 0}, {end, above + 0.004, 0}, 1, out);
    if (!labels) return;
    out.labels.push_back(measure_label({side, height / 2, 0}, millimetres("Height", height)));
    out.labels.push_back(measure_label({0, above, 0}, millimetres("Mouth", mouth)));
}

}  // namespace claybox::app
