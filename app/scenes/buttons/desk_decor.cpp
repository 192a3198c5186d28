#include "app/scenes/buttons/desk_decor.hpp"

#include "app/potter/shapes/lathe.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <numbers>

namespace claybox::app {

using collision::PolygonList;
using collision::Pose;
using collision::Quat;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kToggleTilt = 12 * std::numbers::pi / 180;  // to each side: 24 degrees between off and on
constexpr double kPlateTop = 0.003, kOnPlate = 0.0034;
// Heights of capital letters, metres; less where a text would be too long.
constexpr float kEngraving = 0.0062f, kSmallKey = 0.0048f, kCaption = 0.0052f, kSmall = 0.0046f;
constexpr double kLetter = 0.70;       // approximate width of a letter relative to its height
constexpr double kDrumText = 0.086;    // longest text of an entry, metres
constexpr double kDrumVisible = 0.74;  // radians from the top of a drum to the edge of the visible part
constexpr double kTickRadius = 0.0315;

/// A round cap along +Z. (The axis of a lathe mesh is +Y.)
PolygonList round_cap(double radius, double thickness, double bevel) {
    PolygonList mesh = rounded_disc(radius, thickness, bevel, 4, 64);
    for (Vec3f& p : mesh.positions) p = {p.x, -p.z, p.y};
    return mesh;
}

/// A cylinder along X about the origin.
PolygonList drum_mesh(double radius, double half_length) {
    PolygonList mesh = rounded_disc(radius, 2 * half_length, 0.001, 2, 72);
    for (Vec3f& p : mesh.positions) p = {p.y + static_cast<float>(half_length), p.z, p.x};
    return mesh;
}

/// A cap with the origin in the centre of its face.
PolygonList cap_mesh(DeskKind kind, float rounding) {
    const Vec3f half = desk_cap_half(kind);
    PolygonList mesh = rounded_box_mesh(half, rounding, 3);
    for (Vec3f& p : mesh.positions) p.z -= half.z;
    return mesh;
}

/// A wedge from the underside of the case down to the table.
PolygonList foot_mesh() {
    PolygonList mesh =
        box_mesh({static_cast<float>(kDeskHalfX - 0.012), static_cast<float>(kDeskHalfY - 0.012), 0.5f});
    const Pose desk = world_from_desk();
    for (Vec3f& p : mesh.positions) {
        const Vec3d top =
            desk.translation + collision::rotate(desk.rotation, {static_cast<double>(p.x),
                                                                 static_cast<double>(p.y), -0.6 * kDeskCase});
        const Vec3f upper = collision::cast<float>(top);
        p = p.z > 0 ? upper : Vec3f{upper.x, 0, upper.z};
    }
    return mesh;
}

/// A drawable at a point of the desk frame.
Drawable part(std::uint64_t mesh, Material material, const Vec3d& at, const Quat& rotation = {},
              double glow = 0) {
    Drawable d = decoration(mesh, material);
    d.pose = world_from_desk() * Pose{rotation, at};
    d.flash = static_cast<float>(glow);
    return d;
}

struct Caption {
    std::string text;
    Vec3d at;
    float height = kCaption;
    bool from_left = false;
    Ink ink = Ink::dimension;
    Quat rotation{};
};
void engrave(Caption caption, SceneView& out) {
    ViewLabel label;
    label.text = std::move(caption.text);
    label.engraved = true;
    label.ink = caption.ink;
    label.height = caption.height;
    label.from_left = caption.from_left;
    label.pose = world_from_desk() * Pose{caption.rotation, caption.at};
    label.p = collision::cast<float>(label.pose.translation);
    out.labels.push_back(std::move(label));
}

/// Height of letters, reduced if the text would be longer than `length`.
float fitting(const std::string& text, double length, float height) {
    return std::min(height, static_cast<float>(
                                length / (kLetter * std::max<double>(1, static_cast<double>(text.size())))));
}

}  // namespace

