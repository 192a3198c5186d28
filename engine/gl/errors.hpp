#pragma once

#include <string>

namespace claybox::engine {

/// The errors that OpenGL has noted since the last call, in one sentence; empty without one. A driver may
/// have to finish its work first, so call it rarely.
std::string take_opengl_errors();

}  // namespace claybox::engine
