// Slider and combo: the widgets with state.

#include "engine/ui/ui_impl.hpp"
#include "engine/ui/widgets/widgets.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace claybox::engine {
namespace {

constexpr float kValueWidth = 66;

/// A range from zero over several orders of magnitude: the slider follows the fourth power, for resolution
/// near zero. A default of zero means that the algorithm chooses.
bool is_wide(const SliderSpec& s) {
    return !s.integer && s.min == 0 && s.default_value == 0 && s.max >= 500;
}

double to_fraction(const SliderSpec& s, double value) {
    if (s.max <= s.min) return 0;
    const double v = std::clamp(value, s.min, s.max);
    if (s.logarithmic && s.min > 0) return std::log(v / s.min) / std::log(s.max / s.min);
    if (is_wide(s)) return std::sqrt(std::sqrt(v / s.max));
    return (v - s.min) / (s.max - s.min);
}

double from_fraction(const SliderSpec& s, double t) {
    t = std::clamp(t, 0.0, 1.0);
    double v = s.min + (s.max - s.min) * t;
    if (s.logarithmic && s.min > 0) v = s.min * std::pow(s.max / s.min, t);
    if (is_wide(s)) v = s.max * t * t * t * t;
    // Snaps to the displayed precision, so a value can be found again.
    const double grid = s.integer ? 1.0 : std::pow(10.0, -s.decimals) / s.factor;
    if (v / grid < 1e15) v = std::round(v / grid) * grid;
    return std::clamp(v, s.min, s.max);
}

std::string value_text(const SliderSpec& s, double value) {
    if (value == 0 && *s.zero) return s.zero;
    if (is_wide(s) && value == 0) return "Automatic";
    std::string text = s.integer && value >= 0
                           ? grouped(static_cast<unsigned long long>(value * s.factor + 0.5))
                           : fixed(value * s.factor, s.integer ? 0 : s.decimals);
    // Keeps the first word of the unit: the column has room for "%" only, the tooltip says "% of travel".
    const std::string_view unit = std::string_view(s.unit).substr(0, std::string_view(s.unit).find(' '));
    if (!unit.empty()) text += (unit.substr(0, 2) == "°" ? "" : " ") + std::string(unit);
    return text;
}

void draw_slider(Ui& ui, ImDrawList& list, const Rect& track_box, double fraction, bool hovered,
                 bool active) {
    const Theme& theme = ui.theme();
    const float y = std::floor(track_box.centre().y), knob = ui.px(7);
    const float x0 = track_box.x0 + knob, x1 = track_box.x1 - knob;
    const float x = x0 + (x1 - x0) * static_cast<float>(fraction);
    const Colour done = active ? theme.accent : theme.secondary;
    list.AddRectFilled({track_box.x0, y - ui.px(2)}, {track_box.x1, y + ui.px(2)}, theme.line, ui.px(2));
    list.AddRectFilled({track_box.x0, y - ui.px(2)}, {x, y + ui.px(2)}, done, ui.px(2));
    list.AddCircleFilled({x, y}, knob, active ? theme.accent : theme.panel, 32);
    list.AddCircle({x, y}, knob - ui.px(1),
                   active    ? theme.accent
                   : hovered ? theme.ink
                             : theme.secondary,
                   32, ui.px(2));
}

void format_for_editing(const SliderSpec& s, double value, char* text, std::size_t size) {
    std::snprintf(text, size, "%.*f", s.integer ? 0 : s.decimals, value * s.factor);
}

/// The typed value, clamped to the range; the old value when the text is not a number or unchanged.
double typed_value(const SliderSpec& s, const char* text, double value) {
    char unchanged[48];
    format_for_editing(s, value, unchanged, sizeof unchanged);
    if (std::strcmp(text, unchanged) == 0)
        return value;  // the field may show fewer digits than the value has
    char* end = nullptr;
    const double typed = std::strtod(text, &end) / s.factor;
    if (end == text || *end != '\0' || !std::isfinite(typed)) return value;
    return std::clamp(s.integer ? std::round(typed) : typed, s.min, s.max);
}

/// The text field that replaces the value while typing.
void edit_value(Ui& ui, const Rect& box, const SliderSpec& s, double& value) {
    Ui::Impl& impl = ui.impl();
    ImGui::SetCursorScreenPos({box.x0, box.y0});
    ImGui::SetNextItemWidth(box.width());
    const bool starting = impl.edit_is_starting;
    if (starting) type_into_next_field();
    impl.edit_is_starting = false;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(4), 0.5f * (box.height() - ImGui::GetFontSize())});
    const bool entered =
        ImGui::InputText("##edit", impl.edit_text, sizeof impl.edit_text,
                         ImGuiInputTextFlags_CharsScientific | ImGuiInputTextFlags_AutoSelectAll |
                             ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopStyleVar();
    const bool over = entered || ImGui::IsItemDeactivated();
    if (!over) return;
    impl.edited_slider = 0;
    value = typed_value(s, impl.edit_text, value);
}

struct SliderRects {
    Rect label, track, value;
};