DeskDecor::DeskDecor(std::uint64_t first_mesh) : store_(first_mesh) {
    constexpr auto x = static_cast<float>(kDeskHalfX), y = static_cast<float>(kDeskHalfY);
    const Vec3f key = desk_cap_half(DeskKind::key), toggle = desk_cap_half(DeskKind::toggle),
                dial = desk_cap_half(DeskKind::dial), wheel = desk_cap_half(DeskKind::wheel);
    table_ = store_.add(box_mesh({1.8f, 0.02f, 0.85f}));
    case_ = store_.add(rounded_box_mesh({x, y, static_cast<float>(kDeskCase / 2)}, 0.009f, 4), true);
    foot_ = store_.add(foot_mesh());
    plate_ = store_.add(rounded_box_mesh({x - 0.007f, y - 0.007f, 0.003f}, 0.0012f, 2), true);
    divider_ = store_.add(box_mesh({0.0006f, 0.0705f, 0.0004f}));
    bezel_ = store_.add(round_cap(0.0036, 0.002, 0.0008), true);
    lamp_ = store_.add(round_cap(0.0027, 0.003, 0.0020), true);
    key_ = store_.add(cap_mesh(DeskKind::key, 0.0040f), true);
    key_well_ = store_.add(rounded_box_mesh({key.x + 0.0022f, key.y + 0.0022f, 0.001f}, 0.0004f, 1));
    const Vec3f small = desk_cap_half(DeskKind::small_key);
    small_key_ = store_.add(cap_mesh(DeskKind::small_key, 0.0036f), true);
    small_key_well_ =
        store_.add(rounded_box_mesh({small.x + 0.0022f, small.y + 0.0022f, 0.001f}, 0.0004f, 1));
    toggle_ = store_.add(cap_mesh(DeskKind::toggle, 0.0036f), true);
    toggle_well_ = store_.add(rounded_box_mesh({toggle.x + 0.0022f, toggle.y + 0.0022f, 0.001f}, 0.0004f, 1));
    rail_ = store_.add(box_mesh({1, 0.0017f, 0.0004f}));
    PolygonList knob = rounded_box_mesh({static_cast<float>(kKnobHalf), 0.0064f, 0.0026f}, 0.0018f, 3);
    for (Vec3f& p : knob.positions) p.z -= 0.0026f;
    knob_ = store_.add(knob, true);
    dial_ = store_.add(round_cap(static_cast<double>(dial.x), 0.0150, 0.0035), true);
    dial_well_ = store_.add(round_cap(static_cast<double>(dial.x) + 0.0032, 0.002, 0.0004), true);
    mark_ = store_.add(box_mesh({0.0008f, 0.0032f, 0.0005f}));
    drum_ = store_.add(drum_mesh(kDrumRadius, static_cast<double>(wheel.x)), true);
    drum_well_ = store_.add(rounded_box_mesh({wheel.x + 0.0032f, wheel.y + 0.0022f, 0.0012f}, 0.0006f, 1));
    ridge_ = store_.add(box_mesh({wheel.x - 0.0010f, 0.0003f, 0.0002f}));
}

void DeskDecor::view_key(const DeskControl& c, const DeskState& state, SceneView& out) const {
    const double z = desk_height(c.kind) - state.travel;
    const bool small = c.kind == DeskKind::small_key;
    const Vec3d half = collision::cast<double>(desk_cap_half(c.kind));
    out.drawables.push_back(
        part(small ? small_key_well_ : key_well_, Material::desk_well, {c.x, c.y, kOnPlate}));
    out.drawables.push_back(part(small ? small_key_ : key_,
                                 state.pressed ? Material::button_pressed : Material::button, {c.x, c.y, z},
                                 {}, state.glow));
    const Vec3d lamp{c.x, c.y + half.y + 0.0075, 0.0040};
    out.drawables.push_back(part(bezel_, Material::desk_well, lamp));
    out.drawables.push_back(
        part(lamp_, state.lit ? Material::light_on : Material::light_off, lamp + Vec3d{0, 0, 0.0012}));
    // In the upper left, as on a keyboard, where a pressing finger does not cover it.
    const double margin = small ? 0.0024 : 0.0033;
    double y = c.y + half.y - margin - 0.0012;
    for (const std::string& line : c.line) {
        if (line.empty()) continue;
        const float height = fitting(line, 2 * half.x - 2 * margin, small ? kSmallKey : kEngraving);
        y -= static_cast<double>(height);
        engrave({line, {c.x - half.x + margin, y, z + 0.0008}, height, true}, out);
        y -= 0.35 * static_cast<double>(kEngraving);
    }
}

