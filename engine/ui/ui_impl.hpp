#pragma once
// State shared by ui.cpp and the widgets; internal to engine/ui.

#include "engine/ui/drawing/icons.hpp"
#include "engine/ui/drawing/svg_icon.hpp"
#include "engine/ui/keyboard.hpp"
#include "engine/ui/style/fonts.hpp"
#include "engine/ui/ui.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

struct ImGuiContext;

namespace claybox::engine {

inline constexpr float kLabelWidth = 120;  ///< column of labels in front of widgets, units

struct InjectedInput {
    float x = -1, y = -1, wheel = 0;
    bool left = false, shift = false, control = false;
};

/// Animation state of a folding card: its openness eases towards 0 or 1.
struct FoldState {
    float open = 1;
    float height = 0;  ///< body height when last drawn in full
    double clicked = -1;
};

/// The column of cards, between two frames.
struct ColumnState {
    struct Header {
        const char* title = "";
        float y0 = 0, y1 = 0;  ///< pixels
    };
    float units = 0;              ///< height of all cards; units, because the scale may change between frames
    std::optional<float> glide;   ///< where a click scrolls to, pixels
    std::vector<Header> headers;  ///< of this frame
};

struct Ui::Impl {
    ImGuiContext* context = nullptr;
    GLFWwindow* window = nullptr;
    bool glfw_backend = false, gl_backend = false;
    float scale = 1;
    bool fonts_stale = true, style_stale = true;
    const Theme* theme = &theme_of(false);
    FontSet fonts;
    UiInput input, pending;
    std::uint64_t events = 0;
    Click cursor;  ///< last mouse position in the window
    InjectedInput injected;
    bool mouse_is_injected = false;        ///< since the last frame
    std::optional<InjectedInput> pointer;  ///< for the next frame only
    WidgetLog log;
    std::array<std::optional<std::vector<IconShape>>, kIconCount> icons;  ///< loaded when first drawn
    std::unordered_map<std::string, unsigned> pictures;  ///< textures by asset; 0: could not be read
    double time = 0;
    std::unordered_map<unsigned, FoldState> folds;
    ColumnState column;
    unsigned edited_slider = 0;  ///< the slider whose value is being typed
    bool edit_is_starting = false;
    bool shows_keys = false;
    Keyboard keyboard;
    bool restored = false;  ///< the held slider was double clicked: it keeps its default
    char edit_text[40] = {};
};

/// What pointer and keyboard do with a rectangle outside the row flow.
struct ControlState {
    bool hovered = false, active = false, clicked = false;
};
ControlState control_state(Ui& ui, const char* id, const Rect& box);
/// The last item has had the frame of the keyboard for a moment, so it is explained.
bool focus_explained(Ui& ui);

/// Draws the frame around the focused control.
void draw_focus(Ui& ui);

/// Frees the textures of draw_picture().
void forget_pictures(Ui::Impl& impl);

}  // namespace claybox::engine
