#pragma once
// Colours and surfaces of the scenes' materials and inks, in both themes.

#include "app/bridge/view/materials.hpp"

namespace claybox::app {

glm::vec3 srgb(unsigned hex);
engine::MaterialData material_of(const Drawable& drawable, bool dark);
glm::vec3 ink_rgb(Ink ink, bool dark);
/// Different colours of levels: those of the file, then the same nearer to the ink.
inline constexpr unsigned kLevelLooks = 2 * kLevelColours;
/// Colours of the levels of a broad phase's structure; they repeat after kLevelLooks. Neighbouring levels
/// differ for any colour vision.
glm::vec3 level_rgb(unsigned level, bool dark);
/// Of a class of load (load_class()): from few to many bodies.
glm::vec3 load_rgb(unsigned load, bool dark);
/// Background colour, for casings and borders.
glm::vec3 paper_rgb(bool dark);
/// Colour of lamps and of keys under a fingertip.
glm::vec3 glow_rgb(bool dark);

}  // namespace claybox::app
