#include "app/panels/cards/cards.hpp"
#include "app/panels/finder/finder_panel.hpp"

#include <imgui.h>

namespace claybox::app {

namespace {

/// Estimated height of the Scene card's body.
float scene_card_units(const Session& session) {
    const SceneDescriptor& scene = session.descriptor();
    const bool exports = session.scene().export_mesh().topology != nullptr;
    const std::size_t buttons = (scene.actions.size() + 2) / 3 + (exports ? 1 : 0);
    return 36.0f + 34.0f * static_cast<float>(scene.parameters.size()) +
           24.0f * static_cast<float>(session.scene().figures().size()) + 36.0f * static_cast<float>(buttons);
}

}  // namespace

OpenCards open_cards(const PanelModel& model, float column_units) {
    const SceneDescriptor& descriptor = model.session->descriptor();
    const bool scene_first = descriptor.uses_hand || descriptor.explains_algorithm || descriptor.continuous ||
                             descriptor.edits == EditSupport::all;
    const bool selected = !model.inspection->title.empty();
    OpenCards open;
    // Initial heights of the bodies, with the parameters of a typical algorithm.
    const float scene = scene_card_units(*model.session);
    struct Card {
        bool* open;
        float body;
    };
    const Card watched[] = {{&open.algorithm, 198},
                            {&open.broad_phase, 156},
                            {&open.performance, 243},
                            {&open.events, 200},
                            {&open.scene, scene}};
    const Card touched[] = {{&open.scene, scene},
                            {&open.performance, 243},
                            {&open.events, 200},
                            {&open.algorithm, 198},
                            {&open.broad_phase, 156}};
    // Space for the headers of these cards and of Inspect. Headset and Devices are rarely used and may be
    // below the window.
    float room = column_units - 6 * 32 - 5 * 8;
    // The first card is open even if it must be scrolled.
    bool first = true;
    for (const Card& card : scene_first ? touched : watched) {
        if (!first && card.body > room) continue;
        *card.open = true;
        room -= card.body;
        first = false;
    }
    open.inspect = selected || room > 70;
    open.headset = model.headset.running;
    return open;
}

void draw_panels(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    requests.clear();
    state.object_open = false;  // the card Inspect says so again while it shows the rows
    const auto width = static_cast<float>(ui.width()), height = static_cast<float>(ui.height());
    const float m = ui.px(8);
    const bool behind = state.help || state.finder.open;
    if (behind) {
        ui.leave_panels();
        ImGui::BeginDisabled();
    }
    engine::Rect area{0, 0, width, height};
    if (!state.hidden) {
        const float bottom = height - m - ui.px(40);
        area = {m + ui.px(72), 0, width - m - ui.px(320), bottom - m};
        rail(ui, model, state, requests, {m, m, m + ui.px(72), bottom - m});
        engine::begin_column(ui, "column", {width - m - ui.px(320), m, width - m, bottom - m});
        ImGui::PushID(model.session->descriptor().id);  // each scene remembers its own folds
        if (state.arrange_cards) engine::arrange_cards(ui, kCardTitles, *state.arrange_cards);
        state.arrange_cards.reset();
        const OpenCards open = open_cards(model, (bottom - 2 * m) / ui.scale());
        scene_card(ui, model, state, requests, open.scene);
        algorithm_card(ui, model, requests, open.algorithm);
        broad_phase_card(ui, model, state, requests, open.broad_phase);
        performance_card(ui, model, state, requests, open.performance);
        inspect_card(ui, model, state, requests, open.inspect);
        events_card(ui, model, state, requests, open.events);
        headset_card(ui, model, state, requests, open.headset);
        devices_card(ui, model, state, requests);
        ImGui::PopID();
        engine::end_column(ui);
        bottom_bar(ui, model, state, requests, {m, bottom, width - m, height - m});
    }
    engine::Rect hint = lesson_panel(ui, model, state, requests, area);
    if (hint.height() == 0) hint = hint_panel(ui, model, state, requests, area);
    leftover_panel(ui, model, requests, area, hint);
    const engine::Rect past = past_panel(ui, model, requests, area);
    if (past.height() > 0) area.y0 = past.y1;  // the others come below it
    const engine::Rect build = build_panel(ui, model, requests, area);
    if (build.height() > 0) area.y0 = build.y1;
    engine::Rect clear = area;
    const float beside = state.lesson && !state.lesson_folded ? lesson_room(area.width() / ui.scale()) : 0;
    if (beside > 0)
        clear.x0 += ui.px(beside);
    else if (hint.height() > 0)
        clear.y1 = hint.y0;
    std::vector<engine::Rect> taken = scene_insets(ui, model, clear);
    taken.push_back(hint);
    scene_labels(ui, model, state, area, std::move(taken));
    if (behind) ImGui::EndDisabled();
    passing_message(ui, model, area);
    if (state.help) help_overlay(ui, model, state);
    finder_panel(ui, model, state, requests);
}

}  // namespace claybox::app
