// The panel over the scene while another thread builds the next one or saves a mesh: what it does, for how
// long, and the way out.

#include "app/panels/cards/cards.hpp"
#include "app/panels/notices/top_panel.hpp"

namespace claybox::app {

engine::Rect build_panel(engine::Ui& ui, const PanelModel& model, PanelRequests& requests,
                         const engine::Rect& area) {
    const BuildModel& build = model.build;
    if (build.title.empty()) return {};
    const std::string time = engine::fixed(build.seconds, 1) + " s";
    const TopPanel panel(ui, "build", area, build.title, time);
    requests.cancel_build |= progress_row(
        ui, model, {build.title, time, std::nullopt, build.seconds, build.cancel_help}, panel.row);
    engine::end_panel();
    return panel.box;
}

}  // namespace claybox::app
