#pragma once
// What of the window system a session needs. The headers of the window system stay in the .cpp.

#include "engine/xr/graphics.hpp"
#include "engine/xr/openxr_api.hpp"

namespace claybox::engine {

/// A session for the system that draws with that context.
XrResult create_session(XrInstance instance, XrSystemId system, const XrGraphics& graphics,
                        ::XrSession* session);

/// Whether that context is current on this thread, asked from the window system: a runtime that changes it
/// does not tell GLFW.
bool is_current(const XrGraphics& graphics);
void make_current(const XrGraphics& graphics);

}  // namespace claybox::engine
