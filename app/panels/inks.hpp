#pragma once
// Shape and colour of an ink in the panels: colours alone would not tell inks apart for everyone.

#include "app/scenes/view.hpp"
#include "engine/ui/drawing/draw.hpp"

namespace claybox::app {

engine::Mark ink_mark(Ink ink);
engine::Colour ink_colour(const engine::Theme& theme, Ink ink);

}  // namespace claybox::app
