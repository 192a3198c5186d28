#pragma once
// Dear ImGui on the window or on a context without one, with the project's fonts, theme and scale.

#include "engine/ui/theme.hpp"
#include "engine/ui/ui_input.hpp"
#include "engine/ui/widget_log.hpp"

#include <memory>
#include <string>

struct GLFWwindow;
struct ImFont;

namespace claybox::engine {

enum class TextSize : unsigned char { body, secondary, headline, title, label };

inline constexpr float kMinScale = 0.5f, kMaxScale = 3.0f;

/// Needs a current OpenGL context for its whole life; one at a time, one thread.
class Ui {
  public:
    /// `window` may be null: then there is no input but inject_*. Null with a sentence in `error` on failure.
    static std::unique_ptr<Ui> create(GLFWwindow* window, std::string& error);
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    /// Pixels per design unit, clamped to 0.5 .. 3; the font atlas is made anew before the next frame.
    void set_scale(float scale);
    float scale() const;
    float px(float units) const { return units * scale(); }
    void set_dark(bool dark);
    const Theme& theme() const;

    void begin(int width, int height, double dt);
    /// Draws what was built since begin() into the bound framebuffer.
    void end();

    int width() const;
    int height() const;
    const UiInput& input() const;
    WidgetLog& log();
    ImFont* font(TextSize size) const;
    /// The file that the text comes from; empty for ImGui's built-in font.
    const std::string& font_file() const;
    /// Seconds since the first frame, by the sum of dt.
    double time() const;
    void show_cursor(bool shown);
    /// For the rest of this frame the mouse counts as on a panel: the scene gets none of it.
    void keep_mouse();
    static constexpr double kFoldSeconds = 0.12;  ///< a card takes so long to open

    /// In the next frame this is the mouse, whatever the window's does: of whoever points at the panels where
    /// they stand in the world. Pixels from the top left.
    void point(float x, float y, bool left);

    /// Mouse, keys and dropped files for the next frame, for programs without a window.
    void inject_mouse(float x, float y, bool left, float wheel = 0);
    void inject_key(int key, bool control = false);
    void inject_drop(const std::string& file);

    struct Impl;
    Impl& impl() { return *impl_; }

  private:
    Ui();
    std::unique_ptr<Impl> impl_;
};

}  // namespace claybox::engine