/// Label, track and value side by side; a long label gets its own line. The value column fits both ends of
/// the range and the current value, so dragging does not change the track's length.
SliderRects slider_rects(Ui& ui, const SliderSpec& spec, double value) {
    const bool fits = text_width(ui, TextSize::body, spec.label) <= ui.px(kLabelWidth - 4);
    SliderRects r;
    if (!fits) r.label = take_row(ui, 20, 0);
    const Rect row = take_row(ui, 24, 8);
    float value_width = ui.px(kValueWidth);
    for (const double shown : {spec.min, spec.max, value})
        value_width = std::max(value_width, text_width(ui, TextSize::body, value_text(spec, shown)));
    r.value = {row.x1 - value_width, row.y0, row.x1, row.y1};
    r.track = {fits ? row.x0 + ui.px(kLabelWidth) : row.x0, row.y0, r.value.x0 - ui.px(10), row.y1};
    if (fits) r.label = {row.x0, row.y0, r.track.x0 - ui.px(4), row.y1};
    return r;
}

}  // namespace

namespace {

void start_typing(Ui::Impl& impl, const SliderSpec& spec, unsigned id, double value) {
    impl.edited_slider = id;
    impl.edit_is_starting = true;
    format_for_editing(spec, value, impl.edit_text, sizeof impl.edit_text);
}

/// A step is a fiftieth of the track; with Shift, and where that changes nothing, the smallest that is shown.
void use_keyboard(Ui& ui, const SliderSpec& spec, unsigned id, const KeyboardUse& use, double& value) {
    constexpr double kStep = 0.02;
    if (use.press) start_typing(ui.impl(), spec, id, value);
    if (use.steps == 0) return;
    const double before = value;
    if (!ui.input().shift) value = from_fraction(spec, to_fraction(spec, value) + kStep * use.steps);
    if (value != before) return;
    const double least = spec.integer ? 1.0 : std::pow(10.0, -spec.decimals) / spec.factor;
    value = std::clamp(value + least * use.steps, spec.min, spec.max);
}

/// Mouse on the track: Ctrl-click types, double click restores the default, dragging moves.
void drag_slider(Ui& ui, const SliderSpec& spec, const Rect& track, unsigned id, double& value) {
    Ui::Impl& impl = ui.impl();
    const ImGuiIO& io = ImGui::GetIO();
    const bool begins = ImGui::IsItemActivated();
    if (begins || !ImGui::IsMouseDown(0)) impl.restored = false;
    if (begins && io.KeyCtrl) {
        start_typing(impl, spec, id, value);
    } else if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) {
        value = spec.default_value;
        impl.restored = true;  // until the button is up, so an unsteady hand does not drag it away
    } else if (ImGui::IsItemActive() && !impl.restored && impl.edited_slider != id &&
               (begins || io.MouseDelta.x != 0)) {
        const float knob = ui.px(7), travel = std::max(1.0f, track.width() - 2 * knob);
        value = from_fraction(spec, static_cast<double>((io.MousePos.x - track.x0 - knob) / travel));
    }
}

void slider_tooltip(Ui& ui, const SliderSpec& spec) {
    if (ImGui::IsItemActive() || !(ImGui::IsItemHovered() || focus_explained(ui))) return;
    const std::string what = *spec.help ? spec.help : spec.label;
    tooltip(ui,
            what + "\nDrag, or Ctrl+click to type;\ndouble click for " +
                value_text(spec, spec.default_value) + ".",
            spec.source);
}

}  // namespace

bool slider(Ui& ui, const SliderSpec& spec, double& value) {
    const SliderRects r = slider_rects(ui, spec, value);
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const double before = value;
    ImGui::PushID(spec.label);
    const unsigned id = ImGui::GetID("slider");
    ImGui::SetCursorScreenPos(r.track.min());
    ImGui::InvisibleButton("slider", {std::max(1.0f, r.track.width()), r.track.height()});
    const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
    drag_slider(ui, spec, r.track, id, value);
    use_keyboard(ui, spec, id, keyboard_item(ui, id, r.track, ArrowKeys::value), value);
    slider_tooltip(ui, spec);
    draw_text(ui, list, r.label, TextSize::body, ui.theme().ink, spec.label);
    draw_slider(ui, list, r.track, to_fraction(spec, value), hovered, active);
    if (ui.impl().edited_slider == id)
        edit_value(ui, r.value, spec, value);
    else
        draw_text(ui, list, r.value, TextSize::body, ui.theme().ink, value_text(spec, value), Align::right);
    ImGui::PopID();
    log_widget(ui, "slider", r.track, spec.label, value_text(spec, value));
    ImGui::SetCursorScreenPos(after);
    return value != before;
}

