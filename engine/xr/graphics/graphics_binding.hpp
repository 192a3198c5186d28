#pragma once
// Graphics calls that need the window system. Its headers stay in the .cpp.

#include "engine/xr/graphics/graphics.hpp"
#include "engine/xr/openxr_api.hpp"

namespace claybox::engine {

/// Creates a session that draws with that context.
XrResult create_session(XrInstance instance, XrSystemId system, const XrGraphics& graphics,
                        ::XrSession* session);

/// Whether that context is current on this thread. Queries the window system: a runtime that changes the
/// context does not inform GLFW.
bool is_current(const XrGraphics& graphics);
void make_current(const XrGraphics& graphics);

}  // namespace claybox::engine
