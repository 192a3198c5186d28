// The panel over the scene while the program shows the past: where one is, and the two ways out.

#include "app/panels/cards/cards.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

/// "Continue here (Space)".
std::string with_key(const char* label, const PanelModel& model, std::string_view device) {
    return std::string(label) + " (" + first_key(model.devices, device) + ")";
}

void progress_row(engine::Ui& ui, const PanelModel& model, PanelRequests& requests, const engine::Rect& row) {
    const float button = ui.px(120);
    const engine::Rect bar{row.x0, row.centre().y - ui.px(4), row.x1 - button - ui.px(16),
                           row.centre().y + ui.px(4)};
    const double share = static_cast<double>(model.past.repeated) / static_cast<double>(model.past.to_repeat);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(bar.min(), bar.max(), ui.theme().line, ui.px(4));
    const float end = bar.x0 + static_cast<float>(share) * bar.width();
    if (end - bar.x0 > ui.px(8)) list.AddRectFilled(bar.min(), {end, bar.y1}, ui.theme().accent, ui.px(4));
    engine::log_widget(ui, "progress", bar, "Going back", engine::fixed(100 * share, 0) + " %");
    const std::string cancel = with_key("Cancel", model, "cancel");
    const char* const labels[] = {cancel.c_str()};
    const char* const help[] = {"Stays in the past. Nothing is lost."};
    requests.cancel_branch |=
        engine::button_row_at(ui, {row.x1 - button, row.y0, row.x1, row.y1}, labels, help) == 0;
}

}  // namespace

engine::Rect begin_top_panel(engine::Ui& ui, const char* id, const engine::Rect& area) {
    const float width = std::min(ui.px(440), area.width() - ui.px(24));
    const float left = area.centre().x - 0.5f * width, top = area.y0 + ui.px(8);
    const engine::Rect box{left, top, left + width, top + ui.px(76)};
    engine::begin_panel(ui, id, box, true);
    ImGui::GetWindowDrawList()->AddRectFilled(box.min(), {box.x0 + ui.px(4), box.y1}, ui.theme().accent,
                                              ui.px(4), ImDrawFlags_RoundCornersLeft);
    return box;
}

std::string past_text(const PastModel& past) {
    if (past.shown == nullptr) return {};
    const double seconds = static_cast<double>(past.newest - past.shown->frame()) * kStepSeconds;
    return "−" + engine::fixed(seconds, 2) + " s, frame " + engine::grouped(past.shown->frame());
}

engine::Rect past_panel(engine::Ui& ui, const PanelModel& model, PanelRequests& requests,
                        const engine::Rect& area) {
    const PastModel& past = model.past;
    if (past.shown == nullptr) return {};
    const engine::Rect box = begin_top_panel(ui, "past", area);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const engine::Rect line{box.x0 + ui.px(20), box.y0 + ui.px(4), box.x1 - ui.px(12), box.y0 + ui.px(34)},
        row{line.x0, box.y0 + ui.px(38), line.x1, box.y0 + ui.px(66)};
    const bool repeats = past.to_repeat > 0;
    const std::string title = repeats ? "Going back" : "The past";
    const std::string text = repeats ? "Repeats " + engine::grouped(past.to_repeat) + " frames"
                                     : past_text(past) + " of " + engine::grouped(past.newest);
    engine::draw_text(ui, list, line, engine::TextSize::title, ui.theme().ink, title);
    engine::draw_text(ui, list, line, engine::TextSize::body, ui.theme().ink, text, engine::Align::right);
    engine::log_widget(ui, "past", box, title, text);
    if (repeats) {
        progress_row(ui, model, requests, row);
    } else {
        const std::string go_on = with_key("Continue here", model, "pause"),
                          back = with_key("Return to now", model, "return_to_now");
        const char* const labels[] = {go_on.c_str(), back.c_str()};
        const char* const help[] = {
            "Repeats the run up to this frame and goes on from there. What came later is dropped.",
            "Shows the newest frame again. Nothing is lost."};
        const int clicked = engine::button_row_at(ui, row, labels, help);
        requests.toggle_pause |= clicked == 0;
        requests.return_to_now |= clicked == 1;
    }
    engine::end_panel();
    return box;
}

}  // namespace claybox::app
