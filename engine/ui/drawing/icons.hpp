#pragma once

#include "engine/ui/drawing/draw.hpp"

#include <optional>

namespace claybox::engine {

/// The icon `name` is assets/icons/name.svg. Scenes have icons named like their ids.
enum class Icon : unsigned char {
    cage,
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
    pause,
    play,
    step,
    restart,
    close
};
inline constexpr std::size_t kIconCount = static_cast<std::size_t>(Icon::close) + 1;

const char* to_string(Icon icon);
std::optional<Icon> icon_by_name(std::string_view name);

/// Draws an icon in a box of 24 units. Without a readable file it reports the problem once and draws an empty
/// square.
void draw_icon(Ui& ui, ImDrawList& list, ImVec2 centre, Icon icon, Colour colour);

}  // namespace claybox::engine
