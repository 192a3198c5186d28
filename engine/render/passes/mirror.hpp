#pragma once

namespace claybox::engine {

/// Copies the centre of a picture to the current window, filling it without borders. Leaves the window's
/// framebuffer bound.
void mirror_to_window(unsigned framebuffer, int width, int height, int window_width, int window_height);

}  // namespace claybox::engine
