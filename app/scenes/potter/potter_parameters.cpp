#include "app/scenes/potter/potter_parameters.hpp"

#include "collision/geometry/primitives/primitives.hpp"

#include <algorithm>
#include <iterator>

namespace claybox::app {

using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;

namespace {

constexpr const char* kFinishes[] = {"dry", "wet", "glazed"};
/// Bit 0: the left hand carries the pot; bit 1: the right hand.
constexpr const char* kHandChoices[] = {"shape", "left_carries", "right_carries", "both_carry"};
constexpr const char* kTools[] = {"whole_hand", "index_finger", "fingertips", "one_fingertip",
                                  "ball",       "block",        "stick",      "cone"};
constexpr const char* kMirrors[] = {"off", "left_right", "front_back", "both"};
constexpr const char* kCutChoices[] = {"the_larger_part", "both_parts"};
constexpr int kBall = 4, kToolCount = 8;
/// Objects as tools, from kBall on.
constexpr std::pair<collision::Primitive, std::uint32_t> kObjects[] = {{collision::Primitive::uv_sphere, 300},
                                                                       {collision::Primitive::box, 6},
                                                                       {collision::Primitive::cylinder, 26},
                                                                       {collision::Primitive::cone, 25}};

const Parameter kParameters[] = {
    {"effect", "Effect", ParameterKind::choice, 0, 0, kClayEffectCount - 1, "",
     "ours; grab and facets: Zachmann, thesis, 8.1",
     "What a touch does. Push: the clay yields out of the finger. Grab: it moves with the finger. Add and "
     "carve build up or remove layers. Crease: a sharp groove. Mask protects clay. Trim cuts off what is "
     "above the finger. Cut: the finger is a wire, and its path cuts. Facets: the method of the thesis.",
     false, kClayEffectIds},
    {"tool", "Touch with", ParameterKind::choice, 0, 0, kToolCount - 1, "",
     "Zachmann, thesis, chapter 8; the objects are ours",
     "What touches the clay: all 16 parts of the hand, the 3 of the index finger, the 5 fingertips, the tip "
     "of the index finger, or an object on it: a ball, a block, a stick or a cone. Of the whole hand, only "
     "the "
     "tip of the index finger has effects other than Push, Grab and Facets. Parts that touch nothing are "
     "drawn "
     "faintly.",
     false, kTools},
    {"radius", "Radius", ParameterKind::real, 30, 5, 80, "mm", "ours: two fingers wide",
     "How far the clay around a touch follows."},
    {"strength", "Strength", ParameterKind::real, 55, 1, 100, "%", "ours: yields within a few frames",
     "Share of the finger's depth by which the clay yields per frame."},
    {"falloff", "Falloff", ParameterKind::choice, 0, 0, 3, "", "ours: no edge at the border of a touch",
     "How the effect fades towards the radius.", false, kFalloffIds},
    {"tool_size", "Object diameter", ParameterKind::real, 24, 8, 80, "mm", "ours: two fingers wide",
     "Only with a ball, block, stick or cone. The clay around it follows up to its diameter, or up to Radius "
     "if that "
     "is larger."},
    {"mirror", "Mirror", ParameterKind::choice, 0, 0, 3, "", "ours: off",
     "Repeats every touch on the other side of the clay.", false, kMirrors},
    {"radial", "Copies around the axis", ParameterKind::integer, 1, 1, kMaxRadial, "", "ours: none",
     "Repeats every touch this many times around the axis of the wheel."},
    {"keep_volume", "Keep volume", ParameterKind::toggle, 0, 0, 1, "",
     "Zachmann, thesis, 8.1: proposed, off by default",
     "The clay around a push swells by what the push displaces."},
    {"cut_keeps", "Cut keeps", ParameterKind::choice, 0, 0, 1, "",
     "Zachmann, thesis, chapter 8: splitting an object in two",
     "What remains after Cut: the larger part, or both parts with a gap between them.", false, kCutChoices},
    {"speed", "Wheel speed", ParameterKind::real, 100, -100, 100, "%",
     "ours: full speed is one turn per second", "Speed of the wheel. Negative values turn it the other way."},
    {"spin_only_touched", "Spin only while touched", ParameterKind::toggle, 1, 0, 1, "",
     "ours: easier to aim, calmer to look at",
     "The wheel turns only while a finger touches the clay. It stands still with Grab and Cut."},
    {"hands", "Hands", ParameterKind::choice, 0, 0, 3, "", "ours: shaping comes first",
     "A hand that carries does not dent the clay. It takes the pot with a pinch or in its palm, and the "
     "other hand can shape it. When released, the pot returns to the wheel.",
     false, kHandChoices},
    {"finish", "Finish", ParameterKind::choice, 1, 0, 2, "", "ours: clay is wet while it is shaped",
     "Dry clay is dull, wet clay has shiny patches, glazed clay shines like glass. Changes only the look.",
     false, kFinishes},
    {"wire", "Wire", ParameterKind::toggle, 0, 0, 1, "", "ours", "Shows the polygons of the clay."},
    {"thin_walls", "Thin walls", ParameterKind::toggle, 0, 0, 1, "", "ours",
     "Walls thinner than the limit turn amber, walls thinner than half of it crimson, both hatched."},
    {"min_wall", "Wall limit", ParameterKind::real, 3, 0.5, 15, "mm", "ours: thinner walls tear easily",
     "Limit for Thin walls. Walls of 20 mm and more count as 20 mm."},
    {"shape", "Start shape", ParameterKind::choice, 0, 0, kClayShapeCount - 1, "", "ours: a half-raised pot",
     "Shape of the clay at the start. A new choice replaces the clay, and Undo brings it back.", false,
     kClayShapeIds},
    {"faces", "Faces", ParameterKind::choice, 0, 0, 1, "", "Zachmann, thesis, chapter 8: quadrangles",
     "Polygons of the start shape. The flake always has triangles.", false, kClayFacesIds},
    {"polygons", "Polygons", ParameterKind::integer, 80000, 10, 1000000, "",
     "ours: finger marks look smooth and a pass stays short",
     "Approximate number of polygons of the clay. Pot, bowl and vase have at least 500.", true},
    {"detail", "Detail follows the hand", ParameterKind::toggle, 1, 0, 1, "",
     "ours: stretched clay stays smooth",
     "Splits long triangles and merges short ones where the clay was shaped. Off: the polygons stay the "
     "same."},
    {"detail_edge", "Finest detail", ParameterKind::real, 2, 0.5, 10, "mm", "ours: a groove of a fingertip",
     "Length of the edges where the clay was shaped. Finer start shapes keep their own."},
    {"budget", "Most polygons", ParameterKind::integer, 250000, 1000, 1000000, "",
     "ours: three times the start shape", "The clay gets no finer beyond this number.", true},
    {"wall", "Wall", ParameterKind::real, 8, 2, 30, "mm", "ours: a hand-thrown pot",
     "Thickness of the wall that Hollow leaves."},
    {"floor", "Floor", ParameterKind::real, 10, 2, 30, "mm", "ours: a hand-thrown pot",
     "Thickness of the floor that Hollow leaves."},
};

/// Two lines below the palette hold about 85 letters.
constexpr const char* kEffectHelp[] = {
    "The clay yields where the hand presses in.",
    "Touch the clay and drag: it follows the finger.",
    "The touched clay swells. Hold Ctrl to deflate.",
    "The touched clay shrinks. Hold Ctrl to inflate.",
    "Evens out bumps and grooves. The clay does not shrink.",
    "Makes the touched clay flat.",
    "Draws the clay together into a ridge.",
    "Draws the clay together into a sharp groove.",
    "Adds clay in layers and fills hollows first. Hold Ctrl to carve.",
    "Removes clay in layers. Hold Ctrl to add.",
    "Protects the touched clay from all other effects. Hold Ctrl to unmask.",
    "Frees protected clay. Clear mask frees all of it. Hold Ctrl to mask.",
    "Touch the wall: all clay above the finger is cut off.",
    "Drag across the clay: the finger is a wire, and its path cuts.",
    "Each touched polygon moves inward by a fixed step, as in the thesis.",
};
static_assert(std::size(kEffectHelp) == kClayEffectCount);

constexpr ParameterSection kSections[] = {
    {kFalloff, "Brush", "Falloff, symmetry and volume."},
    {kSpeed, "Wheel and look", "Speed of the wheel, what the hands do, and the finish of the clay."},
    {kShape, "Clay", "Start shape, detail, and what Hollow leaves."},
};

}  // namespace

std::span<const Parameter> potter_parameters() {
    return kParameters;
}

std::span<const ParameterSection> potter_sections() {
    return kSections;
}

ParameterPalette potter_palette() {
    return {kEffect, kEffectHelp};
}

double potter_object_radius(const ParameterValues& values) {
    return values.integer(kTool) >= kBall ? values[kToolSize] * 0.5e-3 : 0;
}

bool potter_tool_is_ball(const ParameterValues& values) {
    return values.integer(kTool) == kBall;
}

/// The vicinity grows with the tool, as the thesis proposes.
ClayBrush potter_brush(const ParameterValues& values) {
    ClayBrush out;
    out.radius = std::max(values[kRadius] * 1e-3, 2 * potter_object_radius(values));
    out.strength = values[kStrength] / 100;
    out.effect = static_cast<ClayEffect>(values.integer(kEffect));
    out.keep_volume = values.on(kKeepVolume);
    out.falloff = static_cast<Falloff>(values.integer(kFalloff));
    out.symmetry = {(values.integer(kMirror) & 1) != 0, (values.integer(kMirror) & 2) != 0,
                    values.integer(kRadial)};
    out.cut_keep = values.integer(kCutKeeps) == 0 ? CutKeep::larger : CutKeep::both;
    return out;
}

DetailSettings potter_detail(const ParameterValues& values) {
    return {values.on(kDetail), values[kDetailEdge] * 1e-3,
            static_cast<std::size_t>(values.integer(kBudget))};
}

HollowSize potter_hollow(const ParameterValues& values) {
    return {values[kWall] * 1e-3, values[kFloor] * 1e-3, 0.003};
}

bool potter_part_works(const ParameterValues& values, std::size_t part) {
    const auto effect = static_cast<ClayEffect>(values.integer(kEffect));
    const bool with_all =
        effect == ClayEffect::push || effect == ClayEffect::grab || effect == ClayEffect::facets;
    return with_all || values.integer(kTool) != 0 || static_cast<int>(part) == kIndexTip;
}

HandTool potter_tool(const ParameterValues& values) {
    const auto only = [](unsigned parts) { return HandTool{std::bitset<kHandParts>(parts), nullptr}; };
    if (values.integer(kTool) >= kBall) {
        HandTool out = only(1u << kIndexTip);
        const auto [kind, polygons] = kObjects[values.integer(kTool) - kBall];
        out.object = collision::make_primitive_shape(kind, polygons,
                                                     static_cast<float>(potter_object_radius(values)), 1)
                         .value();
        return out;
    }
    switch (values.integer(kTool)) {
        case 1:
            return only(0b111u << 4);
        case 2:
            return only(0b1001'0010'0100'1000u);
        case 3:
            return only(1u << kIndexTip);
        default:
            return {};
    }
}

}  // namespace claybox::app
