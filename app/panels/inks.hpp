#pragma once
// Shape and colour of an ink in the panels: colours alone would not tell inks apart for everyone.

#include "app/scenes/view.hpp"
#include "engine/ui/drawing/draw.hpp"

#include <glm/vec3.hpp>

namespace claybox::app {

engine::Mark ink_mark(Ink ink);
engine::Colour ink_colour(const engine::Theme& theme, Ink ink);
/// A colour of the scene, sRGB from 0 to 1, in the panels.
engine::Colour panel_colour(const glm::vec3& rgb);

}  // namespace claybox::app
