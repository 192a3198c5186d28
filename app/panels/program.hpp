#pragma once
// The choices of the program (app/scenes/choices.hpp) as the panels keep them.

#include "app/panels/model.hpp"
#include "app/scenes/choices.hpp"

namespace claybox::app {

collision::ParameterValues program_values(const PanelState& state);
void set_program_values(const collision::ParameterValues& values, PanelState& state);

}  // namespace claybox::app
