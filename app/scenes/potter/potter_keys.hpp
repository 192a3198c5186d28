#pragma once
// Keys of the potter. A row whose effect, parameter or action the scene does not have does nothing.

#include "app/scenes/scene_key.hpp"

namespace claybox::app {

std::span<const SceneKey> potter_keys();

}  // namespace claybox::app
