#include "app/scenes/potter/potter_decor.hpp"

#include "app/potter/shapes/clay_shapes.hpp"
#include "collision/core/assert.hpp"

#include <cmath>
#include <numbers>

namespace claybox::app {

using collision::PolygonList;
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

}  // namespace claybox::app
