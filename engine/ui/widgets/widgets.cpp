#include "engine/ui/widgets/widgets.hpp"

#include "engine/ui/ui_impl.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

namespace claybox::engine {
namespace {

ImDrawList& list() {
    return *ImGui::GetWindowDrawList();
}

void advance_row(Ui& ui, const Rect& row, float gap_units) {
    ImGui::SetCursorScreenPos({row.x0, row.y1});
    ImGui::Dummy({1, ui.px(gap_units)});
}

}  // namespace

KeyboardUse keyboard_item(Ui& ui, unsigned id, const Rect& box, ArrowKeys arrows) {
    Keyboard& keyboard = ui.impl().keyboard;
    // Two algorithms of a card may have a setting of the same name.
    for (const Keyboard::Item& other : keyboard.items) id += other.id == id;
    keyboard.items.push_back({id, ImGui::GetWindowDrawList(), keyboard.in_list, arrows});
    if (!keyboard.on || keyboard.focused != id) return {};
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (keyboard.moved) {
        ui.impl().column.glide.reset();
        const float above = at.y + ui.px(4) - box.y0, below = box.y1 + ui.px(4) - at.y - size.y;
        if (below > 0) ImGui::SetScrollY(ImGui::GetScrollY() + below);
        if (above > 0) ImGui::SetScrollY(ImGui::GetScrollY() - above);
    }
    keyboard.shown = box;
    keyboard.moved = keyboard.steps != 0 || keyboard.rows != 0;  // another cell, or the same place
    // Consumed, because a list that opens now focuses one of its items.
    return {true, std::exchange(keyboard.press, false), std::exchange(keyboard.steps, 0),
            std::exchange(keyboard.rows, 0)};
}

void draw_focus(Ui& ui) {
    const std::optional<Rect>& box = ui.impl().keyboard.shown;
    if (!box) return;
    const float out = ui.px(2);
    ImDrawList& draw = *ImGui::GetForegroundDrawList();
    draw.AddRect({box->x0 - out, box->y0 - out}, {box->x1 + out, box->y1 + out}, ui.theme().panel, ui.px(5),
                 0, ui.px(4));
    draw.AddRect({box->x0 - out, box->y0 - out}, {box->x1 + out, box->y1 + out}, ui.theme().accent, ui.px(5),
                 0, ui.px(2));
    log_widget(ui, draw, "focus", *box, "");
}

ControlState control_state(Ui& ui, const char* id, const Rect& box) {
    ImGui::SetCursorScreenPos(box.min());
    ControlState t;
    t.clicked = ImGui::InvisibleButton(id, {std::max(1.0f, box.width()), std::max(1.0f, box.height())});
    t.clicked |= keyboard_item(ui, ImGui::GetID(id), box).press;
    t.hovered = ImGui::IsItemHovered();
    t.active = ImGui::IsItemActive();
    return t;
}

Rect take_row(Ui& ui, float height_units, float gap_units) {
    const ImVec2 p = ImGui::GetCursorScreenPos();
    const Rect row{p.x, p.y, p.x + ImGui::GetContentRegionAvail().x - ui.px(12), p.y + ui.px(height_units)};
    advance_row(ui, row, gap_units);
    return row;
}

bool check_box(Ui& ui, const char* label, bool& on, const char* help, std::string_view detail) {
    const Rect row = take_row(ui, 24);
    const ImVec2 after = ImGui::GetCursorScreenPos();
    const ControlState t = control_state(ui, label, row);
    if (t.clicked) on = !on;
    tooltip(ui, help);
    const Theme& theme = ui.theme();
    const Rect box{row.x0, row.y0 + ui.px(2), row.x0 + ui.px(20), row.y0 + ui.px(22)};
    if (on) {
        list().AddRectFilled(box.min(), box.max(), theme.secondary, ui.px(4));
        const float u = ui.scale();
        list().PathLineTo({box.x0 + 5 * u, box.y0 + 10.5f * u});
        list().PathLineTo({box.x0 + 8.6f * u, box.y0 + 14 * u});
        list().PathLineTo({box.x0 + 15.2f * u, box.y0 + 6.4f * u});
        list().PathStroke(theme.panel, 0, 2 * u);
    } else {
        list().AddRectFilled(box.min(), box.max(), theme.frame, ui.px(4));
        list().AddRect(box.min(), box.max(), t.hovered ? theme.secondary : theme.line, ui.px(4), 0,
                       ui.px(1.5f));
    }
    draw_text(ui, list(), {box.x1 + ui.px(8), row.y0, row.x1, row.y1}, TextSize::body, theme.ink, label);
    if (!detail.empty())
        draw_text(ui, list(), row, TextSize::secondary, theme.secondary, detail, Align::right);
    log_widget(ui, "check box", {row.x0, row.y0, box.x1 + ui.px(60), row.y1}, label, on ? "on" : "off");
    ImGui::SetCursorScreenPos(after);
    return t.clicked;
}

bool segmented(Ui& ui, const char* label, bool inline_label, std::span<const char* const> names,
               std::size_t& index, const char* help) {
    Rect row = take_row(ui, 28);
    const ImVec2 after = ImGui::GetCursorScreenPos();
    const Theme& theme = ui.theme();
    if (inline_label) {
        draw_text(ui, list(), {row.x0, row.y0, row.x0 + ui.px(kLabelWidth - 4), row.y1}, TextSize::body,
                  theme.ink, label);
        row.x0 += ui.px(kLabelWidth);
    }
    list().AddRectFilled(row.min(), row.max(), theme.frame, ui.px(4));
    bool changed = false;
    const std::size_t shown = index;  // consistent for the whole row in the frame of the click
    ImGui::PushID(label);
    const float width = row.width() / static_cast<float>(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Rect cell{row.x0 + width * static_cast<float>(i), row.y0,
                        row.x0 + width * static_cast<float>(i + 1), row.y1};
        const ControlState t = control_state(ui, names[i], cell);
        tooltip(ui, help);
        if (t.clicked && i != shown) {
            index = i;
            changed = true;
        }
        const bool chosen = i == shown;
        if (chosen)
            list().AddRectFilled(cell.min(), cell.max(), theme.secondary, ui.px(4));
        else if (t.hovered)
            list().AddRectFilled(cell.min(), cell.max(), theme.hover, ui.px(4));
        draw_text(ui, list(), cell, TextSize::body, chosen ? theme.panel : theme.secondary, names[i],
                  Align::centre);
        log_widget(ui, "segment", cell, names[i], chosen ? "on" : "off");
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos(after);
    return changed;
}

void key_value(Ui& ui, std::string_view key, std::string_view value, const char* help, Mark mark,
               Colour mark_colour, bool strong) {
    const Rect row = take_row(ui, 20, 4);
    const Theme& theme = ui.theme();
    const TextSize size = strong ? TextSize::title : TextSize::body;
    const float width = text_width(ui, size, value);
    const float key_width = std::max(ui.px(60), row.width() - width - ui.px(mark == Mark::none ? 8 : 28));
    draw_text(ui, list(), {row.x0, row.y0, row.x0 + key_width, row.y1}, TextSize::body, theme.secondary, key);
    const Rect value_box{row.x0 + std::min(key_width, text_width(ui, TextSize::body, key)) + ui.px(8), row.y0,
                         row.x1, row.y1};
    const Colour text = mark != Mark::none && strong ? mark_colour : theme.ink;
    draw_text(ui, list(), value_box, size, text, value, Align::right);
    if (mark != Mark::none)
        draw_mark(list(), {row.x1 - std::min(width, value_box.width()) - ui.px(14), row.centre().y},
                  ui.px(10), mark, mark_colour);
    if (*help) tooltip_at(ui, row, help);
    log_widget(ui, "value", row, key, value);
}

bool link_row(Ui& ui, std::string_view key, std::string_view value, const char* help, Mark mark,
              Colour mark_colour) {
    const ImVec2 before = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    key_value(ui, key, value, help, mark, mark_colour);
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(before);
    ImGui::PushID(key.data(), key.data() + key.size());
    const Rect box{before.x, before.y, before.x + width, before.y + ui.px(20)};
    const ControlState t = control_state(ui, "link", box);
    if (t.hovered) draw_text(ui, list(), box, TextSize::body, ui.theme().accent, key);
    ImGui::PopID();
    ImGui::SetCursorScreenPos(after);
    return t.clicked;
}

bool fold_row(Ui& ui, const char* label, const char* help) {
    const Rect row = take_row(ui, 20, 0);
    ImGui::PushID(label);
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(row.min());
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const unsigned id = ImGui::GetID("fold");
    bool open = storage.GetBool(id, false);
    const ControlState t = control_state(ui, "row", row);
    if (t.clicked) {
        open = !open;
        storage.SetBool(id, open);
    }
    const Theme& theme = ui.theme();
    const Colour colour = t.hovered ? theme.ink : theme.secondary;
    if (*help) tooltip(ui, help);
    const ImVec2 c{row.x0 + ui.px(6), row.centre().y};
    const float r = ui.px(4);
    if (open)
        list().AddTriangleFilled({c.x - r, c.y - r * 0.5f}, {c.x + r, c.y - r * 0.5f}, {c.x, c.y + r * 0.7f},
                                 colour);
    else
        list().AddTriangleFilled({c.x - r * 0.5f, c.y - r}, {c.x + r * 0.7f, c.y}, {c.x - r * 0.5f, c.y + r},
                                 colour);
    draw_text(ui, list(), {row.x0 + ui.px(16), row.y0, row.x1, row.y1}, TextSize::secondary, colour, label);
    log_widget(ui, "fold", row, label, open ? "open" : "folded");
    ImGui::PopID();
    ImGui::SetCursorScreenPos(after);
    return open;
}

void headlines(Ui& ui, std::span<const Headline> items) {
    const Rect row = take_row(ui, 40, 4);
    const float width = row.width() / static_cast<float>(std::max<std::size_t>(items.size(), 1));
    for (std::size_t i = 0; i < items.size(); ++i) {
        const float x = row.x0 + width * static_cast<float>(i);
        draw_text(ui, list(), {x, row.y0, x + width, row.y0 + ui.px(24)}, TextSize::headline, ui.theme().ink,
                  items[i].value);
        draw_text(ui, list(), {x, row.y0 + ui.px(24), x + width, row.y0 + ui.px(40)}, TextSize::secondary,
                  ui.theme().secondary, items[i].caption);
        const Rect box{x, row.y0, x + width, row.y1};
        log_widget(ui, "value", box, items[i].caption, items[i].value);
        tooltip_at(ui, box, items[i].help);
    }
}

void paragraph(Ui& ui, std::string_view text) {
    ImFont* font = ui.font(TextSize::secondary);
    const ImVec2 p = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - ui.px(12);
    const char* end = text.data() + text.size();
    const ImVec2 size = font->CalcTextSizeA(font->FontSize, 1e6f, width, text.data(), end);
    list().AddText(font, font->FontSize, p, ui.theme().secondary, text.data(), end, width);
    const Rect row{p.x, p.y, p.x + width, p.y + size.y};
    log_widget(ui, "label", row, text);
    advance_row(ui, row, 8);
}

int button_row_at(Ui& ui, const Rect& row, std::span<const char* const> labels,
                  std::span<const char* const> help) {
    const ImVec2 after = ImGui::GetCursorScreenPos();
    const Theme& theme = ui.theme();
    const float gap = ui.px(8), count = static_cast<float>(labels.size());
    const float width = (row.width() - gap * (count - 1)) / count;
    int clicked = -1;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const float x = row.x0 + (width + gap) * static_cast<float>(i);
        const Rect box{x, row.y0, x + width, row.y1};
        const ControlState t = control_state(ui, labels[i], box);
        if (i < help.size()) tooltip(ui, help[i]);
        list().AddRectFilled(box.min(), box.max(), t.active ? theme.accent : theme.frame, ui.px(4));
        if (t.hovered && !t.active) list().AddRectFilled(box.min(), box.max(), theme.hover, ui.px(4));
        draw_text(ui, list(), box, TextSize::body, t.active ? theme.on_accent : theme.ink, labels[i],
                  Align::centre);
        log_widget(ui, "button", box, labels[i]);
        if (t.clicked) clicked = static_cast<int>(i);
    }
    ImGui::SetCursorScreenPos(after);
    return clicked;
}

int button_row(Ui& ui, std::span<const char* const> labels, std::span<const char* const> help) {
    return button_row_at(ui, take_row(ui, 28), labels, help);
}

int labelled_button_row(Ui& ui, const char* label, std::span<const char* const> labels,
                        std::span<const char* const> help) {
    Rect row = take_row(ui, 28);
    draw_text(ui, list(), {row.x0, row.y0, row.x0 + ui.px(kLabelWidth), row.y1}, TextSize::body,
              ui.theme().ink, label);
    row.x0 += ui.px(kLabelWidth);
    return button_row_at(ui, row, labels, help);
}

// Dear ImGui 1.90.1 ignores the second call while another window has the keys.
void type_into_next_field() {
    ImGui::SetWindowFocus();
    ImGui::SetKeyboardFocusHere();
}

namespace {

/// A row with a label and a text field; true when Enter or loss of focus ends an edit.
bool field_row(Ui& ui, const char* label, char* text, std::size_t size, ImGuiInputTextFlags flags,
               const char* help) {
    const Rect row = take_row(ui, 28);
    const ImVec2 after = ImGui::GetCursorScreenPos();
    draw_text(ui, list(), {row.x0, row.y0, row.x0 + ui.px(kLabelWidth), row.y1}, TextSize::body,
              ui.theme().ink, label);
    const Rect box{row.x0 + ui.px(kLabelWidth), row.y0, row.x1, row.y1};
    ImGui::PushID(label);
    ImGui::SetCursorScreenPos(box.min());
    ImGui::SetNextItemWidth(box.width());
    const float pad = 0.5f * (box.height() - ImGui::GetFontSize());
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), pad});
    if (keyboard_item(ui, ImGui::GetID("##text"), box).press) type_into_next_field();
    // While the field is active ImGui edits its own copy, so the buffer may be refilled each frame.
    ImGui::InputText("##text", text, size, flags);
    ImGui::PopStyleVar();
    const bool ended = ImGui::IsItemDeactivatedAfterEdit();
    tooltip(ui, help);
    ImGui::PopID();
    log_widget(ui, "field", box, label, text);
    ImGui::SetCursorScreenPos(after);
    return ended;
}

}  // namespace

