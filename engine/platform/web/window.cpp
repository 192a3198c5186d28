#include "engine/platform/window.hpp"

#include "engine/gl/gl.hpp"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <emscripten/html5.h>

namespace claybox::engine {

namespace {

constexpr const char* kCanvas = "#canvas";

/// Size that the page gives the canvas, in pixels of the screen.
void wanted_size(int& width, int& height) {
    double w = 0, h = 0;
    emscripten_get_element_css_size(kCanvas, &w, &h);
    const double scale = emscripten_get_device_pixel_ratio();
    width = static_cast<int>(std::lround(w * scale));
    height = static_cast<int>(std::lround(h * scale));
}

}  // namespace

/// The canvas fills the page, so the options' size has no meaning. GLFW sees one pixel as one unit, whatever
/// the screen.
std::unique_ptr<Window> Window::create(const WindowOptions& options, std::string& error) {
    std::unique_ptr<Window> window(new Window);
    wanted_size(window->width_, window->height_);
    glfwInit();
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_SAMPLES, 0);  // the renderer resolves its own multisampled target
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    window->window_ = glfwCreateWindow(std::max(1, window->width_), std::max(1, window->height_),
                                       options.title.c_str(), nullptr, nullptr);
    if (window->window_ == nullptr || emscripten_webgl_get_current_context() == 0) {
        error =
            "this browser has no WebGL 2: use a recent one, and switch on hardware acceleration in its "
            "settings";
        return nullptr;
    }
    return window;
}

Window::~Window() {
    if (window_ != nullptr) glfwDestroyWindow(window_);
    glfwTerminate();
}

void Window::when_display_is_lost(std::function<void()>) {}

bool Window::should_close() const {
    return closing_;
}

void Window::request_close() {
    closing_ = true;
}

/// Events have arrived between the pictures; only the size is to be looked at.
void Window::poll() {
    int width = 0, height = 0;
    wanted_size(width, height);
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    emscripten_set_canvas_element_size(kCanvas, width, height);
}

/// A page cannot wait: the browser calls it again for the next picture.
bool Window::wait(double) {
    return false;
}

/// The browser shows the picture after this call, over the page: pixels must not be translucent.
void Window::swap() {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void Window::set_vsync(bool) {}

void Window::framebuffer_size(int& width, int& height) const {
    width = width_;
    height = height_;
}

void Window::window_size(int& width, int& height) const {
    framebuffer_size(width, height);
}

float Window::content_scale() const {
    const double scale = emscripten_get_device_pixel_ratio();
    return scale > 0 ? static_cast<float>(scale) : 1.0f;
}

double Window::refresh_rate() const {
    return 0;
}

}  // namespace claybox::engine
