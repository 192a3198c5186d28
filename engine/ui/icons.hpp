#pragma once

#include "engine/ui/draw.hpp"

namespace claybox::engine {

/// Drawn in a box of 24 units with strokes of 1.6.
enum class Icon : unsigned char {
    cube,
    pot,
    buttons,
    button_lab,
    polygons,
    tree,
    crowd,
    mobile,
    workbench,
    scene,
    hand,
    diamond,
    boxes,
    label,
    ruler,
    sun,
    moon,
    help,
    pause,
    play,
    step,
    restart,
    undo,
    close
};

void draw_icon(Ui& ui, ImDrawList& list, ImVec2 centre, Icon icon, Colour colour);

}  // namespace claybox::engine