bool number_field(Ui& ui, const char* label, std::uint64_t& value, const char* help) {
    char text[24];
    std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(value));
    const bool ended = field_row(ui, label, text, sizeof text,
                                 ImGuiInputTextFlags_CharsDecimal | ImGuiInputTextFlags_AutoSelectAll, help);
    std::uint64_t typed = 0;
    const char* const end = text + std::strlen(text);
    const std::from_chars_result read = std::from_chars(text, end, typed);
    const bool whole =
        read.ec == std::errc{} && read.ptr == end;  // any other text leaves the value unchanged
    if (!ended || !whole || typed == value) return false;
    value = typed;
    return true;
}

bool text_field(Ui& ui, const char* label, std::string& text, const char* help) {
    char buffer[512];
    std::snprintf(buffer, sizeof buffer, "%s", text.c_str());
    if (!field_row(ui, label, buffer, sizeof buffer, 0, help) || text == buffer) return false;
    text = buffer;
    return true;
}

bool search_field(Ui& ui, const Rect& box, const char* hint, bool fresh, std::string& text) {
    char buffer[201];
    std::snprintf(buffer, sizeof buffer, "%s", text.c_str());
    ImGui::SetCursorScreenPos(box.min());
    ImGui::SetNextItemWidth(box.width());
    ImGui::PushFont(ui.font(TextSize::title));
    const float pad = 0.5f * (box.height() - ImGui::GetFontSize());
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(12), pad});
    ImGui::PushStyleColor(ImGuiCol_TextDisabled, ImGui::ColorConvertU32ToFloat4(ui.theme().secondary));
    if (fresh) type_into_next_field();
    const bool changed = ImGui::InputTextWithHint("##search", hint, buffer, sizeof buffer);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    ImGui::PopFont();
    log_widget(ui, "field", box, hint, buffer);
    if (changed) text = buffer;
    return changed;
}

}  // namespace claybox::engine
