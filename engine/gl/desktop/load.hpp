#pragma once

#include "engine/gl/gl.hpp"

#include <string>

namespace claybox::engine {

/// Loads the functions of OpenGL 3.3 for the current context. False with a sentence in `error` if the driver
/// has none, or lacks one of them.
bool load_opengl(GLADloadfunc address_of, std::string& error);

}  // namespace claybox::engine
