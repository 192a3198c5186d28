#pragma once
// The `--report` file: state and widgets of the window, for programs that drive it from outside.

#include "app/panels/model.hpp"
#include "engine/ui/ui.hpp"

#include <filesystem>
#include <string>

namespace claybox::app {

/// State, figures, events and all widgets with their rectangles, as JSON.
std::string report_text(engine::Ui& ui, const PanelModel& model, const PanelState& state);

}  // namespace claybox::app