void DeskDecor::view_toggle(const DeskControl& c, const DeskState& state, SceneView& out) const {
    const Quat tilt = collision::axis_angle({1, 0, 0}, -kToggleTilt * state.position);
    out.drawables.push_back(part(toggle_well_, Material::desk_well, {c.x, c.y, kOnPlate}));
    out.drawables.push_back(part(toggle_, state.lit ? Material::toggle_on : Material::button,
                                 {c.x, c.y, desk_height(c.kind) - state.travel}, tilt, state.glow));
    engrave({c.title, {c.x, c.y - 0.0248, kOnPlate}, fitting(c.title, 0.034, kSmall)}, out);
}

void DeskDecor::view_slider(const DeskControl& c, const DeskState& state, SceneView& out) const {
    Drawable rail = part(rail_, Material::desk_well, {c.x, c.y, kPlateTop});
    rail.scale = {static_cast<float>(kRailHalf + 0.002), 1, 1};
    out.drawables.push_back(rail);
    if (!state.used) return;
    const double filled = 0.5 * (state.position + kRailHalf);
    Drawable level = part(rail_, Material::toggle_on, {c.x - kRailHalf + filled, c.y, kPlateTop + 0.0003});
    level.scale = {static_cast<float>(std::max(filled, 1e-4)), 0.8f, 1};
    out.drawables.push_back(level);
    const double z = desk_height(c.kind) - 0.2 * state.travel;
    out.drawables.push_back(part(knob_, state.pressed ? Material::button_pressed : Material::button,
                                 {c.x + state.position, c.y, z}, {}, state.glow));
    out.drawables.push_back(part(mark_, Material::toggle_on, {c.x + state.position, c.y, z}));
    engrave({state.caption,
             {c.x - kRailHalf, c.y + 0.0105, kOnPlate},
             fitting(state.caption, 2 * kRailHalf + 0.006, kCaption),
             true},
            out);
}

void DeskDecor::view_dial(const DeskControl& c, const DeskState& state, SceneView& out) const {
    const double z = desk_height(c.kind) - 0.2 * state.travel;
    out.drawables.push_back(part(dial_well_, Material::desk_well, {c.x, c.y, 0.0042}));
    out.drawables.push_back(part(dial_, state.pressed ? Material::button_pressed : Material::button,
                                 {c.x, c.y, z}, {}, state.glow));
    const auto at_angle = [&](double angle, double radius, double height) {
        const collision::SinCos turn = collision::sin_cos(angle);
        return Vec3d{c.x + radius * turn.sin, c.y + radius * turn.cos, height};
    };
    const auto turned = [](double angle) { return collision::axis_angle({0, 0, 1}, -angle); };
    out.drawables.push_back(
        part(mark_, Material::toggle_on, at_angle(state.position, 0.0180, z), turned(state.position)));
    for (unsigned workers = 1; workers <= kMaxWorkers; workers *= 2) {
        const double angle = kDialTurn * (workers_share(workers) - 0.5);
        const bool on = angle <= state.position + 1e-6;
        out.drawables.push_back(part(mark_, on ? Material::toggle_on : Material::desk_well,
                                     at_angle(angle, kTickRadius + 0.0025, kPlateTop), turned(angle)));
    }
    engrave({state.caption, {c.x, c.y - 0.0430, kOnPlate}, kCaption}, out);
}

