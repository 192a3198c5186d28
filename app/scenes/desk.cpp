#include "app/scenes/desk.hpp"

#include "app/potter/lathe.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace claybox::app {

using collision::PolygonList;
using collision::Pose;
using collision::Quat;
using collision::Vec3d;
using collision::Vec3f;

namespace {

using Kind = Command::Kind;

constexpr float kColumn[3] = {-0.118f, -0.060f, -0.002f}, kRow[3] = {0.056f, -0.008f, -0.072f};
constexpr float kToggleX[3] = {0.060f, 0.096f, 0.132f};
constexpr double kSlant = 14 * std::numbers::pi / 180, kHalfX = 0.165, kHalfY = 0.108, kCase = 0.034;
constexpr double kToggleTilt = 12 * std::numbers::pi / 180;  // to either side: 24 degrees between off and on
constexpr double kCapThickness = 0.018;
constexpr float kEngraving = 0.0050f;  // height of capital letters
// Words below a toggle: their baseline from the cap's middle, height over the plate, and the plate around
// them that counts as theirs.
constexpr double kBelowY = -0.0275, kBelowZ = 0.0040, kBelowHalfX = 0.0175, kBelowLow = -0.0325;
constexpr double kLegendX = 0.0186, kLegendY = 0.0058;  // from a cap's middle to where its words begin

const DeskButton kButtons[] = {
    {"Step", {"Step", nullptr}, DeskCap::square, kColumn[0], kRow[0], Kind::step, "", DeskLight::recent},
    {"Next algorithm",
     {"Next", "algorithm"},
     DeskCap::square,
     kColumn[1],
     kRow[0],
     Kind::pair_algorithm,
     "next",
     DeskLight::recent},
    {"Next broad phase",
     {"Next broad", "phase"},
     DeskCap::square,
     kColumn[2],
     kRow[0],
     Kind::broad_phase,
     "next",
     DeskLight::recent},
    {"Cage", {"Cage", nullptr}, DeskCap::square, kColumn[0], kRow[1], Kind::scene, "cage", DeskLight::recent},
    {"Best",
     {"Best", nullptr},
     DeskCap::cool,
     kColumn[1],
     kRow[1],
     Kind::pair_algorithm,
     "best",
     DeskLight::algorithm},
    {"Grid",
     {"Grid", nullptr},
     DeskCap::cool,
     kColumn[2],
     kRow[1],
     Kind::broad_phase,
     "grid",
     DeskLight::broad_phase},
    {"Potter",
     {"Potter", nullptr},
     DeskCap::square,
     kColumn[0],
     kRow[2],
     Kind::scene,
     "potter",
     DeskLight::recent},
    {"Trees of four",
     {"Trees of", "four"},
     DeskCap::cool,
     kColumn[1],
     kRow[2],
     Kind::pair_algorithm,
     "mesh_bvh",
     DeskLight::algorithm},
    {"All pairs",
     {"All pairs", nullptr},
     DeskCap::cool,
     kColumn[2],
     kRow[2],
     Kind::broad_phase,
     "all_pairs",
     DeskLight::broad_phase},
    {"Concurrent",
     {"Concurrent", nullptr},
     DeskCap::toggle,
     kToggleX[0],
     0.050f,
     Kind::concurrent,
     "toggle",
     DeskLight::concurrent},
    {"Exact",
     {"Exact", nullptr},
     DeskCap::toggle,
     kToggleX[1],
     0.050f,
     Kind::exactness,
     "toggle",
     DeskLight::exact},
    {"All fingers",
     {"All fingers", nullptr},
     DeskCap::toggle,
     kToggleX[2],
     0.050f,
     Kind::set_parameter,
     "",
     DeskLight::all_fingers},
    {"Pause",
     {"Pause", nullptr},
     DeskCap::round,
     kToggleX[1],
     -0.044f,
     Kind::pause,
     "toggle",
     DeskLight::recent},
};

/// Half sizes of the caps: 42 x 36 mm keys (never below 20 mm), toggles, and the round one.
constexpr Vec3f kCapHalf[] = {
    {0.021f, 0.018f, 0.009f}, {0.021f, 0.018f, 0.009f}, {0.011f, 0.015f, 0.009f}, {0.034f, 0.034f, 0.009f}};

/// A lathe's axis is +Y; buttons stand along +Z.
PolygonList along_z(PolygonList mesh) {
    for (Vec3f& p : mesh.positions) p = {p.x, -p.z, p.y};
    return mesh;
}

PolygonList round_cap(double radius, double thickness, double bevel) {
    return along_z(rounded_disc(radius, thickness, bevel, 4, 64));
}

/// About the middle of the face: the face lies in z = 0.
PolygonList cap_mesh(DeskCap cap) {
    const Vec3f& half = kCapHalf[static_cast<std::size_t>(cap)];
    if (cap == DeskCap::round) return round_cap(static_cast<double>(half.x), kCapThickness, 0.004);
    PolygonList mesh = rounded_box_mesh(half, 0.0040f, 3);
    for (Vec3f& p : mesh.positions) p.z -= half.z;
    return mesh;
}

/// A wedge from the case's underside down to the table.
PolygonList foot_mesh() {
    PolygonList mesh =
        box_mesh({static_cast<float>(kHalfX - 0.012), static_cast<float>(kHalfY - 0.012), 0.5f});
    const Pose desk = world_from_desk();
    for (Vec3f& p : mesh.positions) {
        const Vec3d top =
            desk.translation + collision::rotate(desk.rotation, {static_cast<double>(p.x),
                                                                 static_cast<double>(p.y), -0.6 * kCase});
        const Vec3f upper = collision::cast<float>(top);
        p = p.z > 0 ? upper : Vec3f{upper.x, 0, upper.z};
    }
    return mesh;
}

/// Where the ray enters the box, in units of its direction; 1e30 when it does not.
double box_entry(const DeskRay& ray, const Vec3d& low, const Vec3d& high) {
    double enter = 0, leave = 1e30;
    for (std::size_t i = 0; i < 3; ++i) {
        const double to_low = low[i] - ray.origin[i], to_high = high[i] - ray.origin[i];
        if (ray.direction[i] == 0) {
            if (to_low > 0 || to_high < 0) return 1e30;
            continue;
        }
        const double a = to_low / ray.direction[i], b = to_high / ray.direction[i];
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    return enter <= leave ? enter : 1e30;
}

/// Local placement in the desk's frame.
Pose on_desk(const Vec3d& at, const Quat& rotation = {}) {
    return world_from_desk() * Pose{rotation, at};
}

Drawable part(std::uint64_t mesh, Material material, const Pose& pose) {
    Drawable d = decoration(mesh, material);
    d.pose = pose;
    return d;
}

Material cap_material(DeskCap cap, const DeskState& state) {
    if (cap == DeskCap::toggle) return state.lit ? Material::toggle_on : Material::button;
    if (state.pressed) return Material::button_pressed;
    return cap == DeskCap::cool ? Material::button_cool : Material::button;
}

Quat cap_tilt(DeskCap cap, bool lit) {
    return cap == DeskCap::toggle ? collision::axis_angle({1, 0, 0}, lit ? -kToggleTilt : kToggleTilt)
                                  : Quat{};
}

}  // namespace

std::span<const DeskButton> desk_buttons() {
    return kButtons;
}

PressPad desk_pad(DeskCap cap) {
    const Vec3f& half = kCapHalf[static_cast<std::size_t>(cap)];
    // A round face counts within the square that is as large as the circle.
    const double share = cap == DeskCap::round ? std::sqrt(std::numbers::pi) / 2 : 1;
    return {share * static_cast<double>(half.x), share * static_cast<double>(half.y)};
}

Pose world_from_desk() {
    // The lower edge stands on the table, the plate leans back.
    const auto [sine, cosine] = collision::sin_cos(kSlant);
    const double rise = kHalfY * sine + kCase * cosine;
    return {collision::axis_angle({1, 0, 0}, kSlant - std::numbers::pi / 2), {0, rise, 0}};
}

std::uint32_t desk_button_at(const DeskRay& ray) {
    std::uint32_t nearest = collision::kNoIndex;
    double nearest_t = 1e30;
    for (std::uint32_t i = 0; i < std::size(kButtons); ++i) {
        const DeskButton& b = kButtons[i];
        const Vec3d half = collision::cast<double>(kCapHalf[static_cast<std::size_t>(b.cap)]);
        const Vec3d at{static_cast<double>(b.x), static_cast<double>(b.y), 0};
        double t = box_entry(ray, at - Vec3d{half.x, half.y, 0}, at + Vec3d{half.x, half.y, kCapHeight});
        if (b.cap == DeskCap::toggle)
            t = std::min(t, box_entry(ray, at + Vec3d{-kBelowHalfX, kBelowLow, 0},
                                      at + Vec3d{kBelowHalfX, -half.y, kBelowZ}));
        if (t < nearest_t) {
            nearest_t = t;
            nearest = i;
        }
    }
    return nearest;
}

collision::Result<collision::ShapePtr> desk_cap_shape(DeskCap cap) {
    const PolygonList mesh = cap_mesh(cap);
    return collision::Shape::from_hull(mesh.positions, "cap");
}

ViewCamera desk_camera() {
    ViewCamera camera;
    camera.position = {0.022f, 0.425f, 0.510f};
    camera.target = {0.002f, 0.040f, 0.006f};
    camera.vertical_fov = static_cast<float>(28 * std::numbers::pi / 180);
    camera.far_plane = 20;
    return camera;
}

ViewLight desk_light() {
    ViewLight light;
    light.towards = {-0.58f, 0.70f, 0.40f};
    light.shadow_half_width = 0.29f;
    light.shadow_centre = {0, 0.04f, 0};
    light.fade_start = 0.8f;
    light.fade_end = 1.8f;
    light.occlusion = 0.95f;
    return light;
}

DeskDecor::DeskDecor(std::uint64_t first_mesh) : store_(first_mesh) {
    constexpr auto x = static_cast<float>(kHalfX), y = static_cast<float>(kHalfY);
    table_ = store_.add(box_mesh({1.6f, 0.02f, 0.75f}));
    case_ = store_.add(rounded_box_mesh({x, y, static_cast<float>(kCase / 2)}, 0.009f, 4), true);
    foot_ = store_.add(foot_mesh());
    plate_ = store_.add(rounded_box_mesh({x - 0.007f, y - 0.007f, 0.003f}, 0.0012f, 2), true);
    divider_ = store_.add(box_mesh({0.0006f, y - 0.022f, 0.0004f}));
    bezel_ = store_.add(round_cap(0.0042, 0.002, 0.0008), true);
    lamp_ = store_.add(round_cap(0.0032, 0.003, 0.0022), true);
    for (std::size_t i = 0; i < 4; ++i) {
        const Vec3f& half = kCapHalf[i];
        const bool round = static_cast<DeskCap>(i) == DeskCap::round;
        cap_[i] = store_.add(cap_mesh(static_cast<DeskCap>(i)), true);
        well_[i] =
            store_.add(round ? round_cap(static_cast<double>(half.x) + 0.004, 0.002, 0.0004)
                             : rounded_box_mesh({half.x + 0.0025f, half.y + 0.0025f, 0.001f}, 0.0004f, 1),
                       round);
    }
}

void DeskDecor::view_labels(const DeskButton& button, double travel, SceneView& out) const {
    const bool below = button.cap == DeskCap::toggle, round = button.cap == DeskCap::round;
    const double z = below ? kBelowZ : kCapHeight - travel + 0.0008;
    for (int i = 0; i < 2 && button.line[i] != nullptr; ++i) {
        ViewLabel label;
        label.text = button.line[i];
        label.engraved = true;
        label.ink = Ink::dimension;
        label.height = below ? 0.0039f : round ? 0.0062f : kEngraving;
        // As on the caps of a keyboard: in the upper left, where a finger that presses does not hide it.
        label.from_left = !below && !round;
        const auto height = static_cast<double>(label.height);
        const double x = label.from_left ? -kLegendX : 0;
        const double y = below ? kBelowY : round ? -0.5 * height : kLegendY - 1.75 * height * i;
        label.pose = on_desk({static_cast<double>(button.x) + x, static_cast<double>(button.y) + y, z});
        label.p = collision::cast<float>(label.pose.translation);
        out.labels.push_back(std::move(label));
    }
}

void DeskDecor::view_button(const DeskButton& button, const DeskState& state, std::uint32_t pick,
                            SceneView& out) const {
    const auto kind = static_cast<std::size_t>(button.cap);
    const auto x = static_cast<double>(button.x), y = static_cast<double>(button.y);
    Drawable well = part(well_[kind], Material::desk_well,
                         on_desk({x, y, button.cap == DeskCap::round ? 0.0042 : 0.0034}));
    well.pick = pick;
    out.drawables.push_back(well);
    const Vec3d at{x, y, kCapHeight - state.travel};
    Drawable cap =
        part(cap_[kind], cap_material(button.cap, state), on_desk(at, cap_tilt(button.cap, state.lit)));
    cap.pick = pick;
    out.drawables.push_back(cap);
    if (button.cap == DeskCap::square || button.cap == DeskCap::cool) {
        const Vec3d lamp{x, y + 0.0325, 0.0040};
        out.drawables.push_back(part(bezel_, Material::desk_well, on_desk(lamp)));
        out.drawables.push_back(part(lamp_, state.lit ? Material::light_on : Material::light_off,
                                     on_desk(lamp + Vec3d{0, 0, 0.0012})));
    }
    view_labels(button, state.travel, out);
}

void DeskDecor::view(std::span<const DeskState> states, SceneView& out) const {
    Drawable table = decoration(table_, Material::table, {0, -0.02, 0.35});
    table.casts_shadow = false;
    out.drawables.push_back(table);
    out.drawables.push_back(decoration(foot_, Material::desk_case));
    out.drawables.push_back(part(case_, Material::desk_case, on_desk({0, 0, -kCase / 2 + 0.0005})));
    out.drawables.push_back(part(plate_, Material::desk_plate, on_desk({0, 0, 0})));
    Drawable divider = part(divider_, Material::desk_well, on_desk({0.033, 0, 0.003}));
    out.drawables.push_back(divider);
    for (std::uint32_t i = 0; i < states.size(); ++i) view_button(desk_buttons()[i], states[i], i, out);
}

}  // namespace claybox::app
