#include "engine/render/passes/mirror.hpp"

#include "engine/gl/dialect.hpp"
#include "engine/gl/gl.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::engine {

void mirror_to_window(unsigned framebuffer, int width, int height, int window_width, int window_height) {
    if (framebuffer == 0 || width < 1 || height < 1 || window_width < 1 || window_height < 1) return;
    // The largest central part with the window's aspect ratio.
    const double share =
        std::min(static_cast<double>(width) / window_width, static_cast<double>(height) / window_height);
    const int w = std::min(width, static_cast<int>(std::lround(share * window_width)));
    const int h = std::min(height, static_cast<int>(std::lround(share * window_height)));
    const int x = (width - w) / 2, y = (height - h) / 2;
    convert_to_srgb(false);  // the bytes are already sRGB
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(x, y, x + w, y + h, 0, 0, window_width, window_height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace claybox::engine
