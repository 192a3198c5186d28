// The panel over the scene while another thread builds the next one: what it builds, for how long, and the
// way out.

#include "app/panels/cards/cards.hpp"

#include <cmath>

namespace claybox::app {
namespace {

/// Nobody knows how much is left, so a part of the bar wanders from side to side.
void wandering_bar(engine::Ui& ui, const engine::Rect& bar, double seconds) {
    const auto at = static_cast<float>(0.5 - 0.5 * std::cos(3 * seconds));
    const float length = 0.25f * bar.width(), left = bar.x0 + at * (bar.width() - length);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(bar.min(), bar.max(), ui.theme().line, ui.px(4));
    list.AddRectFilled({left, bar.y0}, {left + length, bar.y1}, ui.theme().accent, ui.px(4));
}

}  // namespace

engine::Rect build_panel(engine::Ui& ui, const PanelModel& model, PanelRequests& requests,
                         const engine::Rect& area) {
    if (model.build.title.empty()) return {};
    const engine::Rect box = begin_top_panel(ui, "build", area);
    const engine::Rect line{box.x0 + ui.px(20), box.y0 + ui.px(4), box.x1 - ui.px(12), box.y0 + ui.px(34)},
        row{line.x0, box.y0 + ui.px(38), line.x1, box.y0 + ui.px(66)};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string time = engine::fixed(model.build.seconds, 1) + " s";
    engine::draw_text(ui, list, {line.x0, line.y0, line.x1 - ui.px(64), line.y1}, engine::TextSize::title,
                      ui.theme().ink, model.build.title);
    engine::draw_text(ui, list, line, engine::TextSize::body, ui.theme().ink, time, engine::Align::right);
    const float button = ui.px(120);
    const engine::Rect bar{row.x0, row.centre().y - ui.px(4), row.x1 - button - ui.px(16),
                           row.centre().y + ui.px(4)};
    wandering_bar(ui, bar, model.build.seconds);
    engine::log_widget(ui, "progress", bar, model.build.title, time);
    const std::string cancel = "Cancel (" + first_key(model.devices, "cancel") + ")";
    const char* const labels[] = {cancel.c_str()};
    const char* const help[] = {"The scene stays as it is."};
    requests.cancel_build |=
        engine::button_row_at(ui, {row.x1 - button, row.y0, row.x1, row.y1}, labels, help) == 0;
    engine::end_panel();
    return box;
}

}  // namespace claybox::app
