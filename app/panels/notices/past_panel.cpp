// The panel over the scene while the program shows the past: where one is, and the two ways out.

#include "app/panels/cards/cards.hpp"
#include "app/panels/notices/top_panel.hpp"

namespace claybox::app {
namespace {

bool going_back_row(engine::Ui& ui, const PanelModel& model, const engine::Rect& row) {
    Progress progress;
    progress.title = "Going back";
    progress.share = static_cast<double>(model.past.repeated) / static_cast<double>(model.past.to_repeat);
    progress.text = engine::fixed(100 * *progress.share, 0) + " %";
    progress.cancel_help = "Stays in the past. Nothing is lost.";
    return progress_row(ui, model, progress, row);
}

}  // namespace

std::string past_text(const PastModel& past) {
    if (past.shown == nullptr) return {};
    const double seconds = static_cast<double>(past.newest - past.shown->frame()) * kStepSeconds;
    return "−" + engine::fixed(seconds, 2) + " s, frame " + engine::grouped(past.shown->frame());
}

engine::Rect past_panel(engine::Ui& ui, const PanelModel& model, PanelRequests& requests,
                        const engine::Rect& area) {
    const PastModel& past = model.past;
    if (past.shown == nullptr) return {};
    const bool repeats = past.to_repeat > 0;
    const std::string title = repeats ? "Going back" : "The past";
    const std::string text = repeats ? "Repeats " + engine::grouped(past.to_repeat) + " frames"
                                     : past_text(past) + " of " + engine::grouped(past.newest);
    const TopPanel panel(ui, "past", area, title, text);
    engine::log_widget(ui, "past", panel.box, title, text);
    if (repeats) {
        requests.cancel_branch |= going_back_row(ui, model, panel.row);
    } else {
        const std::string go_on = with_key("Continue here", model, "pause"),
                          back = with_key("Return to now", model, "return_to_now");
        const char* const labels[] = {go_on.c_str(), back.c_str()};
        const char* const help[] = {
            "Repeats the run up to this frame and goes on from there. What came later is dropped.",
            "Shows the newest frame again. Nothing is lost."};
        const int clicked = engine::button_row_at(ui, panel.row, labels, help);
        requests.toggle_pause |= clicked == 0;
        requests.return_to_now |= clicked == 1;
    }
    engine::end_panel();
    return panel.box;
}

}  // namespace claybox::app
