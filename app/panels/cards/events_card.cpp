#include "app/panels/cards/cards.hpp"

#include <algorithm>

namespace claybox::app {

using engine::fixed;
using engine::grouped;

void events_card(engine::Ui& ui, const PanelModel& model, const PanelState& state, PanelRequests& requests,
                 bool open) {
    const auto& events = *model.events;
    constexpr std::size_t kShown = 8;
    std::size_t recent = 0;
    const double now = events.empty() ? 0 : events.back().time;
    for (const EventRow& e : events) recent += e.time > now - 1 ? 1 : 0;
    const std::string summary = events.empty() ? "None yet" : grouped(recent) + " in the last second";
    if (engine::begin_card(ui, "Events", summary, open)) {
        if (events.empty()) engine::paragraph(ui, "Touches, collisions and presses are listed here.");
        bool sound = state.sound;
        if (model.session->descriptor().uses_hand &&
            engine::check_box(ui, "Key sounds", sound,
                              "A click when a key goes down, a higher one when it comes up."))
            requests.commands.push_back({Command::Kind::program, sound ? "sound=on" : "sound=off"});
        const engine::Theme& theme = ui.theme();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        for (std::size_t i = 0; i < std::min(kShown, events.size()); ++i) {
            const EventRow& e = events[events.size() - 1 - i];
            const engine::Rect row = engine::take_row(ui, 20, 4);
            const std::string time = fixed(e.time, 2) + " s";
            engine::draw_text(ui, list, {row.x0, row.y0, row.x0 + ui.px(56), row.y1}, engine::TextSize::body,
                              theme.secondary, time);
            engine::draw_mark(list, {row.x0 + ui.px(70), row.centre().y}, ui.px(10), event_mark(e.kind),
                              event_colour(theme, e.kind));
            const char* word = event_word(e.kind);
            const float left = row.x0 + ui.px(83),
                        used = engine::text_width(ui, engine::TextSize::body, word);
            engine::draw_text(ui, list, {left, row.y0, row.x1, row.y1}, engine::TextSize::body, theme.ink,
                              word);
            engine::draw_text(ui, list, {left + used + ui.px(10), row.y0, row.x1, row.y1},
                              engine::TextSize::secondary, theme.secondary, e.text, engine::Align::right);
            engine::log_widget(ui, "event", row, e.text, word);
        }
    }
    engine::end_card(ui);
}

engine::Mark event_mark(SceneEvent::Kind kind) {
    switch (kind) {
        case SceneEvent::Kind::collision_begin:
        case SceneEvent::Kind::fired:
            return engine::Mark::disc;
        case SceneEvent::Kind::collision_end:
        case SceneEvent::Kind::released:
            return engine::Mark::square;
        case SceneEvent::Kind::touched:
        case SceneEvent::Kind::left_early:
        case SceneEvent::Kind::lost:
        case SceneEvent::Kind::refused:
            return engine::Mark::ring;
        case SceneEvent::Kind::taken:
        case SceneEvent::Kind::dropped:
        case SceneEvent::Kind::dented:
        case SceneEvent::Kind::edited:
            return engine::Mark::diamond;
    }
    return engine::Mark::none;
}

engine::Colour event_colour(const engine::Theme& theme, SceneEvent::Kind kind) {
    switch (kind) {
        case SceneEvent::Kind::collision_begin:
            return theme.crimson;
        case SceneEvent::Kind::fired:
            return theme.accent;
        case SceneEvent::Kind::collision_end:
        case SceneEvent::Kind::released:
            return theme.teal;
        case SceneEvent::Kind::touched:
        case SceneEvent::Kind::left_early:
        case SceneEvent::Kind::lost:
        case SceneEvent::Kind::refused:
            return theme.amber;
        case SceneEvent::Kind::taken:
        case SceneEvent::Kind::dented:
        case SceneEvent::Kind::edited:
            return theme.accent;
        case SceneEvent::Kind::dropped:
            return theme.teal;
    }
    return theme.ink;
}

}  // namespace claybox::app
