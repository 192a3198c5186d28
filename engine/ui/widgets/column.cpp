// The right column: as high as its cards, at most its place. If cards are out of view, a row below it names
// them, and a click brings them.

#include "engine/ui/ui_impl.hpp"
#include "engine/ui/widgets/widgets.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::engine {
namespace {

constexpr float kMoreRow = 28, kMoreGap = 4, kEdgeShade = 18;  // units
constexpr float kGlideSeconds = 0.06f;                         // until a third of the way is left

enum class Hidden : unsigned char { above, below };

/// A card is hidden if its header is out of view.
std::vector<const char*> hidden_cards(const ColumnState& column, const Rect& view, Hidden where) {
    std::vector<const char*> out;
    for (const ColumnState::Header& card : column.headers)
        if (where == Hidden::above ? card.y0 < view.y0 - 1 : card.y1 > view.y1 + 1) out.push_back(card.title);
    return out;
}

/// "Inspect, Events and 2 more", as many names as fit; "More of Events" if only a part of that card is
/// hidden.
std::string more_text(Ui& ui, const ColumnState& column, const Rect& view, Hidden where, float width) {
    const std::vector<const char*> names = hidden_cards(column, view, where);
    if (names.empty())
        return std::string("More of ") + (column.headers.empty() ? "" : column.headers.back().title);
    for (std::size_t shown = names.size(); shown > 0; --shown) {
        std::string text;
        for (std::size_t i = 0; i < shown; ++i) text += (i > 0 ? ", " : "") + std::string(names[i]);
        if (shown < names.size()) text += " and " + std::to_string(names.size() - shown) + " more";
        if (text_width(ui, TextSize::secondary, text) <= width) return text;
    }
    return "More";
}

void draw_chevron(Ui& ui, ImDrawList& list, ImVec2 c, Hidden where, Colour colour) {
    const float r = ui.px(4.5f), tip = where == Hidden::below ? 0.5f * r : -0.5f * r;
    const ImVec2 line[] = {{c.x - r, c.y - tip}, {c.x, c.y + tip}, {c.x + r, c.y - tip}};
    list.AddPolyline(line, 3, colour, 0, ui.px(1.8f));
}

/// A button of the row below the column; a narrow one has no text. True when it was clicked.
bool more_button(Ui& ui, const ColumnState& column, const Rect& view, const Rect& box, Hidden where) {
    const char* const id = where == Hidden::below ? "More below" : "More above";
    const ControlState t = control_state(ui, id, box);
    const Theme& theme = ui.theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (t.hovered) list.AddRectFilled(box.min(), box.max(), theme.hover, ui.px(6));
    const Colour ink = t.hovered ? theme.ink : theme.secondary;
    const float lead = ui.px(22);
    std::string text;
    if (box.width() > 2 * lead) text = more_text(ui, column, view, where, box.width() - 2 * lead);
    const float width = text.empty() ? 0 : text_width(ui, TextSize::secondary, text) + ui.px(10);
    const float x = box.centre().x - 0.5f * width;
    draw_chevron(ui, list, {x, box.centre().y}, where, theme.accent);
    draw_text(ui, list, {x + ui.px(12), box.y0, box.x1, box.y1}, TextSize::secondary, ink, text);
    tooltip(ui, where == Hidden::below ? "Scrolls to the cards below." : "Scrolls to the cards above.");
    log_widget(ui, "more", box, id, text);
    return t.clicked;
}

/// The row below the column. It moves by a page, so that nothing is skipped.
void more_row(Ui& ui, ColumnState& column, const Rect& view, float scroll, float most) {
    const float left_over = most - scroll, page = std::max(view.height() - ui.px(48), ui.px(48));
    const bool above = scroll > 1, below = left_over > 1;
    const Rect row{view.x0, view.y1 + ui.px(kMoreGap), view.x1, view.y1 + ui.px(kMoreGap + kMoreRow)};
    begin_panel(ui, "more cards", row, true);
    const float split = above && below ? row.x0 + ui.px(40) : above ? row.x1 : row.x0;
    const auto move = [&](float by) { column.glide = std::clamp(scroll + by, 0.0f, most); };
    if (above && more_button(ui, column, view, {row.x0, row.y0, split, row.y1}, Hidden::above)) move(-page);
    if (below && more_button(ui, column, view, {split, row.y0, row.x1, row.y1}, Hidden::below)) move(page);
    const float wheel = ImGui::GetIO().MouseWheel;
    if (ImGui::IsWindowHovered() && wheel != 0) move(-wheel * ui.px(75));
    end_panel();
}

/// A click moves the column smoothly; the wheel takes over at once.
void glide(ColumnState& column, float scroll, float most) {
    if (ImGui::IsWindowHovered() && ImGui::GetIO().MouseWheel != 0) column.glide.reset();
    if (!column.glide) return;
    const float left = std::min(*column.glide, most) - scroll;
    const float share = std::min(1.0f, ImGui::GetIO().DeltaTime / kGlideSeconds);
    const float step = std::copysign(std::max(std::abs(left) * share, 2.0f), left);
    if (std::abs(left) > std::abs(step)) return ImGui::SetScrollY(scroll + step);
    ImGui::SetScrollY(scroll + left);
    column.glide.reset();
}

/// The bar is in the margin beside the cards. Shades at the edges show that cards go on there.
void draw_scroll_signs(Ui& ui, const Rect& view, float scroll, float most) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Colour dark = colour(0x000000, ui.theme().dark ? 0.45f : 0.16f), clear = colour(0x000000, 0);
    const float shade = ui.px(kEdgeShade);
    if (scroll > 1)
        list.AddRectFilledMultiColor(view.min(), {view.x1, view.y0 + shade}, dark, dark, clear, clear);
    if (most - scroll > 1)
        list.AddRectFilledMultiColor({view.x0, view.y1 - shade}, view.max(), clear, clear, dark, dark);
    const float size = view.height(), bar = size * size / (size + most),
                y = view.y0 + (size - bar) * scroll / most;
    const float x = view.x1 + ui.px(2);
    list.PushClipRectFullScreen();
    list.AddRectFilled({x, y + ui.px(2)}, {x + ui.px(4), y + bar - ui.px(2)},
                       faded(ui.theme().secondary, 0.6f), ui.px(2));
    list.PopClipRect();
}

}  // namespace

void begin_column(Ui& ui, const char* id, const Rect& box) {
    ColumnState& column = ui.impl().column;
    const float content = ui.px(column.units);  // from the last frame
    const float room = box.height() - (content > box.height() + 1 ? ui.px(kMoreRow + kMoreGap) : 0);
    column.headers.clear();
    begin_panel(ui, id, {box.x0, box.y0, box.x1, box.y0 + (content > 0 ? std::min(content, room) : room)},
                false);
}

void end_column(Ui& ui) {
    ColumnState& column = ui.impl().column;
    const ImVec2 p = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const Rect view{p.x, p.y, p.x + size.x, p.y + size.y};
    const float scroll = ImGui::GetScrollY(), most = ImGui::GetScrollMaxY();
    column.units = (ImGui::GetCursorScreenPos().y + scroll - p.y) / ui.scale();
    if (most > 1) draw_scroll_signs(ui, view, scroll, most);
    glide(column, scroll, most);
    ImGui::End();
    if (most > 1) more_row(ui, column, view, scroll, most);
}

}  // namespace claybox::engine
