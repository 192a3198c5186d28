#pragma once
// Dear ImGui with the project's fonts, theme and scale, with or without a window.

#include "engine/ui/style/fonts.hpp"
#include "engine/ui/style/theme.hpp"
#include "engine/ui/ui_input.hpp"
#include "engine/ui/widget_log.hpp"

#include <cstdint>
#include <memory>
#include <string>

struct GLFWwindow;

namespace claybox::engine {

inline constexpr float kMinScale = 0.5f, kMaxScale = 3.0f;

/// Needs a current OpenGL context during its lifetime. One instance, one thread.
class Ui {
  public:
    /// `window` may be null: then inject_*() is the only input. Null with a sentence in `error` on failure.
    static std::unique_ptr<Ui> create(GLFWwindow* window, std::string& error);
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    /// Pixels per design unit, clamped to 0.5 .. 3; rebuilds the font atlas before the next frame.
    void set_scale(float scale);
    float scale() const;
    float px(float units) const { return units * scale(); }
    void set_dark(bool dark);
    const Theme& theme() const;

    void begin(int width, int height, double dt);
    /// Draws everything since begin() into the bound framebuffer.
    void end();
    /// Ends the frame without drawing: widgets only process clicks.
    void end_without_drawing();

    int width() const;
    int height() const;
    const UiInput& input() const;
    /// Number of events of mouse and keys so far, including those of the next frame.
    std::uint64_t events() const;
    WidgetLog& log();
    ImFont* font(TextSize size) const;
    /// The font file in use; empty for ImGui's built-in font.
    const std::string& font_file() const;
    /// Seconds since the first frame: the sum of dt.
    double time() const;
    void show_cursor(bool shown);
    /// Puts the text in the clipboard.
    void copy_text(const std::string& text);
    /// Shows the key of every control that has one, in place of tooltips.
    void show_keys(bool shown);
    bool shows_keys() const;
    /// Gives the keyboard back to the scene if a control of the panels has it.
    void leave_panels();
    /// Treats the mouse as on a panel for the rest of this frame, so the scene ignores it.
    void capture_mouse();
    static constexpr double kFoldSeconds = 0.12;  ///< duration of a card's opening

    /// Replaces the window's mouse for the next frame, for somebody who points at panels in the world. Pixels
    /// from the top left.
    void point(float x, float y, bool left);

    /// Mouse, keys and dropped files of the next frame, for programs without a window.
    void inject_mouse(float x, float y, bool left, float wheel = 0);
    void inject_key(int key, bool control = false);
    /// Holds a key down, or releases it.
    void inject_held_key(int key, bool down);
    void inject_drop(const std::string& file);
    /// Types ASCII text into the field that has the keyboard.
    void inject_text(const std::string& text);

    struct Impl;
    Impl& impl() { return *impl_; }

  private:
    Ui();
    std::unique_ptr<Impl> impl_;
};

}  // namespace claybox::engine
