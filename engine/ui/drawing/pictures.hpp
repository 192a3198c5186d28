#pragma once
// Pictures of the assets folder, for panels.

#include "engine/ui/drawing/draw.hpp"

#include <string>

namespace claybox::engine {

/// Draws the PNG file assets/NAME into `box`, and a plain rectangle if it is missing or damaged, which is
/// reported once. The file is read when it is first drawn. Needs the context of the Ui.
void draw_picture(Ui& ui, ImDrawList& list, const Rect& box, const std::string& name);

}  // namespace claybox::engine
