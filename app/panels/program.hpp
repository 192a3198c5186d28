#pragma once
// Conversion between the program's choices (app/scenes/shared/choices.hpp) and the state of the panels.

#include "app/panels/model.hpp"
#include "app/scenes/shared/choices.hpp"

namespace claybox::app {

collision::ParameterValues program_values(const PanelState& state);
void set_program_values(const collision::ParameterValues& values, PanelState& state);

}  // namespace claybox::app
