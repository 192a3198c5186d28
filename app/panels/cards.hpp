#pragma once
// The parts that draw_panels() puts together.

#include "app/panels/model.hpp"
#include "engine/ui/widgets.hpp"

namespace claybox::app {

void scene_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests);
void algorithm_card(engine::Ui& ui, const PanelModel& model, PanelRequests& requests);
void broad_phase_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests);
void performance_card(engine::Ui& ui, const PanelModel& model, PanelRequests& requests);
void inspect_card(engine::Ui& ui, const PanelModel& model);
void events_card(engine::Ui& ui, const PanelModel& model);

void rail(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
          const engine::Rect& box);
void bottom_bar(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                const engine::Rect& box);
void help_overlay(engine::Ui& ui, PanelState& state);
/// The first-run hint and the passing message, above the bottom bar; `area` is the free part of the window.
void hint_and_message(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                      const engine::Rect& area);
void scene_labels(engine::Ui& ui, const PanelModel& model, const engine::Rect& area);

}  // namespace claybox::app
