#pragma once
// The parts that draw_panels() puts together.

#include "app/panels/model.hpp"
#include "engine/ui/widgets.hpp"

namespace claybox::app {

/// Which cards are open until somebody folds or opens them: as many as a column of this height has room for,
/// what matters most in the scene first, so that every header but those of Headset and Devices is in view.
struct OpenCards {
    bool scene = false, algorithm = false, broad_phase = false, performance = false, inspect = false,
         events = false, headset = false;
};
OpenCards open_cards(const PanelModel& model, float column_units);

/// "5.1 ms", "0.02 ms", "1.59 s": three figures that can be read in passing.
std::string milliseconds(double seconds);

/// Names that are made for sentences start with a capital in a panel.
std::string capitalised(std::string_view name);

/// Of a pass, in words: "Full", "Boxes only".
std::string accuracy_text(collision::Accuracy accuracy);
/// Rows of the Performance card about the module: governor, worth of the broad phase, memory. True while the
/// list of memory is in view.
bool module_rows(engine::Ui& ui, const PanelModel& model, PanelRequests& requests);
/// A fold of the Performance card.
void pipeline_rows(engine::Ui& ui, const collision::PassStats& stats);
/// Rows of the Performance card about who does the work: the concurrent module, parallel modes and what they
/// gain.
void thread_rows(engine::Ui& ui, const PanelModel& model, PanelRequests& requests);

void scene_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                bool open);
void algorithm_card(engine::Ui& ui, const PanelModel& model, PanelRequests& requests, bool open);
void broad_phase_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                      bool open);
void performance_card(engine::Ui& ui, const PanelModel& model, PanelRequests& requests, bool open);
void inspect_card(engine::Ui& ui, const PanelModel& model, PanelState& state, bool open);
void headset_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                  bool open);
void events_card(engine::Ui& ui, const PanelModel& model, const PanelState& state, PanelRequests& requests,
                 bool open);
/// Logical devices: what they say, what they are made of, and another mapping for one; nothing where the
/// model has none.
void devices_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests);

void rail(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
          const engine::Rect& box);
void bottom_bar(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                const engine::Rect& box);
void help_overlay(engine::Ui& ui, const PanelModel& model, PanelState& state);
/// The first-run hint in the lower left corner of the free part of the window, where neither the scene nor an
/// idle hand is; its rectangle, or an empty one.
engine::Rect hint_panel(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                        const engine::Rect& area);
/// One line that fades, at the upper edge.
void passing_message(engine::Ui& ui, const PanelModel& model, const engine::Rect& area);
void scene_labels(engine::Ui& ui, const PanelModel& model, PanelState& state, const engine::Rect& area,
                  const engine::Rect& hint);

}  // namespace claybox::app
