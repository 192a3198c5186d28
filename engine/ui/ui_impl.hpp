#pragma once
// What ui.cpp and the widgets share; nobody else includes this.

#include "engine/ui/fonts.hpp"
#include "engine/ui/ui.hpp"

#include <optional>
#include <unordered_map>

struct ImGuiContext;

namespace claybox::engine {

struct InjectedInput {
    float x = -1, y = -1, wheel = 0;
    bool left = false;
};

/// A value that eases towards its target, and what a folding card remembers.
struct FoldState {
    float open = 1;
    float height = 0;  ///< of the body when it was last drawn in full
    double clicked = -1;
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
    Click cursor;  ///< where the window last saw the mouse
    InjectedInput injected;
    std::optional<InjectedInput> pointer;  ///< of the next frame only
    WidgetLog log;
    double time = 0;
    std::unordered_map<unsigned, FoldState> folds;
    float column_units = 0;      ///< design units: the next frame may have another scale
    unsigned edited_slider = 0;  ///< whose value is being typed
    bool edit_starts = false;
    bool restored = false;  ///< the slider that is held was double clicked: it stays at its default
    char edit_text[40] = {};
};

}  // namespace claybox::engine
