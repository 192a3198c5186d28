#pragma once
// Drawing helpers over ImGui's draw lists. Sizes are pixels unless the name says units.

#include "engine/ui/ui.hpp"

#include <imgui.h>

#include <string>
#include <string_view>

namespace claybox::engine {

struct Rect {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    float width() const { return x1 - x0; }
    float height() const { return y1 - y0; }
    ImVec2 min() const { return {x0, y0}; }
    ImVec2 max() const { return {x1, y1}; }
    ImVec2 centre() const { return {0.5f * (x0 + x1), 0.5f * (y0 + y1)}; }
    bool contains(float x, float y) const { return x >= x0 && x < x1 && y >= y0 && y < y1; }
};

enum class Align : unsigned char { left, centre, right };

/// Shapes of the verdicts: colour is never the only signal.
enum class Mark : unsigned char { none, disc, triangle, square, diamond, ring, ring_filled };

float text_width(Ui& ui, TextSize size, std::string_view text);
/// Draws one line, vertically centred in `box`; shortens it with an ellipsis when it is too long.
void draw_text(Ui& ui, ImDrawList& list, const Rect& box, TextSize size, Colour colour, std::string_view text,
               Align align = Align::left);
void draw_mark(ImDrawList& list, ImVec2 centre, float size, Mark mark, Colour colour);
/// Dims the whole window, for what is drawn after it into the same list.
void dim_window(Ui& ui, ImDrawList& list);
void draw_panel(Ui& ui, ImDrawList& list, const Rect& box, float radius_units = 6);
/// Draws a chip, 24 units high, around text with a mark in front; returns its rectangle. `at` is its left
/// middle.
Rect draw_chip(Ui& ui, ImDrawList& list, ImVec2 at, std::string_view text, Mark mark, Colour colour);
Rect chip_size(Ui& ui, std::string_view text, Mark mark);

/// Records a drawn widget when the log is enabled.
void log_widget(Ui& ui, const char* kind, const Rect& box, std::string_view label,
                std::string_view value = {});
/// The same outside of a window: ImGui would open a window of its own to have one.
void log_widget(Ui& ui, const ImDrawList& list, const char* kind, const Rect& box, std::string_view label,
                std::string_view value = {});

/// "1,234,567".
std::string grouped(unsigned long long value);
/// Fixed number of decimals, with a true minus sign.
std::string fixed(double value, int decimals);

}  // namespace claybox::engine
