#pragma once
// How materials and inks of scenes look in the renderer, in both themes.

#include "app/scenes/view.hpp"
#include "engine/render/render_list.hpp"

namespace claybox::app {

glm::vec3 srgb(unsigned hex);
engine::MaterialData material_of(const Drawable& drawable, bool dark);
glm::vec3 ink_rgb(Ink ink, bool dark);
/// Paper, for casings and borders.
glm::vec3 paper_rgb(bool dark);

}  // namespace claybox::app
