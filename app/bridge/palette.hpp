#pragma once
// How materials and inks of scenes look in the renderer, in both themes.

#include "app/scenes/view.hpp"
#include "engine/render/render_list.hpp"

namespace claybox::app {

glm::vec3 srgb(unsigned hex);
engine::MaterialData material_of(const Drawable& drawable, bool dark);
glm::vec3 ink_rgb(Ink ink, bool dark);
/// Paper, for casings and borders.
/// Colours of the levels of a broad phase's structure, told apart by people with any colour vision as far as
/// they are neighbours; they repeat.
inline constexpr unsigned kLevelColours = 6;
glm::vec3 level_rgb(unsigned level, bool dark);
glm::vec3 paper_rgb(bool dark);

}  // namespace claybox::app
