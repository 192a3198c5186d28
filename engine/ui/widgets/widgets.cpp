#include "engine/ui/widgets/widgets.hpp"

#include "engine/ui/ui_impl.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace claybox::engine {
namespace {

/// Pointer state of a rectangle outside the row flow.
struct PointerState {
    bool hovered = false, active = false, clicked = false;
};

PointerState pointer_state(const char* id, const Rect& box) {
    ImGui::SetCursorScreenPos(box.min());
    PointerState t;
    t.clicked = ImGui::InvisibleButton(id, {std::max(1.0f, box.width()), std::max(1.0f, box.height())});
    t.hovered = ImGui::IsItemHovered();
    t.active = ImGui::IsItemActive();
    return t;
}

ImDrawList& list() {
    return *ImGui::GetWindowDrawList();
}

void advance_row(Ui& ui, const Rect& row, float gap_units) {
    ImGui::SetCursorScreenPos({row.x0, row.y1});
    ImGui::Dummy({1, ui.px(gap_units)});
}

}  // namespace

Rect take_row(Ui& ui, float height_units, float gap_units) {
    const ImVec2 p = ImGui::GetCursorScreenPos();
    const Rect row{p.x, p.y, p.x + ImGui::GetContentRegionAvail().x - ui.px(12), p.y + ui.px(height_units)};
    advance_row(ui, row, gap_units);
    return row;
}

bool check_box(Ui& ui, const char* label, bool& on, const char* help, std::string_view detail) {
    const Rect row = take_row(ui, 24);
    const ImVec2 after = ImGui::GetCursorScreenPos();
    const PointerState t = pointer_state(label, row);
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
        const PointerState t = pointer_state(names[i], cell);
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
    const bool clicked = ImGui::InvisibleButton("link", {std::max(width, 1.0f), ui.px(20)});
    if (ImGui::IsItemHovered())
        draw_text(ui, list(), {before.x, before.y, before.x + width, before.y + ui.px(20)}, TextSize::body,
                  ui.theme().accent, key);
    ImGui::PopID();
    ImGui::SetCursorScreenPos(after);
    return clicked;
}

bool fold_row(Ui& ui, const char* label, const char* help) {
    const Rect row = take_row(ui, 20, 0);
    ImGui::PushID(label);
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(row.min());
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const unsigned id = ImGui::GetID("fold");
    bool open = storage.GetBool(id, false);
    if (ImGui::InvisibleButton("row", {row.width(), row.height()})) {
        open = !open;
        storage.SetBool(id, open);
    }
    const Theme& theme = ui.theme();
    const Colour colour = ImGui::IsItemHovered() ? theme.ink : theme.secondary;
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
        const PointerState t = pointer_state(labels[i], box);
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
    if (fresh) ImGui::SetKeyboardFocusHere();
    const bool changed = ImGui::InputTextWithHint("##search", hint, buffer, sizeof buffer);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    ImGui::PopFont();
    log_widget(ui, "field", box, hint, buffer);
    if (changed) text = buffer;
    return changed;
}