namespace {

bool combo_item(Ui& ui, const ComboItem& item, bool chosen, float width) {
    const ImVec2 p = ImGui::GetCursorScreenPos();
    const Rect box{p.x, p.y, p.x + width, p.y + ui.px(28)};
    if (chosen && ImGui::IsWindowAppearing()) ui.impl().keyboard.focused = ImGui::GetID(item.label);
    const ControlState t = control_state(ui, item.label, box);
    const ImVec2 popup = ImGui::GetWindowPos();
    tooltip_beside(ui, {popup.x, box.y0, popup.x + ImGui::GetWindowWidth(), box.y1}, item.help, item.source);
    const Theme& theme = ui.theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (chosen) list.AddRectFilled(box.min(), box.max(), theme.frame, ui.px(4));
    if (t.hovered && item.enabled) list.AddRectFilled(box.min(), box.max(), theme.hover, ui.px(4));
    if (chosen)
        list.AddRectFilled({box.x0, box.y0 + ui.px(6)}, {box.x0 + ui.px(3), box.y1 - ui.px(6)}, theme.accent,
                           ui.px(1.5f));
    const float detail = *item.detail ? text_width(ui, TextSize::secondary, item.detail) + ui.px(8) : 0;
    draw_text(ui, list, {box.x0 + ui.px(10), box.y0, box.x1 - ui.px(8) - detail, box.y1}, TextSize::body,
              item.enabled ? theme.ink : theme.secondary, item.label);
    draw_text(ui, list, {box.x0, box.y0, box.x1 - ui.px(8), box.y1}, TextSize::secondary, theme.secondary,
              item.detail, Align::right);
    log_widget(ui, "item", box, item.label, chosen ? "on" : "off");
    return t.clicked && item.enabled;
}

/// As wide as the longest item, plus a scroll bar when `scrolls`.
float popup_width(Ui& ui, std::span<const ComboItem> items, bool scrolls) {
    float widest = 0;
    for (const ComboItem& item : items) {
        const float detail = *item.detail ? text_width(ui, TextSize::secondary, item.detail) + ui.px(8) : 0;
        widest = std::max(widest, text_width(ui, TextSize::body, item.label) + detail);
    }
    return widest + ui.px(18 + 2 * 4 + 1) + (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
}

/// The list of an open combo. True when another item was chosen.
bool combo_popup(Ui& ui, const Rect& frame, std::span<const ComboItem> items, std::size_t& index) {
    const float pad = ui.px(4), full = ui.px(28) * static_cast<float>(items.size()) + 2 * pad;
    const float below = ImGui::GetIO().DisplaySize.y - frame.y1 - ui.px(12), above = frame.y0 - ui.px(12);
    const bool down = full <= below || below >= above;
    const float height = std::min(full, down ? below : above);
    const float width = std::max(frame.width(), popup_width(ui, items, height < full));
    const float left = std::max(0.0f, std::min(frame.x0, ImGui::GetIO().DisplaySize.x - ui.px(4) - width));
    ImGui::SetNextWindowPos({left, down ? frame.y1 + ui.px(2) : frame.y0 - ui.px(2) - height});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad, pad});
    bool changed = false;
    if (ImGui::BeginPopup("items", ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
        for (const KeyPress& press : ui.input().presses)
            if (press.key == key::kEscape) ImGui::CloseCurrentPopup();
        ui.impl().keyboard.in_list = true;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i == index && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
            if (!combo_item(ui, items[i], i == index, ImGui::GetContentRegionAvail().x)) continue;
            changed = i != index;
            index = i;
            ImGui::CloseCurrentPopup();
        }
        ui.impl().keyboard.in_list = false;
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
    return changed;
}

}  // namespace

bool combo(Ui& ui, const char* label, bool inline_label, std::span<const ComboItem> items,
           std::size_t& index) {
    Rect box = take_row(ui, 28);
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Theme& theme = ui.theme();
    if (inline_label) {
        draw_text(ui, list, {box.x0, box.y0, box.x0 + ui.px(kLabelWidth - 4), box.y1}, TextSize::body,
                  theme.ink, label);
        box.x0 += ui.px(kLabelWidth);
    }
    ImGui::PushID(label);
    const ControlState t = control_state(ui, "combo", box);
    if (t.clicked) ImGui::OpenPopup("items");
    const ComboItem shown = index < items.size() ? items[index] : ComboItem{};
    tooltip(ui, shown.help, shown.source);
    list.AddRectFilled(box.min(), box.max(), theme.frame, ui.px(4));
    if (t.hovered) list.AddRectFilled(box.min(), box.max(), theme.hover, ui.px(4));
    draw_text(ui, list, {box.x0 + ui.px(8), box.y0, box.x1 - ui.px(28), box.y1}, TextSize::body, theme.ink,
              shown.label);
    const ImVec2 c{box.x1 - ui.px(14), box.centre().y};
    list.AddTriangleFilled({c.x - ui.px(5), c.y - ui.px(2.5f)}, {c.x + ui.px(5), c.y - ui.px(2.5f)},
                           {c.x, c.y + ui.px(3)}, theme.secondary);
    log_widget(ui, "combo", box, label, shown.label);
    const bool changed = combo_popup(ui, box, items, index);
    ImGui::PopID();
    ImGui::SetCursorScreenPos(after);
    return changed;
}

}  // namespace claybox::engine
