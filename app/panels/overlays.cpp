// Overlays of the scene: labels, the first-run hint, temporary messages and the help.

#include "app/panels/cards/cards.hpp"
#include "app/panels/cards/chips.hpp"
#include "app/panels/help.hpp"
#include "app/panels/inks.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

using engine::Rect;

/// Moves a dimension's chip up or down until it overlaps no other chip.
void avoid(Rect& box, const std::vector<Rect>& taken, float gap) {
    const float height = box.height();
    const Rect start = box;
    const auto overlaps = [&](const Rect& t) {
        return t.x0 < box.x1 && box.x0 < t.x1 && t.y0 < box.y1 && box.y0 < t.y1;
    };
    for (int attempt = 0; attempt < 9; ++attempt) {
        const float shift =
            static_cast<float>((attempt + 1) / 2) * (height + gap) * (attempt % 2 ? -1.0f : 1.0f);
        box.y0 = start.y0 + shift;
        box.y1 = start.y1 + shift;
        if (std::none_of(taken.begin(), taken.end(), overlaps)) return;
    }
    box = start;
}

/// Place of the chip that labelled nearly the same point in the last frame, or -1.
int last_choice(const PanelState& state, const ScreenLabel& label, float slack) {
    for (const ChipPlace& place : state.chips)
        if (std::hypot(place.x - label.x, place.y - label.y) < slack) return place.choice;
    return -1;
}

void log_label(engine::Ui& ui, const std::string& text, const Rect& box) {
    engine::WidgetLog& log = ui.log();
    if (log.enabled) log.records.push_back({"label", text, "", box.x0, box.y0, box.x1, box.y1, true});
}

}  // namespace

void scene_labels(engine::Ui& ui, const PanelModel& model, PanelState& state, const Rect& area,
                  const Rect& hint) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    ChipField field{area, {hint}, model.discs, ui.px(1)};
    std::vector<ChipPlace> places;
    for (const ScreenLabel& label : model.labels) {
        if (!area.contains(label.x, label.y)) continue;
        if (label.engraved) {
            const float r = ui.px(12);
            log_label(ui, label.text, {label.x - r, label.y - r, label.x + r, label.y + r});
            continue;
        }
        const engine::Mark mark = ink_mark(label.ink);
        const engine::Colour colour = ink_colour(ui.theme(), label.ink);
        const Rect size = engine::chip_size(ui, label.text, mark);
        Rect box;
        if (mark == engine::Mark::none) {  // a dimension: on its line
            const float x = label.x - 0.5f * size.width(), y = label.y - 0.5f * size.height();
            box = {x, y, x + size.width(), y + size.height()};
            const float in =
                std::max(0.0f, area.x0 + ui.px(4) - box.x0) - std::max(0.0f, box.x1 - area.x1 + ui.px(4));
            box.x0 += in;
            box.x1 += in;
            avoid(box, field.taken, ui.px(3));
            field.taken.push_back(box);
        } else {  // a witness: next to its point, with a leader line
            int choice = last_choice(state, label, ui.px(24));
            box = place_chip(field, label.x, label.y, size.width(), size.height(), choice);
            places.push_back({label.x, label.y, choice});
            list.AddLine({label.x, label.y},
                         {std::clamp(label.x, box.x0, box.x1), std::clamp(label.y, box.y0, box.y1)}, colour,
                         ui.px(1.5f));
        }
        engine::draw_chip(ui, list, {box.x0, box.centre().y}, label.text, mark, colour);
        log_label(ui, label.text, box);
    }
    state.chips = std::move(places);
}

void passing_message(engine::Ui& ui, const PanelModel& model, const Rect& area) {
    std::string_view rest = model.message;
    const float least = ui.px(8), widest = static_cast<float>(ui.width()) - 2 * least;
    float y = area.y0 + ui.px(24);
    const float first = y;
    float low = HUGE_VALF, high = -HUGE_VALF;
    while (!rest.empty()) {  // break long messages into lines
        std::size_t fits = rest.size();
        while (engine::chip_size(ui, rest.substr(0, fits), engine::Mark::none).width() > widest) {
            const std::size_t space = rest.rfind(' ', fits - 1);
            if (space == std::string_view::npos || space == 0) break;
            fits = space;
        }
        const std::string_view line = rest.substr(0, fits);
        rest.remove_prefix(std::min(rest.size(), fits + 1));
        const Rect size = engine::chip_size(ui, line, engine::Mark::none);
        const float x = std::max(least, std::min(area.centre().x - 0.5f * size.width(),
                                                 static_cast<float>(ui.width()) - size.width() - least));
        engine::draw_chip(ui, *ImGui::GetForegroundDrawList(), {x, y}, line, engine::Mark::none, 0);
        low = std::min(low, x);
        high = std::max(high, x + size.width());
        y += size.height();
    }
    engine::WidgetLog& log = ui.log();
    if (!log.enabled || model.message.empty()) return;
    const float half = 0.5f * engine::chip_size(ui, model.message, engine::Mark::none).height();
    log.records.push_back(
        {"message", std::string(model.message), "", low, first - half, high, y - half, true});
}

