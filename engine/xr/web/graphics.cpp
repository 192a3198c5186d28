#include "engine/xr/graphics/graphics.hpp"

namespace claybox::engine {

/// WebXR draws with the page's own context: there is nothing to tell.
XrGraphics graphics_of(GLFWwindow* window) {
    XrGraphics out;
    out.window = window;
    return out;
}

}  // namespace claybox::engine
