// Overlays of the scene: labels, the first-run hint and temporary messages.

#include "app/panels/cards/cards.hpp"
#include "app/panels/cards/chips.hpp"
#include "app/panels/help.hpp"
#include "app/panels/inks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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
                  std::vector<Rect> taken) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    ChipField field{area, std::move(taken), model.discs, ui.px(1)};
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

namespace {

constexpr float kHintMargin = 12, kHintBar = 20, kHintClose = 44, kHintLine = 40;  // units

/// The closed hint of a window without room for its text: a line that a click unfolds.
Rect folded_hint(engine::Ui& ui, const Rect& area, PanelState& state) {
    constexpr const char* kTitle = "How to begin";
    const float text = engine::text_width(ui, engine::TextSize::title, kTitle);
    const float left = area.x0 + ui.px(kHintMargin), bottom = area.y1 - ui.px(kHintMargin);
    const Rect box{left, bottom - ui.px(kHintLine), left + text + ui.px(kHintBar + kHintClose + 8), bottom};
    engine::begin_panel(ui, "hint", box, true);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Rect words{box.x0 + ui.px(kHintBar), box.y0, box.x1 - ui.px(kHintClose), box.y1};
    const bool pressed = engine::keyboard_item(ui, ImGui::GetID("unfold"), words).press;
    ImGui::SetCursorScreenPos(box.min());
    state.hint_open |= ImGui::InvisibleButton("unfold", {words.x1 - box.x0, box.height()}) || pressed;
    const bool hovered = ImGui::IsItemHovered();
    engine::tooltip(ui, "Shows what to try first.");
    engine::draw_text(ui, list, words, engine::TextSize::title, hovered ? ui.theme().accent : ui.theme().ink,
                      kTitle);
    return box;
}

/// The hint with its text.
Rect whole_hint(engine::Ui& ui, const Rect& area, std::string_view hint, float wrap, const ImVec2& size) {
    const float width = size.x + ui.px(kHintBar + kHintClose + 8),
                height = std::max(ui.px(kHintLine), size.y + ui.px(20));
    const float left = area.x0 + ui.px(kHintMargin), bottom = area.y1 - ui.px(kHintMargin);
    const Rect box{left, bottom - height, left + width, bottom};
    engine::begin_panel(ui, "hint", box, true);
    ImFont* font = ui.font(engine::TextSize::body);
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize,
                                        {box.x0 + ui.px(kHintBar), box.centre().y - 0.5f * size.y},
                                        ui.theme().ink, hint.data(), hint.data() + hint.size(), wrap);
    return box;
}

}  // namespace

Rect hint_panel(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                const Rect& area) {
    const std::string_view hint = scene_hint(model.session->descriptor().id);
    if (!state.hint || hint.empty() || state.help) return {};
    if (!model.step_insets.empty() || !model.interval_insets.empty())
        return {};  // their place; who looks at steps has found the way
    const float wrap = std::min(ui.px(300), area.width() - ui.px(96));
    ImFont* font = ui.font(engine::TextSize::body);
    const ImVec2 size =
        font->CalcTextSizeA(font->FontSize, 1e6f, wrap, hint.data(), hint.data() + hint.size());
    // Where the text would hide much of the scene, a click shows it.
    constexpr float kLargestShare = 0.16f;
    const bool large = size.x * size.y > kLargestShare * area.width() * area.height();
    const Rect box =
        large && !state.hint_open ? folded_hint(ui, area, state) : whole_hint(ui, area, hint, wrap, size);
    ImGui::GetWindowDrawList()->AddRectFilled(box.min(), {box.x0 + ui.px(4), box.y1}, ui.theme().accent,
                                              ui.px(4), ImDrawFlags_RoundCornersLeft);
    engine::log_widget(ui, "hint", box, hint, large && !state.hint_open ? "title only" : "");
    if (engine::bar_button(ui, {box.x1 - ui.px(36), box.centre().y - ui.px(16)}, engine::Icon::close,
                           "Dismiss hint", false, "Hides this hint. F1 shows all keys."))
        requests.dismiss_hint = true;
    engine::end_panel();
    return box;
}

}  // namespace claybox::app
