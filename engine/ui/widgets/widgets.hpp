#pragma once
// The panels' widgets: draw lists over invisible buttons, with the style guide's measures. Call between
// Ui::begin and Ui::end; labels must be unique within a card.

#include "engine/ui/drawing/draw.hpp"
#include "engine/ui/drawing/icons.hpp"

#include <span>

namespace claybox::engine {

// --- undecorated windows ---

/// A panel window at a position in pixels, ended by end_panel(). `background`: filled, with a border.
void begin_panel(Ui& ui, const char* id, const Rect& box, bool background, bool on_top = false);
void end_panel();

/// The right column, ended by end_column(): as high as its cards, at most `box`; scrolls beyond, with a row
/// below it that names the cards out of view.
void begin_column(Ui& ui, const char* id, const Rect& box);
void end_column(Ui& ui);

/// A card with a header that folds on a click. Draw the body if true; always call end_card(). `open`: initial
/// state, until the first click on the header.
bool begin_card(Ui& ui, const char* title, std::string_view summary, bool open);
/// `bring`: scrolls the column until the card is visible.
void end_card(Ui& ui, bool bring = false);
/// The value that begin_card() will return, for summaries that depend on it.
bool card_is_open(Ui& ui, const char* title, bool open);
/// Opens the cards of `all` that `open` names and folds the others, as if their headers were clicked.
void arrange_cards(Ui& ui, std::span<const char* const> all, std::span<const std::string> open);
/// False during the fold animation.
bool card_is_settled(Ui& ui, const char* title);

// --- rows ---

/// A row of the card body's full width, in pixels, followed by a gap in units.
Rect take_row(Ui& ui, float height_units, float gap_units = 8);

struct SliderSpec {
    const char* label = "";
    double min = 0, max = 1;
    double default_value = 0;  ///< restored by a double click
    bool integer = false, logarithmic = false;
    double factor = 1;  ///< multiplies the displayed number: 1000 shows metres as millimetres
    int decimals = 2;
    const char* unit = "";
    const char* zero = "";    ///< shown instead of 0, like "Off"
    const char* help = "";    ///< description
    const char* source = "";  ///< paper and section
};

/// Drag, Ctrl-click to type, double click for the default. True when `value` changed.
bool slider(Ui& ui, const SliderSpec& spec, double& value);

struct ComboItem {
    const char* label = "";
    const char* detail = "";  ///< right-aligned
    const char* help = "";
    const char* source = "";
    bool enabled = true;
};

/// A full-width combo, or label and combo with `inline_label`. True when `index` changed.
bool combo(Ui& ui, const char* label, bool inline_label, std::span<const ComboItem> items,
           std::size_t& index);
bool check_box(Ui& ui, const char* label, bool& on, const char* help = "", std::string_view detail = {});
/// A choice between few names, with a label in front with `inline_label`. True when `index` changed.
bool segmented(Ui& ui, const char* label, bool inline_label, std::span<const char* const> names,
               std::size_t& index, const char* help = "");
struct PaletteItem {
    Icon icon = Icon::scene;
    const char* label = "";
    const char* help = "";      ///< a sentence that fits into two lines; shown below the palette when chosen
    const char* shortcut = "";  ///< the key, for the tooltip
};

/// A palette with the help of the chosen picture below, or `titled`: with its label above.
struct PaletteLook {
    std::size_t columns = 5;
    bool titled = false;
    const char* help = "";    ///< of the label
    const char* source = "";  ///< of the label
};

/// A choice between pictures. True when `index` changed.
bool palette(Ui& ui, const char* label, std::span<const PaletteItem> items, std::size_t& index,
             const PaletteLook& look = {});

void key_value(Ui& ui, std::string_view key, std::string_view value, const char* help = "",
               Mark mark = Mark::none, Colour mark_colour = 0, bool strong = false);

/// A key and a value in a row that can be clicked. True when it was.
bool link_row(Ui& ui, std::string_view key, std::string_view value, const char* help, Mark mark,
              Colour mark_colour);

/// An inconspicuous row that folds the following rows of a card. True: draw them.
bool fold_row(Ui& ui, const char* label, const char* help);

struct Headline {
    std::string value, caption;
    const char* help = "";  ///< tooltip
};
void headlines(Ui& ui, std::span<const Headline> items);
/// Wrapped secondary text.
void paragraph(Ui& ui, std::string_view text);
/// Buttons in one row. Returns the index of the clicked one, or -1.
int button_row(Ui& ui, std::span<const char* const> labels, std::span<const char* const> help = {});
/// The same at a position in pixels, for panels that are no cards.
int button_row_at(Ui& ui, const Rect& row, std::span<const char* const> labels,
                  std::span<const char* const> help = {});
/// The same with a text before the buttons.
int labelled_button_row(Ui& ui, const char* label, std::span<const char* const> labels,
                        std::span<const char* const> help = {});
/// A number field in a row; true when Enter or loss of focus ends an edit that changed the value.
bool number_field(Ui& ui, const char* label, std::uint64_t& value, const char* help);
/// The same for text of up to 511 bytes.
bool text_field(Ui& ui, const char* label, std::string& text, const char* help);

/// A text field at a position, which takes the keyboard when `fresh`, with `hint` while it is empty. True
/// when the text changed. Texts of up to 200 bytes.
bool search_field(Ui& ui, const Rect& box, const char* hint, bool fresh, std::string& text);

// --- rail and bar ---

/// Active look of a rail cell: the current place is emphasised, a toggle only shows its state.
enum class CellKind : unsigned char { place, toggle };
/// 64 x 56 units with a label below the icon. A lower box has no room for the label: it shows the label at
/// `name_at`, pixels from the left, at once while the pointer is on it, and while keys are shown.
bool rail_cell(Ui& ui, const Rect& box, Icon icon, const char* label, bool active, CellKind kind,
               const char* help, const char* shortcut, float name_at = 0);
/// 32 x 32 units.
bool bar_button(Ui& ui, ImVec2 at, Icon icon, const char* label, bool active, const char* help);

/// What the arrow keys do on a control: choose another control; left and right change its value, up and down
/// choose; all four choose one of its cells.
enum class ArrowKeys : unsigned char { move, value, grid };
/// What the keyboard does with a control: presses it, or changes its value or cell by steps.
struct KeyboardUse {
    bool focused = false, press = false;
    int steps = 0;  ///< to the right
    int rows = 0;   ///< down
};
/// Makes a control a stop of the keyboard. `id`: ImGui's.
KeyboardUse keyboard_item(Ui& ui, unsigned id, const Rect& box, ArrowKeys arrows = ArrowKeys::move);
/// The next text field takes what is typed.
void type_into_next_field();

/// Shown when the pointer rests on the last item, or the keyboard's frame does.
void tooltip(Ui& ui, std::string_view what, std::string_view source = {});
void tooltip_at(Ui& ui, const Rect& box, std::string_view what, std::string_view source = {});
/// At once, beside a box.
void note_beside(Ui& ui, const Rect& box, std::string_view what);
/// For an item of a list or a rail: beside `all`, at the height of the item, so that the tooltip covers none
/// of the other items.
void tooltip_beside(Ui& ui, const Rect& all, std::string_view what, std::string_view source = {});

}  // namespace claybox::engine