namespace {

constexpr float kLabelledCell = 33;  // lower cells have no room for a label
constexpr float kRoomyCell = 43;     // lower cells have no room between icon and label

/// A label that is a little wider than its cell gets smaller letters; a much wider one is cut.
void draw_cell_label(Ui& ui, const Rect& box, Colour colour, const char* label) {
    constexpr float kSmallest = 0.85f;
    const float wide = text_width(ui, TextSize::secondary, label), room = box.width() - ui.px(2);
    if (wide <= box.width() || wide * kSmallest > room)
        return draw_text(ui, list(), box, TextSize::secondary, colour, label, Align::centre);
    ImFont* const font = ui.font(TextSize::secondary);
    const float size = font->FontSize * room / wide;
    const ImVec2 middle = box.centre();
    list().AddText(font, size, {middle.x - 0.5f * room, middle.y - 0.5f * size}, colour, label);
}

/// An icon with a label below it. True when it was clicked.
bool icon_cell(Ui& ui, const Rect& box, Icon icon, const char* label, bool active, CellKind kind) {
    const bool labelled = box.height() >= ui.px(kLabelledCell);
    const PointerState t = pointer_state(label, box);
    const Theme& theme = ui.theme();
    const bool place = kind == CellKind::place;
    if (active) list().AddRectFilled(box.min(), box.max(), place ? theme.accent : theme.frame, ui.px(4));
    if (active && !place)
        list().AddRectFilled({box.x0, box.y0 + 0.25f * box.height()},
                             {box.x0 + ui.px(3), box.y1 - 0.25f * box.height()}, theme.accent, ui.px(1.5f));
    if (t.hovered && !(active && place)) list().AddRectFilled(box.min(), box.max(), theme.hover, ui.px(4));
    const Colour text = !active ? theme.secondary : place ? theme.on_accent : theme.ink;
    const ImVec2 middle = box.centre();
    const bool roomy = box.height() >= ui.px(kRoomyCell);
    draw_icon(ui, list(), {middle.x, middle.y - ui.px(!labelled ? 0 : roomy ? 9 : 7)}, icon, text);
    const float label_at = middle.y + ui.px(roomy ? 15 : 10);
    if (labelled)
        draw_cell_label(ui, {box.x0, label_at - ui.px(10), box.x1, label_at + ui.px(10)}, text, label);
    return t.clicked;
}

}  // namespace

bool rail_cell(Ui& ui, const Rect& box, Icon icon, const char* label, bool active, CellKind kind,
               const char* help, const char* shortcut) {
    const bool clicked = icon_cell(ui, box, icon, label, active, kind);
    const bool labelled = box.height() >= ui.px(kLabelledCell);
    tooltip(ui, labelled ? help : std::string(label) + ". " + help, shortcut);
    log_widget(ui, "cell", box, label, active ? "on" : "off");
    return clicked;
}

bool palette(Ui& ui, const char* label, std::span<const PaletteItem> items, std::size_t& index) {
    constexpr std::size_t kColumns = 5;
    constexpr float kHeight = 50, kGap = 4, kHelpHeight = 36;
    const std::size_t shown = index;
    ImGui::PushID(label);
    for (std::size_t first = 0; first < items.size(); first += kColumns) {
        const Rect row = take_row(ui, kHeight, kGap);
        const ImVec2 after = ImGui::GetCursorScreenPos();
        const float width = (row.width() - ui.px(kGap) * (kColumns - 1)) / kColumns;
        for (std::size_t i = first; i < std::min(first + kColumns, items.size()); ++i) {
            const float x = row.x0 + (width + ui.px(kGap)) * static_cast<float>(i - first);
            const Rect box{x, row.y0, x + width, row.y1};
            if (icon_cell(ui, box, items[i].icon, items[i].label, i == shown, CellKind::place)) index = i;
            tooltip(ui, items[i].help, items[i].shortcut);
            log_widget(ui, "picture", box, items[i].label, i == shown ? "on" : "off");
        }
        ImGui::SetCursorScreenPos(after);
    }
    ImGui::PopID();
    const Rect row = take_row(ui, kHelpHeight, 4);
    const std::string_view help = shown < items.size() ? items[shown].help : "";
    ImFont* font = ui.font(TextSize::secondary);
    list().AddText(font, font->FontSize, row.min(), ui.theme().secondary, help.data(),
                   help.data() + help.size(), row.width());
    log_widget(ui, "label", row, help);
    return index != shown;
}

bool bar_button(Ui& ui, ImVec2 at, Icon icon, const char* label, bool active, const char* help) {
    const Rect box{at.x, at.y, at.x + ui.px(32), at.y + ui.px(32)};
    const PointerState t = pointer_state(label, box);
    tooltip(ui, label, help);
    const Theme& theme = ui.theme();
    if (active || t.active)
        list().AddRectFilled(box.min(), box.max(), theme.accent, ui.px(4));
    else if (t.hovered)
        list().AddRectFilled(box.min(), box.max(), theme.hover, ui.px(4));
    draw_icon(ui, list(), box.centre(), icon, active || t.active ? theme.on_accent : theme.ink);
    log_widget(ui, "button", box, label, active ? "on" : "off");
    return t.clicked;
}

