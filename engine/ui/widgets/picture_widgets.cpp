// Widgets whose items are icons: cells of the rail, palettes and the buttons of the bar.

#include "engine/ui/ui_impl.hpp"
#include "engine/ui/widgets/widgets.hpp"

#include <algorithm>

namespace claybox::engine {
namespace {

constexpr float kLabelledCell = 33;  // lower cells have no room for a label
constexpr float kRoomyCell = 43;     // lower cells have no room between icon and label
constexpr float kCellName = 100;     // room for the name beside a cell

/// A label that is a little wider than its cell gets smaller letters; a much wider one is cut.
void draw_cell_label(Ui& ui, const Rect& box, Colour colour, const char* label) {
    constexpr float kSmallest = 0.83f;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float wide = text_width(ui, TextSize::secondary, label), room = box.width() - ui.px(2);
    if (wide <= box.width() || wide * kSmallest > room)
        return draw_text(ui, draw, box, TextSize::secondary, colour, label, Align::centre);
    ImFont* const font = ui.font(TextSize::secondary);
    const float size = font->FontSize * room / wide;
    const ImVec2 middle = box.centre();
    draw.AddText(font, size, {middle.x - 0.5f * room, middle.y - 0.5f * size}, colour, label);
}

/// An icon with a label below it. True when it was clicked.
bool icon_cell(Ui& ui, const Rect& box, Icon icon, const char* label, bool active, CellKind kind) {
    const bool labelled = box.height() >= ui.px(kLabelledCell);
    const ControlState t = control_state(ui, label, box);
    const Theme& theme = ui.theme();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const bool place = kind == CellKind::place;
    if (active) draw.AddRectFilled(box.min(), box.max(), place ? theme.accent : theme.frame, ui.px(4));
    if (active && !place)
        draw.AddRectFilled({box.x0, box.y0 + 0.25f * box.height()},
                           {box.x0 + ui.px(3), box.y1 - 0.25f * box.height()}, theme.accent, ui.px(1.5f));
    if (t.hovered && !(active && place)) draw.AddRectFilled(box.min(), box.max(), theme.hover, ui.px(4));
    const Colour text = !active ? theme.secondary : place ? theme.on_accent : theme.ink;
    const ImVec2 middle = box.centre();
    const bool roomy = box.height() >= ui.px(kRoomyCell);
    draw_icon(ui, draw, {middle.x, middle.y - ui.px(!labelled ? 0 : roomy ? 9 : 7)}, icon, text);
    const float label_at = middle.y + ui.px(roomy ? 15 : 10);
    if (labelled)
        draw_cell_label(ui, {box.x0, label_at - ui.px(10), box.x1, label_at + ui.px(10)}, text, label);
    return t.clicked;
}

/// The name of a cell without a label, beside the rail. Where the rail has two columns, the names have two
/// columns, too.
void draw_cell_name(Ui& ui, const Rect& box, float at, const char* name, bool alone) {
    const bool before_another = box.width() < ui.px(40) && box.x1 > at - ui.px(20);
    const float x = at + (before_another && !alone ? ui.px(kCellName) : 0);
    const float half = 0.5f * (alone ? ui.px(24) : std::min(ui.px(22), box.height()));
    const float y = box.centre().y, width = text_width(ui, TextSize::label, name) + ui.px(16);
    const Rect chip{x, y - half, x + width, y + half};
    ImDrawList& front = *ImGui::GetForegroundDrawList();
    draw_panel(ui, front, chip, 4);
    draw_text(ui, front, chip, TextSize::label, ui.theme().ink, name, Align::centre);
    log_widget(ui, front, "name", chip, name);
}

/// One row of a palette, from picture `first` on.
void palette_row_of(Ui& ui, std::span<const PaletteItem> items, std::size_t first, std::size_t columns,
                    std::size_t shown, std::size_t& index) {
    constexpr float kPicture = 50, kBetween = 4;
    const Rect row = take_row(ui, kPicture, kBetween);
    const ImVec2 after = ImGui::GetCursorScreenPos();
    const float gap = ui.px(kBetween), width = (row.width() + gap) / static_cast<float>(columns) - gap;
    for (std::size_t i = first; i < std::min(first + columns, items.size()); ++i) {
        const float x = row.x0 + (width + gap) * static_cast<float>(i - first);
        const Rect box{x, row.y0, x + width, row.y1};
        if (icon_cell(ui, box, items[i].icon, items[i].label, i == shown, CellKind::place)) index = i;
        tooltip_beside(ui, {row.x0 - ui.px(12), row.y0, row.x1 + ui.px(12), row.y1}, items[i].help,
                       items[i].shortcut);
        log_widget(ui, "picture", box, items[i].label, i == shown ? "on" : "off");
    }
    ImGui::SetCursorScreenPos(after);
}

}  // namespace

bool rail_cell(Ui& ui, const Rect& box, Icon icon, const char* label, bool active, CellKind kind,
               const char* help, const char* shortcut, float name_at) {
    const bool clicked = icon_cell(ui, box, icon, label, active, kind);
    const bool labelled = box.height() >= ui.px(kLabelledCell), hovered = ImGui::IsItemHovered();
    if (!labelled && (hovered || ui.shows_keys())) draw_cell_name(ui, box, name_at, label, hovered);
    const float end = labelled ? box.x1 : name_at + ui.px(kCellName);
    tooltip_beside(ui, {box.x0, box.y0, end, box.y1}, help, shortcut);
    log_widget(ui, "cell", box, label, active ? "on" : "off");
    return clicked;
}

bool palette(Ui& ui, const char* label, std::span<const PaletteItem> items, std::size_t& index,
             const PaletteLook& look) {
    constexpr float kHelpHeight = 36;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const std::size_t shown = index;
    if (look.titled) {
        const Rect title = take_row(ui, 20, 2);
        const ImVec2 after = ImGui::GetCursorScreenPos();
        draw_text(ui, draw, title, TextSize::body, ui.theme().ink, label);
        ImGui::SetCursorScreenPos(title.min());
        ImGui::Dummy({title.width(), title.height()});
        tooltip(ui, look.help, look.source);
        ImGui::SetCursorScreenPos(after);
    }
    ImGui::PushID(label);
    for (std::size_t first = 0; first < items.size(); first += look.columns)
        palette_row_of(ui, items, first, look.columns, shown, index);
    ImGui::PopID();
    if (look.titled) {
        take_row(ui, 0, 4);
        return index != shown;
    }
    const Rect row = take_row(ui, kHelpHeight, 4);
    const std::string_view help = shown < items.size() ? items[shown].help : "";
    ImFont* font = ui.font(TextSize::secondary);
    draw.AddText(font, font->FontSize, row.min(), ui.theme().secondary, help.data(),
                 help.data() + help.size(), row.width());
    log_widget(ui, "label", row, help);
    return index != shown;
}

bool bar_button(Ui& ui, ImVec2 at, Icon icon, const char* label, bool active, const char* help) {
    const Rect box{at.x, at.y, at.x + ui.px(32), at.y + ui.px(32)};
    const ControlState t = control_state(ui, label, box);
    tooltip(ui, label, help);
    const Theme& theme = ui.theme();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (active || t.active)
        draw.AddRectFilled(box.min(), box.max(), theme.accent, ui.px(4));
    else if (t.hovered)
        draw.AddRectFilled(box.min(), box.max(), theme.hover, ui.px(4));
    draw_icon(ui, draw, box.centre(), icon, active || t.active ? theme.on_accent : theme.ink);
    log_widget(ui, "button", box, label, active ? "on" : "off");
    return t.clicked;
}

}  // namespace claybox::engine
