#pragma once

#include <functional>
#include <memory>
#include <string>

struct GLFWwindow;

namespace claybox::engine {

struct WindowOptions {
    int width = 1600, height = 900;
    std::string title = "Claybox";
    bool vsync = true;
    bool maximized = false;
};

/// A window with a current OpenGL 3.3 core context; in a browser, the page's canvas with WebGL 2. Main thread
/// only.
class Window {
  public:
    /// Null with a sentence in `error` that says what to do (no display, no OpenGL 3.3).
    static std::unique_ptr<Window> create(const WindowOptions& options, std::string& error);
    ~Window();

    GLFWwindow* handle() const { return window_; }
    bool should_close() const;
    void request_close();
    void poll();
    /// Polls; sleeps until an event arrives or `seconds` have passed. Returns whether it was woken early.
    bool wait(double seconds);
    void swap();
    void set_vsync(bool on);
    void framebuffer_size(int& width, int& height) const;
    void window_size(int& width, int& height) const;
    float content_scale() const;  ///< of the monitor: 1 at 96 dpi
    /// `last_words` runs on the main thread, within any call of the window, if the X server ends. It must call
    /// neither the window nor OpenGL, and end the process. Other systems do not report this.
    void when_display_is_lost(std::function<void()> last_words);
    /// Pictures per second of the main monitor; 0 if unknown.
    double refresh_rate() const;

  private:
    Window() = default;
    GLFWwindow* window_ = nullptr;
#if defined(__EMSCRIPTEN__)
    int width_ = 0, height_ = 0;  ///< of a page's canvas, pixels
    bool closing_ = false;        ///< the page's loop shall end
#endif
};

}  // namespace claybox::engine
