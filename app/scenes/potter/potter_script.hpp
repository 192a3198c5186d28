#pragma once
// How the hand of the scene moves when nobody moves it.

#include "app/scenes/scene.hpp"

namespace claybox::app {

/// Takes the pot by its rim, lifts and turns it, and releases it next to the wheel.
std::span<const HandKey> carry_script();
/// Approaches, presses into the belly, strokes upwards while pressing, releases and leaves.
std::span<const HandKey> dent_script();
/// Pose of an idle hand; its fingers are open where it carries.
HandKey potter_rest(bool carries);

}  // namespace claybox::app
