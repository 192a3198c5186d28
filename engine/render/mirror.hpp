#pragma once

namespace claybox::engine {

/// Copies the middle of a picture to the window that is current, as large as it fits without borders. Leaves
/// the window's framebuffer bound.
void mirror_to_window(unsigned framebuffer, int width, int height, int window_width, int window_height);

}  // namespace claybox::engine
