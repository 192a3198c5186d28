#pragma once

#include "app/panels/model.hpp"

namespace claybox::app {

/// The finder: scenes with pictures, lessons and commands, filtered by what is typed. Everything behind it is
/// dimmed. Enter or a click carries out an entry and closes it; Esc closes it.
void finder_panel(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests);

}  // namespace claybox::app
