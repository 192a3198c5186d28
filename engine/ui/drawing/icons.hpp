#pragma once

#include "engine/ui/drawing/draw.hpp"

#include <optional>

namespace claybox::engine {

/// The icon `name` is assets/icons/name.svg. Scenes have icons named like their ids; the choices of a
/// palette, like scene and choice (ParameterPalette).
enum class Icon : unsigned char {
    cage,
    workbench,
    potter,
    buttons,
    button_lab,
    polygons,
    box_tree,
    crowd,
    mobiles,
    solids,
    bullets,
    screw_tori,
    cars,
    scene,
    hand,
    diamond,
    boxes,
    label,
    sun,
    moon,
    help,
    search,
    pause,
    play,
    step,
    step_back,
    restart,
    close,
    potter_push,
    potter_grab,
    potter_inflate,
    potter_deflate,
    potter_smooth,
    potter_flatten,
    potter_pinch,
    potter_crease,
    potter_add,
    potter_carve,
    potter_mask,
    potter_unmask,
    potter_trim,
    potter_cut,
    potter_facets
};
inline constexpr std::size_t kIconCount = static_cast<std::size_t>(Icon::potter_facets) + 1;

const char* to_string(Icon icon);
std::optional<Icon> icon_by_name(std::string_view name);

/// Draws an icon in a box of 24 units. Without a readable file it reports the problem once and draws an empty
/// square.
void draw_icon(Ui& ui, ImDrawList& list, ImVec2 centre, Icon icon, Colour colour);

}  // namespace claybox::engine
