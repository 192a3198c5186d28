#pragma once
// The widgets of the panels: draw lists over invisible buttons, in the measures of the style guide. Call
// between Ui::begin and Ui::end; labels are unique within a card.

#include "engine/ui/draw.hpp"
#include "engine/ui/icons.hpp"

#include <span>

namespace claybox::engine {

// --- windows without decoration
// -------------------------------------------------------------------------------

/// A panel window at a place in pixels. `background`: paper with a border. Ends with end_panel().
void begin_panel(Ui& ui, const char* id, const Rect& box, bool background, bool on_top = false);
void end_panel();

/// The right column: as high as its cards, at most `box`; scrolls beyond. Ends with end_column().
void begin_column(Ui& ui, const char* id, const Rect& box);
void end_column(Ui& ui);

/// A card with a header that folds on a click. True: draw the body. Always ends with end_card().
/// `open` holds until somebody clicks the header.
bool begin_card(Ui& ui, const char* title, std::string_view summary, bool open);
/// `bring`: the column scrolls so far that the card is in view.
void end_card(Ui& ui, bool bring = false);
/// What begin_card() will find, for a summary that depends on it.
bool card_is_open(Ui& ui, const char* title, bool open);
/// False while the card opens or closes.
bool card_stands(Ui& ui, const char* title);

// --- rows
// -----------------------------------------------------------------------------------------------------

/// A row of the full width of the card's body, in pixels; the gap in units follows below it.
Rect take_row(Ui& ui, float height_units, float gap_units = 8);

struct SliderSpec {
    const char* label = "";
    double min = 0, max = 1;
    double default_value = 0;  ///< what a double click restores
    bool integer = false, logarithmic = false;
    double factor = 1;  ///< of the shown number: 1000 shows metres as millimetres
    int decimals = 2;
    const char* unit = "";
    const char* zero = "";    ///< shown in place of 0, like "Off"
    const char* help = "";    ///< what it does
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

/// A full-width combo, or label and combo when `inline_label`. True when `index` changed.
bool combo(Ui& ui, const char* label, bool inline_label, std::span<const ComboItem> items,
           std::size_t& index);
bool check_box(Ui& ui, const char* label, bool& on, const char* help = "", std::string_view detail = {});
/// One of a few, with its label before it when `inline_label`. True when `index` changed.
bool segmented(Ui& ui, const char* label, bool inline_label, std::span<const char* const> names,
               std::size_t& index, const char* help = "");
void key_value(Ui& ui, std::string_view key, std::string_view value, const char* help = "",
               Mark mark = Mark::none, Colour mark_colour = 0, bool strong = false);

/// A quiet row that folds what follows within a card. True: draw it.
bool fold_row(Ui& ui, const char* label, const char* help);

struct Headline {
    std::string value, caption;
};
void headlines(Ui& ui, std::span<const Headline> items);
/// Wrapped secondary text.
void paragraph(Ui& ui, std::string_view text);
/// Several buttons share one row. Returns the index of the clicked one or -1.
int button_row(Ui& ui, std::span<const char* const> labels, std::span<const char* const> help = {});
/// A text field in a row; true when Enter or leaving ends it with a changed text.
bool number_field(Ui& ui, const char* label, std::uint64_t& value, const char* help);
/// The same for any text of up to 511 bytes.
bool text_field(Ui& ui, const char* label, std::string& text, const char* help);

// --- rail and bar
// ---------------------------------------------------------------------------------------------

/// How a cell of the rail says that it is on: the place where one is stands out, a switch only shows its
/// state.
enum class CellKind : unsigned char { place, toggle };
/// 64 x 56 units with its label under the icon; a lower box has no room for the label.
bool rail_cell(Ui& ui, const Rect& box, Icon icon, const char* label, bool active, CellKind kind,
               const char* help, const char* shortcut);
/// 32 x 32 units.
bool bar_button(Ui& ui, ImVec2 at, Icon icon, const char* label, bool active, const char* help);

/// Shown when the last item is hovered for a moment.
void tooltip(Ui& ui, std::string_view what, std::string_view source = {});
void tooltip_at(Ui& ui, const Rect& box, std::string_view what, std::string_view source = {});

}  // namespace claybox::engine
