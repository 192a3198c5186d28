#include "app/panels/cards.hpp"

#include <imgui.h>

namespace claybox::app {

void draw_panels(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    requests.clear();
    const auto width = static_cast<float>(ui.width()), height = static_cast<float>(ui.height());
    const float m = ui.px(8);
    engine::Rect area{0, 0, width, height};
    if (!state.hidden) {
        const float bottom = height - m - ui.px(40);
        area = {m + ui.px(72), 0, width - m - ui.px(320), bottom - m};
        rail(ui, model, state, requests, {m, m, m + ui.px(72), bottom - m});
        engine::begin_column(ui, "column", {width - m - ui.px(320), m, width - m, bottom - m});
        ImGui::PushID(model.session->descriptor().id);  // each scene remembers its own folds
        scene_card(ui, model, state, requests);
        algorithm_card(ui, model, requests);
        broad_phase_card(ui, model, state, requests);
        performance_card(ui, model, requests);
        inspect_card(ui, model);
        events_card(ui, model);
        ImGui::PopID();
        engine::end_column(ui);
        bottom_bar(ui, model, state, requests, {m, bottom, width - m, height - m});
    }
    scene_labels(ui, model, area);
    hint_and_message(ui, model, state, requests, area);
    if (state.help) help_overlay(ui, state);
}

}  // namespace claybox::app