Rect hint_panel(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                const Rect& area) {
    const std::string_view hint = scene_hint(model.session->descriptor().id);
    if (!state.hint || hint.empty() || state.help) return {};
    if (!model.step_insets.empty() || !model.interval_insets.empty())
        return {};  // their place; who looks at steps has found the way
    const float text_room = std::min(ui.px(300), area.width() - ui.px(96));
    ImFont* font = ui.font(engine::TextSize::body);
    const ImVec2 size =
        font->CalcTextSizeA(font->FontSize, 1e6f, text_room, hint.data(), hint.data() + hint.size());
    const float width = size.x + ui.px(72), height = std::max(ui.px(40), size.y + ui.px(20));
    const float left = area.x0 + ui.px(12), bottom = area.y1 - ui.px(12);
    const Rect box{left, bottom - height, left + width, bottom};
    engine::begin_panel(ui, "hint", box, true);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(box.min(), {box.x0 + ui.px(4), box.y1}, ui.theme().accent, ui.px(4),
                       ImDrawFlags_RoundCornersLeft);
    list.AddText(font, font->FontSize, {box.x0 + ui.px(20), box.centre().y - 0.5f * size.y}, ui.theme().ink,
                 hint.data(), hint.data() + hint.size(), text_room);
    engine::log_widget(ui, "hint", box, hint);
    if (engine::bar_button(ui, {box.x1 - ui.px(36), box.centre().y - ui.px(16)}, engine::Icon::close,
                           "Dismiss hint", false, "Hides this hint. F1 shows all keys."))
        requests.dismiss_hint = true;
    engine::end_panel();
    return box;
}

namespace {

/// A column of the help: its headline, and a row per key. Returns the bottom.
float help_column(engine::Ui& ui, ImDrawList& list, const Rect& box, std::string_view headline,
                  std::span<const HelpRow> rows) {
    const float line = ui.px(22), inset = ui.px(20);
    engine::draw_text(ui, list, {box.x0 + inset, box.y0 + ui.px(8), box.x1, box.y0 + ui.px(44)},
                      engine::TextSize::headline, ui.theme().ink, headline);
    float y = box.y0 + ui.px(48);
    for (const HelpRow& row : rows) {
        engine::draw_text(ui, list, {box.x0 + inset, y, box.x0 + ui.px(200), y + line},
                          engine::TextSize::title, ui.theme().ink, row.keys);
        engine::draw_text(ui, list, {box.x0 + ui.px(204), y, box.x1 - ui.px(12), y + line},
                          engine::TextSize::body, ui.theme().secondary, row.effect);
        engine::log_widget(ui, "key", {box.x0 + inset, y, box.x1, y + line}, row.keys, row.effect);
        y += line;
    }
    return y;
}

float help_height(engine::Ui& ui, std::size_t rows) {
    return ui.px(22) * static_cast<float>(rows) + ui.px(60);
}

}  // namespace

/// The keys of the scene are next to those of the program, or above them in a narrow window.
void help_overlay(engine::Ui& ui, const PanelModel& model, PanelState& state) {
    const SceneDescriptor& scene = model.session->descriptor();
    std::vector<HelpRow> rows, own;
    if (model.devices) {
        rows = help_rows(*model.devices);
        own = scene_help_rows(*model.devices, scene);
    }
    const float room = static_cast<float>(ui.width()) - ui.px(16);
    const float single = std::min(ui.px(620), room), second = ui.px(430);
    const bool beside = !own.empty() && single + second <= room;
    const float width = single + (beside ? second : 0);
    const float own_height = own.empty() ? 0 : help_height(ui, own.size());
    const float full = beside ? std::max(help_height(ui, rows.size()), own_height)
                              : help_height(ui, rows.size()) + own_height;
    const float height = std::min(full, static_cast<float>(ui.height()) - ui.px(16));
    const float x = 0.5f * (static_cast<float>(ui.width()) - width),
                y = 0.5f * (static_cast<float>(ui.height()) - height);
    engine::begin_panel(ui, "help", {x, y, x + width, y + height}, false, true);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    engine::dim_window(ui, list);
    list.AddRectFilled({x - ui.px(1), y - ui.px(1)}, {x + width + ui.px(1), y + height + ui.px(1)},
                       ui.theme().line, ui.px(6));
    engine::draw_panel(ui, list, {x, y, x + width, y + height});
    const float top = y - ImGui::GetScrollY();
    float row = top;
    if (!own.empty()) {
        const float left = beside ? x + single : x;
        row = help_column(ui, list, {left, top, x + width, top}, "Keys of " + std::string(scene.title), own);
        if (beside) row = top;
    }
    row = std::max(help_column(ui, list, {x, row, x + single, row}, "Keys and mouse", rows), top);
    const ImVec2 mouse = ImGui::GetMousePos();
    const bool outside = mouse.x < x || mouse.x > x + width || mouse.y < y || mouse.y > y + height;
    if (ImGui::IsMouseClicked(0) && outside) state.help = false;
    if (engine::bar_button(ui, {x + width - ui.px(40), y + ui.px(8)}, engine::Icon::close, "Close help",
                           false, "Key Esc"))
        state.help = false;
    ImGui::SetCursorScreenPos({x, row});
    ImGui::Dummy({1, ui.px(12)});
    engine::end_panel();
}

}  // namespace claybox::app
