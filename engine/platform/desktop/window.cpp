#include "engine/platform/window.hpp"

#include "engine/gl/desktop/load.hpp"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#if defined(__linux__)
#include <dlfcn.h>
#endif

namespace claybox::engine {

namespace {

int open_windows = 0;  // GLFW starts with the first window and ends with the last
std::string last_glfw_error;

void remember_error(int, const char* text) {
    last_glfw_error = text;
}

std::function<void()> last_words;

#if defined(__linux__)
/// Xlib calls this when its connection breaks, and calls exit() if it returns.
int display_is_lost(void*) {
    if (const auto words = std::exchange(last_words, nullptr)) words();
    return 0;
}

/// GLFW has loaded Xlib, if at all; without it there is no connection to watch.
void watch_display() {
    void* const xlib = dlopen("libX11.so.6", RTLD_NOW | RTLD_NOLOAD);
    if (xlib == nullptr) return;
    using SetHandler = void* (*)(int (*)(void*));
    if (void* const set = dlsym(xlib, "XSetIOErrorHandler"); set != nullptr)
        reinterpret_cast<SetHandler>(set)(display_is_lost);
}
#else
void watch_display() {}
#endif

std::string detail() {
    return last_glfw_error.empty() ? std::string() : " (" + last_glfw_error + ")";
}

std::string no_display_error() {
#if defined(__linux__)
    if (std::getenv("DISPLAY") == nullptr)
        return "there is no display to open a window on: DISPLAY is not set. Start claybox from a desktop "
               "session, under 'xvfb-run', or use 'claybox run --headless', which needs no display";
#endif
    return "the window system could not be reached" + detail() +
           ". Is the display still running? 'claybox run --headless' needs none";
}

std::string no_opengl_error(const std::string& detail) {
    return "no OpenGL 3.3 window could be created" + detail +
           ". Install the graphics driver of this machine, or the software one ('apt-get install "
           "libgl1-mesa-dri') and try again with LIBGL_ALWAYS_SOFTWARE=1";
}

void set_hints(const WindowOptions& options) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SAMPLES, 0);  // the renderer resolves its own multisampled target
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_MAXIMIZED, options.maximized ? GLFW_TRUE : GLFW_FALSE);
}

}  // namespace

std::unique_ptr<Window> Window::create(const WindowOptions& options, std::string& error) {
    last_glfw_error.clear();
    glfwSetErrorCallback(remember_error);
    if (open_windows == 0 && glfwInit() != GLFW_TRUE) {
        error = no_display_error();
        return nullptr;
    }
    ++open_windows;
    std::unique_ptr<Window> window(new Window);
    set_hints(options);
    window->window_ = glfwCreateWindow(std::max(1, options.width), std::max(1, options.height),
                                       options.title.c_str(), nullptr, nullptr);
    if (window->window_ == nullptr) {
        error = no_opengl_error(detail());
        return nullptr;
    }
    glfwMakeContextCurrent(window->window_);
    std::string problem;
    if (!load_opengl(glfwGetProcAddress, problem)) {
        error = no_opengl_error(" (" + problem + ")");
        return nullptr;
    }
    window->set_vsync(options.vsync);
    return window;
}

void Window::when_display_is_lost(std::function<void()> words) {
    last_words = std::move(words);
    watch_display();
}

Window::~Window() {
    last_words = nullptr;
    if (window_ != nullptr) glfwDestroyWindow(window_);
    if (--open_windows == 0) glfwTerminate();
}

bool Window::should_close() const {
    return glfwWindowShouldClose(window_) == GLFW_TRUE;
}

void Window::request_close() {
    glfwSetWindowShouldClose(window_, GLFW_TRUE);
}

void Window::poll() {
    glfwPollEvents();
}

bool Window::wait(double seconds) {
    const double end = glfwGetTime() + seconds;
    glfwWaitEventsTimeout(seconds);
    return glfwGetTime() < end;
}

void Window::swap() {
    glfwSwapBuffers(window_);
}

void Window::set_vsync(bool on) {
    glfwSwapInterval(on ? 1 : 0);
}

void Window::framebuffer_size(int& width, int& height) const {
    glfwGetFramebufferSize(window_, &width, &height);
}

void Window::window_size(int& width, int& height) const {
    glfwGetWindowSize(window_, &width, &height);
}

float Window::content_scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    const float scale = std::max(x, y);
    return scale > 0 ? scale : 1.0f;
}

double Window::refresh_rate() const {
    GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* const mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    return mode != nullptr && mode->refreshRate > 0 ? mode->refreshRate : 0;
}

}  // namespace claybox::engine
