// What lies over the scene: labels, the first-run hint, the passing message and the help.

#include "app/panels/cards.hpp"
#include "app/panels/keys.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

using engine::Rect;

engine::Mark ink_mark(Ink ink) {
    switch (ink) {
        case Ink::witness:
            return engine::Mark::diamond;
        case Ink::separating:
            return engine::Mark::square;
        case Ink::colliding:
            return engine::Mark::disc;
        case Ink::candidate:
            return engine::Mark::triangle;
        default:
            return engine::Mark::none;
    }
}

engine::Colour ink_colour(const engine::Theme& theme, Ink ink) {
    switch (ink) {
        case Ink::witness:
            return theme.violet;
        case Ink::separating:
            return theme.teal;
        case Ink::colliding:
            return theme.crimson;
        case Ink::candidate:
            return theme.amber;
        case Ink::accent:
            return theme.accent;
        default:
            return theme.ink;
    }
}

bool meets(const Rect& a, const Rect& b) {
    return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

/// Moves a chip up or down until it lies over no other one.
void avoid(Rect& box, const std::vector<Rect>& taken, float gap) {
    const float height = box.height();
    const Rect start = box;
    for (int attempt = 0; attempt < 9; ++attempt) {
        const float shift =
            static_cast<float>((attempt + 1) / 2) * (height + gap) * (attempt % 2 ? -1.0f : 1.0f);
        box.y0 = start.y0 + shift;
        box.y1 = start.y1 + shift;
        if (std::none_of(taken.begin(), taken.end(), [&](const Rect& t) { return meets(t, box); })) return;
    }
    box = start;
}

}  // namespace

void scene_labels(engine::Ui& ui, const PanelModel& model, const Rect& area) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    std::vector<Rect> taken;
    for (const ScreenLabel& label : model.labels) {
        if (!area.contains(label.x, label.y)) continue;
        if (label.engraved) {
            const float r = ui.px(12);
            engine::WidgetLog& log = ui.log();
            if (log.enabled)
                log.records.push_back(
                    {"label", label.text, "", label.x - r, label.y - r, label.x + r, label.y + r, true});
            continue;
        }
        const engine::Mark mark = ink_mark(label.ink);
        const Rect size = engine::chip_size(ui, label.text, mark);
        const bool centred = mark == engine::Mark::none;
        // Chips of witnesses stand beside their point with a leader, those of measures on it.
        const float x = centred ? label.x - 0.5f * size.width() : label.x + ui.px(28);
        const float y = centred ? label.y - 0.5f * size.height() : label.y + ui.px(28);
        Rect box{x, y, x + size.width(), y + size.height()};
        const float out = std::max(0.0f, box.x1 - area.x1 + ui.px(4));
        box.x0 -= out;
        box.x1 -= out;
        avoid(box, taken, ui.px(3));
        taken.push_back(box);
        if (!centred)
            list.AddLine({label.x, label.y}, {box.x0 + ui.px(4), box.centre().y},
                         ink_colour(ui.theme(), label.ink), ui.px(1.5f));
        engine::draw_chip(ui, list, {box.x0, box.centre().y}, label.text, mark,
                          ink_colour(ui.theme(), label.ink));
        engine::WidgetLog& log = ui.log();
        if (log.enabled)
            log.records.push_back({"label", label.text, "", box.x0, box.y0, box.x1, box.y1, true});
    }
}

void hint_and_message(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                      const Rect& area) {
    const float bottom = area.y1 - ui.px(12);
    float y = bottom;
    if (!model.message.empty()) {
        const Rect size = engine::chip_size(ui, model.message, engine::Mark::none);
        engine::draw_chip(ui, *ImGui::GetForegroundDrawList(),
                          {area.centre().x - 0.5f * size.width(), y - ui.px(12)}, model.message,
                          engine::Mark::none, 0);
        y -= ui.px(32);
    }
    const std::string_view hint = model.session->descriptor().hint;
    if (!state.hint || hint.empty() || state.help) return;
    // Wrapped to the free part of the window, with a cross to close it.
    const float text_room = std::min(ui.px(520), area.width() - ui.px(80));
    ImFont* font = ui.font(engine::TextSize::body);
    const ImVec2 size =
        font->CalcTextSizeA(font->FontSize, 1e6f, text_room, hint.data(), hint.data() + hint.size());
    const float width = size.x + ui.px(72), height = std::max(ui.px(40), size.y + ui.px(20));
    const Rect box{area.centre().x - 0.5f * width, y - height, area.centre().x + 0.5f * width, y};
    engine::begin_panel(ui, "hint", box, true);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(box.min(), {box.x0 + ui.px(4), box.y1}, ui.theme().accent, ui.px(4),
                       ImDrawFlags_RoundCornersLeft);
    list.AddText(font, font->FontSize, {box.x0 + ui.px(20), box.centre().y - 0.5f * size.y}, ui.theme().ink,
                 hint.data(), hint.data() + hint.size(), text_room);
    engine::log_widget(ui, "hint", box, hint);
    if (engine::bar_button(ui, {box.x1 - ui.px(36), box.centre().y - ui.px(16)}, engine::Icon::close,
                           "Dismiss hint", false, "Hides this hint; F1 has all keys."))
        requests.dismiss_hint = true;
    engine::end_panel();
}

void help_overlay(engine::Ui& ui, PanelState& state) {
    std::size_t rows = 0;
    for (const KeyBinding& b : key_bindings()) rows += b.keys ? 1 : 0;
    const float line = ui.px(24), width = std::min(ui.px(620), static_cast<float>(ui.width()) - ui.px(16));
    const float full = line * static_cast<float>(rows) + ui.px(60);
    const float height = std::min(full, static_cast<float>(ui.height()) - ui.px(16));
    const float x = 0.5f * (static_cast<float>(ui.width()) - width),
                y = 0.5f * (static_cast<float>(ui.height()) - height);
    engine::begin_panel(ui, "help", {x, y, x + width, y + height}, false, true);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({x - ui.px(1), y - ui.px(1)}, {x + width + ui.px(1), y + height + ui.px(1)},
                       ui.theme().line, ui.px(6));
    engine::draw_panel(ui, list, {x, y, x + width, y + height});
    const float top = y - ImGui::GetScrollY();
    engine::draw_text(ui, list, {x + ui.px(20), top + ui.px(8), x + width, top + ui.px(44)},
                      engine::TextSize::headline, ui.theme().ink, "Keys and mouse");
    float row = top + ui.px(48);
    for (const KeyBinding& b : key_bindings()) {
        if (!b.keys) continue;
        engine::draw_text(ui, list, {x + ui.px(20), row, x + ui.px(200), row + line}, engine::TextSize::title,
                          ui.theme().ink, b.keys);
        engine::draw_text(ui, list, {x + ui.px(204), row, x + width - ui.px(12), row + line},
                          engine::TextSize::body, ui.theme().secondary, b.effect);
        engine::log_widget(ui, "key", {x + ui.px(20), row, x + width, row + line}, b.keys, b.effect);
        row += line;
    }
    if (engine::bar_button(ui, {x + width - ui.px(40), y + ui.px(8)}, engine::Icon::close, "Close help",
                           false, "Key Esc"))
        state.help = false;
    ImGui::SetCursorScreenPos({x, row});
    ImGui::Dummy({1, ui.px(12)});
    engine::end_panel();
}

}  // namespace claybox::app