namespace {

void show_tooltip(Ui& ui, std::string_view what, std::string_view source) {
    const float u = ui.scale();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {10 * u, 8 * u});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 4 * u);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::BeginTooltip();
    ImGui::PushFont(ui.font(TextSize::secondary));
    ImGui::PushTextWrapPos(300 * u);
    ImGui::TextUnformatted(what.data(), what.data() + what.size());
    if (!source.empty()) {
        ImGui::Dummy({1, 4 * u});
        ImGui::PushStyleColor(ImGuiCol_Text, ui.theme().secondary);
        ImGui::TextUnformatted(source.data(), source.data() + source.size());
        ImGui::PopStyleColor();
    }
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    ImGui::EndTooltip();
    ImGui::PopStyleVar(3);
}

/// True after the pointer has pointer_rested: tooltips that follow every movement distract.
bool pointer_rested() {
    const ImGuiIO& io = ImGui::GetIO();
    static float rest = 0;
    rest = io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || ImGui::IsAnyMouseDown() ? 0 : rest + io.DeltaTime;
    return rest > 0.45f;
}

/// The keys that a help text names at its end: "O" of "Runs one step. Key O", "[, ]" of "Radius. Keys: [,
/// ].".
std::string_view keys_in(std::string_view text) {
    for (const std::string_view word : {"Keys: ", "Key: ", "Key "}) {
        const std::size_t at = text.rfind(word);
        if (at == std::string_view::npos || (at > 0 && text[at - 1] != ' ' && text[at - 1] != '\n')) continue;
        std::string_view keys = text.substr(at + word.size());
        keys = keys.substr(0, keys.find('\n'));
        if (keys.size() > 1 && keys.back() == '.') keys.remove_suffix(1);
        constexpr std::size_t kLongest = 24;  // a sentence that happens to begin with "Key"
        if (keys.size() <= kLongest) return keys;
    }
    return {};
}

/// The keys of the last item, on it.
void show_keys(Ui& ui, std::string_view what, std::string_view source) {
    const std::string_view keys = keys_in(source).empty() ? keys_in(what) : keys_in(source);
    if (keys.empty() || keys == "–" || !ImGui::IsItemVisible()) return;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float width = text_width(ui, TextSize::label, keys) + ui.px(10), height = ui.px(18);
    // Below a button, so that the keys of its neighbours stay visible; at the right of anything wider.
    const bool is_button = high.x - low.x <= ui.px(40);
    const float wanted_x = is_button ? 0.5f * (low.x + high.x - width) : high.x - width,
                wanted_y = is_button ? high.y - 0.6f * height : low.y;
    const float x = std::clamp(wanted_x, ui.px(2), static_cast<float>(ui.width()) - ui.px(2) - width),
                y = std::min(wanted_y, static_cast<float>(ui.height()) - height - ui.px(2));
    const Rect box{x, y, x + width, y + height};
    ImDrawList& front = *ImGui::GetForegroundDrawList();
    front.AddRectFilled(box.min(), box.max(), ui.theme().ink, ui.px(4));
    draw_text(ui, front, box, TextSize::label, ui.theme().panel, keys, Align::centre);
    log_widget(ui, "keys", {low.x, low.y, high.x, high.y}, keys);
}

}  // namespace

void tooltip(Ui& ui, std::string_view what, std::string_view source) {
    if (ui.shows_keys()) show_keys(ui, what, source);
    if (what.empty() || !ImGui::IsItemHovered()) return;
    if (pointer_rested()) show_tooltip(ui, what, source);
}

void tooltip_at(Ui& ui, const Rect& box, std::string_view what, std::string_view source) {
    if (what.empty() || !ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(box.min(), box.max()))
        return;
    if (pointer_rested()) show_tooltip(ui, what, source);
}

}  // namespace claybox::engine