void DeskDecor::view_wheel(const DeskControl& c, const DeskState& state, SceneView& out) const {
    const double axis = desk_height(c.kind) - kDrumRadius,
                 edge = static_cast<double>(desk_cap_half(c.kind).x);
    out.drawables.push_back(part(drum_well_, Material::desk_well, {c.x, c.y, kPlateTop}));
    out.drawables.push_back(part(drum_, state.pressed ? Material::button_pressed : Material::button,
                                 {c.x, c.y, axis}, {}, state.glow));
    for (const double side : {-1.0, 1.0})
        out.drawables.push_back(part(mark_, Material::toggle_on, {c.x + side * (edge + 0.0016), c.y, 0.0046},
                                     collision::axis_angle({0, 0, 1}, std::numbers::pi / 2)));
    const auto on_skin = [&](double angle, double above) {
        const collision::SinCos turn = collision::sin_cos(angle);
        return Vec3d{c.x, c.y + (kDrumRadius + above) * turn.sin, axis + (kDrumRadius + above) * turn.cos};
    };
    const std::span<const std::string> entries = desk_entries(c.role);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double angle = (state.position - static_cast<double>(i)) * kDrumPitch / kDrumRadius;
        const double below = angle - 0.5 * kDrumPitch / kDrumRadius;
        if (std::abs(below) < kDrumVisible)
            out.drawables.push_back(part(ridge_, Material::desk_well, on_skin(below, 0),
                                         collision::axis_angle({1, 0, 0}, -below)));
        if (std::abs(angle) > kDrumVisible - 0.12) continue;
        const float height = fitting(entries[i], kDrumText, 0.0056f);
        const Quat tilt = collision::axis_angle({1, 0, 0}, -angle);
        const Vec3d up = collision::rotate(tilt, {0, 1, 0});
        const bool chosen = std::abs(angle) < 0.5 * kDrumPitch / kDrumRadius;
        engrave({entries[i], on_skin(angle, 0.0005) - up * (0.36 * static_cast<double>(height)), height,
                 false, chosen ? Ink::accent : Ink::dimension, tilt},
                out);
    }
    engrave({c.title, {c.x, c.y + 0.0335, kOnPlate}, kSmall}, out);
}

void DeskDecor::view_control(const DeskControl& control, const DeskState& state, std::uint32_t pick,
                             SceneView& out) const {
    const std::size_t first = out.drawables.size();
    switch (control.kind) {
        case DeskKind::key:
        case DeskKind::small_key:
            view_key(control, state, out);
            break;
        case DeskKind::toggle:
            view_toggle(control, state, out);
            break;
        case DeskKind::slider:
            view_slider(control, state, out);
            break;
        case DeskKind::dial:
            view_dial(control, state, out);
            break;
        case DeskKind::wheel:
            view_wheel(control, state, out);
            break;
    }
    for (std::size_t i = first; i < out.drawables.size(); ++i) out.drawables[i].pick = pick;
}

void DeskDecor::view(std::span<const DeskState> states, const std::array<std::string, 2>& headings,
                     SceneView& out) const {
    Drawable table = decoration(table_, Material::table, {0, -0.02, 0.35});
    table.casts_shadow = false;
    out.drawables.push_back(table);
    out.drawables.push_back(decoration(foot_, Material::desk_case));
    out.drawables.push_back(part(case_, Material::desk_case, {0, 0, -kDeskCase / 2 + 0.0005}));
    out.drawables.push_back(part(plate_, Material::desk_plate, {0, 0, 0}));
    out.drawables.push_back(part(divider_, Material::desk_well, {0.0985, 0.0455, kPlateTop}));
    for (const DeskRole column : {DeskRole::scene_parameter, DeskRole::setting}) {
        const double left = desk_controls()[desk_control(column)].x - kRailHalf;
        const std::string& heading = headings[column == DeskRole::setting ? 1 : 0];
        engrave({heading, {left, -0.0245, kOnPlate}, fitting(heading, 0.110, kSmall), true, Ink::accent},
                out);
    }
    for (std::uint32_t i = 0; i < states.size(); ++i) view_control(desk_controls()[i], states[i], i, out);
}

}  // namespace claybox::app
