#pragma once

#include "engine/ui/drawing/draw.hpp"

#include <optional>

namespace claybox::engine {

/// The icon `name` is assets/icons/name.svg. Scenes have icons named like their ids; the choices of a
/// palette, like scene and choice (ParameterPalette), or like scene, parameter and choice.
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
    fold,
    unfold,
    pair,
    motion,
    exact,
    parallel,
    sliders,
    file,
    lesson,
    keyboard,
    camera,
    undo,
    redo,
    add,
    remove,
    duplicate,
    headset,
    probe,
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
    potter_facets,
    potter_tool_whole_hand,
    potter_tool_index_finger,
    potter_tool_fingertips,
    potter_tool_one_fingertip,
    potter_tool_ball,
    potter_tool_block,
    potter_tool_stick,
    potter_tool_cone,
    potter_falloff_smooth,
    potter_falloff_dome,
    potter_falloff_linear,
    potter_falloff_sharp
};
inline constexpr std::size_t kIconCount = static_cast<std::size_t>(Icon::potter_falloff_sharp) + 1;

const char* to_string(Icon icon);
std::optional<Icon> icon_by_name(std::string_view name);

/// Draws an icon in a box of `units`. Without a readable file it reports the problem once and draws an empty
/// square.
void draw_icon(Ui& ui, ImDrawList& list, ImVec2 centre, Icon icon, Colour colour, float units = 24);

}  // namespace claybox::engine
