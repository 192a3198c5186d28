#pragma once
// Operation of the panels with the keyboard. Internal to engine/ui: controls call keyboard_item().

#include "engine/ui/drawing/draw.hpp"
#include "engine/ui/ui_input.hpp"
#include "engine/ui/widgets/widgets.hpp"

#include <optional>
#include <vector>

namespace claybox::engine {

/// F6 moves the focus into the panels, and from one to the next. Tab and the arrow keys choose a control,
/// Enter or Space presses it, left and right change a value, all four arrows choose a cell of a grid, Esc
/// gives the keys back to the scene, as a click does.
struct Keyboard {
    struct Item {
        unsigned id = 0;
        const void* panel = nullptr;
        bool in_list = false;  ///< of an open combo
        ArrowKeys arrows = ArrowKeys::move;
    };

    /// Takes the keys of a frame. Call it before the widgets, and not while a text field has the keyboard.
    void take(const UiInput& input, double time);
    /// What the keys of this frame ask of the focused control.
    bool press = false;
    int steps = 0, rows = 0;

    /// The same control has been focused for a moment.
    bool rested() const;

    bool on = false;
    unsigned focused = 0;
    bool moved = false;         ///< the focused control is to be brought into view
    bool in_list = false;       ///< the widgets that are drawn now are items of an open list
    std::vector<Item> items;    ///< of this frame
    std::optional<Rect> shown;  ///< of the focused control, as far as it is in view

  private:
    void take_key(const KeyPress& key, bool list_open);
    void next_panel();
    void move(int by);
    void focus(unsigned id);
    /// Controls that the keys can choose: those of the open list, if there is one.
    std::vector<Item> choices() const;
    const Item* focused_item() const;

    std::vector<Item> seen_;    ///< of the frame before
    unsigned before_list_ = 0;  ///< focused when the list opened
    std::size_t place_ = 0;     ///< of the focused control among the choices
    int held_ = 0;              ///< an arrow key
    double repeat_at_ = 0;
    double time_ = 0, focused_at_ = 0;  ///< seconds
};

}  // namespace claybox::engine
